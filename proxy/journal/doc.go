// Package journal keeps what happens in one running proxy: every frame in both
// directions, every decision, the agent's start, words and end.
//
// A pump hands over frames with [Journal.Append] and goes on. What it pays is
// one lock for a batch and one copy of each frame's envelope; the bytes stay in
// the [Chunk] they were read into, which the journal holds until it is through
// with them. Everything else is done behind a queue: an event is masked, put
// into the tail, given to the watchers, and written to the recording, in this
// order and in the order of its sequence number.
//
// # Guarantees
//
//   - The sequence numbers of frames and notes follow the order of the calls
//     that brought them in, without a hole. Gap events borrow the number of the
//     first record they stand for, so a recording can be checked for
//     completeness.
//   - The frames that Append was given are never changed.
//   - The recording is a passenger. Append slows a flood to what can be
//     recorded, but when nothing goes on behind it, whatever the reason, it holds
//     the wire for at most 250 ms in a row; the user gets one line, and what could
//     not be kept is counted and told in a gap event as soon as writing works
//     again. With [Options.Required] it is the reverse: nothing is
//     dropped, and [Journal.Wait] returns when a record is in the kernel (a
//     decision: on the disk) or why it cannot be.
//   - Records reach the kernel within 20 ms of a [Journal.Kick] (50 ms of an
//     Append without one), sooner when there are many. Decisions are synced.
//     Close leaves a complete recording behind, unless the disk hangs for longer
//     than it may wait.
//   - Memory is bounded: 8 MiB of lines in and behind the queue, 2 MiB of
//     records that wait for the file, 20 000 events with 4 MiB of bodies in the
//     tail, 2 MiB for each watcher; a single frame of any size passes besides.
//   - A snapshot and the watcher that comes with it have neither a gap nor an
//     event twice between them. A watcher that does not keep up is cut loose
//     and can watch anew.
//   - Nobody sees an event before its secrets are masked.
//
// # Masking
//
// Replaced by "[masked]", and counted in the record, are values in the environment
// and the headers of MCP servers, terminals, providers and authentication methods;
// user and secret parameters in their addresses; members named like a credential
// in the _meta of initialize and in the description of a server; everything but
// the method in a login; the accounts of a user; the answers to an elicitation;
// and in arguments of servers and terminals, in the command line of the agent and
// of processes that it left what stands behind a name that means a secret (package
// acp/secret). What was masked is remembered (256 values of at least 8 bytes, of
// which the first 4 KiB; the newest count) and masked wherever it shows up later,
// from its first 64 bytes on: in any frame, however its string is escaped, in the
// agent's words and in command lines. From the editor's requests and the agent's
// command line any value is remembered; from the agent and from broken lines only
// what looks like a generated key, or an agent could hide the command it asks
// permission for by calling it a secret before. Paths and a few everyday words are
// masked where they stand but not looked for elsewhere, since the recording would
// be unreadable. Nor is what somebody spelled in base64, in percent signs or in
// another encoding, or cut over two lines of stderr. A line that is not one plain
// JSON object is masked by its words: what follows a name with a colon.
//
// The masking goes by places and by known values. A secret that is first seen
// elsewhere, such as in a file or a prompt, is not recognised.
//
// # Recording
//
// A recording is a text file with one JSON object a line, readable by its owner
// alone. Members are left out when they say nothing. All records have
//
//	time      RFC 3339, UTC, nine digits of a second
//	seq       number, from 1
//	instance  the proxy's name
//	event     frame, decision, opened, start, exit, stderr, warning, flagged, gap
//
// A frame has
//
//	dir       client or agent: who sent it
//	kind      request, response, error, notification, text, ambiguous
//	method    a response carries its request's
//	id        as it was; as a string when it is not JSON
//	session   session id
//	bytes     of the line on the wire, without its end
//	added     true when the proxy made it
//	action    when it was not forwarded: refused, withheld, swallowed
//	reason    of that, or what is odd about the line
//	masked    number of values that were masked
//	blanked   number of values of which a copy has only the size
//	eol       crlf or none; left out when it is LF
//
// and, last, one of
//
//	frame     the frame's own bytes, when they are an object in valid UTF-8
//	raw       other text, as a string
//	base64    anything else
//
// Methods, ids and sessions are cut at 1 KiB; the frame has them whole. Of a
// line that was too large to hold, only the beginning is there and bytes is
// larger. The other events have
//
//	decision  request, method, id, session, by (editor, panel, command, timeout,
//	          bounds, cancel, agent, gone), outcome, optionId (of an option that was
//	          selected, be it empty), optionKind, waitMs, digest, peer {pid, exe,
//	          tty}, late, text
//	opened    request, method, id, session, digest
//	start     command (list), pid (the proxy's own), cwd, version
//	exit      status, signal, left [{pid, command}]
//	stderr    text, or base64 when it is not UTF-8
//	warning   text
//	flagged   reason, text, and what of a frame applies
//	gap       count of missing records, bytes they had on the wire
//
// For instance, all prompts of a recording, and what was decided:
//
//	jq -c 'select(.method == "session/prompt" and .kind == "request") | .frame.params.prompt'
//	jq -r 'select(.event == "decision") | "\(.time) \(.by) \(.outcome) \(.optionId)"'
//
// A process that is killed may leave a torn last line, which [Read] skips. Two
// proxies may record to one file: each writes whole records at once.
//
// In a directory, a recording is <UTC time>-<instance>.jsonl. When it reaches
// an eighth of [Options.MaxBytes] it goes on in …-<instance>.2.jsonl and so on.
// Before each new file, recordings that nobody wrote to for [Options.MaxAge]
// are removed, and then the oldest ones until seven eighths are left. Files
// with other names, of other users, and those another proxy is writing to
// (they carry a lock) are never touched. A file that was named with
// [Options.Path] goes on in numbered files beside it in the same way, of which
// eight are kept; devices, FIFOs and shared files are not divided. A file that
// is removed while it is written to is made anew.
//
// # Goroutines
//
//	journal   Journal.run   takes the queue; ends when Close has closed it and it is empty
//	recorder  recorder.run  writes the file; ends when the journal goroutine has
//	                        ended and everything is written
//
// Both are started by [New] and awaited by [Journal.Close]. If the disk hangs
// beyond the time Close may take, the recorder goroutine is left behind in its
// system call and ends when that returns.
package journal
