package terminal

import (
	"context"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/paint"
)

// App is what runs in a terminal. All is called from one goroutine.
type App interface {
	// Draw paints all of g, whose size is the screen's.
	Draw(g *paint.Grid, now time.Time)
	// Shown says that what was last drawn is on the screen.
	Shown(now time.Time)
	// Input takes what the person did.
	Input(in Input, now time.Time) []Effect
	// Take takes what came from elsewhere: the feed, or what a Later returned.
	Take(message any, now time.Time) []Effect
	// Next is when it must be drawn again even if nothing happens; zero: never.
	Next(now time.Time) time.Time
}

// Waker is an App that wants to do something when the time that Next gave has
// come, besides being drawn. It may be woken more often.
type Waker interface {
	Wake(now time.Time) []Effect
}

// Input is one of the types below.
type Input any

type (
	Key struct{ Key keys.Key }
	// Paste is text from between paste marks. It is never keys.
	Paste struct{ Text string }
	// Focus says that the terminal's window got the keyboard, or lost it.
	Focus struct{ In bool }
	// Mouse is a click or a turn of the wheel in a cell.
	Mouse struct {
		X, Y   int
		Wheel  int // -1 up, 1 down, 0: a click
		Double bool
	}
	Resized struct{ W, H int }
	// Resumed says that the panel is in the foreground again, after Suspend.
	Resumed struct{}
)

// Effect is one of the types below: what an App wants done.
type Effect any

type (
	// Clipboard puts text into the terminal's clipboard (OSC 52).
	Clipboard struct{ Text string }
	// Title sets the window's title; it is restored at the end.
	Title struct{ Text string }
	Bell  struct{}
	// Notify shows a desktop notification.
	Notify struct{ Title, Body string }
	// Suspend stops the program as the shell's Ctrl-Z does.
	Suspend struct{}
	// Repaint sends the whole screen anew.
	Repaint struct{}
	// SetMouse turns the mouse on or off.
	SetMouse struct{ On bool }
	// SetTheme changes what roles look like.
	SetTheme struct{ Name string }
	// SetColor says whether there are colours: auto, always or never.
	SetColor struct{ When string }
	// SetGlyphs says what lines and marks are drawn with: auto, unicode or ascii.
	SetGlyphs struct{ Name string }
	// SetNotify changes how a notification is shown, as Options.Notify says.
	SetNotify struct{ Method string }
	// Quit ends the program.
	Quit struct{}
	// Later runs in a goroutine of its own; what it returns comes to App.Take
	// unless it is nil. At the end its context is cancelled and it is awaited.
	Later struct {
		Do func(ctx context.Context) any
	}
)
