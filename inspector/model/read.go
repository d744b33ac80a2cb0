package model

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"bobproxy/proxy/journal"
)

// ErrEmpty says that no event is in a recording.
var ErrEmpty = errors.New("there are no events in it")

// maxRecorded is how many proxies one file may tell of.
const maxRecorded = 64

// Read reads a recording to its end and adds what it tells of: a proxy for each
// instance that recorded into it, of which it gives the first one. Lines that
// are damaged are counted. It is an error when there is nothing in it, or r
// cannot be read to its end; what could be read is there.
func (m *Model) Read(name string, r io.Reader) (*Proxy, error) {
	return m.ReadEvents(name, journal.Read(r))
}

// ReadEvents is Read of events that were read already, as [journal.Read] gives
// them.
func (m *Model) ReadEvents(name string, events iter.Seq2[journal.Event, error]) (*Proxy, error) {
	all := m.Begin(name)
	for e, err := range events {
		all.Take(&e, err)
	}
	return all.End()
}

// Reading is a recording that is being read, event by event.
type Reading struct {
	model   *Model
	name    string
	proxies []*Proxy
	damaged int
	failed  error
}

// Begin begins to read a recording.
func (m *Model) Begin(name string) *Reading { return &Reading{model: m, name: name} }

// Take takes what [journal.Read] gives next, and gives the proxy that it tells
// of; nil: none, or one too many.
func (g *Reading) Take(e *journal.Event, err error) *Proxy {
	var line *journal.LineError
	switch {
	case errors.As(err, &line):
		g.damaged++
	case err != nil:
		g.failed = err
	default:
		p := g.proxy(e.Instance)
		if p == nil {
			g.damaged++
			return nil
		}
		p.take(e, nil)
		return p
	}
	return nil
}

// proxy is the one of that name; nil when there are too many.
func (g *Reading) proxy(instance string) *Proxy {
	for _, p := range g.proxies {
		if p.Instance == instance {
			return p
		}
	}
	if len(g.proxies) == maxRecorded {
		return nil
	}
	p := g.model.add(instance)
	p.Link, p.Name = Recorded, g.name
	g.proxies = append(g.proxies, p)
	return p
}

// End ends it, and gives the first proxy. What waits was never settled, as far as
// anybody knows.
func (g *Reading) End() (*Proxy, error) {
	for _, p := range g.proxies {
		p.doubt()
		p.concludeAll()
		if n := len(p.Rows); n > 0 {
			p.finish(p.Rows[n-1].Time)
		}
	}
	if len(g.proxies) == 0 {
		if g.failed == nil {
			g.failed = ErrEmpty
		}
		return nil, fmt.Errorf("reading %s: %w", g.name, g.failed)
	}
	first := g.proxies[0]
	if first.Damaged = g.damaged; g.failed != nil {
		return first, fmt.Errorf("reading %s: %w", g.name, g.failed)
	}
	return first, nil
}
