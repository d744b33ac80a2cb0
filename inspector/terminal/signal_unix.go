//go:build unix

package terminal

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// stopping is how long a stop may take to arrive. In a process group that no
// shell watches the system ignores it.
const stopping = 300 * time.Millisecond

// signals are those that the loop sees to. SIGTSTP is none of them: once the
// runtime has handled it, it would not stop the program any more. The terminal
// is hurried when one of them, or ctx, ends the loop, since the loop may be
// stuck in a write to a terminal that takes nothing.
func (s *Screen) signals(ctx context.Context) (release func()) {
	in := s.options.Signals
	if in == nil {
		s.caught = make(chan os.Signal, 8)
		signal.Notify(s.caught, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGCONT)
		in = s.caught
	}
	out := make(chan os.Signal, 1)
	s.signalled = out
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		defer s.Protect()
		s.watch(ctx, in, out, ended)
	}()
	return func() {
		if s.caught != nil {
			signal.Stop(s.caught)
		}
		close(ended)
		<-done
	}
}

// watch passes signals on, in their order.
func (s *Screen) watch(ctx context.Context, in <-chan os.Signal, out chan<- os.Signal, ended <-chan struct{}) {
	cancelled := ctx.Done()
	for {
		select {
		case <-ended:
			return
		case <-cancelled:
			cancelled = nil
			s.tty.hurry()
		case sig := <-in:
			if ends(sig) {
				s.tty.hurry()
			}
			select {
			case out <- sig:
			case <-ended:
				return
			}
		}
	}
}

func ends(sig os.Signal) bool { return sig != syscall.SIGCONT }

// signal does what a signal from outside asks for. After a stop that nobody
// announced, the shell may have set the terminal otherwise.
func (l *loop) signal(sig os.Signal) error {
	if ends(sig) {
		return Signalled{sig}
	}
	l.aside(func() { _ = l.screen.Suspend() })
	return l.feed(l.resume(), time.Now())
}

// suspend gives the terminal back, stops the process group as a terminal's
// Ctrl-Z does, and takes the terminal again when it goes on.
func (s *Screen) suspend() any {
	s.untitle()
	s.aside(func() { _ = s.screen.Suspend() })
	if s.caught != nil {
		_ = syscall.Kill(0, syscall.SIGTSTP)
		s.ended = s.continued()
	}
	if s.ended != nil {
		return nil
	}
	return s.resume()
}

// continued waits for the signal that lets the program go on, and gives another
// one that came instead and ends it. It waits in small pieces: while the program
// is stopped, time passes, but no more than one piece.
func (s *Screen) continued() os.Signal {
	for range 10 {
		piece := time.NewTimer(stopping / 10)
		select {
		case sig := <-s.signalled:
			piece.Stop()
			if ends(sig) {
				return sig
			}
			return nil
		case <-piece.C:
		}
	}
	return nil
}
