package terminal

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/gdamore/tcell/v2"
)

// ErrGone says that the terminal has gone away: its window was closed, or the
// connection to it was lost.
var ErrGone = errors.New("the terminal has gone")

// Signalled says that a signal ended the panel.
type Signalled struct{ Signal os.Signal }

func (e Signalled) Error() string { return "ended by signal: " + e.Signal.String() }

// batch is how many events are taken at once before it is drawn again.
const batch = 256

// Run runs the app until it quits or ctx is done, which gives nil, a signal ends
// it, which gives a [Signalled], or the terminal goes away, which gives
// [ErrGone]. When it returns, the terminal is as it was before Open, and all that
// the app had started has ended, or had two seconds for it. It may be called
// once. Messages of a closed channel just end.
func (s *Screen) Run(ctx context.Context, app App, messages <-chan any) error {
	defer s.Protect()
	ctx, cancel := context.WithCancel(ctx)
	defer s.later.wait()
	defer s.Close()
	defer cancel()
	s.later.ctx, s.later.results = ctx, make(chan any, batch)
	defer s.signals(ctx)()
	l := loop{Screen: s, app: app, messages: messages}
	return l.run(ctx)
}

// loop is the state of Run.
type loop struct {
	*Screen
	app      App
	messages <-chan any
	w, h     int
}

// errQuit ends the loop without an error.
var errQuit = errors.New("quit")

func (l *loop) run(ctx context.Context) error {
	l.w, l.h = l.screen.Size()
	timer := time.NewTimer(0)
	defer timer.Stop()
	l.draw(l.app, time.Now())
	for {
		l.wake(timer)
		err := l.step(ctx, timer.C)
		switch {
		case err == errQuit:
			return nil
		case err != nil:
			return err
		case l.ended != nil:
			return Signalled{l.ended}
		case l.gone():
			return ErrGone
		}
		if due := l.due(); !due.IsZero() && !time.Now().Before(due) {
			l.draw(l.app, time.Now())
		}
	}
}

func (l *loop) due() time.Time { return l.pace.due(l.app.Next(time.Now())) }

// wake sets the timer for the next drawing.
func (l *loop) wake(timer *time.Timer) {
	timer.Stop()
	if due := l.due(); !due.IsZero() {
		timer.Reset(time.Until(due))
	}
}

// step waits for one thing to happen, and sees to it.
func (l *loop) step(ctx context.Context, timer <-chan time.Time) error {
	select {
	case <-ctx.Done():
		return errQuit
	case <-l.tty.vanished():
		return ErrGone
	case signal := <-l.signalled:
		return l.signal(signal)
	case event := <-l.events:
		return l.typed(event)
	case message, ok := <-l.messages:
		return l.came(message, ok)
	case result := <-l.later.results:
		return l.take(result)
	case <-timer:
		return l.woken()
	}
}

// woken draws, and lets the app do what it waited with until now.
func (l *loop) woken() error {
	var effects []Effect
	if w, ok := l.app.(Waker); ok {
		effects = w.Wake(time.Now())
	}
	return l.happened(effects)
}

// typed sees to an event and those that wait behind it.
func (l *loop) typed(event tcell.Event) error {
	for n := 1; ; n++ {
		if err := l.event(event); err != nil || n == batch {
			return err
		}
		select {
		case event = <-l.events:
		default:
			return nil
		}
	}
}

func (l *loop) event(event tcell.Event) error {
	now := time.Now()
	switch event.(type) {
	case *tcell.EventResize:
		return l.resized(now)
	case *tcell.EventError:
		return ErrGone
	}
	if in, ok := l.input.of(event, now); ok {
		return l.feed(in, now)
	}
	return nil
}

// resized tells the app of another size than the last it knew.
func (l *loop) resized(now time.Time) error {
	w, h := l.screen.Size()
	if w == l.w && h == l.h {
		return nil
	}
	l.w, l.h, l.anew = w, h, all
	return l.feed(Resized{w, h}, now)
}

func (l *loop) feed(in Input, now time.Time) error { return l.happened(l.app.Input(in, now)) }

func (l *loop) take(message any) error { return l.happened(l.app.Take(message, time.Now())) }

// happened does what the app wants after something happened.
func (l *loop) happened(effects []Effect) error {
	l.pace.dirty = true
	if l.do(l.app, effects) {
		return errQuit
	}
	return nil
}

// came sees to a message and those that wait behind it, until it is time to look
// at the keys and to draw again: a flood goes on for as long as it likes.
func (l *loop) came(message any, ok bool) error {
	for began := time.Now(); ; {
		if !ok {
			l.messages = nil
			return nil
		}
		if err := l.take(message); err != nil || time.Since(began) >= frame {
			return err
		}
		select {
		case message, ok = <-l.messages:
		default:
			return nil
		}
	}
}

// gone says that there is nothing left to draw on. To draw there all the same
// would never end: see [tty.WindowSize].
func (s *Screen) gone() bool {
	select {
	case <-s.tty.vanished():
		return true
	default:
		return false
	}
}

// resume takes the terminal back after it was somebody else's.
func (s *Screen) resume() Resumed {
	if err := s.screen.Resume(); err != nil {
		s.tty.vanish()
	}
	s.input.forget()
	s.title(s.titleText)
	s.anew, s.pace.dirty = all, true
	return Resumed{}
}
