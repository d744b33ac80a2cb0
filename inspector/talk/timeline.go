package talk

import (
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// Timeline is the pane that tells a session in order.
type Timeline struct {
	// Pin shows the plan at the top: there is no side bar that has it.
	Pin bool
}

// NewTimeline is a timeline that shows no session yet.
func NewTimeline() *Timeline { return &Timeline{} }

// Show makes it show a session; each one keeps its own place.
func (t *Timeline) Show(s *model.Session) {}

// Select selects the entry at seq of the journal, or the one before it.
func (t *Timeline) Select(seq uint64) {}

// Place says which keys it has.
func (t *Timeline) Place() keys.Place { return keys.Timeline }

// Draw paints all of it.
func (t *Timeline) Draw(a paint.Area, c pane.Context) {}

// Do does what a key stands for.
func (t *Timeline) Do(action keys.Action, c pane.Context) []pane.Wish { return nil }

// Hints are its keys.
func (t *Timeline) Hints(c pane.Context) []keys.Action { return nil }

// Head is what stands above it.
func (t *Timeline) Head(c pane.Context) pane.Head { return pane.Head{} }

// Click selects what was clicked at.
func (t *Timeline) Click(x, y int, double bool, c pane.Context) []pane.Wish { return nil }

// Find looks for text.
func (t *Timeline) Find(text string, c pane.Context) string { return "" }
