// Package replay plays one side of a recorded conversation to a live peer: the
// agent's side to a client, or the client's side to an agent. It says where the
// peer now does something else than the one that was recorded.
//
// It is handed frames and streams, and knows neither files nor processes.
//
// # As an agent
//
// [Agent] sends what the agent sent, in its order and pace, under request ids of
// its own, and waits where that had waited: for a request, a notification or an
// answer of the client. A live request is taken for the recorded one with its
// method and session; ids do not matter. What the client does otherwise is a
// divergence, and the replay goes on: past what the client leaves out, with the
// recorded answer to what comes late, with an error for what was never asked,
// and to the end of a turn that the client cancels. When everything was said it
// stays until the client leaves.
//
// # As a client
//
// [Client] sends what the client sent, each request when what was answered before
// it in the recording has been answered now. It answers what the agent asks as
// the client did when the agent asked the same: a permission by the kind and name
// of the option that was chosen then, a file and a terminal by what was in it, or
// a file from the disk. Never does it permit what was not asked for in the
// recording. In the end it holds what was told and done in each turn against the
// recording: tool calls by kind, title and paths, stop reasons, and which kinds
// of updates there were. Agents that talk to a model vary, so texts count only
// where that is asked for. Where the recording ends inside a turn it lets the agent
// end that, and says that nothing more could be compared; an agent's part answers
// such a turn with an error.
//
// # What is mapped
//
// Where the recorded client named a directory for a session and the live one
// names another, paths below it are changed in every JSON string, also within
// text. So are session and terminal ids, in members named for them. Ids of
// messages, tool calls and permission options stay. What was masked in the
// recording, [Masked], equals everything, and so do the blanks of a copy whose
// contents were removed. A peer that is given blanks may go another way; what
// follows from that is told, and not counted.
//
// # Goroutines
//
//	Agent, Client  the caller's: it alone knows the state of the play
//	reading        takes frames off the stream; ends with it, or is left in a Read that cannot be interrupted
//	writing        writes one frame at a time; ends with the play, or is left in such a Write
//
// A peer that says nothing where something is expected, or takes nothing, for
// Options.Patience ends the play. After the last frame an agent stays until its
// client leaves, and a client hears its agent's last words for a few seconds.
package replay
