package main

import (
	"bytes"
	"os"
	"time"

	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	timeline "bobproxy/inspector/talk"
	"bobproxy/proxy/journal"
)

const (
	mostUntold = 400         // entries of a session, well below what is forgotten
	mostBehind = 1600        // of them, behind one that is not over
	lookAgain  = 100         // entries until it is looked again
	longEnough = time.Second // to wait for the end of what goes on
)

// talkReader tells what was said and done in each session.
type talkReader struct {
	*logging
	out     *printed
	model   *model.Model
	reading *model.Reading
	talks   map[*model.Session]*talkOf
	head    *model.Session // the one whose name was printed last
	home    string
	last    time.Time // of the last event
	changed time.Time // when an event came that was read live
	live    bool
}

// talkOf is how far a session was told.
type talkOf struct {
	printer *timeline.Printer
	entries int // there were when something was told last, with those forgotten
	looked  int // and when it was looked whether there is something to tell
}

func newTalkReader(l *logging, out *printed) *talkReader {
	m := model.New()
	home, _ := os.UserHomeDir()
	return &talkReader{
		logging: l, out: out, model: m, reading: m.Begin(l.source.name),
		talks: map[*model.Session]*talkOf{}, home: home,
	}
}

func (r *talkReader) take(line *journal.Line) error {
	p := r.reading.Take(&line.Event, nil)
	if p == nil {
		return nil
	}
	r.last = line.Time
	if r.live {
		r.changed = time.Now()
	}
	s := p.Rows[len(p.Rows)-1].Session
	if s == nil || !r.wanted(s) {
		return nil
	}
	t := r.of(s)
	behind := entries(s) - t.entries
	switch {
	case behind < mostUntold, entries(s)-t.looked < lookAgain:
		return nil
	case behind < mostBehind:
		return r.tell(s, timeline.WhatIsOver)
	}
	return r.tell(s, timeline.WhatGoesOn)
}

func entries(s *model.Session) int { return len(s.Talk.Entries) + s.Talk.Dropped }

func (r *talkReader) of(s *model.Session) *talkOf {
	t := r.talks[s]
	if t == nil {
		t = &talkOf{printer: timeline.NewPrinter(s, r.width)}
		r.talks[s] = t
	}
	return t
}

// wanted says whether a session is told: the one that was asked for, else all,
// and what belongs to none where its proxy has no other.
func (r *talkReader) wanted(s *model.Session) bool {
	if r.source.session != "" {
		return s.Talk.Session == r.source.session
	}
	return s.Talk.Session != "" || len(s.Proxy.Sessions) == 1
}

// pause tells what is over, and after a while what goes on.
func (r *talkReader) pause() error {
	extent := timeline.WhatIsOver
	if r.live && time.Since(r.changed) >= longEnough {
		if r.changed.IsZero() {
			return nil
		}
		extent, r.changed = timeline.WhatGoesOn, time.Time{}
	}
	if !r.live {
		r.live, r.changed = true, time.Now()
	}
	return r.tellAll(extent)
}

func (r *talkReader) end() error {
	r.reading.End()
	return r.tellAll(timeline.AllThereIs)
}

func (r *talkReader) tellAll(extent timeline.Extent) error {
	for _, s := range r.model.Sessions() {
		if !r.wanted(s) {
			continue
		}
		if err := r.tell(s, extent); err != nil {
			return err
		}
	}
	return nil
}

func (r *talkReader) tell(s *model.Session, extent timeline.Extent) error {
	t := r.of(s)
	t.looked = entries(s)
	now := r.last.In(r.now.Location())
	for _, told := range t.printer.Tell(extent, pane.Context{Now: now, Model: r.model, Home: r.home}) {
		t.entries = t.looked
		if !told.At.IsZero() && !r.sieve.at(told.At) || !r.matches(s, &told) {
			continue
		}
		var text bytes.Buffer
		if s != r.head {
			r.head = s
			r.heading(&text, s)
		}
		r.lines(&text, told.Grid)
		if err := r.out.add(told.At, text.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// matches says that one of the frames and events of what is told is wanted.
func (r *talkReader) matches(s *model.Session, told *timeline.Printed) bool {
	if r.sieve.expr.Empty() {
		return true
	}
	before := r.sieve.unsure
	for _, row := range s.Proxy.Rows {
		if (row.Session == s || row.Session == nil) && told.Of(row) && r.sieve.chooses(row) {
			r.sieve.unsure = before // what they are about is told
			return true
		}
	}
	return false
}

// heading names a session.
func (r *talkReader) heading(text *bytes.Buffer, s *model.Session) {
	name := paint.Clean(paint.Heading, s.Name())
	if id := s.Talk.Session; id != "" && id != s.Name() {
		name = name.With(paint.L(paint.Dim, "  ")).With(paint.Clean(paint.Dim, id))
	}
	g := paint.NewGrid(r.width, 1)
	g.All().Line(0, 0, name.Cut(r.width))
	r.lines(text, g)
}

// lines writes a grid as lines of text.
func (r *talkReader) lines(text *bytes.Buffer, g *paint.Grid) {
	for y := range g.H {
		text.Write(r.line(g, y))
	}
}
