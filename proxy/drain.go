package proxy

import (
	"syscall"
	"time"
)

// drain delivers what the agent wrote before it ended. Its pipes may be held
// open by processes it left behind, so their end is not waited for: once the
// bytes they held at the agent's exit have been taken, silence or the limit
// ends it. What was taken is delivered however slow the reader is, as long as
// there is one; once somebody has signalled us it has until the limit, or until
// the next signal. The last words on stderr are often why the reader of stdout has left.
func (r *relay) drain() {
	exited := time.Now()
	due := r.toClient.pace.bytes.Load() + int64(waiting(r.agentOut))
	dueErr := r.stderrPace.bytes.Load() + int64(waiting(r.agentErr))
	out, err, gone := r.toClientDone, r.stderrDone, r.watch.gone
	var late <-chan time.Time
	if r.hurry {
		late = time.After(r.limits.drain)
	}
	check := time.NewTimer(r.limits.quiet)
	defer check.Stop()
	for out != nil || err != nil {
		select {
		case e := <-out:
			out = nil
			if !r.fail(e) && r.undelivered(e) {
				r.warn(r.failed.Error())
			}
		case <-err:
			err = nil
		case <-gone: // whoever reads stderr may still be there
			gone = nil
			r.agentOut.Close()
		case <-late:
			return
		case sig := <-r.Signals:
			s, ok := sig.(syscall.Signal)
			switch {
			case !ok || !endsAgent(s):
			case r.hurry:
				return
			default:
				r.hurry = true
				late = time.After(r.limits.drain)
			}
		case <-check.C:
			over := time.Since(exited) >= r.limits.drain
			if r.toClient.pace.bytes.Load() >= due && (over || r.toClient.pace.silent(exited) >= r.limits.quiet) {
				r.agentOut.Close()
			}
			if r.stderrPace.bytes.Load() >= dueErr && (over || r.stderrPace.silent(exited) >= r.limits.quiet) {
				r.agentErr.Close()
			}
			check.Reset(r.limits.quiet / 10)
		}
	}
	r.flush()
}

// flush waits for the rest of stderr, unless nobody reads it.
func (r *relay) flush() {
	select {
	case <-r.flushed:
	case <-time.After(r.limits.drain):
	}
}
