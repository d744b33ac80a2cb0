//go:build !unix

package terminal

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// signals are those that end the program; there are no others here.
func (s *Screen) signals(context.Context) (release func()) {
	s.signalled = s.options.Signals
	if s.signalled != nil {
		return func() {}
	}
	s.caught = make(chan os.Signal, 8)
	signal.Notify(s.caught, os.Interrupt, syscall.SIGTERM)
	s.signalled = s.caught
	return func() { signal.Stop(s.caught) }
}

func (l *loop) signal(sig os.Signal) error { return Signalled{sig} }

// suspend does nothing: there is no job control.
func (s *Screen) suspend() any { return nil }
