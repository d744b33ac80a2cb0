package proxy

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/keeper"
)

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
	hello := time.After(r.limits.hello)
	for {
		select {
		case exit := <-r.agent.Exited():
			r.toClientDone = toClientDone
			r.ledger.gone()
			r.toAgent.out.added.close() // or who waits for room there would wait for ever
			return exit
		case sig := <-r.Signals:
			r.signal(sig)
		case <-gone:
			gone = nil
			r.end(syscall.SIGTERM)
		case err := <-toAgentDone:
			toAgentDone = nil
			r.ledger.gone() // nobody can be answered any more
			if r.editorEnd(err) {
				idle = time.After(r.limits.idle)
			}
		case err := <-toClientDone:
			toClientDone = nil
			r.agentEnd(err)
		case <-idle:
			idle = r.idle(toClientDone != nil)
		case <-hello:
			hello = r.hello()
		}
	}
}

// hello hints at an agent that was asked and has said nothing that is a message,
// and says when to look again if nobody has asked yet.
func (r *relay) hello() <-chan time.Time {
	asked, spoken := r.ledger.begun()
	switch {
	case spoken:
		return nil
	case !asked:
		return time.After(r.limits.hello)
	}
	r.warn(fmt.Sprintf("no ACP message from the agent after %v: was it started in its ACP mode?", r.limits.hello))
	return nil
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

// undelivered notes that what the agent said could not be written although
// somebody may still want it, as on a full disk. A reader that has left is no
// such case.
func (r *relay) undelivered(err error) bool {
	var w *writeError
	if !errors.As(err, &w) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, os.ErrClosed) {
		return false
	}
	r.failed = w.err
	return true
}

// editorEnd is the end of the editor's stream, or of what the agent reads; it
// says whether the editor has left.
func (r *relay) editorEnd(err error) (left bool) {
	var w *writeError
	switch {
	case err == nil:
		return true
	case r.fail(err):
		return false
	case errors.As(err, &w):
		r.warn(fmt.Sprintf("the agent does not read its stdin any more: %v", err))
		return false
	}
	r.warn(fmt.Sprintf("reading from the editor: %v", err))
	return true
}

// agentEnd is the end of the agent's stdout, or of whoever reads ours.
func (r *relay) agentEnd(err error) {
	var w *writeError
	switch {
	case r.fail(err):
	case r.undelivered(err):
		r.warn(r.failed.Error())
		r.end(syscall.SIGTERM)
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
// look again if not yet. One that can still speak may take its time to answer,
// and one whose words wait for a slow reader is not silent.
func (r *relay) idle(speaks bool) <-chan time.Time {
	silent := r.toClient.pace.silent(time.Time{})
	switch {
	case silent < r.limits.idle: // first: who is busy may hold the ledger
		return time.After(r.limits.idle - silent)
	case speaks && r.ledger.owed(acp.Client) > 0:
		return time.After(r.limits.idle)
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
	r.rest()
}

// rest ends what decides, and waits for what can be waited for.
func (r *relay) rest() {
	for _, p := range []*pump{&r.toAgent, &r.toClient} {
		p.out.added.close()
	}
	close(r.stopClock)
	r.gate.flags.close()
	r.helpers.Wait()
}
