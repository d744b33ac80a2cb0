// Package proxy runs one agent between an editor and itself: bytes pass
// unchanged, what passes becomes known, and what leads out of the workspace does
// not pass.
//
// # Guarantees
//
// Bytes out are the bytes in, in each direction, whole and in order, whatever
// they are: JSON or not, of any length, with or without a last line feed. A
// line is passed on when it is complete, so that a writer never leaves half a
// frame behind where another could be added. A line longer than [MaxFrame] is
// passed on while it arrives and recorded by its size alone; where a recording
// is required it ends the run instead.
//
// A pump writes only to its own destination, so a peer that stops reading
// stops the other peer's writing and nothing else, just as a pipe would. What
// the proxy adds waits in a queue of its own and lands between two frames. At
// most [maxRefusals] error replies wait for one side; then whoever makes them
// necessary waits. So does an agent that asks for permissions while [maxWaiting]
// answers wait for it. Nothing is added behind a line without an end, nor behind
// the end of a stream.
//
// The end of the editor's stream travels to the agent as the end of its stdin,
// and what the agent still answers comes back. The end of the agent ends the
// proxy: what the agent wrote is delivered first, then the proxy ends with the
// agent's exit status although the editor's stdin may still be open.
//
// Stdout carries the agent's bytes and none of ours. Stderr carries the
// agent's bytes, at most [stderrSize] of them waiting for a reader that does
// not read, and at most one line of ours when the recording fails.
//
// Recording never holds the wire for longer than package journal says, unless
// a recording is required; then the reverse holds and no byte passes before its
// record has reached the kernel.
//
// # What happens to a frame
//
//	pump: read, many frames at once ─► acp.Scan ─► outlet: ledger (order, time, pairing),
//	      │                            journal (memory), then one write for all frames
//	      │                                   └► behind the queue: masking, tail, watchers, recording
//	      └► gate, for the few frames that name paths or have to do with a
//	         permission, one at a time: forwarded, refused (its sender gets an error
//	         reply), withheld, or swallowed (a reply to what was settled already)
//
// The gate goes by the method alone, so an odd id or a missing jsonrpc member
// changes nothing. What several peers could read differently is withheld from
// the editor if one of them could find an enforced method in it, be it with what
// came in the lines before. Paths are judged by package bounds, by the pump of
// the frame's own direction and outside every lock. Only the editor's requests
// give a session its roots; they are pinned when the request passes. Permissions
// are kept by package broker, which gives each exactly one answer: claiming it,
// under the ledger's lock, is the decision, and the journal notes it there; the
// frames that follow from it are queued.
//
// Locks are taken in this order: an outlet's, the ledger's, a queue's. The
// ledger's is never held while anything waits for a peer or a file system.
//
// What a permission request says of files is compared with them only when a client
// of the control socket asks, see disk: files of the workspace, reached from its
// pinned roots, at most 16 of 1 MiB each, and for 2 s at most.
//
// The editor opens what it was asked for a moment after the gate has looked, so
// whoever can move links in the workspace in between can still lead it
// elsewhere; no proxy can close that gap.
//
// An agent that was asked and has said nothing that is a message 10 s after its
// start is hinted at in a warning event; nothing is done about it.
//
// # How it ends
//
//	editor's stdin ends   the agent's stdin is closed. While the agent owes an answer
//	                      there is no limit; else 5 s after its last frame has been
//	                      taken it is ended
//	editor stops reading  the agent is ended at once
//	TERM, INT, HUP, QUIT  passed to the agent, which is being ended from then on;
//	                      the second one kills its tree at once. An editor that
//	                      does not read gets 2 s more, then what it has not taken is lost
//	agent exits           what its pipe holds is delivered, then whatever comes until
//	                      it is quiet for 250 ms, for at most 2 s
//
// To end the agent is to send it SIGTERM (or the signal that came) and to kill
// its whole tree 2 s later; see package keeper for what that covers.
//
// # Goroutines
//
//	goroutine          started by   ends when                                awaited by
//	pump client→agent  Run          editor's stdin ends, agent's stdin gone  nobody: a read of
//	                                                                         stdin cannot be
//	                                                                         interrupted, and
//	                                                                         the process ends
//	pump agent→client  Run          agent's stdout ends or is closed         Run
//	adder, one a side  Run          its pump has ended, or Run closes its     nobody, like the
//	                                queue                                    pump of its side
//	clock              Run          Run stops it                             Run
//	flagger            Run          Run stops it                             Run
//	control socket     Run          Run closes it                            Run, for at most 1.25 s;
//	                                                                         nobody, while it opens
//	look at the disk   a call at    what it names is compared, or 2 s        nobody where a file
//	                   the socket   have passed and its file system answers  system hangs: there is
//	                                                                         one at most
//	stderr reader      Run          agent's stderr ends or is closed         Run
//	stderr writer      Run          reader ended and ring is empty           Run, for at most 2 s
//	first record       Run          it is written, or Close has given up     nobody
//	last words         Run          our line of a late failure is written    Run, for at most 1 s
//	reader watch       Run          Run wakes it, or our stdout's reader     Run
//	                                is gone
//	keeper follow      keeper       the keeper process has ended             Run, by Gone
//	journal's two      journal.New  Close                                    Run, for at most 1 s
package proxy
