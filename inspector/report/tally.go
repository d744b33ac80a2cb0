package report

import (
	"errors"
	"strings"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/journal"
)

// Bounds of what is followed at once.
const (
	maxInstances = 64   // proxies in one recording
	maxSessions  = 4096 // of one proxy
	maxMatches   = 64   // sessions that may be meant
	maxCalls     = 1024 // tool calls under way, a session
	maxRequests  = 2 * session.MaxOpen
)

// Tally measures a recording, event by event.
type Tally struct {
	want      string // beginning of the id of the only session that counts
	whole     *Report
	matches   map[string]*Report // by session
	instances map[string]*conversation
	sessions  map[string]bool
	kept      int // values
}

// New is an empty one. It measures only the session whose id, or its beginning,
// is given; empty: everything.
func New(session string) *Tally {
	return &Tally{want: session, whole: newReport(""), matches: map[string]*Report{}, instances: map[string]*conversation{}, sessions: map[string]bool{}}
}

// Take takes what [journal.Read] gives next. Of an error only that a line is
// damaged is counted.
func (t *Tally) Take(e *journal.Event, err error) {
	if err != nil {
		if line := new(journal.LineError); errors.As(err, &line) {
			t.whole.Counts.Damaged++
		}
		return
	}
	c := t.conversation(e.Instance)
	if c == nil {
		t.whole.Counts.Damaged++
		return
	}
	if e.Type == journal.FrameEvent {
		c.frame(e)
		return
	}
	c.other(e)
}

// conversation is the one of a proxy; nil when there are too many.
func (t *Tally) conversation(instance string) *conversation {
	c := t.instances[instance]
	if c == nil && len(t.instances) < maxInstances {
		c = newConversation(t, instance)
		t.instances[instance] = c
	}
	return c
}

// End gives what was measured, and the ids of all sessions that were meant: of
// none or several there is no report.
func (t *Tally) End() (r *Report, meant []string) {
	for _, c := range t.instances {
		c.end()
	}
	if t.want == "" {
		t.whole.Sessions = len(t.sessions)
		return t.whole, nil
	}
	if r = t.matches[t.want]; r != nil {
		return r, []string{t.want}
	}
	for id, one := range t.matches {
		r, meant = one, append(meant, id)
	}
	if len(meant) != 1 {
		return nil, meant
	}
	return r, meant
}

// sheet is where what happens in a session is put down; nil: nowhere.
func (t *Tally) sheet(session string) *Report {
	if session != "" && len(t.sessions) < maxSessions {
		t.sessions[session] = true
	}
	if t.want == "" {
		return t.whole
	}
	r := t.matches[session]
	if r == nil && session != "" && strings.HasPrefix(session, t.want) && (len(t.matches) < maxMatches || session == t.want) {
		r = newReport(session)
		r.Sessions = 1
		t.matches[session] = r
	}
	return r
}

// add puts a value down, under its name and, where it has one, under all names.
func (t *Tally) add(r *Report, of Of, name string, v int64) {
	t.put(r, Measure{of, name}, v)
	if name != "" && (of == Tool || of == Permission) {
		t.put(r, Measure{Of: of}, v)
	}
}

func (t *Tally) put(r *Report, m Measure, v int64) {
	if r.measured(m).add(v, t.kept < MaxAllValues) {
		t.kept++
	}
}

// plain is a session's id as it stands in an event, escapes resolved.
func plain(raw string) string {
	if !strings.Contains(raw, `\`) {
		return raw
	}
	id, ok := acp.Unquote([]byte(`"` + raw + `"`))
	if !ok {
		return raw
	}
	return id
}
