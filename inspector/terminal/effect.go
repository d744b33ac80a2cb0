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
	What string // clipboard, notification, theme or color
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
	case SetColor:
		return s.setColor(e.When)
	case SetGlyphs:
		s.setGlyphs(e.Name)
	case SetNotify:
		s.options.Notify = e.Method
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

// setTheme changes what roles look like. A theme that needs colours comes when
// there are some.
func (s *Screen) setTheme(name string) any {
	if _, ok := paint.ThemeNamed(name); !ok && name != "auto" {
		return Failed{"theme", errors.New("there are auto, dark, light and mono")}
	}
	s.options.Theme = name
	s.repaint()
	if s.colourless() && name != "mono" {
		return Failed{"theme", errors.New("colours are off; it comes when they are on")}
	}
	return nil
}

// setColor decides anew whether there are colours.
func (s *Screen) setColor(when string) any {
	s.options.Color = when
	s.showNoColor()
	s.hideNoColor()
	s.colours = s.screen.Colors()
	s.repaint()
	if when == "always" && s.colourless() {
		return Failed{"color", errors.New("the terminal has none")}
	}
	return nil
}

func (s *Screen) setGlyphs(name string) {
	only := name == "ascii"
	s.options.ASCII = &only
	if name == "auto" {
		s.options.ASCII = nil
	}
	s.repaint()
}

// repaint gives all cells anew, in the theme that is right now.
func (s *Screen) repaint() {
	s.theme = s.pick(s.options.Theme)
	s.anew, s.pace.dirty = max(s.anew, everything), true
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
