package report

import (
	"cmp"
	"strings"

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
	asked    map[string]asking // requests that have no answer yet
	permits  map[string]permit // permissions of which one half was seen, by id
	sessions map[string]*progress
	key      []byte
}

func newConversation(t *Tally, instance string) *conversation {
	c := &conversation{tally: t, instance: instance, asked: map[string]asking{}, permits: map[string]permit{}, sessions: map[string]*progress{}}
	c.story = session.NewStory(&c.fold)
	return c
}

// asking is a request.
type asking struct {
	frame uint64
	sheet *Report // of its session; nil: none
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
	r := c.tally.sheet(id)
	asked := c.pair(e, &f, fact.Paired, r)
	if r == nil {
		return
	}
	c.count(r, e, cmp.Or(fact.Method, e.Method))
	c.answer(r, e, &fact, asked, id)
	if p := c.progress(id); p != nil {
		p.frame(&step{c, r, e, &fact, &told})
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
		{stray(e), &r.Counts.Stray}, {e.Reason != "" && e.Action == "" && !stray(e), &r.Counts.Odd},
		{e.Action == "swallowed", &r.Counts.Late}, {e.Action == "refused", &r.Counts.Refused},
		{e.Action != "" && e.Action != "swallowed", &r.Counts.Stopped},
		{e.Added, &r.Counts.Added}, {e.Kind == acp.Error, &r.Counts.Errors},
	} {
		if is.so {
			*is.n++
		}
	}
}

// stray says that a frame is an answer that nobody waited for.
func stray(e *journal.Event) bool {
	return (e.Kind == acp.Response || e.Kind == acp.Error) && e.Action == "" && e.Reason == "answers no request"
}

// pair remembers the frame of a request, or gives that of the one that was
// answered; 0: not known.
func (c *conversation) pair(e *journal.Event, f *acp.Frame, paired bool, r *Report) (asked uint64) {
	switch {
	case f.Kind == acp.Request && len(c.asked) < maxRequests:
		c.asked[c.id(e.Dir, f.ID)] = asking{e.Seq, r}
		c.permission(e, f)
	case paired:
		key := c.id(e.Dir.Peer(), f.ID)
		asked = c.asked[key].frame
		delete(c.asked, key)
	}
	return asked
}

func (c *conversation) id(asker acp.Direction, raw []byte) string {
	c.key, _ = acp.IDKey(append(c.key[:0], byte(asker)), raw)
	return string(c.key)
}

// answer measures how long an answer took.
func (c *conversation) answer(r *Report, e *journal.Event, fact *session.Fact, asked uint64, id string) {
	if !fact.Paired || e.Time.IsZero() {
		return
	}
	c.tally.add(r, Answer, fact.Method, int64(fact.Waited))
	if fact.Method == acp.MethodRequestPermission {
		c.permitted(r, e, fact.Waited)
	}
	by := e.Dir.String()
	if e.Added {
		by = "proxy"
	}
	r.slow(Pair{Method: fact.Method, By: by, Session: id, Asked: asked, Frame: e.Seq, Waited: max(fact.Waited, 0)})
}

// other takes an event that is no frame.
func (c *conversation) other(e *journal.Event) {
	r := c.tally.sheet(plain(e.Session))
	if r == nil {
		return
	}
	r.seen(e.Time)
	switch e.Type {
	case journal.DecisionEvent:
		c.decided(r, e)
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
		p = &progress{calls: map[string]bool{}}
		c.sessions[id] = p
	}
	return p
}

// end lists the turns that did not end, and counts what was not answered.
func (c *conversation) end() {
	for key := range c.permits {
		c.settle(key)
	}
	for id, p := range c.sessions {
		if r := c.tally.sheet(id); r != nil && p.running {
			r.turn(p.turn)
		}
	}
	if c.tally.want == "" {
		c.tally.whole.Counts.Open += c.fold.Owed(acp.Client) + c.fold.Owed(acp.Agent)
		return
	}
	for _, q := range c.asked {
		if q.sheet != nil {
			q.sheet.Counts.Open++
		}
	}
}
