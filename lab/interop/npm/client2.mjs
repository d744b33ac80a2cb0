// A client on the draft of protocol version 2 that plays one turn with the
// agent it starts and ends it by closing its stdin:
//
//   node client2.mjs AGENT ARGS…
//
// It allows what it is asked unless INTEROP_DIALOG says otherwise.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk/experimental/v2";
import { ask, counted, done } from "./dialog.mjs";

const { agent: to, client: from } = acp.methods;
const child = spawn(process.argv[2], process.argv.slice(3), { stdio: ["pipe", "pipe", "inherit"] });
const ended = once(child, "exit");
const stream = counted(acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)));
let turnEnded;
const stopReason = new Promise((resolve) => (turnEnded = resolve));

await acp
  .client({ name: "interop" })
  .onNotification(from.session.update, ({ params: { update } }) => {
    console.log(update.sessionUpdate, update.state ?? update.status ?? "");
    if (update.state === "idle") turnEnded(update.stopReason);
  })
  .onRequest(from.session.requestPermission, ask)
  .connectWith(stream, async (cx) => {
    const hello = await cx.request(to.initialize, {
      protocolVersion: acp.PROTOCOL_VERSION,
      info: { name: "interop", version: "1" },
      capabilities: {},
    });
    console.log("version", hello.protocolVersion);
    const { sessionId } = await cx.request(to.session.new, { cwd: process.cwd(), mcpServers: [] });
    await cx.request(to.session.prompt, { sessionId, prompt: [{ type: "text", text: "Please write a file." }] });
    if ((await stopReason) !== "end_turn") throw new Error(`the turn ended with ${await stopReason}`);
    await done();
  });

child.stdin.end();
const [code, signal] = await ended;
console.log("the agent ended with", code ?? signal);
