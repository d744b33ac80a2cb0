// What the clients do when they are asked for a permission. INTEROP_DIALOG says
// it: allow (the default) or deny at once, or leave the dialog open and, once
// it is withdrawn,
//
//   error   answer that the request was cancelled, as the SDK does
//   late    answer with an allow nevertheless
//   never   do nothing
const way = process.env.INTEROP_DIALOG || "allow";
let owed = 0; // replies to what was withdrawn
let paid = () => {};

export async function ask({ params, signal }) {
  const select = (kind) => ({
    outcome: { outcome: "selected", optionId: params.options.find((option) => option.kind === kind).optionId },
  });
  if (way === "allow") return select("allow_once");
  if (way === "deny") return select("reject_once");
  if (way === "never") return new Promise(() => {});
  owed++;
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  if (way === "late") return select("allow_once");
  throw signal.reason;
}

// counted is stream, with an eye on what is written: done waits for it.
export function counted({ readable, writable }) {
  const to = writable.getWriter();
  const write = async (message) => {
    await to.write(message);
    const reply = message.result?.outcome || message.error?.code === -32800;
    if (owed > 0 && reply && --owed === 0) paid();
  };
  return { readable, writable: new WritableStream({ write, close: () => to.close(), abort: (reason) => to.abort(reason) }) };
}

// done returns when no reply is owed any more.
export const done = () => new Promise((resolve) => (owed === 0 ? resolve() : (paid = resolve)));
