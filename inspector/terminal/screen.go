package terminal

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gdamore/tcell/v2"

	"bobproxy/acp/clean"
	"bobproxy/inspector/paint"
)

// Options say how a screen is opened. The zero value suits a person who asked
// for nothing special.
type Options struct {
	Theme string      // auto, dark, light or mono; empty: auto
	Color string      // auto, always or never; empty: auto
	Looks paint.Looks // of some roles, instead of the theme's own
	ASCII *bool       // only ASCII glyphs; nil: unless the locale is UTF-8
	Mouse bool        // on from the start

	// Notify is how a desktop notification is shown: auto, bell, osc9, osc777,
	// osc99, command or off; empty: auto. NotifyCommand is the program and its
	// arguments for command; it finds NOTIFY_TITLE and NOTIFY_BODY in its
	// environment.
	Notify        string
	NotifyCommand []string

	Env     func(string) (string, bool) // nil: the environment of the process
	Signals <-chan os.Signal            // nil: those of the process

	// Screen is used instead of the terminal of the process when it is set.
	Screen tcell.Screen
}

// leaving is how long the terminal may take for being given back; a terminal
// that takes nothing any more is left with its settings restored.
const leaving = 2 * time.Second

// exitPanic is the status of a program that ended by a panic.
const exitPanic = 125

// Screen is an open terminal. It belongs to the goroutine that runs [Screen.Run];
// only Protect and Close may be called from any.
type Screen struct {
	options Options
	env     environment
	screen  tcell.Screen
	events  <-chan tcell.Event
	tty     *tty // nil: nothing but cells can be sent
	theme   *paint.Theme
	colours int

	cells, shown *paint.Grid
	anew         repaint
	input        input
	pace         pace
	titleText    string
	titled       bool // the title is saved in the terminal

	caught    chan os.Signal   // where the process's signals arrive; nil: they are not ours
	signalled <-chan os.Signal // those for the loop
	ended     os.Signal        // that ended the program while it was stopped; or nil

	later    later
	close    sync.Once
	panics   sync.Once
	panicked atomic.Bool
	hidden   string // NO_COLOR, while it is kept from the terminal library
}

// Open takes the terminal of the process. Its errors are one line and say what
// to do.
func Open(o Options) (*Screen, error) {
	s := &Screen{options: o, env: environment{o.Env}, cells: paint.NewGrid(0, 0), shown: paint.NewGrid(0, 0), anew: everything}
	if err := s.open(); err != nil {
		return nil, err
	}
	s.events = s.screen.(interface{ EventQ() chan tcell.Event }).EventQ()
	s.input.pasted = s.tty.pasted
	s.colours = s.screen.Colors()
	s.theme = s.pick(o.Theme)
	s.screen.EnablePaste()
	s.screen.EnableFocus()
	s.mouse(o.Mouse)
	return s, nil
}

func (s *Screen) open() error {
	if s.screen = s.options.Screen; s.screen != nil {
		return s.screen.Init()
	}
	tcell.SetEncodingFallback(tcell.EncodingFallbackASCII)
	s.hideNoColor()
	err := s.take()
	if err != nil {
		s.showNoColor()
	}
	return err
}

// hideNoColor keeps NO_COLOR from the terminal library when colours were asked
// for all the same. The library looks at the process's environment alone, at
// every change of style, and would turn colours into reverse video.
func (s *Screen) hideNoColor() {
	if value := os.Getenv("NO_COLOR"); value != "" && s.env.colours(s.options.Color) == always {
		s.hidden = value
		os.Unsetenv("NO_COLOR")
	}
}

func (s *Screen) showNoColor() {
	if s.hidden != "" {
		os.Setenv("NO_COLOR", s.hidden)
		s.hidden = ""
	}
}

// pick is the theme of that name, or mono where there is no colour, with the
// person's own looks. Where there are no bright colours, looks
// that hide a warning without them are not taken.
func (s *Screen) pick(name string) *paint.Theme {
	if s.colourless() {
		name = "mono"
	}
	if s.colours < 16 {
		return s.options.Looks.InEight().Over(themeFor(name, s.env).InEight())
	}
	return s.options.theme(name, s.env)
}

// theme is the same where there are all 16 colours.
func (o Options) theme(name string, env environment) *paint.Theme {
	return o.Looks.Over(themeFor(name, env))
}

// themeFor is the theme of that name, or the one for the terminal's background.
func themeFor(name string, env environment) *paint.Theme {
	theme, ok := paint.ThemeNamed(name)
	if !ok {
		theme, _ = paint.ThemeNamed(env.background())
	}
	return theme
}

func (s *Screen) colourless() bool {
	return s.colours < 8 || s.env.colours(s.options.Color) == never
}

// ascii says that only ASCII can be shown.
func (s *Screen) ascii() bool {
	if s.options.ASCII != nil {
		return *s.options.ASCII
	}
	return !s.env.utf8()
}

// Close gives the terminal back as it was. It may be called more than once,
// from any goroutine; Run has called it when it returns.
func (s *Screen) Close() {
	s.close.Do(func() {
		s.tty.hurry()
		s.untitle()
		if !s.aside(s.screen.Fini) {
			s.tty.hurry()
			s.tty.send(usual)
			s.tty.force()
		}
		s.tty.end()
		s.showNoColor()
	})
}

// aside runs what makes the terminal library let go of the terminal, and throws
// away what is typed meanwhile: the library waits for its own goroutines, and
// they for somebody who takes their events. It is false when that takes too
// long.
func (s *Screen) aside(letGo func()) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.tty.quiesce(leaving / 2)
		letGo()
	}()
	timeout := time.NewTimer(leaving)
	defer timeout.Stop()
	for {
		select {
		case <-s.events:
		case <-done:
			return true
		case <-timeout.C:
			return false
		}
	}
}

// Protect is to be deferred in every goroutine of the program. When that one
// panics, the terminal is given back, the panic is printed, and the program
// ends with status 125.
func (s *Screen) Protect() {
	if p := recover(); p != nil {
		s.panicked.Store(true)
		s.panics.Do(func() {
			s.Close()
			say(lastWords(p, debug.Stack()))
			os.Exit(exitPanic)
		})
		select {} // another goroutine is ending the program
	}
	if s.panicked.Load() {
		select {} // whoever saw the terminal go must not end the program sooner
	}
}

// say prints words as far as they are taken: it may be the terminal that takes
// nothing.
func say(words []byte) {
	said := make(chan struct{})
	go func() {
		defer close(said)
		_, _ = os.Stderr.Write(words)
	}()
	timeout := time.NewTimer(leaving)
	defer timeout.Stop()
	select {
	case <-said:
	case <-timeout.C:
	}
}

// lastWords is what is printed for a panic. Its text may be a peer's.
func lastWords(p any, stack []byte) []byte {
	var b bytes.Buffer
	for line := range strings.Lines(fmt.Sprintf("panic: %v\n\n%s", p, stack)) {
		line = strings.TrimRight(line, "\n")
		indent := len(line) - len(strings.TrimLeft(line, "\t"))
		b.WriteString(line[:indent] + clean.Line(line[indent:]) + "\n")
	}
	return b.Bytes()
}
