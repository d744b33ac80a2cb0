// Package editor is a scripted client: it starts an agent, plays one prompt
// turn with it and prints what a person would see.
//
// It serves the agent's fs and terminal requests for real. Files are confined
// to the session's directory, links included; commands start in it, and what
// they do then is up to them. Permissions are answered by a [Rule]. A request
// that somebody else has settled is withdrawn by $/cancel_request: the editor
// drops its dialog and answers -32800.
//
// When the context of a run ends, the editor behaves like a person who presses
// stop: it sends session/cancel, answers open permissions with cancelled, and
// waits for the turn to end. In every case it kills what runs in terminals at the
// end, answers what it was asked, closes the agent's input, waits for it to
// leave, and kills it with its process group when it does not.
//
// With Options.Misbehave the editor does on purpose what clients do by mistake:
// see [Misbehaviours]. What it prints and counts stays true: a permission counts
// as given if the first answer gave it, and whoever settled a request that was
// withdrawn, it was not this editor.
//
// Everything an agent sends is cleaned by package clean before it is printed.
// Tables of wide characters are not known here: a line that holds them may be
// wrapped too late.
//
// Goroutines of one conversation:
//
//	reader   jsonrpc2's; prints updates in the order they came, never writes to the agent
//	replies  one for each request; all are awaited before the conversation returns
//	asking   with Rule Ask, one dialog at a time; ends with the conversation
//	typing   with Rule Ask, reads Options.Answers; a read that blocks is left behind
package editor
