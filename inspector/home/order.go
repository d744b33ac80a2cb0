package home

import (
	"cmp"
	"slices"
	"time"

	"bobproxy/inspector/model"
)

// order is how the list is sorted.
type order uint8

const (
	byAttention order = iota
	byActivity
	byStart
	orders
)

var orderNames = [...]string{"who waits first", "newest first", "oldest first"}

// listed are the sessions that have something to show: what belongs to no
// session is listed only while its proxy has nothing else.
func listed(m *model.Model) []*model.Session {
	var all []*model.Session
	for _, p := range m.Proxies {
		for _, s := range p.Sessions {
			if s.Talk.Session != "" || len(p.Sessions) == 1 {
				all = append(all, s)
			}
		}
	}
	return all
}

// sort sorts sessions, those of subagents behind the one above them.
func (o order) sort(all []*model.Session, now time.Time) []*model.Session {
	switch o {
	case byAttention:
		slices.SortStableFunc(all, func(a, b *model.Session) int {
			return cmp.Or(cmp.Compare(call(a, now), call(b, now)), waits(a, now).Compare(waits(b, now)), stirred(b).Compare(stirred(a)))
		})
	case byActivity:
		slices.SortStableFunc(all, func(a, b *model.Session) int { return stirred(b).Compare(stirred(a)) })
	case byStart:
		slices.SortStableFunc(all, func(a, b *model.Session) int { return started(a).Compare(started(b)) })
	}
	return nested(all)
}

// when is the time that the age of a session is counted from: the one that
// decides its place among those of its rank.
func (o order) when(s *model.Session, now time.Time) time.Time {
	if o == byStart {
		return started(s)
	}
	if asked := waits(s, now); o == byAttention && !asked.IsZero() {
		return asked
	}
	return stirred(s)
}

// stirred is when a session was active last. While a prompt is answered that is
// when it came, so that sessions that work at the same time do not change places
// with every frame.
func stirred(s *model.Session) time.Time {
	if s.Talk.Running && s.Proxy.Link != model.Gone && s.Proxy.Exit == nil {
		return s.Talk.Since
	}
	return last(s)
}

// last is when something happened in a session, or to its proxy: the newest of it.
func last(s *model.Session) time.Time {
	return slices.MaxFunc([]time.Time{s.Activity, s.Proxy.ExitAt, s.Proxy.GoneAt, s.Proxy.State.Started}, time.Time.Compare)
}

func started(s *model.Session) time.Time {
	if s.Talk.First.IsZero() {
		return s.Proxy.State.Started
	}
	return s.Talk.First
}

// phases in order of attention.
var phases = []model.Phase{model.IsWaiting, model.IsWorking, model.IsIdle, model.IsGone}

// ended is the rank of a session that is no more.
const ended = 3

func rank(s *model.Session, now time.Time) int {
	state, _ := s.State(now)
	return slices.Index(phases, state)
}

// patience is how long a session has to wait before it goes to the top: where
// the editor approves by itself nothing is to jump there and back.
const patience = time.Second

// call is the rank of a session in the list.
func call(s *model.Session, now time.Time) int {
	at := rank(s, now)
	if phases[at] == model.IsWaiting && waits(s, now).IsZero() {
		return slices.Index(phases, model.IsWorking)
	}
	return at
}

// waits is when the oldest request of a session was opened that it is called for;
// the zero time where it is called for none.
func waits(s *model.Session, now time.Time) time.Time {
	if state, since := s.State(now); state == model.IsWaiting && now.Sub(since) >= patience {
		return since
	}
	return time.Time{}
}

// nested puts each subagent's session behind the one above it.
func nested(all []*model.Session) []*model.Session {
	below := map[*model.Session][]*model.Session{}
	for _, s := range all {
		if above := above(s); above != nil {
			below[above] = append(below[above], s)
		}
	}
	if len(below) == 0 {
		return all
	}
	out, done := make([]*model.Session, 0, len(all)), make(map[*model.Session]bool, len(all))
	var add func(s *model.Session)
	add = func(s *model.Session) {
		if done[s] {
			return
		}
		done[s] = true
		out = append(out, s)
		for _, child := range below[s] {
			add(child)
		}
	}
	for _, s := range all {
		if above(s) == nil {
			add(s)
		}
	}
	for _, s := range all { // those that say that they are above each other
		add(s)
	}
	return out
}

// above is the session that a subagent's belongs to; nil: none that is known.
func above(s *model.Session) *model.Session {
	if s.Parent == "" || s.Parent == s.Talk.Session {
		return nil
	}
	return s.Proxy.Find(s.Parent)
}

// mostDepth is how far sessions are indented.
const mostDepth = 3

// depth is how many sessions are above a session, at most mostDepth.
func depth(s *model.Session) (n int) {
	for s = above(s); s != nil && n < mostDepth; s = above(s) {
		n++
	}
	return n
}
