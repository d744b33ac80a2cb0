package panel

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"bobproxy/inspector/feed"
	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
	"bobproxy/inspector/terminal"
	"bobproxy/proxy/journal"
)

// Take takes what came from elsewhere.
func (p *Panel) Take(message any, now time.Time) []terminal.Effect {
	p.now = now
	switch m := message.(type) {
	case feed.Attached:
		p.model.Attach(now, m.Greeting, m.State, m.Events)
	case feed.Happened:
		p.model.Take(m.Instance, m.Deltas)
	case feed.Lost:
		p.model.Lost(now, m.Instance, m.Why)
	case feed.Gone:
		p.model.Gone(now, m.Instance, m.Why)
	case feed.Refused:
		p.empty.Refused(m.Endpoint.Path, m.Why)
		p.tell(m.Why, now)
	case feed.Places:
		p.empty.Places(m)
	case ruled:
		p.ruled(m, now)
	case compared:
		p.card.Compared(m.of, m.files, m.err, now)
	case saved:
		p.saved(m)
	case played:
		p.played(m)
	case Told:
		p.announce(m.Text)
	case terminal.Failed:
		p.tell(m.What+": "+m.Err.Error(), now)
	}
	p.settle()
	p.arrive()
	p.miss(now)
	p.comeUp(now)
	return append(p.attend(now), p.compare(now)...)
}

func (p *Panel) ruled(m ruled, now time.Time) {
	delete(p.sending, m.of)
	p.card.Ruled(m.of, m.ruling, m.err, now)
}

// Told is a message with something that the person should know.
type Told struct{ Text string }

func (p *Panel) played(m played) {
	switch {
	case m.err == nil:
		p.announce("the demo is over: " + m.outcome)
	case m.err != context.Canceled:
		p.tell("the demo did not start: "+m.err.Error(), p.now)
	}
}

func (p *Panel) saved(m saved) {
	if m.err != nil {
		p.tell("not saved: "+m.err.Error(), p.now)
		return
	}
	p.tell("saved "+howMany(m.size, "byte", "bytes")+" to "+m.path, p.now)
}

// Read shows a recording, and goes to the session that was asked for. An error is
// that of [model.Model.ReadEvents].
func (p *Panel) Read(name string, events iter.Seq2[journal.Event, error]) error {
	_, err := p.model.ReadEvents(name, events)
	p.arrive()
	return err
}

// arrive goes to the session that was asked for at the start, once it is there.
func (p *Panel) arrive() {
	if p.entered || !p.options.Enter && p.options.Session == "" {
		return
	}
	if i := slices.IndexFunc(p.model.Sessions(), p.asked); i >= 0 {
		p.entered = true
		p.visit(pane.Visit{Session: p.model.Sessions()[i]})
	}
}

// asked says whether a session is like the one that was asked for.
func (p *Panel) asked(s *model.Session) bool {
	id, want := s.Talk.Session, p.options.Session
	switch {
	case p.options.Instance != "" && s.Proxy.Instance != p.options.Instance:
		return false
	case want == "":
		return id != ""
	}
	return strings.HasPrefix(id, want) || strings.Contains(strings.ToLower(s.Name()), strings.ToLower(want))
}

// missWithin is how long after the first proxy was attached the session that was
// asked for is told to be missing.
const missWithin = 2 * time.Second

// miss says once that the session that was asked for is not there.
func (p *Panel) miss(now time.Time) {
	if p.entered || p.missed || p.options.Session == "" || len(p.model.Proxies) == 0 {
		return
	}
	if p.waited.IsZero() {
		p.waited = now
	}
	if now.Sub(p.waited) >= missWithin {
		p.missed = true
		p.tell("no session is like "+p.options.Session+"; the panel goes to it when it appears", now)
	}
}

// idle is how long nobody presses a key who is not there.
const idle = 20 * time.Second

// comeUp opens a card by itself, where that was asked for and nobody is typing.
func (p *Panel) comeUp(now time.Time) {
	if p.options.OpenCard == "idle" && p.focus != atCard && p.prompt == nil && now.Sub(p.pressed) >= idle/2 && p.first() != nil {
		p.look(nil)
	}
}
