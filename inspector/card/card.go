package card

import (
	"reflect"
	"slices"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// Card is the pane that shows one permission and takes the answer to it.
type Card struct {
	options Options
	arming  arming
	held    hold
	split   bool // old and new text side by side, where there is room

	p        *model.Permission
	dossier  *dossier // of p; nil without p
	dossiers []*dossier

	// What was read of p, anew whenever that changes; version says which
	// reading it is, over all permissions.
	version int
	told    *control.Pending
	digest  string
	content *content
	choices []choice

	sheets   map[measure]*sheet
	sheet    *sheet // what must be read, as it was painted last
	flat     bool   // it is all of the card, in a place too small for more
	top      int    // first row of it in view
	view     int    // rows in view
	raw      bool   // the raw input is shown instead
	rawTop   int
	rawSheet *sheet

	selected int  // number of the option; 0: none
	follow   bool // the selection was moved: it comes into view
	offered  int  // version for which the reject key has to be pressed again
	confirm  *confirm
	note     string // about the last key
	noted    time.Time
	now      time.Time // as it was last told

	was     stage     // when it was looked at last
	here    bool      // it is on the screen, with the focus or without
	lived   bool      // it was on the screen while it was open
	settled time.Time // when its end was on the screen first
	painted sight     // by the last Draw
	shown   sight     // on the screen
	targets []target
}

// sight is what a person can have seen.
type sight struct {
	drawn    bool // with the focus
	at       time.Time
	version  int
	stage    stage
	w, h     int
	whole    bool           // nothing of the card was left out that does not scroll
	from, to int            // rows of the sheet in view
	options  map[int]string // by the numbers in view: why it is locked
	confirm  int
	selected int
}

// New is a card that shows nothing yet.
func New(o Options) *Card {
	o = o.orDefault()
	return &Card{options: o, arming: arming{delay: o.Arm}}
}

// Show makes p the permission that is shown, and disarms the card. nil: none.
// It does nothing when p is shown already.
func (c *Card) Show(p *model.Permission, now time.Time) {
	if p == c.p {
		return
	}
	c.p, c.told, c.content, c.dossier = p, nil, nil, nil
	c.lived, c.settled = false, time.Time{}
	c.top, c.rawTop, c.raw, c.note = 0, 0, false, ""
	c.selected, c.offered = 0, 0
	if p != nil {
		c.read()
	}
	c.was = c.stage(now)
	c.disarm("new card")
}

// Permission is the one that is shown; nil: none.
func (c *Card) Permission() *model.Permission { return c.p }

// read takes what p says now.
func (c *Card) read() {
	c.version++
	c.told, c.digest = c.p.Card, c.p.Digest
	if c.told != nil {
		c.digest = c.told.Digest
	}
	c.dossier = c.open(c.p, c.digest)
	c.content = contentOf(c.p)
	c.choices = choicesOf(options(c.p))
	c.sheets, c.sheet, c.rawSheet = nil, nil, nil
	c.confirm = nil
}

// sync follows what happened to p since.
func (c *Card) sync(now time.Time) {
	c.now = now
	if c.p == nil {
		return
	}
	if c.changed() {
		c.read()
		c.top, c.selected, c.offered = 0, 0, 0
		c.disarm("this changed")
	}
	if s := c.stage(now); s != c.was {
		c.was, c.note = s, ""
		c.disarm("this changed")
	}
}

// changed says that p is not as it was read. That it was told anew, word by word
// the same, is no change.
func (c *Card) changed() bool {
	now := c.p.Card
	if now == c.told {
		return now == nil && c.digest != c.p.Digest || now != nil && now.Digest != c.digest
	}
	if now == nil {
		return false // it was settled; what was asked stays to be seen
	}
	if c.told == nil || !reflect.DeepEqual(*now, *c.told) {
		return true
	}
	c.told = now
	return false
}

// disarm makes the card wait until it is on the screen again.
func (c *Card) disarm(why string) {
	c.confirm = nil
	c.arming.disarm(why)
}

// Disturbed says that something happened after which nobody can be held to what
// they type: the window got the focus, text was pasted, the screen was resized,
// the panel was resumed. why begins a sentence.
func (c *Card) Disturbed(why string, now time.Time) { c.disarm(why) }

// Shown says that what Draw last painted is on the screen. Without a Draw since
// the last one, the card is not.
func (c *Card) Shown(now time.Time) {
	before := c.shown
	c.shown, c.painted = c.painted, sight{}
	s := &c.shown
	c.here = !s.at.IsZero()
	if before.drawn && !s.drawn {
		c.note = "" // it was about a key, and keys go elsewhere now
	}
	if c.p == nil || !s.drawn || s.version != c.version {
		c.shown = sight{}
		c.disarm(c.arming.why)
		return
	}
	if before.w != s.w || before.h != s.h {
		c.disarm(c.arming.why)
	}
	if !s.stage.over() {
		c.lived = true
	} else if c.lived && c.settled.IsZero() {
		c.settled = now
	}
	if !s.whole {
		c.disarm(c.arming.why)
		return
	}
	if c.awaitsDisk(now) {
		c.disarm("comparing")
	} else {
		c.arming.shown(s.at, now)
	}
	if c.sheet != nil {
		c.sheet.see(s.from, s.to, c.dossier.see)
	}
}

// see remembers that a line was read.
func (d *dossier) see(line int) {
	for len(d.read) <= line {
		d.read = append(d.read, false)
	}
	d.read[line] = true
}

// Ruled says what has become of an answer to p that it wished for. With err, or a
// result that is not known here, nobody knows.
func (c *Card) Ruled(p *model.Permission, r broker.Ruling, err error, now time.Time) {
	d := c.dossierOf(p)
	if d == nil || d.sent == nil || d.sent.ruled {
		return
	}
	refused := err == nil && r.Result == broker.Refused
	switch {
	case refused:
		d.sent = nil
	case err == nil && slices.Contains(final, r.Result):
		d.sent.ruled, d.sent.ruling = true, r
	default:
		d.doubt, d.sent = d.sent, nil
	}
	if c.p == nil || d != c.dossier {
		return
	}
	c.sync(now)
	if refused {
		c.say("the proxy refused that: " + orWords(r.Text, "it gives no reason"))
	}
}

// final are the results after which an answer has counted, or never will.
var final = []broker.Result{broker.Applied, broker.TooLate, broker.Expired, broker.Unknown}

// Place says which keys it has.
func (c *Card) Place() keys.Place { return keys.Card }

// Click never answers anything; in the lists it looks at another permission.
func (c *Card) Click(x, y int, double bool, ctx pane.Context) []pane.Wish {
	for _, t := range c.targets {
		if t.row != y {
			continue
		}
		if t.of == nil {
			c.say("the mouse does not answer: " + c.usage())
			return nil
		}
		if t.of != c.p {
			return []pane.Wish{pane.Look{Permission: t.of}}
		}
	}
	return nil
}

// target is a row that can be clicked; of nil: an option.
type target struct {
	row int
	of  *model.Permission
}

// Tick gives what the card wishes by itself at now: after a while, the next
// permission.
func (c *Card) Tick(now time.Time, ctx pane.Context) []pane.Wish {
	c.sync(now)
	if at := c.movesOn(); at.IsZero() || now.Before(at) {
		return nil
	}
	if p := c.next(ctx.Model); p != nil {
		return []pane.Wish{pane.Look{Permission: p}}
	}
	return nil
}

// movesOn is when the next card comes; zero: not by itself.
func (c *Card) movesOn() time.Time {
	switch {
	case c.p == nil || c.settled.IsZero() || c.was == lost || !c.was.over():
		return time.Time{}
	case c.was == counted && c.held.last.After(c.settled):
		return c.settled.Add(lingerSent)
	}
	return c.settled.Add(linger)
}

// Next is when it has to be drawn, or [Card.Tick] to be called, even if nothing
// happens; zero: never.
func (c *Card) Next(now time.Time) time.Time {
	if c.p == nil {
		return time.Time{}
	}
	var next time.Time
	soon := func(t time.Time) {
		if t.After(now) && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	soon(c.arming.ready)
	soon(c.noted.Add(noteStays))
	soon(c.nextCompared(now))
	switch c.stage(now) {
	case open:
		if c.told != nil && c.told.Deadline != nil {
			soon(tickOf(*c.told.Deadline, now))
		}
	case sending, silent:
		soon(now.Add(tenth))
	default:
		if at := c.movesOn(); !at.IsZero() {
			soon(tickOf(at, now))
		}
	}
	return next
}

const (
	tenth     = 100 * time.Millisecond
	lastWhile = 5 * time.Second // in which tenths of seconds are shown
)

// tickOf is when what is left until end is shown as another number; end itself
// when that is past.
func tickOf(end, now time.Time) time.Time {
	left := end.Sub(now)
	unit := time.Second
	if left <= lastWhile {
		unit = tenth
	}
	if left <= 0 {
		return end
	}
	return end.Add(-(left - 1) / unit * unit)
}

// Draw paints all of it.
func (c *Card) Draw(a paint.Area, ctx pane.Context) {
	c.sync(ctx.Now)
	c.targets = nil
	c.painted = sight{drawn: ctx.Focus, at: ctx.Now, version: c.version, selected: c.selected, stage: c.stage(ctx.Now), w: a.W, h: a.H, options: map[int]string{}}
	if !ctx.Focus {
		c.disarm(c.arming.why)
	}
	if a.W <= 0 || a.H <= 0 {
		return
	}
	switch s := c.painted.stage; {
	case s == none:
		c.drawNone(a, ctx)
	case s.shows():
		c.drawRequest(a, ctx)
	default:
		c.painted.whole = true
		c.drawOutcome(a, ctx)
	}
}

var (
	_ pane.Headed  = (*Card)(nil)
	_ pane.Clicker = (*Card)(nil)
)
