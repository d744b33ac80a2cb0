package talk

import (
	"slices"

	"bobproxy/acp/session"
	"bobproxy/inspector/model"
)

// item is what can be selected: an entry of the talk, or something beside it.
type item struct {
	key
	entry  *session.Entry
	asked  []*model.Permission // of a tool call; or the one that has none
	words  []model.Words       // of the agent's stderr, of gaps, or one of the proxy
	row    *model.Row          // of signing
	count  int                 // of forgotten: entries
	events uint64              // of forgotten: those before the first one that was told
	replay bool
}

// last is the newest part of it in the journal that came without anything else
// in between.
func (it *item) last() uint64 {
	if len(it.words) > 0 {
		return it.words[len(it.words)-1].Seq
	}
	return it.seq
}

// gather makes the items anew, in order.
func (t *Timeline) gather() {
	s := t.session
	g := gathering{items: t.items[:0], asides: t.asides.of(s)}
	if n, events := s.Talk.Dropped, unheard(s); n > 0 || events > 0 {
		g.items = append(g.items, item{key: key{kind: forgotten}, count: n, events: events})
	}
	calls := callsOf(s)
	for _, e := range s.Talk.Entries {
		if e.Kind == session.Thought && t.thoughts == hidden {
			continue
		}
		g.until(e.Seq)
		g.entry(e, calls)
	}
	g.until(1<<64 - 1)
	g.unclaimed(calls)
	g.sign(s)
	clear(t.items[min(len(g.items), len(t.items)):])
	t.items = g.items
}

// unheard is how many events, of which nothing is known, came before what is told
// of s. There are none where its own beginning is told.
func unheard(s *model.Session) uint64 {
	if s.Proxy == nil || s.Begun {
		return 0
	}
	return s.Proxy.Unheard
}

// gathering puts what is beside the talk between its entries.
type gathering struct {
	items  []item
	asides []aside
	replay bool
}

// until takes what came before seq.
func (g *gathering) until(seq uint64) {
	for len(g.asides) > 0 && g.asides[0].Seq <= seq {
		a := g.asides[0]
		g.asides = g.asides[1:]
		if n := len(g.items); a.kind != warning && n > 0 && g.items[n-1].kind == a.kind {
			run := &g.items[n-1]
			run.words = append(run.words, a.Words)
			continue
		}
		g.items = append(g.items, item{key: key{kind: a.kind, seq: a.Seq}, words: []model.Words{a.Words}})
	}
}

func (g *gathering) entry(e *session.Entry, calls map[string]*claims) {
	if e.Replay != g.replay {
		g.replay = e.Replay
		bracket := replayEnd
		if e.Replay {
			bracket = replayStart
		}
		g.items = append(g.items, item{key: key{kind: bracket, seq: e.Seq}, replay: e.Replay})
	}
	it := item{key: ofEntry(e), entry: e, replay: e.Replay}
	if e.Tool != nil {
		it.id = e.Tool.ID
		if c := calls[e.Tool.ID]; c != nil {
			c.at = append(c.at, len(g.items))
		}
	}
	g.items = append(g.items, it)
}

// claims are the permissions of one tool call, and where the call is.
type claims struct {
	asked []*model.Permission
	at    []int
}

// callsOf are the permissions of a session by tool call, oldest first.
func callsOf(s *model.Session) map[string]*claims {
	calls := map[string]*claims{}
	if s.Proxy == nil {
		return calls
	}
	for _, list := range [][]*model.Permission{s.Proxy.Closed, s.Proxy.Pending} {
		for _, p := range list {
			if p.Session != s {
				continue
			}
			c := calls[p.Call]
			if c == nil {
				c = &claims{}
				calls[p.Call] = c
			}
			c.asked = append(c.asked, p)
		}
	}
	return calls
}

// unclaimed gives each permission to the newest call of its name that came
// before it, or makes it an item of its own.
func (g *gathering) unclaimed(calls map[string]*claims) {
	var alone []item
	for _, c := range calls {
		for _, p := range c.asked {
			if i, ok := c.owner(g.items, p); ok {
				g.items[i].asked = append(g.items[i].asked, p)
			} else {
				alone = append(alone, item{key: key{kind: asking, seq: p.Seq, id: p.Request}, asked: []*model.Permission{p}})
			}
		}
	}
	slices.SortFunc(alone, func(a, b item) int { return int(int64(a.seq) - int64(b.seq)) })
	for _, it := range alone {
		at := len(g.items)
		for at > 0 && g.items[at-1].seq > it.seq {
			at--
		}
		g.items = slices.Insert(g.items, at, it)
	}
}

func (c *claims) owner(items []item, p *model.Permission) (int, bool) {
	if len(c.at) == 0 {
		return 0, false
	}
	owner := c.at[0]
	for _, i := range c.at {
		if items[i].seq <= p.Seq {
			owner = i
		}
	}
	return owner, true
}

// sign adds the authenticate that somebody waits for, since minutes can go by in
// silence.
func (g *gathering) sign(s *model.Session) {
	if row := signingIn(s.Proxy); row != nil && len(g.items) > 0 {
		g.items = append(g.items, item{key: key{kind: signing, seq: max(row.Seq, g.items[len(g.items)-1].last())}, row: row})
	}
}
