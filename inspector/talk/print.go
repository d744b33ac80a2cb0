package talk

import (
	"slices"
	"time"

	"bobproxy/acp/session"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// Printer tells a session as the timeline does, but once and in order, for text
// that scrolls by: each thing when it is over.
type Printer struct {
	timeline *Timeline
	width    int
	told     key // the last one
	begun    bool
	early    []early
}

// early is what was told before it was over.
type early struct {
	key
	asks bool // it was told that it asks
}

// Printed is one thing that was told.
type Printed struct {
	At   time.Time // zero: of no time
	Grid *paint.Grid
	item item
	did  *model.Deed // of a tool call: what it did; nil: nothing in the ledger
}

// Of says that what a row tells is a part of it.
func (t *Printed) Of(r *model.Row) bool {
	it := &t.item
	switch {
	case it.row == r, r.Permission != nil && slices.Contains(it.asked, r.Permission):
		return true
	case t.did != nil && (slices.Contains(t.did.Requests, r) || r.Pair != nil && slices.Contains(t.did.Requests, r.Pair)):
		return true
	case it.entry != nil:
		return r.Entry == it.entry.Seq && r.Entry != 0
	}
	return slices.ContainsFunc(it.words, func(w model.Words) bool { return w.Seq == r.Seq })
}

// maxEarly is how many things are told again when they are over.
const maxEarly = 200

// NewPrinter tells s in lines of that many cells.
func NewPrinter(s *model.Session, width int) *Printer {
	p := &Printer{timeline: NewTimeline(), width: min(max(width, 30), 400)}
	p.timeline.Show(s)
	p.timeline.thoughts = whole
	return p
}

// Extent is how much Tell tells.
type Extent uint8

const (
	WhatIsOver Extent = iota // up to the first thing that may still change
	WhatGoesOn               // tools and questions that are not over, too; they are told again when they are
	AllThereIs               // nothing more is to come
)

// Tell tells what it has not told.
func (p *Printer) Tell(e Extent, c pane.Context) (all []Printed) {
	p.timeline.gather()
	s := p.timeline.scene(p.width, c)
	s.opens = -1
	all = p.again(s, e)
	for i := p.next(); i < len(s.items); i++ {
		it := &s.items[i]
		switch over := settled(it, i+1 == len(s.items)); {
		case over || e == AllThereIs:
		case e == WhatGoesOn && goesOn(it):
			p.early = append(p.early[max(0, len(p.early)+1-maxEarly):], early{it.key, slices.ContainsFunc(it.asked, open)})
		default:
			p.timeline.texts.tidy()
			return all
		}
		if it.kind != forgotten || !p.begun {
			all = append(all, p.print(s, i))
		}
		p.told, p.begun = it.key, true
	}
	p.timeline.texts.tidy()
	return all
}

// again tells what is over by now, or asks.
func (p *Printer) again(s *scene, e Extent) (all []Printed) {
	if len(p.early) == 0 {
		return nil
	}
	for i := range s.items {
		it := &s.items[i]
		at := slices.IndexFunc(p.early, func(told early) bool { return told.key == it.key })
		switch {
		case at < 0:
		case e == AllThereIs || settled(it, false):
			p.early = slices.Delete(p.early, at, at+1)
			all = append(all, p.print(s, i))
		case !p.early[at].asks && slices.ContainsFunc(it.asked, open):
			p.early[at].asks = true
			all = append(all, p.print(s, i))
		}
	}
	return all
}

// next is the first item that was not told.
func (p *Printer) next() int {
	items := p.timeline.items
	if !p.begun {
		return 0
	}
	for i := len(items) - 1; i >= 0; i-- {
		if items[i].key == p.told {
			return i + 1
		}
	}
	i := slices.IndexFunc(items, func(it item) bool { return it.seq > p.told.seq })
	if i < 0 {
		return len(items)
	}
	return i
}

// settled says that an item will not change. Lines of stderr, gaps, and what is
// said, go on while they are the last.
func settled(it *item, last bool) bool {
	switch {
	case it.kind == signing, slices.ContainsFunc(it.asked, open):
		return false
	case it.entry == nil:
		return it.kind == warning || !last
	}
	switch it.entry.Kind {
	case session.UserMessage, session.AgentMessage, session.Thought, session.Unknown:
		return it.entry.Over || !last
	}
	return it.entry.Over
}

func goesOn(it *item) bool {
	return it.kind == asking || it.kind == signing || it.entry != nil && it.entry.Kind == session.ToolEntry
}

func (p *Printer) print(s *scene, i int) Printed {
	lines := s.lines(i)
	g := paint.NewGrid(p.width, len(lines))
	for y, l := range lines {
		s.row(g.All(), y, l)
		s.margin(g.All(), i, y, y == 0, false)
	}
	told := Printed{At: s.items[i].when(), Grid: g, item: s.items[i]}
	if e := told.item.entry; e != nil && e.Tool != nil {
		told.did = s.deed(e)
	}
	return told
}

// when is the time of an item.
func (it *item) when() time.Time {
	switch {
	case it.entry != nil:
		return it.entry.At
	case len(it.words) > 0:
		return it.words[0].At
	case len(it.asked) > 0:
		return it.asked[0].Opened
	case it.row != nil:
		return it.row.Time
	}
	return time.Time{}
}
