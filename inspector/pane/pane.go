// Package pane is what the panes of the panel have in common: what they are
// told, and what they may wish for. A pane paints itself and keeps its own
// selection and scrolling; it does nothing to the world, but returns wishes,
// which the panel fulfils.
package pane

import (
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
)

// Pane is one part of the screen. All is called from the panel's goroutine.
type Pane interface {
	// Place says which keys it has.
	Place() keys.Place
	// Draw paints all of it; it may be called at any size, 0×0 included.
	Draw(a paint.Area, c Context)
	// Do does what a key stands for. What it does not know is ignored.
	Do(action keys.Action, c Context) []Wish
	// Hints are what the bar should show of its keys now, most useful first. The
	// keys are looked up by the panel.
	Hints(c Context) []keys.Action
}

// Context is what a pane sees when it paints or acts.
type Context struct {
	Now   time.Time
	Model *model.Model
	Focus bool   // the keys go here
	Home  string // the person's home folder, shown as ~

	Screen int // columns of the whole screen; 0: not known
}

// Wish is what a pane wants to happen. It is one of the types below.
type Wish any

type (
	// Detail wants a frame to be shown; Raw: as it was read.
	Detail struct {
		Row *model.Row
		Raw bool
	}
	// Step wants the frame that is By rows after the one that is shown, before it
	// when By is negative.
	Step struct{ By int }
	// Visit wants a session to be shown, in a tab, at the entry or row Seq when it
	// is not 0.
	Visit struct {
		Session *model.Session
		Tab     keys.Place // Timeline, Wire or Info; empty: as it is
		Seq     uint64
		Filter  string // for the wire; empty: as it is
	}
	// Look wants the card of a permission.
	Look struct{ Permission *model.Permission }
	// Copied wants text in the clipboard.
	Copied struct{ What, Text string }
	// Saved wants data in a file of that name.
	Saved struct {
		Name string
		Data []byte
	}
	// Narrow wants a term added to the filter of the wire.
	Narrow struct{ Term string }
	// Say wants a sentence shown for a while.
	Say struct{ Text string }
	// Close wants the pane closed.
	Close struct{}
	// Answer wants a permission answered. The panel sends it and reports to the
	// card.
	Answer struct {
		Permission *model.Permission
		Number     int // of the option, from 1; 0: the reject-once option
		Digest     string
		Standing   bool // an option that lasts was confirmed
	}
	// DropProxy wants a proxy that has gone taken off the list.
	DropProxy struct{ Proxy *model.Proxy }
	// PlayDemo wants the built-in demo started.
	PlayDemo struct{}
	// Ask wants a line of text from the person: / or : prefilled.
	Ask struct {
		Action keys.Action // Find or Command
		Text   string
	}
)

// Head is what stands above a pane.
type Head struct {
	Right       paint.Line // at the end of its title row: FOLLOW ● or PAUSED
	Status      paint.Line // a row of its own below that; empty: none
	StatusRight paint.Line
	Always      bool // Status is shown at every width; else only in the narrow layout, where there is no side bar
}

// Headed is a pane with something above it.
type Headed interface {
	Pane
	Head(c Context) Head
}

// Clicker is a pane that does something when it is clicked into, at x, y of its
// area. A click never answers anything.
type Clicker interface {
	Pane
	Click(x, y int, double bool, c Context) []Wish
}

// Finder is a pane whose text can be searched; found is for the person: "3 of
// 17", "not found". An empty text ends the search.
type Finder interface {
	Pane
	Find(text string, c Context) (found string)
}
