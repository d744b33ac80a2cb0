package model

import (
	"slices"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// memory is what a proxy needs to remember to understand what comes.
type memory struct {
	fold  session.Fold
	story *session.Story

	named  map[string]*Session
	nobody *Session // what belongs to no session

	waiting  map[string]*Row // requests without an answer, by asker and id
	key      []byte
	now      scene // kept for its memory
	bodies   int   // bytes of bodies and long texts of rows
	bodiless int   // number of rows, from the oldest, that were relieved of theirs

	asked []*Row // requests for permission that nobody said were opened
	cards int    // bytes of the cards of what is closed
	bare  int    // number of closed permissions, from the oldest, whose cards were stripped

	judging judging
	deeds   []*Deed // of all sessions, oldest first
	rate    rate
	last    [3]uint64 // number of the last frame, by who sent it
	unsure  uint64    // what was open before this event may have been answered in a hole; 0: nothing
}

func newProxy(instance string) *Proxy {
	p := &Proxy{Instance: instance, Marks: map[uint64]bool{}}
	p.mem.story = session.NewStory(&p.mem.fold)
	p.mem.named = map[string]*Session{}
	p.mem.waiting = map[string]*Row{}
	p.mem.nobody = newSession(p, "")
	p.Sessions = append(p.Sessions, p.mem.nobody)
	return p
}

// attach takes a snapshot.
func (p *Proxy) attach(at time.Time, g control.Greeting, s control.State, events []journal.Event) {
	p.Link, p.LinkText, p.GoneAt, p.Greeting = Live, "", time.Time{}, g
	if p.LastSeq == 0 && len(events) > 0 && events[0].Seq > 1 {
		p.seed(s) // the sessions in their own order, since events tell of them in any
	}
	for i := range events {
		p.take(&events[i], nil)
	}
	p.seed(s)
	p.reconcile(at, s.Pending)
	p.State, p.AutoApprove = s, s.AutoApprove
	p.State.Sessions, p.State.Pending = nil, nil
	p.doubt()
}

// take takes the next event. card is what an opened one is about.
func (p *Proxy) take(e *journal.Event, card *control.Pending) {
	switch next := p.LastSeq + 1; {
	case e.Seq < next:
		return
	case e.Seq > next && p.LastSeq == 0:
		p.Dropped += e.Seq - 1
		p.Unheard = e.Seq - 1
	case e.Seq > next:
		p.hole(e.Time, next, e.Seq-next)
	}
	p.LastSeq = e.Seq
	r := p.row(e)
	p.add(r)
	p.tell(r, e, card)
	if s := r.Session; s != nil {
		s.Rows++
		s.Activity = e.Time
	}
}

// tell takes what the event of row r says.
func (p *Proxy) tell(r *Row, e *journal.Event, card *control.Pending) {
	switch e.Type {
	case journal.FrameEvent:
		p.frame(r, e)
	case journal.OpenedEvent:
		p.opened(r, e, card)
	case journal.DecisionEvent:
		p.decided(r, e)
	case journal.FlaggedEvent:
		p.flagged(r, e)
	case journal.StartEvent:
		p.started(e)
	case journal.ExitEvent:
		p.exited(e)
	case journal.StderrEvent:
		p.Stderr = appendWords(p.Stderr, r)
	case journal.WarningEvent:
		p.Warnings = appendWords(p.Warnings, r)
	case journal.GapEvent:
		p.gap(e)
	}
}

func appendWords(all []Words, r *Row) []Words {
	all = append(all, Words{r.Time, r.Seq, r.Text})
	return all[max(0, len(all)-MaxStderr):]
}

// started takes how the agent was started, where no State tells of it.
func (p *Proxy) started(e *journal.Event) {
	if e.Start == nil || !p.State.Started.IsZero() {
		return
	}
	p.State = control.State{
		Instance: p.Instance, PID: e.Start.PID, Version: e.Start.Version,
		Command: e.Start.Command, Cwd: e.Start.Cwd, Started: e.Time,
	}
	p.mem.nobody.Activity = e.Time
}

func (p *Proxy) exited(e *journal.Event) {
	p.Exit, p.ExitAt = e.Exit, e.Time
	p.finish(e.Time)
}

// gone is for when nothing more is to come.
func (p *Proxy) gone(at time.Time, why string) {
	p.Link, p.LinkText, p.GoneAt = Gone, why, at
	p.finish(at)
}

// finish is for when nothing goes on any more: nobody can answer, and what has
// not run will not.
func (p *Proxy) finish(at time.Time) {
	for _, o := range slices.Clone(p.Pending) {
		o.Ended = true
		p.settle(o, at)
	}
	for _, s := range p.Sessions {
		for _, d := range s.book.live {
			d.over = true
			d.judge()
		}
	}
}

// gap takes the records that could not be kept; the event has the number of the
// first of them.
func (p *Proxy) gap(e *journal.Event) {
	if e.Gap == nil || e.Gap.Count == 0 {
		return
	}
	p.Missed += e.Gap.Count
	p.LastSeq = max(p.LastSeq, p.LastSeq+e.Gap.Count-1)
	p.mem.unsure = p.LastSeq
	p.doubt()
}

// hole makes a row of count events that nobody told us.
func (p *Proxy) hole(at time.Time, first, count uint64) {
	p.Missed += count
	p.mem.unsure = first
	if n := len(p.Rows); n > 0 {
		p.mem.rate.miss(p.Rows[n-1].Time, at, count)
	}
	gap := &journal.Event{Time: at, Seq: first, Instance: p.Instance, Type: journal.GapEvent, Gap: &journal.Gap{Count: count}}
	p.add(&Row{Proxy: p, Seq: first, Time: at, Type: journal.GapEvent, Text: missing(count), Event: gap})
}

// doubt takes requests off the list of those without an answer that may have got
// one in a hole, unless it is known otherwise that they wait.
func (p *Proxy) doubt() {
	if p.mem.unsure == 0 {
		return
	}
	p.forgetOpen(func(r *Row) bool {
		switch {
		case r.Seq >= p.mem.unsure:
			return true
		case r.Permission != nil:
			return r.Permission.Open()
		}
		return r.Method == acp.MethodSessionPrompt && r.Session != nil && r.Session.Talk.Running
	})
	p.mem.unsure = 0
}
