package terminal

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gdamore/tcell/v2"

	"bobproxy/inspector/paint"
)

// Failed comes to App.Take when an effect could not be done.
type Failed struct {
	What string // clipboard, notification or theme
	Err  error  // clean, one line
}

// do does what the app wants, and what it wants then, and says whether that was
// to quit.
func (s *Screen) do(app App, effects []Effect) (quit bool) {
	for len(effects) > 0 {
		effect := effects[0]
		effects = effects[1:]
		if _, quit := effect.(Quit); quit {
			return true
		}
		if answer := s.effect(effect); answer != nil {
			effects = append(effects, s.tell(app, answer)...)
		}
	}
	return false
}

// tell hands the app what came of an effect.
func (s *Screen) tell(app App, answer any) []Effect {
	if in, ok := answer.(Resumed); ok {
		return app.Input(in, time.Now())
	}
	return app.Take(answer, time.Now())
}

// effect does one, and gives what the app is to be told of it.
func (s *Screen) effect(effect Effect) (answer any) {
	switch e := effect.(type) {
	case Clipboard:
		return s.clip(e.Text)
	case Title:
		s.title(e.Text)
	case Bell:
		s.tty.send(bell)
	case Notify:
		s.notify(e)
	case Suspend:
		return s.suspend()
	case Repaint:
		s.anew, s.pace.dirty = all, true
	case SetMouse:
		s.mouse(e.On)
	case SetTheme:
		return s.setTheme(e.Name)
	case Later:
		s.run(e)
	}
	return nil
}

func (s *Screen) clip(text string) any {
	if len(text) > maxClipboard {
		return Failed{"clipboard", fmt.Errorf("%d bytes are too many for the terminal's clipboard, which takes %d", len(text), maxClipboard)}
	}
	s.tty.send(clipboard(text))
	if s.env.tmux() {
		s.tty.send(through(clipboard(text)))
	}
	return nil
}

// title sets the window's title. What it was is saved the first time. The Linux
// console and GNU screen have no title that could be restored.
func (s *Screen) title(text string) {
	s.titleText = text
	if text == "" && !s.titled || s.env.get("TERM") == "linux" || s.env.has("STY") {
		return
	}
	if !s.titled {
		s.tty.send(saveTitle)
	}
	s.titled = true
	s.tty.send(title(text))
}

func (s *Screen) untitle() {
	if s.titled {
		s.tty.send(restoreTitle)
	}
	s.titled = false
}

func (s *Screen) mouse(on bool) {
	if on {
		s.screen.EnableMouse(tcell.MouseButtonEvents)
	} else {
		s.screen.DisableMouse()
	}
	s.input.pressed = false
}

func (s *Screen) setTheme(name string) any {
	_, ok := paint.ThemeNamed(name)
	switch {
	case !ok && name != "auto":
		return Failed{"theme", errors.New("there are auto, dark, light and mono")}
	case s.colourless() && name != "mono":
		return Failed{"theme", errors.New("colours are off")}
	}
	s.theme = s.pick(name)
	s.anew, s.pace.dirty = max(s.anew, everything), true
	return nil
}

// later is what runs besides the loop.
type later struct {
	ctx     context.Context
	results chan any
	running sync.WaitGroup
}

// run does a Later in a goroutine of its own. Before Run there is none.
func (s *Screen) run(l Later) {
	ctx, results := s.later.ctx, s.later.results
	s.later.running.Go(func() {
		defer s.Protect()
		result := l.Do(ctx)
		if result == nil {
			return
		}
		select {
		case results <- result:
		case <-ctx.Done():
		}
	})
}

// wait is until all have ended, but not for long: what does not heed its context
// ends with the program.
func (l *later) wait() {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		l.running.Wait()
	}()
	timeout := time.NewTimer(leaving)
	defer timeout.Stop()
	select {
	case <-ended:
	case <-timeout.C:
	}
}
