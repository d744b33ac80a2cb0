package session

import (
	"slices"

	"bobproxy/acp"
)

// setup is a request under way that opens a session.
type setup struct {
	grant Grant
	fresh bool    // session/new and fork: the answer names the session
	named *record // session/load and resume: the session that they name
}

// setups are those under way, oldest first.
type setups struct {
	all  []*setup
	size int // bytes of grants
}

// askSetup takes a request that opens a session.
func (f *Fold) askSetup(a *asked, frame *acp.Frame, pin any, fact *Fact) {
	read := acp.ReadSetup(frame.Params)
	a.setup = &setup{}
	a.setup.grant, fact.Notes = Given(read)
	if size := a.setup.grant.size(); f.setups.size+size > MaxGrants {
		a.setup.grant = Grant{}
		fact.Notes = append(fact.Notes, "too many requests are under way; "+anyPath)
	}
	if a.setup.grant.Dirs != nil {
		a.setup.grant.Pin = pin
	}
	f.setups.size += a.setup.grant.size()
	f.setups.all = append(f.setups.all, a.setup)
	a.setup.fresh = fact.Method == acp.MethodSessionNew || fact.Method == acp.MethodSessionFork
	if a.setup.fresh {
		return
	}
	if a.key, a.id = f.keyOf(read.Session); a.key != "" {
		r := f.sessions.named(a.key, a.id)
		r.loads = append(r.loads, a.setup)
		a.setup.named = r
	}
}

// answerSetup takes the answer to one. When there was an error, what was asked
// for is forgotten.
func (f *Fold) answerSetup(a *asked, frame *acp.Frame, fact *Fact) {
	if frame.Kind == acp.Response {
		f.openSession(a, frame, fact)
	}
	f.dropSetup(a.setup)
}

// openSession gives a session what the client asked for. The request that was
// made last has the last word, not the one that is answered last, so the agent
// gains nothing by the order of its answers. A new session under an id that is
// open takes its place and has its own grant only: agents use ids again, some
// without the old session having been closed, and to take from both would
// refuse what the client has just given. An agent gains nothing by it either,
// since it has all that the client gave, in one session or another.
func (f *Fold) openSession(a *asked, frame *acp.Frame, fact *Fact) {
	name, mode := acp.ReadSession(frame.Result)
	if a.setup.fresh {
		a.key, a.id = f.keyOf(name)
	}
	if a.key == "" {
		return
	}
	r := f.sessions.named(a.key, a.id)
	if r.open && r.parent == nil && a.seq < r.born {
		return
	}
	if a.setup.fresh {
		r.traits, r.ended = traits{}, f.sessions.tick()
	}
	f.sessions.give(r, a.setup.grant, a.seq)
	startMode(r, mode, frame.Result, fact)
}

// dropSetup forgets a request that is no longer under way.
func (f *Fold) dropSetup(s *setup) {
	f.setups.size -= s.grant.size()
	f.setups.all = without(f.setups.all, s)
	if r := s.named; r != nil {
		r.loads = without(r.loads, s)
		if !r.alive() {
			f.sessions.remove(r)
		}
	}
}

func without(all []*setup, s *setup) []*setup {
	if i := slices.Index(all, s); i >= 0 {
		return slices.Delete(all, i, i+1)
	}
	return all
}

// askEnd takes a session/close or session/delete. Until it is answered the
// session keeps what it has, since the agent may have to finish something, but
// gets no new children.
func (f *Fold) askEnd(a *asked) {
	if a.ends = f.sessions.find([]byte(a.key)); a.ends != nil {
		a.ends.closing++
	}
}

// answerEnd takes the answer to one. A session that was opened by a later
// request stays, although it has the same id.
func (f *Fold) answerEnd(a *asked, done bool) {
	if a.ends != nil {
		a.ends.closing--
	}
	r := f.sessions.find([]byte(a.key))
	if !done || r != nil && r.born > a.seq {
		return
	}
	f.calls.forget(a.key)
	if r != nil && r.open {
		f.sessions.end(r)
	}
}
