// Package bob is a scripted agent: it speaks version 1 of the protocol as
// Bob Shell would and plays the same part every time.
//
// In Agent mode a prompt repairs the exercise of package retrybudget in the
// session's directory, for real: it reads the source, runs ./verify, patches
// the source, updates its to-do list and runs ./verify again. Each of the last
// four asks for permission first, with options whose ids are opaque. Files go
// through the client's fs methods and commands through its terminals where the
// client offers them, and directly where it does not. In Plan mode a prompt
// makes the plan only, in Ask mode it explains only, and neither touches
// anything. The slash commands /plan, /explain and /review do the same in any
// mode; the other commands are announced and politely declined.
//
// What a refusal does: the tool call fails, Bob says where it stops and what
// was left undone, and the turn ends with end_turn. A cancelled outcome that no
// session/cancel explains ends it with cancelled. An outcome that names no
// offered option is a refusal.
//
// What session/cancel does: the turn ends with cancelled. An open permission is
// withdrawn with $/cancel_request; with Options.Patient Bob waits for its
// answer instead, for ever if need be, as several real agents do.
//
// Sessions live as long as the connection. session/load replays what was said
// and done, session/resume does not; session/list knows closed sessions, too.
// $/cancel_request from the client is ignored, as the protocol permits.
//
// With Options.Misbehave a prompt in Agent mode plays other scripts than the
// repair: see [Misbehaviours]. They write their requests past jsonrpc2, which
// knows one request for an id and one reply for a request, and end the turn with
// a message that says what was answered. The script escape makes, where it gets
// out, files called bob-was-here-… in Options.Outside; it changes no other file
// there, and removes the links that it made in the session's directory.
//
// Texts, ids and numbers are the same in every run; only Options.RandomIDs
// changes that.
//
// Goroutines of one Serve:
//
//	reader   jsonrpc2's; puts requests into a queue of 256 and waits when it is full
//	worker   takes requests in order and answers them; ends with the connection
//	turn     one for each prompt turn; Serve waits for them after cancelling them
package bob
