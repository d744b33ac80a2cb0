package model

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"bobproxy/proxy/journal"
)

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
	all := reading{model: m, name: name}
	for e, err := range events {
		all.take(&e, err)
	}
	return all.end()
}

// reading is a recording that is being read.
type reading struct {
	model   *Model
	name    string
	proxies []*Proxy
	damaged int
	failed  error
}

func (g *reading) take(e *journal.Event, err error) {
	var line *journal.LineError
	switch {
	case errors.As(err, &line):
		g.damaged++
	case err != nil:
		g.failed = err
	default:
		if p := g.proxy(e.Instance); p != nil {
			p.take(e, nil)
		} else {
			g.damaged++
		}
	}
}

// proxy is the one of that name; nil when there are too many.
func (g *reading) proxy(instance string) *Proxy {
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

// end gives the first proxy. What waits was never settled, as far as anybody
// knows.
func (g *reading) end() (*Proxy, error) {
	for _, p := range g.proxies {
		p.doubt()
		if n := len(p.Rows); n > 0 {
			p.finish(p.Rows[n-1].Time)
		}
	}
	if len(g.proxies) == 0 {
		if g.failed == nil {
			g.failed = errors.New("there are no events in it")
		}
		return nil, fmt.Errorf("reading %s: %w", g.name, g.failed)
	}
	first := g.proxies[0]
	if first.Damaged = g.damaged; g.failed != nil {
		return first, fmt.Errorf("reading %s: %w", g.name, g.failed)
	}
	return first, nil
}
