// An agent on the TypeScript SDK that plays the same part every time: a turn
// with every kind of update and request, or, for the prompt "wait", one that
// only session/cancel ends. With the argument outside it plays another part: it
// asks for what is outside of the session, and then for what is inside.
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";

const { agent: from, client: to } = acp.methods;
const sessions = new Map(); // by id: cwd, and what ends a turn that waits
const strays = process.argv[2] === "outside";
const name = strays ? "stray" : "interop";

acp
  .agent({ name })
  .onRequest(from.initialize, () => ({
    protocolVersion: acp.PROTOCOL_VERSION,
    agentInfo: { name, version: "1" },
    agentCapabilities: {},
  }))
  .onRequest(from.session.new, ({ params }) => {
    const sessionId = randomUUID();
    sessions.set(sessionId, { cwd: params.cwd });
    return { sessionId };
  })
  .onRequest(from.session.prompt, ({ params, client }) => {
    const text = params.prompt.map((block) => block.text ?? "").join("");
    if (strays) return stray(params.sessionId, client);
    return text === "wait" ? wait(params.sessionId, client) : turn(params.sessionId, client);
  })
  .onNotification(from.session.cancel, ({ params }) => sessions.get(params.sessionId)?.cancelled?.())
  .onRequest("_interop/echo", (params) => params, ({ params }) => params)
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

const say = (client, sessionId, text) =>
  client.notify(to.session.update, { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } });

async function wait(sessionId, client) {
  const cancelled = new Promise((resolve) => (sessions.get(sessionId).cancelled = resolve));
  await say(client, sessionId, "waiting");
  await cancelled;
  return { stopReason: "cancelled" };
}

async function turn(sessionId, client) {
  const { cwd } = sessions.get(sessionId);
  const update = (update) => client.notify(to.session.update, { sessionId, update });
  await update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Ω ≈ 🙂 \u2028 \\ \"quoted\" <tag> & \t tab" } });
  await update({ sessionUpdate: "plan", entries: [{ content: "write a file", priority: "high", status: "pending" }] });
  const path = join(cwd, "interop.txt");
  const content = "line\r\n".repeat(30_000);
  const toolCall = { toolCallId: "call-1", title: "Write interop.txt", kind: "edit", status: "pending", locations: [{ path }], content: [{ type: "diff", path, oldText: null, newText: content }] };
  await update({ sessionUpdate: "tool_call", ...toolCall });
  const { outcome } = await client.request(to.session.requestPermission, {
    sessionId,
    toolCall,
    options: [
      { optionId: "yes", name: "Allow", kind: "allow_once" },
      { optionId: "no", name: "Reject", kind: "reject_once" },
    ],
  });
  if (outcome.optionId !== "yes") return { stopReason: "refusal" };
  await client.request(to.fs.writeTextFile, { sessionId, path, content });
  const back = await client.request(to.fs.readTextFile, { sessionId, path });
  await refused(client, sessionId, join(cwd, "missing.txt"));
  await update({ sessionUpdate: "tool_call_update", toolCallId: "call-1", status: back.content === content ? "completed" : "failed" });
  await say(client, sessionId, "done\n");
  return { stopReason: "end_turn" };
}

// A request that the client answers with an error.
async function refused(client, sessionId, path) {
  try {
    await client.request(to.fs.readTextFile, { sessionId, path });
  } catch (error) {
    return say(client, sessionId, "no such file\n");
  }
  throw new Error("a file that is missing was read");
}

// Each thing is asked for twice, outside and inside, and what came of it said.
async function stray(sessionId, client) {
  const { cwd } = sessions.get(sessionId);
  const attempt = async (what, method, params) => {
    try {
      await client.request(method, { sessionId, ...params });
      await say(client, sessionId, `${what}: done`);
    } catch (error) {
      await say(client, sessionId, `${what}: ${error.code} ${error.data?.source} ${error.message}`);
    }
  };
  for (const dir of [dirname(cwd), cwd]) {
    const path = join(dir, "stray.txt");
    await attempt("write", to.fs.writeTextFile, { path, content: "astray\n" });
    await attempt("read", to.fs.readTextFile, { path });
    await attempt("run", to.terminal.create, { command: "true", cwd: dir });
  }
  return { stopReason: "end_turn" };
}
