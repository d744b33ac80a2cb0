package talk

import (
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// Info is the pane with everything about a session and its proxy.
type Info struct{}

// NewInfo is an info pane that shows no session yet.
func NewInfo() *Info { return &Info{} }

// Show makes it show a session.
func (i *Info) Show(s *model.Session) {}

// Place says which keys it has.
func (i *Info) Place() keys.Place { return keys.Info }

// Draw paints all of it.
func (i *Info) Draw(a paint.Area, c pane.Context) {}

// Do does what a key stands for.
func (i *Info) Do(action keys.Action, c pane.Context) []pane.Wish { return nil }

// Hints are its keys.
func (i *Info) Hints(c pane.Context) []keys.Action { return nil }

// Head is what stands above it.
func (i *Info) Head(c pane.Context) pane.Head { return pane.Head{} }

// Click selects what was clicked at.
func (i *Info) Click(x, y int, double bool, c pane.Context) []pane.Wish { return nil }

// Side paints the short form, as much as fits.
func Side(a paint.Area, s *model.Session, c pane.Context) {}
