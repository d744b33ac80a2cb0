package model

import (
	"errors"
	"fmt"
	"io"

	"bobproxy/proxy/journal"
)

// Read reads a recording to its end and adds what it tells of: a proxy for each
// instance that recorded into it, of which it gives the first one. Lines that
// are damaged are counted. It is an error when there is nothing in it, or r
// cannot be read to its end; what could be read is there.
func (m *Model) Read(name string, r io.Reader) (*Proxy, error) {
	var first *Proxy
	var damaged int
	var failed error
	proxies := map[string]*Proxy{}
	for e, err := range journal.Read(r) {
		var line *journal.LineError
		switch {
		case errors.As(err, &line):
			damaged++
			continue
		case err != nil:
			failed = err
			continue
		}
		p := proxies[e.Instance]
		if p == nil {
			if len(proxies) == maxRecorded {
				damaged++
				continue
			}
			p = m.add(e.Instance)
			p.Link, p.Name = Recorded, name
			proxies[e.Instance] = p
		}
		if first == nil {
			first = p
		}
		p.take(&e, nil)
	}
	for _, p := range proxies {
		p.recorded()
	}
	switch {
	case first == nil && failed == nil:
		failed = errors.New("there are no events in it")
	case first != nil:
		first.Damaged = damaged
	}
	if failed != nil {
		return first, fmt.Errorf("reading %s: %w", name, failed)
	}
	return first, nil
}

// maxRecorded is how many proxies one file may tell of.
const maxRecorded = 64

// recorded is for the end of a recording: what waits there was never settled, as
// far as anybody knows.
func (p *Proxy) recorded() {
	p.doubt()
	if len(p.Rows) > 0 {
		p.settleAll(p.Rows[len(p.Rows)-1].Time)
	}
}
