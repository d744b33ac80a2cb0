package card

import (
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/broker"
)

// Card is the pane that shows one permission and takes the answer to it.
type Card struct {
	options Options
	p       *model.Permission
}

// New is a card that shows nothing yet.
func New(o Options) *Card { return &Card{options: o.orDefault()} }

// Show makes p the permission that is shown, and disarms the card. nil: none.
// It does nothing when p is shown already.
func (c *Card) Show(p *model.Permission, now time.Time) { c.p = p }

// Permission is the one that is shown; nil: none.
func (c *Card) Permission() *model.Permission { return c.p }

// Place says which keys it has.
func (c *Card) Place() keys.Place { return keys.Card }

// Heading is what stands in its title.
func (c *Card) Heading(ctx pane.Context) string { return "PERMISSION" }

// Head is what stands above it.
func (c *Card) Head(ctx pane.Context) pane.Head { return pane.Head{Always: true} }

// Draw paints all of it.
func (c *Card) Draw(a paint.Area, ctx pane.Context) {}

// Shown says that what Draw last painted is on the screen. Without a Draw since
// the last one, the card is not.
func (c *Card) Shown(now time.Time) {}

// Disturbed says that something happened after which nobody can be held to what
// they type: the window got the focus, text was pasted, the screen was resized,
// the panel was resumed. why begins a sentence.
func (c *Card) Disturbed(why string, now time.Time) {}

// Key takes every key while the card has the focus. What it does not use is
// looked up in the key table and comes to [Card.Do].
func (c *Card) Key(k keys.Key, now time.Time, ctx pane.Context) (wishes []pane.Wish, used bool) {
	return nil, false
}

// Do does what a key stands for.
func (c *Card) Do(action keys.Action, ctx pane.Context) []pane.Wish { return nil }

// Hints are its actions that are worth a place in the bar now.
func (c *Card) Hints(ctx pane.Context) []keys.Action { return nil }

// Keys are hints of keys that are in no table.
func (c *Card) Keys() []keys.Hint { return nil }

// Click never answers anything.
func (c *Card) Click(x, y int, double bool, ctx pane.Context) []pane.Wish { return nil }

// Ruled says what has become of an answer that it wished for; err: nobody knows.
func (c *Card) Ruled(request string, r broker.Ruling, err error, now time.Time) {}

// Tick gives what the card wishes by itself at now: after a while, the next
// permission.
func (c *Card) Tick(now time.Time, ctx pane.Context) []pane.Wish { return nil }

// Next is when it has to be drawn, or [Card.Tick] to be called, even if nothing
// happens; zero: never.
func (c *Card) Next(now time.Time) time.Time { return time.Time{} }

var (
	_ pane.Headed  = (*Card)(nil)
	_ pane.Clicker = (*Card)(nil)
)
