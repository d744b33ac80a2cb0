// An agent on the draft of protocol version 2 that plays one turn: a prompt is
// answered at once, and the turn ends with the state idle.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk/experimental/v2";

const { agent: from, client: to } = acp.methods;
const sessions = new Map(); // cwd by id

acp
  .agent({ name: "interop" })
  .onRequest(from.initialize, () => ({
    protocolVersion: acp.PROTOCOL_VERSION,
    info: { name: "interop", version: "1" },
    capabilities: {},
  }))
  .onRequest(from.session.new, ({ params }) => {
    const sessionId = randomUUID();
    sessions.set(sessionId, params.cwd);
    return { sessionId };
  })
  .onRequest(from.session.prompt, ({ params, client }) => {
    const messageId = "message-1";
    setImmediate(turn, params, messageId, client);
    return { messageId };
  })
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

async function turn({ sessionId, prompt }, messageId, client) {
  const update = (update) => client.notify(to.session.update, { sessionId, update });
  await update({ sessionUpdate: "user_message", messageId, content: prompt });
  await update({ sessionUpdate: "state_update", state: "running" });
  const path = join(sessions.get(sessionId), "interop.txt");
  const toolCall = { toolCallId: "call-1", title: "Write interop.txt", kind: "edit", status: "pending", locations: [{ path }] };
  await update({ sessionUpdate: "tool_call_update", ...toolCall });
  const { outcome } = await client.request(to.session.requestPermission, {
    sessionId,
    title: "Write interop.txt?",
    subject: { type: "tool_call", toolCall },
    options: [
      { optionId: "yes", name: "Allow", kind: "allow_once" },
      { optionId: "no", name: "Reject", kind: "reject_once" },
    ],
  });
  const allowed = outcome.optionId === "yes";
  await update({ sessionUpdate: "tool_call_update", toolCallId: "call-1", status: allowed ? "completed" : "failed" });
  await update({ sessionUpdate: "agent_message_chunk", messageId: "message-2", content: { type: "text", text: allowed ? "done" : "refused" } });
  await update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
}
