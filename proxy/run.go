package proxy

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"bobproxy/acp"
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

	Journal journal.Options
	Version string // ours, for the recording

	limits limits // zero: defaults
}

// Run starts the agent and carries frames until it has ended. It returns the
// exit code to end with: the agent's own, or 128 and the number of the signal
// that killed it. With an error, which is for the user to read, the code is
// [ExitOurs], [ExitNotExecutable] or [ExitNotFound] and nothing was or will be
// carried. When Run returns the recording is complete, and whatever it had to
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
	r.lastWords()
	return code, err
}

// lastWords writes our line about a recording that failed at the very end,
// when the agent's stderr was through. A reader that does not read is not
// waited for long.
func (r *relay) lastWords() {
	select {
	case <-r.flushed:
	default:
		return
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

	toAgent, toClient         pump
	toAgentDone, toClientDone chan error
	watch                     *readerWatch

	ending bool  // the agent has been told to end, by us
	hurry  bool  // we have been told to end
	failed error // why no traffic is allowed any more
}

func (r *relay) run() (int, error) {
	started := r.noteStart()
	if r.Journal.Required {
		r.journal.Kick()
		if err := r.journal.Wait(started); err != nil {
			return ExitOurs, &recordError{err}
		}
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

// start makes the pipes and starts the agent.
func (r *relay) start() error {
	var theirs [3]*os.File
	var err error
	for i, ours := range []**os.File{&r.agentIn, &r.agentOut, &r.agentErr} {
		read, write, e := os.Pipe()
		if e != nil {
			return fmt.Errorf("making a pipe for the agent: %w", e)
		}
		if i == 0 {
			*ours, theirs[i] = write, read
		} else {
			*ours, theirs[i] = read, write
		}
		defer theirs[i].Close()
		if e := forAgent(theirs[i]); e != nil {
			return fmt.Errorf("making a pipe for the agent: %w", e)
		}
	}
	widen(r.agentIn)
	widen(r.agentOut)
	r.agent, err = keeper.Start(keeper.Spec{
		Path: r.Path, Argv: r.Argv, Env: r.Env, Dir: r.Dir,
		Stdin: theirs[0], Stdout: theirs[1], Stderr: theirs[2],
		Grace: r.limits.grace,
	})
	return err
}

func startCode(err error) int {
	var s *keeper.StartError
	switch {
	case !errors.As(err, &s):
		return ExitOurs
	case errors.Is(err, os.ErrNotExist):
		return ExitNotFound
	}
	return ExitNotExecutable
}

// begin starts the goroutines; doc.go lists them.
func (r *relay) begin() {
	pool := journal.NewPool()
	r.ledger.journal = r.journal
	r.toAgent = pump{dir: acp.Client, out: r.agentIn, ledger: &r.ledger, required: r.Journal.Required,
		in: lines{src: r.Stdin, pool: pool, most: r.limits.frame}}
	r.toClient = pump{dir: acp.Agent, out: r.Stdout, ledger: &r.ledger, required: r.Journal.Required,
		in: lines{src: r.agentOut, pool: pool, most: r.limits.frame}}
	r.toAgentDone, r.toClientDone = make(chan error, 1), make(chan error, 1)
	r.stderrDone, r.flushed = make(chan struct{}), make(chan struct{})
	r.watch = watchReader(r.Stdout)

	toAgentDone, toClientDone := r.toAgentDone, r.toClientDone // the fields change hands
	go func() { toAgentDone <- r.pumpToAgent() }()
	go func() { toClientDone <- r.toClient.run() }()
	go func() { r.stderr.read(r.agentErr, &r.stderrPace); close(r.stderrDone) }()
	go func() { r.stderr.write(r.Stderr); close(r.flushed) }()
}

// pumpToAgent carries the editor's frames and then its end: the agent sees the
// end of its stdin. An agent that has closed its stdin is passed on as well:
// the editor cannot write any more. When a required recording fails the agent
// is not told, or it might end well before it is killed.
func (r *relay) pumpToAgent() error {
	err := r.toAgent.run()
	if errors.As(err, new(*recordError)) {
		return err
	}
	r.agentIn.Close()
	if errors.As(err, new(*writeError)) {
		r.Stdin.Close()
	}
	return err
}

// untilExit is the relay's life until the agent has ended.
func (r *relay) untilExit() keeper.Exit {
	toAgentDone, toClientDone, gone := r.toAgentDone, r.toClientDone, r.watch.gone
	var idle <-chan time.Time
	for {
		select {
		case exit := <-r.agent.Exited():
			r.toClientDone = toClientDone
			return exit
		case sig := <-r.Signals:
			r.signal(sig)
		case <-gone:
			gone = nil
			r.end(syscall.SIGTERM)
		case err := <-toAgentDone:
			toAgentDone = nil
			r.editorEnd(err)
			idle = time.After(r.limits.idle)
		case err := <-toClientDone:
			toClientDone = nil
			r.agentEnd(err)
		case <-idle:
			idle = r.idle(toClientDone != nil)
		}
	}
}

// fail notes that a required recording failed and ends everything.
func (r *relay) fail(err error) bool {
	var f *recordError
	if !errors.As(err, &f) {
		return false
	}
	r.failed = f
	r.ending, r.hurry = true, true
	r.agent.Kill()
	return true
}

// editorEnd is the end of the editor's stream, or of what the agent reads.
func (r *relay) editorEnd(err error) {
	var w *writeError
	switch {
	case err == nil, r.fail(err):
	case errors.As(err, &w):
		r.warn(fmt.Sprintf("the agent does not read its stdin any more: %v", err))
	default:
		r.warn(fmt.Sprintf("reading from the editor: %v", err))
	}
}

// agentEnd is the end of the agent's stdout, or of whoever reads ours.
func (r *relay) agentEnd(err error) {
	var w *writeError
	switch {
	case r.fail(err):
	case errors.As(err, &w):
		r.warn(fmt.Sprintf("the editor does not read any more: %v", err))
		r.end(syscall.SIGTERM)
	case err != nil:
		r.warn(fmt.Sprintf("reading from the agent: %v", err))
	default: // the agent closed its stdout and lives on: so it looks to the editor
		r.watch.stop() // a poll in progress would keep the pipe open
		r.Stdout.Close()
	}
}

// idle ends an agent that stays although the editor has left, and says when to
// look again if not yet. One that can still speak may take its time to answer.
func (r *relay) idle(speaks bool) <-chan time.Time {
	silent := time.Since(time.Unix(0, r.toClient.pace.last.Load()))
	switch {
	case speaks && r.ledger.owed(acp.Client) > 0:
		return time.After(r.limits.idle)
	case silent < r.limits.idle:
		return time.After(r.limits.idle - silent)
	}
	r.end(syscall.SIGTERM)
	return nil
}

// signal passes a signal on; the second one that ends does not wait.
func (r *relay) signal(sig os.Signal) {
	s, ok := sig.(syscall.Signal)
	switch {
	case !ok || s == syscall.SIGPIPE:
	case !endsAgent(s):
		r.agent.Signal(s)
	case r.ending:
		r.hurry = true
		r.agent.Kill()
	default:
		r.hurry = true
		r.end(s)
	}
}

func (r *relay) end(sig syscall.Signal) {
	if !r.ending {
		r.ending = true
		r.agent.End(sig)
	}
}

// settle waits for what the relay started and may wait for.
func (r *relay) settle() {
	r.watch.stop()
	select {
	case <-r.agent.Gone():
	case <-time.After(r.limits.grace + r.limits.close): // a process that cannot be killed
	}
	r.agentIn.Close()
}
