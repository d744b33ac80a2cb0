package imported

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/journal"
)

// writer puts messages into a journal, as a proxy would have.
type writer struct {
	journal  *journal.Journal
	instance string
	start    time.Time
	command  string    // of the agent; empty: not known
	started  time.Time // zero: not known
	report   Report

	begun     bool
	last      time.Time
	timed     int // frames with a time
	inference inference
	fold      session.Fold
	asked     map[string]*asked // permissions that wait, by id
	requests  int
}

// asked is a permission that was asked for.
type asked struct {
	request string
	session string
	at      time.Time
	kinds   map[string]string // of its options, by id
}

// take takes one line or element.
func (w *writer) take(line []byte) {
	m, ok := readMessage(line)
	if !ok {
		w.report.Skipped++
		return
	}
	var f acp.Frame
	frame := append(oneLine(m.frame), '\n')
	acp.Scan(frame, &f)
	from := w.from(&m, &f)
	at := w.at(&m)
	w.begin(at)
	fact := w.fold.Frame(at, from, &f)
	w.journal.Append(at, []journal.Frame{{Dir: from, Scan: f, Line: frame, Method: fact.Method, Session: fact.Session}})
	w.report.Frames++
	w.permission(at, from, &f, &fact)
}

// oneLine is a frame as it may stand on the wire; its memory is new.
func oneLine(frame []byte) []byte {
	if bytes.IndexByte(frame, '\n') < 0 {
		return append([]byte(nil), frame...)
	}
	// Line ends stand in JSON only where blanks may.
	return bytes.ReplaceAll(bytes.ReplaceAll(frame, []byte("\r\n"), []byte(" ")), []byte("\n"), []byte(" "))
}

// from is who sent it.
func (w *writer) from(m *message, f *acp.Frame) acp.Direction {
	from, sure := m.from, true
	switch {
	case from != 0:
		w.report.Told++
		w.report.Arrows = w.report.Arrows || m.arrow
	default:
		if from, sure = w.inference.who(f); sure {
			w.report.Inferred++
		} else {
			w.report.Guessed++
		}
	}
	w.inference.note(from, f)
	return from
}

// at is when it was sent. Time stands still rather than to go back, and what has
// none follows a millisecond later.
func (w *writer) at(m *message) (at time.Time) {
	switch {
	case m.timed:
		at = w.start.Add(m.offset)
	case !m.at.IsZero():
		at = m.at
	case w.begun:
		at = w.last.Add(time.Millisecond)
	default:
		at = w.start
	}
	if m.timed || !m.at.IsZero() {
		w.timed++
	}
	if at.Before(w.last) {
		at = w.last
	}
	w.last = at
	return at
}

// begin tells the start, where the agent's command is known.
func (w *writer) begin(at time.Time) {
	if w.begun {
		return
	}
	w.begun = true
	if w.command == "" {
		return
	}
	if !w.started.IsZero() && w.started.Before(at) {
		at = w.started
	}
	w.journal.Note(journal.Event{Time: at, Type: journal.StartEvent, Start: &journal.Start{Command: strings.Fields(w.command)}})
}

const maxAsked = 1024

// permission tells that a permission was opened, or decided, which is the
// editor's doing.
func (w *writer) permission(at time.Time, from acp.Direction, f *acp.Frame, fact *session.Fact) {
	if fact.Method != acp.MethodRequestPermission {
		return
	}
	key, _ := acp.IDKey(nil, f.ID)
	id := append([]byte(nil), f.ID...)
	switch {
	case f.Kind == acp.Request && from == acp.Agent && len(w.asked) < maxAsked:
		w.requests++
		a := &asked{request: fmt.Sprintf("%s:%d", w.instance, w.requests), at: at, kinds: map[string]string{}}
		a.session, _ = acp.Unquote([]byte(`"` + fact.Session + `"`))
		for _, o := range acp.ReadPermission(f.Params).Options {
			a.kinds[o.ID.Value] = o.Kind
		}
		if w.asked == nil {
			w.asked = map[string]*asked{}
		}
		w.asked[string(key)] = a
		w.journal.Note(journal.Event{Time: at, Type: journal.OpenedEvent, Method: fact.Method, ID: id, Session: a.session, Decision: &journal.Decision{Request: a.request}})
	case f.Kind != acp.Request && from == acp.Client && w.asked[string(key)] != nil:
		a := w.asked[string(key)]
		delete(w.asked, string(key))
		w.journal.Note(journal.Event{Time: at, Type: journal.DecisionEvent, Method: fact.Method, ID: id, Session: a.session, Decision: a.decision(at, f)})
	}
}

// decision is what an answer says.
func (a *asked) decision(at time.Time, f *acp.Frame) *journal.Decision {
	d := &journal.Decision{Request: a.request, By: "editor", Outcome: "error", Wait: at.Sub(a.at)}
	if f.Kind == acp.Error {
		return d
	}
	outcome := member(f.Result, "outcome")
	word, ok := acp.Unquote(member(outcome, "outcome"))
	if !ok {
		word, _ = acp.Unquote(outcome)
	}
	d.Outcome = word
	d.OptionID, d.HasOption = acp.Unquote(member(outcome, "optionId"))
	d.OptionKind = a.kinds[d.OptionID]
	return d
}

func member(object []byte, name string) (value []byte) {
	for n, v := range acp.Members(object) {
		if string(n) == name {
			value = v
		}
	}
	return value
}

// end ends the report.
func (w *writer) end() {
	w.report.Times = "part"
	switch w.timed {
	case 0:
		w.report.Times = "none"
	case w.report.Frames:
		w.report.Times = "told"
	}
}
