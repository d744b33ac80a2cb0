// Package broker keeps the permission requests that wait for an answer, and
// sees to it that each gets exactly one.
//
// A [Broker] is a state machine: bytes that were read go in, frames to add and
// events to record come out. It does no I/O, starts no goroutine, has no clock
// and no lock. Whoever holds the lock under which it is called is told what to
// do and does it before letting go, so that wire, recording and panel name the
// same winner.
//
// # What becomes of a request
//
// A request is open until somebody answers: the editor, a panel, a command, or
// the clock. What the editor says passes as it came. What the others say is
// added to the wire; the editor is told by $/cancel_request that nobody waits
// for it any more, and owes a reply, which is swallowed and recorded whenever it
// comes and whatever it is. There is no clock on that: some editors answer a
// withdrawn dialog never, others when a person finds it in the evening.
//
// When the editor cancels a session, what is open there leaves the panel. The
// editor's own refusal passes; anything that a peer could take for an approval
// does not, since agents have been seen to act on one: the agent is told
// cancelled instead. After [Grace] it is told so in any case. Requests that
// come later are as any other.
//
// When the agent withdraws a request, that leaves the panel, too. The editor's
// answer passes, whatever it is, since nobody acts on it; after [Grace] the
// agent gets cancelled.
//
// Nothing automatic selects anything but an option of kind reject_once, and
// that only if no other option with the same id means something else. Where
// there is none, the answer is cancelled.
//
// # Ids
//
// Frames carry the agent's ids as they are, so a reply is attributed by its id
// alone, and where that is not enough, nothing that could be an approval passes.
// An entry is known by its id and, since ids come again, by its number, which
// never does.
//
//   - A request under the id of one whose reply is still owed is forwarded. The
//     first reply is taken for the old one, and swallowed, unless it selects an
//     option by which every open request of this id is rejected: that settles the
//     new one, and the old reply stays owed. So a swallowed allow counts as the
//     old reply; if the editor answers each request once, the next allow can only
//     come when both were allowed, whichever came first. The error that answers a
//     withdrawal is the old reply, too. Any other one (cancelled, another error,
//     what cannot be read) may have been meant for either, so that an allow behind
//     it is not released. Until the old reply is there, panel, command and clock
//     decide; the clock runs for [Limit] even where there is no time-out.
//   - A request under the id of one that is open makes both ambiguous. The editor
//     decides, and its replies are taken in order, save one that selects what
//     only a later request offers. Each still has its own clock, which answers
//     with an option only if all of them would be rejected by it and there are not
//     too many of them, else with cancelled. Nobody else can answer them, not even
//     to reject, for the agent may hear it for the other one.
//   - The same holds for an id that another request of the agent has, of any
//     method; there the shape of a reply tells whose it is.
//   - Ids that peers may read differently (1.0, true, null) are never kept: such
//     a request passes, flagged, and is the editor's alone.
//   - A reply to an id that has been answered is swallowed, as long as it is
//     among the last [MaxRemembered] and the agent has not used it again.
//
// # Limits
//
// The editor owes at most [MaxOwed] replies, to requests open or settled, and
// they hold at most 64 MiB; further requests are answered cancelled and not
// forwarded. Of each, 64 KiB of input, 512 options with 4 KiB of their names
// and 256 paths are kept. An option whose id is longer than 64 KiB is odd: only
// the editor can choose it.
//
// [Requests] and [Prompts] are the time-outs of what is not a permission.
package broker
