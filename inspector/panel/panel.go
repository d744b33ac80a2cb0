package panel

import (
	"context"
	"time"

	"bobproxy/inspector/card"
	"bobproxy/inspector/filter"
	"bobproxy/inspector/home"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
	"bobproxy/inspector/talk"
	"bobproxy/inspector/terminal"
	"bobproxy/inspector/wire"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// Options is what a panel is told at its start. The zero value of each field is
// its default.
type Options struct {
	Keys     keys.Table // nil: the default one
	Card     card.Options
	Machine  home.Machine // what the empty state tells of this machine
	Widths   Widths
	Layout   string // auto, narrow, medium, wide
	OpenCard string // when a card comes up by itself: pending (only in its own place), idle, never
	Filters  map[string]string
	Home     string // the person's folder, shown as ~
	Filter   string // of the wire, at the start
	Session  string // to go to when it appears: the beginning of its id, or part of its title
	Instance string // of the proxy that Session has to be of; empty: any
	Still    bool   // do not follow
	Enter    bool   // go into the first session that appears
	Starting string // what is being started, so that a proxy will appear; empty: nothing is
	Mouse    bool
	Theme    string
	Quiet    bool // no bell and no notifications
	History  History

	// Settings are what :set lists, in its order; ConfigFile is where they can be
	// kept, empty where nobody knows.
	Settings   []Setting
	ConfigFile string

	// Decide sends an answer to a proxy, by its name and process; nil: nothing can
	// be answered.
	Decide func(ctx context.Context, instance string, pid int, d broker.Decision) (broker.Ruling, error)
	// Disk says what the disk has beside the diffs of a request of that proxy; nil:
	// nobody knows.
	Disk func(ctx context.Context, instance string, pid int, request string) ([]control.OnDisk, error)
	// Save writes a file and says where; nil: nothing can be saved.
	Save func(name string, data []byte) (string, error)
	// Remember keeps what was entered at a prompt for later runs. It is called beside
	// the loop, maybe several times at once; nil: nothing is kept.
	Remember func(sign rune, text string)
	// Demo plays the built-in demo to its end, and says how it went; nil: there is
	// none.
	Demo func(ctx context.Context) (string, error)
}

// Panel is the screen. It is a [terminal.App].
type Panel struct {
	options Options
	model   *model.Model
	keys    keys.Table

	sessions *home.Sessions
	empty    *home.Empty
	gone     *home.Gone
	timeline *talk.Timeline
	info     *talk.Info
	wire     *wire.Wire
	detail   *wire.Detail
	card     *card.Card
	help     *help

	focus     spot
	alone     bool           // there was no proxy when we looked last
	tab       keys.Place     // of the main pane: Timeline, Wire, Info or Gone
	before    spot           // where the card was opened from
	under     spot           // what the help or another page is over
	behind    *model.Session // and which session was shown there
	shown     *model.Session
	layout    class // chosen by hand; auto: by the width
	zoomed    bool
	zoomedAt  spot
	trail     []origin // of the jumps that led here
	barHidden bool
	mouse     bool
	theme     string
	least     Options           // as it was at the start: what guards may only get stricter
	turned    map[string]string // settings that were changed since, and no field of their own have

	prompt  *prompt
	history History
	filter  string // of the wire, as it was typed
	said    notice
	copied  string // what was copied last

	plan_     *plan                      // of the last Draw
	columns   int                        // of the screen then
	summary   *talk.Summary              // beside or below the list; nil: none
	sending   map[*model.Permission]bool // answers to these are on their way
	attention attention
	now       time.Time // as we were last told
	pressed   time.Time // the last key
	entered   bool      // Options.Enter and Session were fulfilled
	waited    time.Time // for Options.Session, since
	missed    bool      // it was told that it is not there
}

// notice is a sentence for the person, shown for a while.
type notice struct {
	text  string
	since time.Time
	until time.Time
	stays bool // a key does not take it away
}

// readWithin is how long a notice is shown before a key takes it away.
const readWithin = 500 * time.Millisecond

// heard takes away the notice that was there to be read when a key was pressed.
func (p *Panel) heard(now time.Time) {
	if now.Sub(p.said.since) >= readWithin {
		p.hush()
	}
}

// hush takes away a notice that does not stay.
func (p *Panel) hush() {
	if !p.said.stays {
		p.said = notice{}
	}
}

// New is a panel that nothing is known to yet.
func New(o Options) *Panel {
	o.Widths = o.Widths.orDefault()
	if o.Keys == nil {
		o.Keys = keys.Default()
	}
	if b, ok := o.Keys.Of(keys.Card, keys.Reject); ok {
		o.Card.Reject = b.Keys[0]
	}
	o.Card.Look, o.Card.Disk = lookKey(o.Keys), o.Disk != nil
	p := &Panel{
		options: o, least: o, model: model.New(), keys: o.Keys,
		sessions: home.NewSessions(), empty: home.NewEmpty(o.Machine), gone: home.NewGone(),
		timeline: talk.NewTimeline(), info: talk.NewInfo(),
		wire: wire.NewWire(), detail: wire.NewDetail(),
		card: card.New(o.Card), help: &help{keys: o.Keys},
		tab: keys.Timeline, layout: classNamed(o.Layout), mouse: o.Mouse, theme: o.Theme, history: o.History,
		sending: map[*model.Permission]bool{},
	}
	p.attention.quiet = o.Quiet
	p.empty.Starting(o.Starting)
	if o.Filter != "" {
		p.setFilter(o.Filter)
	}
	return p
}

// lookKey is the key that goes to the permissions.
func lookKey(t keys.Table) keys.Key {
	b, _ := t.Of(keys.Everywhere, keys.Pending)
	if len(b.Keys) == 0 {
		return keys.Key(":" + string(keys.Pending))
	}
	return b.Keys[0]
}

// Model is what the panel knows.
func (p *Panel) Model() *model.Model { return p.model }

// pane is what stands at a spot.
func (p *Panel) pane(s spot) pane.Pane {
	switch s {
	case atSessions:
		return p.sessions
	case atDetail:
		return p.detail
	case atCard:
		return p.card
	case atHelp:
		return p.help
	}
	return p.main()
}

// main is the pane of the tab.
func (p *Panel) main() pane.Pane {
	switch {
	case len(p.model.Proxies) == 0:
		return p.empty
	case p.tab == keys.Wire:
		return p.wire
	case p.tab == keys.Info:
		return p.info
	case p.tab == keys.Gone:
		return p.gone
	}
	return p.timeline
}

func (p *Panel) context(s spot, now time.Time) pane.Context {
	return pane.Context{Now: now, Model: p.model, Focus: s == p.focus && p.prompt == nil, Home: p.options.Home, Screen: p.columns}
}

// head is what stands above a pane.
func (p *Panel) head(s spot) pane.Head {
	if h, ok := p.pane(s).(pane.Headed); ok {
		return h.Head(p.context(s, p.now))
	}
	return pane.Head{}
}

func (p *Panel) detailOpen() bool { return p.detail.Row() != nil }

// show makes s the session of timeline, wire, info and gone.
func (p *Panel) show(s *model.Session) {
	if s == p.shown {
		return
	}
	p.shown = s
	p.timeline.Show(s)
	p.info.Show(s)
	p.gone.Show(s)
	var of *model.Proxy
	if s != nil {
		of = s.Proxy
	}
	p.wire.Show(s, of)
	if p.detailOpen() {
		p.detail.Show(nil)
		if p.focus == atDetail {
			p.focus = atMain
		}
	}
	if p.tab == keys.Gone && (s == nil || s.Proxy.Link != model.Gone) {
		p.tab = keys.Timeline
	}
}

// tell shows a sentence for a while.
func (p *Panel) tell(text string, now time.Time) {
	p.said = notice{text: text, since: now, until: now.Add(toldFor)}
}

// announce shows a sentence until the next one comes, at most for a minute.
func (p *Panel) announce(text string) {
	p.said = notice{text: text, since: p.now, until: p.now.Add(announcedFor), stays: true}
}

const (
	toldFor      = 5 * time.Second
	announcedFor = time.Minute
)

// setFilter takes a filter for the wire, or says what is wrong with it; then
// the last good one stays in force.
func (p *Panel) setFilter(text string) error {
	expr, err := filter.Parse(text)
	if err == nil {
		expr, err = expr.Resolve(p.savedFilter)
	}
	if err != nil {
		return err
	}
	p.filter = text
	if text == "" {
		p.wire.Filter(nil)
		return nil
	}
	p.wire.Filter(matcher{expr, p})
	return nil
}

func (p *Panel) savedFilter(name string) (filter.Expr, bool) {
	text, ok := p.options.Filters[name]
	if !ok {
		return filter.Expr{}, false
	}
	expr, err := filter.Parse(text)
	return expr, err == nil
}

// matcher is a filter as the wire wants it.
type matcher struct {
	expr  filter.Expr
	panel *Panel
}

func (m matcher) Match(r *model.Row) bool {
	return m.expr.Match(r, m.world(r))
}

// world is what a clock time in the filter means where r is: in a recording it is
// one of its days.
func (m matcher) world(r *model.Row) filter.World {
	w := filter.World{Now: m.panel.now, Marked: func(r *model.Row) bool { return r.Proxy != nil && r.Proxy.Marks[r.Seq] }}
	if p := r.Proxy; p != nil && p.Link == model.Recorded && len(p.Rows) > 0 {
		w.From, w.To = p.Rows[0].Time, p.Rows[len(p.Rows)-1].Time
	}
	return w
}

func (m matcher) String() string { return m.expr.String() }

var _ terminal.App = (*Panel)(nil)
