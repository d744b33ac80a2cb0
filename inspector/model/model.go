package model

import (
	"slices"
	"time"

	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// New is a Model of no proxies.
func New() *Model { return &Model{} }

// Attach takes a snapshot of a running proxy, the first one or another after it
// was cut loose, when what is known already is skipped. What lies between is
// counted as missed.
func (m *Model) Attach(at time.Time, g control.Greeting, s control.State, events []journal.Event) {
	p := m.running(s)
	if p == nil {
		p = m.add(s.Instance)
	}
	p.attach(at, g, s, events)
}

// Take takes what happened since. Instances that nobody was attached to are
// ignored.
func (m *Model) Take(instance string, deltas []control.Delta) {
	p := m.live(instance)
	if p == nil {
		return
	}
	for i := range deltas {
		p.take(&deltas[i].Event, deltas[i].Pending)
	}
	p.doubt()
}

// Connecting says that a proxy was found and is being dialed. pid may be 0.
func (m *Model) Connecting(at time.Time, instance string, pid int) {
	if m.live(instance) != nil {
		return
	}
	p := m.add(instance)
	p.State.PID = pid
	p.mem.nobody.Activity = at
}

// Lost says that a connection broke and will be tried again.
func (m *Model) Lost(at time.Time, instance, why string) {
	if p := m.live(instance); p != nil {
		p.Link, p.LinkText = Lost, why
	}
}

// Gone says that a proxy has ended, or cannot be reached any more. What was seen
// of it stays.
func (m *Model) Gone(at time.Time, instance, why string) {
	if p := m.live(instance); p != nil {
		p.gone(at, why)
	}
}

// Find is the newest proxy of that name, a live one before one that is none; nil
// when there is none.
func (m *Model) Find(instance string) *Proxy {
	if p := m.live(instance); p != nil {
		return p
	}
	return m.last(func(p *Proxy) bool { return p.Instance == instance })
}

// Drop forgets p.
func (m *Model) Drop(p *Proxy) {
	m.Proxies = slices.DeleteFunc(m.Proxies, func(other *Proxy) bool { return other == p })
}

// Waiting are the permissions of all proxies that wait for an answer, oldest
// first. Those of one that is being dialed again are among them, so that a card
// stays where it is.
func (m *Model) Waiting() []*Permission {
	var all []*Permission
	for _, p := range m.Proxies {
		all = append(all, p.Pending...)
	}
	slices.SortStableFunc(all, func(a, b *Permission) int { return a.Opened.Compare(b.Opened) })
	return all
}

// Sessions are those of all proxies, in order of appearance.
func (m *Model) Sessions() []*Session {
	var all []*Session
	for _, p := range m.Proxies {
		all = append(all, p.Sessions...)
	}
	return all
}

func (m *Model) add(instance string) *Proxy {
	p := newProxy(instance)
	m.Proxies = append(m.Proxies, p)
	return p
}

func (m *Model) last(is func(*Proxy) bool) *Proxy {
	for _, p := range slices.Backward(m.Proxies) {
		if is(p) {
			return p
		}
	}
	return nil
}

// live is the proxy of that name that has not ended.
func (m *Model) live(instance string) *Proxy {
	return m.last(func(p *Proxy) bool {
		return p.Instance == instance && p.Link != Gone && p.Link != Recorded
	})
}

// running is the proxy that s tells of, which may have seemed gone; nil when it
// is a new one.
func (m *Model) running(s control.State) *Proxy {
	return m.last(func(p *Proxy) bool {
		if p.Instance != s.Instance || p.Link == Recorded {
			return false
		}
		unknown := p.State.Started.IsZero() && p.Link != Gone
		return unknown || p.State.PID == s.PID && p.State.Started.Equal(s.Started)
	})
}
