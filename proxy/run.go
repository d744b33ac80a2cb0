package proxy

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"time"

	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
	"bobproxy/proxy/keeper"
)

// Options says what to run and what with.
type Options struct {
	Path string   // the agent's executable, already looked up
	Argv []string // as the agent sees it, Argv[0] included
	Env  []string
	Dir  string // empty: ours

	Stdin, Stdout, Stderr *os.File         // the editor's ends; Stdin and Stdout may get closed
	Signals               <-chan os.Signal // what to pass to the agent; SIGPIPE must be caught by the caller

	Policy  Policy
	Journal journal.Options
	Version string // ours, for the recording

	limits limits                      // zero: defaults
	lookup func(string) (string, bool) // the environment that says where the control socket is; nil: ours
}

// Run starts the agent and carries frames until it has ended. It returns the
// exit code to end with: the agent's own, or 128 and the number of the signal
// that killed it. With an error, which is for the user to read, the code is
// [ExitOurs], [ExitNotExecutable] or [ExitNotFound]. It is ExitOurs without an
// error when a required recording failed and stderr says so already. When Run returns the recording is complete, and whatever it had to
// end of the agent's tree is gone.
func Run(o Options) (int, error) {
	if o.limits == (limits{}) {
		o.limits = defaults
	}
	r := &relay{Options: o}
	r.stderr = newStderr(r.noteStderr)
	o.Journal.Warn = r.stderr.say
	j, err := journal.New(o.Journal)
	if err != nil {
		return ExitOurs, err
	}
	r.journal = j
	code, err := r.run()
	j.Close(o.limits.close)
	r.unlisten() // behind the journal, so that watchers see the end
	r.lastWords()
	if errors.As(err, new(*recordError)) && r.stderr.spoken() {
		err = nil // the user has been told
	}
	return code, err
}

// lastWords writes our line about a recording that failed when nobody carried
// the agent's stderr: before the agent was started, or at the very end. A
// reader that does not read is not waited for long.
func (r *relay) lastWords() {
	if r.flushed == nil {
		r.stderr.close()
	} else {
		select {
		case <-r.flushed:
		default:
			return
		}
	}
	done := make(chan struct{})
	go func() { r.stderr.write(r.Stderr); close(done) }()
	select {
	case <-done:
	case <-time.After(r.limits.close):
	}
}

// relay is one run. Its fields are Run's goroutine's own, save for what the
// types of the pumps, the stderr and the ledger guard themselves.
type relay struct {
	Options
	journal *journal.Journal
	ledger  ledger
	agent   *keeper.Agent

	agentIn, agentOut, agentErr *os.File // our ends

	stderr     *stderr
	stderrPace pace
	stderrDone chan struct{} // reader ended
	flushed    chan struct{} // writer ended

	gate      *gate
	stopClock chan struct{}
	helpers   sync.WaitGroup       // clock and flagger
	control   chan *control.Server // gets the one there is, when it listens
	unheard   chan struct{}        // closed when nobody waits for one any more
	turned    turnedAway

	toAgent, toClient         pump
	toAgentDone, toClientDone chan error
	watch                     *readerWatch

	ending bool  // the agent has been told to end, by us
	hurry  bool  // we have been told to end
	failed error // why no traffic is allowed, or possible, any more
}

func (r *relay) run() (int, error) {
	r.watch = watchReader(r.Stdout)
	defer r.watch.stop()
	if err := r.prepare(); err != nil {
		return ExitOurs, err
	}
	if code, err := r.recorded(r.noteStart()); code != 0 {
		return code, err
	}
	if err := r.start(); err != nil {
		r.warn(err.Error())
		r.journal.Note(journal.Event{Type: journal.ExitEvent, Exit: &journal.Exit{Status: startCode(err)}})
		return startCode(err), err
	}
	r.begin()
	exit := r.untilExit()
	r.drain()
	select {
	case err := <-r.toAgentDone: // at the same moment
		r.fail(err)
	default:
	}
	r.settle()
	r.noteExit(exit)
	if r.failed != nil {
		return ExitOurs, r.failed
	}
	return exitCode(exit.Status), nil
}

// recorded waits for the first record where recording is required, unless we
// are told to end or nobody is there any more: a file can hang. It returns the
// code to end with, or 0 to go on.
func (r *relay) recorded(first uint64) (code int, err error) {
	if !r.Journal.Required {
		return 0, nil
	}
	r.journal.Kick()
	done := make(chan error, 1)
	go func() { done <- r.journal.Wait(first) }()
	for {
		select {
		case err := <-done:
			if err != nil {
				return ExitOurs, &recordError{err}
			}
			return 0, nil
		case <-r.watch.gone:
			return 128 + int(syscall.SIGPIPE), nil
		case sig := <-r.Signals:
			if s, ok := sig.(syscall.Signal); ok && endsAgent(s) {
				return 128 + int(s), nil
			}
		}
	}
}
