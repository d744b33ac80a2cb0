package report

import (
	"cmp"
	"strings"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/journal"
)

// conversation is what one proxy recorded.
type conversation struct {
	tally    *Tally
	instance string
	fold     session.Fold
	story    *session.Story
	asked    map[string]question // that have no answer yet
	sessions map[string]*progress
	key      []byte
}

// question is a request that has no answer yet.
type question struct {
	frame uint64
	at    time.Time
	call  string // of a permission: the tool call
}

func newConversation(t *Tally, instance string) *conversation {
	c := &conversation{tally: t, instance: instance, asked: map[string]question{}, sessions: map[string]*progress{}}
	c.story = session.NewStory(&c.fold)
	return c
}

// frame takes a frame.
func (c *conversation) frame(e *journal.Event) {
	var f acp.Frame
	if !e.Replay(&f) {
		if r := c.tally.sheet(plain(e.Session)); r != nil {
			c.count(r, e, e.Method)
			r.Counts.Withheld++
		}
		return
	}
	fact := c.fold.Frame(e.Time, e.Dir, &f)
	told := c.story.Frame(e.Time, e.Seq, e.Dir, &f, &fact)
	id := cmp.Or(told.Session, plain(fact.Session))
	q := c.pair(e, &f, &told, fact.Paired)
	r := c.tally.sheet(id)
	if r == nil {
		return
	}
	c.count(r, e, cmp.Or(fact.Method, e.Method))
	c.answer(r, e, &fact, q, id)
	if p := c.progress(id); p != nil {
		p.frame(&step{c, r, e, &fact, &told, q})
	}
}

// count counts the frame itself.
func (c *conversation) count(r *Report, e *journal.Event, method string) {
	r.seen(e.Time)
	method = cmp.Or(method, "("+e.Kind.String()+")")
	size := max(e.Bytes, 0)
	r.flow(method, e.Dir, size)
	c.tally.add(r, Bytes, method, size)
	r.Counts.Masked += max(e.Masked, 0)
	for _, is := range []struct {
		so bool
		n  *int
	}{
		{e.Reason != "" && e.Action == "", &r.Counts.Odd}, {e.Action == "refused", &r.Counts.Refused},
		{e.Added, &r.Counts.Added}, {e.Kind == acp.Error, &r.Counts.Errors},
	} {
		if is.so {
			*is.n++
		}
	}
}

// pair remembers a request, or gives the one that was answered.
func (c *conversation) pair(e *journal.Event, f *acp.Frame, told *session.Told, paired bool) (q question) {
	switch {
	case f.Kind == acp.Request && len(c.asked) < maxRequests:
		q = question{frame: e.Seq, at: e.Time}
		if string(f.Method) == acp.MethodRequestPermission {
			q.call = told.Call
		}
		c.asked[c.id(e.Dir, f.ID)] = q
	case paired:
		key := c.id(e.Dir.Peer(), f.ID)
		q = c.asked[key]
		delete(c.asked, key)
	}
	return q
}

func (c *conversation) id(asker acp.Direction, raw []byte) string {
	c.key, _ = acp.IDKey(append(c.key[:0], byte(asker)), raw)
	return string(c.key)
}

// answer measures how long an answer took.
func (c *conversation) answer(r *Report, e *journal.Event, fact *session.Fact, q question, id string) {
	if !fact.Paired || e.Time.IsZero() {
		return
	}
	c.tally.add(r, Answer, fact.Method, int64(fact.Waited))
	if c.instance == "" && fact.Method == acp.MethodRequestPermission { // nobody recorded who decided
		c.permission(r, id, "client", fact.Waited)
	}
	r.slow(Pair{Method: fact.Method, By: e.Dir, Session: id, Asked: q.frame, Frame: e.Seq, Waited: max(fact.Waited, 0)})
}

// permission measures how long a question waited.
func (c *conversation) permission(r *Report, id, by string, wait time.Duration) {
	c.tally.add(r, Permission, by, int64(wait))
	if p := c.sessions[id]; p != nil && p.running {
		p.turn.Asked += max(wait, 0)
	}
}

// other takes an event that is no frame.
func (c *conversation) other(e *journal.Event) {
	id := plain(e.Session)
	r := c.tally.sheet(id)
	if r == nil {
		return
	}
	r.seen(e.Time)
	switch e.Type {
	case journal.DecisionEvent:
		if e.Decision != nil && !e.Decision.Late {
			c.permission(r, id, e.Decision.By, e.Decision.Wait)
		}
	case journal.StderrEvent:
		r.Counts.Stderr += strings.Count(strings.TrimSuffix(e.Text, "\n"), "\n") + 1
	case journal.FlaggedEvent:
		r.Counts.Flagged++
	case journal.WarningEvent:
		r.Counts.Warnings++
	case journal.GapEvent:
		if e.Gap != nil {
			r.Counts.Missing += e.Gap.Count
		}
	}
}

// progress is that of a session; nil when there are too many.
func (c *conversation) progress(id string) *progress {
	p := c.sessions[id]
	if p == nil && id != "" && len(c.sessions) < maxSessions {
		p = &progress{calls: map[string]*call{}}
		c.sessions[id] = p
	}
	return p
}

// end lists the turns that did not end, and counts what was not answered.
func (c *conversation) end() {
	for id, p := range c.sessions {
		if r := c.tally.sheet(id); r != nil && p.running {
			r.turn(p.turn)
		}
	}
	if c.tally.want == "" {
		c.tally.whole.Counts.Open += c.fold.Owed(acp.Client) + c.fold.Owed(acp.Agent)
	}
}
