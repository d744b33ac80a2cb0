// A client on the TypeScript SDK that plays one conversation with the agent it
// starts and ends it by closing its stdin:
//
//   node client.mjs AGENT ARGS…
//
// It allows what it is asked unless INTEROP_DIALOG says otherwise, sends a frame
// that fills several pipes, and with an agent that calls itself interop cancels a
// second turn. An agent that opens no session without credentials is left again.
// INTEROP_SDK names another version of the SDK; with INTEROP_HANDSHAKE it leaves
// as soon as it has a session.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { Readable, Writable } from "node:stream";
import { ask, counted, done } from "./dialog.mjs";

const acp = await import(process.env.INTEROP_SDK || "@agentclientprotocol/sdk");
const { agent: to, client: from } = acp.methods;
const AUTH_REQUIRED = -32000;

const child = spawn(process.argv[2], process.argv.slice(3), { stdio: ["pipe", "pipe", "inherit"] });
const ended = once(child, "exit");
const stream = counted(acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)));

await acp
  .client({ name: "interop" })
  .onNotification(from.session.update, async ({ params, agent }) => {
    const text = params.update.content?.text;
    if (params.update.sessionUpdate !== "agent_message_chunk" || !text) return;
    console.log(text);
    if (text === "waiting") await agent.notify(to.session.cancel, { sessionId: params.sessionId });
  })
  .onRequest(from.session.requestPermission, ask)
  .onRequest(from.fs.readTextFile, async ({ params }) => ({ content: await readFile(params.path, "utf8") }))
  .onRequest(from.fs.writeTextFile, async ({ params }) => {
    await writeFile(params.path, params.content);
    return {};
  })
  .onRequest(from.terminal.create, () => ({ terminalId: "none" }))
  .connectWith(stream, converse);

child.stdin.end();
const [code, signal] = await ended;
console.log("the agent ended with", code ?? signal);

async function converse(cx) {
  const hello = await cx.request(to.initialize, {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientInfo: { name: "interop", version: "1" },
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true } },
  });
  const session = await open(cx);
  if (!session || process.env.INTEROP_HANDSHAKE) return child.kill(); // such agents do not all leave at the end of stdin
  await echo(cx);
  await prompt(cx, session.sessionId, "Please repair RetryBudget.", process.env.INTEROP_STOP || "end_turn");
  if (hello.agentInfo?.name === "interop") await prompt(cx, session.sessionId, "wait", "cancelled");
  await done();
}

async function open(cx) {
  try {
    return await cx.request(to.session.new, { cwd: process.cwd(), mcpServers: [] });
  } catch (error) {
    if (error.code !== AUTH_REQUIRED && !process.env.INTEROP_HANDSHAKE) throw error;
    console.log("session/new: error", error.code);
  }
}

// An agent may not know the method.
async function echo(cx) {
  const text = 'a<b> "c" \\ é 漢 🙂 \u2028\n'.repeat(20_000);
  try {
    const back = await cx.request("_interop/echo", { text });
    if (back.text !== text) throw new Error("echo came back changed");
    console.log("echo: the same");
  } catch (error) {
    if (!(error instanceof acp.RequestError)) throw error;
    console.log("echo: error", error.code);
  }
}

async function prompt(cx, sessionId, text, want) {
  const turn = await cx.request(to.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  if (turn.stopReason !== want) throw new Error(`the turn ended with ${turn.stopReason}, not ${want}`);
}
