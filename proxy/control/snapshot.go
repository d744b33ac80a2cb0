package control

import (
	"encoding/json"
	"unicode/utf8"

	"bobproxy/proxy/journal"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	newestEvents = 2000    // in a snapshot
	stateSize    = 4 << 20 // bytes of pending requests in a state, about
	nameSize     = 4 << 10 // bytes of an option's id or name
	mostOptions  = 1000
)

// state is a [State] on its way.
type state struct {
	State
	Pending []pending `json:"pending"`
}

// pending is a [Pending] on its way. What the agent wrote travels as a string of
// JSON text: no number or depth in it can upset a reader of the message.
type pending struct {
	Pending
	ID      text `json:"id"`
	Input   text `json:"input,omitzero"`
	Content text `json:"content,omitzero"`
}

// delta is one event for a watcher, with the request that it opened.
type delta struct {
	Event   event    `json:"event"`
	Pending *pending `json:"pending,omitzero"`
}

// fromState bounds what is said of requests that wait: when there is too much of
// it, the newest ones go without their options.
func fromState(s State) state {
	out := state{State: s, Pending: []pending{}}
	size := 0
	for _, p := range s.Pending {
		if size > stateSize {
			p.Input, p.Clipped, p.Content, p.ContentClipped, p.Options = nil, "", nil, "", nil
			p.Unanswerable = "too much is waiting to show this one whole; answer others first"
		}
		one := fromPending(p)
		size += one.size()
		out.Pending = append(out.Pending, one)
	}
	return out
}

func fromPending(p Pending) pending {
	p.Title, p.Kind = cut(p.Title, nameSize), cut(p.Kind, nameSize)
	p.Clipped, p.ContentClipped = cut(p.Clipped, maxText), cut(p.ContentClipped, maxText)
	p.Description, p.Command, p.Cwd = cut(p.Description, nameSize), cut(p.Command, maxText), cut(p.Cwd, nameSize)
	options := make([]Option, 0, min(len(p.Options), mostOptions))
	for _, o := range p.Options[:min(len(p.Options), mostOptions)] {
		o.ID, o.Name, o.Kind = cut(o.ID, nameSize), cut(o.Name, nameSize), cut(o.Kind, nameSize)
		options = append(options, o)
	}
	p.Options = options
	if len(p.Input) > maxText {
		p.Clipped, p.Input = cut(string(p.Input), maxText), nil
	}
	if len(p.Content) > maxText {
		p.ContentClipped, p.Content = cut(string(p.Content), maxText), nil
	}
	return pending{p, text(p.ID), text(p.Input), text(p.Content)}
}

func (p *pending) size() int {
	n := len(p.Input) + len(p.Clipped) + len(p.Content) + len(p.ContentClipped) + len(p.Command) + len(p.Title) + 1024
	for _, o := range p.Options {
		n += len(o.ID) + len(o.Name) + len(o.Kind) + 64
	}
	for _, path := range p.Verdict.Paths {
		n += len(path.Path) + len(path.Target) + 64
	}
	return n
}

func (s *state) state() State {
	out := s.State
	out.Pending = []Pending{}
	for i := range s.Pending {
		out.Pending = append(out.Pending, s.Pending[i].pending())
	}
	return out
}

// pending gives an input that is not JSON as text, so that whoever has a
// Pending can embed its Input.
func (p *pending) pending() Pending {
	out := p.Pending
	out.ID, out.Input, out.Content = value(p.ID), value(p.Input), value(p.Content)
	if p.Input != "" && out.Input == nil {
		out.Clipped = string(p.Input)
	}
	if p.Content != "" && out.Content == nil {
		out.ContentClipped = string(p.Content)
	}
	return out
}

// value is t when that is one JSON value with no more than 1000 levels. Bytes in
// it that are no UTF-8 become U+FFFD each.
func value(t text) json.RawMessage {
	if !jsontext.Value(t).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) || deep([]byte(t)) {
		return nil
	}
	if !utf8.ValidString(string(t)) {
		return json.RawMessage(string([]rune(string(t))))
	}
	return json.RawMessage(t)
}

// deep says whether a valid JSON value has more than 1000 levels.
func deep(v []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > 1000 {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

func cut(s string, n int) string { return string(clip(text(s), n)) }

// eventStart is how every event message begins; a client may tell it by that.
const eventStart = `{"jsonrpc":"2.0","method":"` + methodEvent + `","params":`

func appendEvent(lines []byte, e *journal.Event, opened *pending) ([]byte, error) {
	params, err := encode(delta{fromEvent(e), opened})
	if err != nil {
		return lines, err
	}
	lines = append(lines, eventStart...)
	lines = append(lines, params...)
	return append(lines, "}\n"...), nil
}

// openedBy is the request that e opened, when it still waits.
func openedBy(host Host, e *journal.Event) *pending {
	if e.Type != journal.OpenedEvent || e.Decision == nil {
		return nil
	}
	p, ok := host.Pending(e.Decision.Request)
	if !ok {
		return nil
	}
	one := fromPending(p)
	return &one
}
