// Command interop lets ACP programs that others wrote converse through
// bobproxy and compares that with the same programs conversing directly.
//
//	interop play FOLDER   plays all pairs, see run for what FOLDER must hold
//	interop tap …         stands in for an agent in such a play and keeps a copy
//
// # One pair
//
// Each pair of a client and an agent is played twice, in folders of their own:
//
//	direct    client ─ tap "editor" ─ agent
//	proxied   client ─ tap "editor" ─ bobproxy ─ tap "agent" ─ agent
//
// A tap keeps what each side wrote and how its child ended. Four things must
// then hold. The two taps of the proxied run saw the same bytes in both
// directions, where nothing is gated. The recording has exactly these bytes, one
// record a line, and keeps what it promises about itself. The direct and the
// proxied conversation have the same lines in each direction, once ids that are
// random by nature are replaced. And the user saw the same: output, exit status,
// files.
//
// # Pairs with a gate
//
// Where bobproxy is to refuse something, or somebody else than the client answers,
// the direct run is one whose client gives that answer itself. The agent must not
// be able to tell the two apart; the client gets what the recording says that it
// got; and the recording names each thing that bobproxy did, and no other.
//
// # Recorded pairs
//
// Some pairs are recorded, without bounds, and the recording is played back with
// bobproxy replay: its agent to the client, and its client to the agent, with
// files from the disk. Neither may do anything else than when it was recorded.
//
// # What it does not do
//
// Order is compared between the taps and the recording only: some programs vary
// theirs from run to run. Nothing here reads ACP: a frame is a line.
package main
