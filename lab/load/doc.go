// Package load drives bytes through a middle, the thing that stands between an
// editor and an agent, and measures what that costs.
//
// It has both ends. The agents are small functions over a reader and a writer:
// Echo answers at once, Stream writes many frames, Pieces writes one frame in
// small pieces, Turns does either when it is prompted, and Sink only counts.
// Command makes them processes: "lab load MODE". The editor is a Link: it
// starts a Middle with an agent behind it, opens a session, measures round
// trips and turns, and reads what the middle took from the machine.
//
// Every frame is a valid ACP message of exactly the size asked for, its line
// feed included. Its text looks like source code, with quotes and line breaks
// escaped, so that a scanner which is quick over runs of one letter gains
// nothing. Updates are numbered, so that a frame lost, doubled or moved changes
// the checksum.
//
// # What is compared
//
// A round trip is the time from before the write of a request until the last
// byte of its response has been read, and the response must be the one expected,
// byte for byte. A turn is the time from before the write of the prompt until
// the last byte of the turn has been read; frames, bytes and checksum must be
// those that the agent wrote. A middle that loses, changes or adds something is
// an error, never a fast middle. Start-up and the opening of the session lie
// outside both; Open measures the former alone.
//
// The editor's ends of the pipes are put into blocking mode: the runtime's
// poller would add its own wake-ups to every figure and make ratios look better
// than they are. Pipes have the size that the system gives them.
//
// # What is counted
//
// Usage counts the processes that descend from the one that was started, that
// one included, without the agent and what descends from it; the agent is
// known by its command line. So the shell and the cats of a pipeline count, and
// of the recording proxy the proxy and its keeper. CPU time is that of all
// threads, ended ones too, read from the process's CPU clock in nanoseconds;
// what a process spent before an ended child of it is not seen once it ended.
// Peak is the sum of each process's highest resident size (VmHWM), which they
// need not have reached together, and Resident the sum of the present ones
// (VmRSS). Pages that two processes share, such as the text of a binary started
// twice, count twice. Both are upper bounds. The rusage of wait4 is not used:
// its ru_maxrss begins with what the parent held at the fork.
//
// A recorder may lag behind the wire; Settle waits until the CPU time stands
// still and thereby charges its work to the turn that caused it. Memory is
// read after that too.
//
// # What it does not do
//
// It does not judge: there are no targets and no time-outs for slowness here.
// Usage exists on Linux only and is errors.ErrUnsupported elsewhere.
//
// # Goroutines
//
//	copyThrough's client copier   ends with stdin or with the process
//	Start's context watcher       exec.Cmd's; ended by Close
package load
