package session

import (
	"cmp"
	"container/list"
	"slices"
	"strings"
)

const (
	// MaxSessions is how many sessions of the client are remembered. Beyond it
	// the one that was idle longest is forgotten: nobody knows it then, so
	// nothing is granted to it.
	MaxSessions = 4096
	// MaxChildren is the same for the sessions that the agent announces below
	// those, which never push out one of the client's.
	MaxChildren = 1024
	// MaxGrants is how many bytes of paths are remembered: of sessions, and
	// once more of requests under way.
	MaxGrants = 16 << 20
)

// record is what is kept of a session that the client has named, or opened, or
// that the agent announced as the child of one.
type record struct {
	key, id string
	parent  *record  // whose grant it has, when it is a child; that one has no parent
	grant   Grant    // its own, when it is open and no child
	loads   []*setup // under way, naming it
	open    bool
	born    uint64 // the clock at the request that opened it, or when it was announced
	ended   uint64 // the clock when it last ended; children from before that are gone
	closing int    // requests under way that will end it
	gone    bool   // it is no longer in the table

	traits

	place *list.Element
}

// traits are what a session is like, as both sides tell it.
type traits struct {
	title   string
	mode    string
	bypass  []string // ids of modes that by their names ask nobody
	options string   // config options that ask nobody, when last seen
	running bool     // the agent said so (v2)
}

// has gives whose grant r has: its own record, its parent's, or nil when r is
// not open, or no longer a child.
func (r *record) has() *record {
	p := r.parent
	switch {
	case r.gone || !r.open, p != nil && (p.gone || r.born <= p.ended):
		return nil
	case p != nil:
		return p
	}
	return r
}

// alive says whether there is something to know of r: it is open, or about to
// be, or its parent is.
func (r *record) alive() bool {
	owner := r.has()
	return len(r.loads) > 0 || owner != nil && (owner.open || len(owner.loads) > 0)
}

// loading says whether r, or what r is a child of, is named by a load or resume
// that is under way.
func (r *record) loading() bool {
	return r != nil && (len(r.loads) > 0 || r.parent != nil && len(r.parent.loads) > 0)
}

// grants are those that a path of r must lie in, in all of them.
func (r *record) grants() []Grant {
	var all []Grant
	if owner := r.has(); owner == r {
		all = append(all, r.grant)
	} else if owner != nil {
		all = owner.grants()
	}
	for _, s := range r.loads {
		all = append(all, s.grant)
	}
	return all
}

// sessions are the records by key. In own and children the one that was not
// used for the longest time comes first.
type sessions struct {
	byKey    map[string]*record
	own      list.List
	children list.List
	clock    uint64 // counts what happens to sessions
	size     int    // bytes of grants
	prompts  map[string]int
}

func (s *sessions) tick() uint64 {
	s.clock++
	return s.clock
}

// find gives the record under key, nil when there is none.
func (s *sessions) find(key []byte) *record {
	r := s.byKey[string(key)]
	if r != nil && !r.alive() {
		s.remove(r)
		return nil
	}
	return r
}

// use notes that the session under key is still in use, as its parent is.
func (s *sessions) use(key []byte) {
	if r := s.find(key); r != nil {
		s.touch(r)
		if r.parent != nil {
			s.touch(r.parent)
		}
	}
}

func (s *sessions) touch(r *record) {
	if !r.gone {
		s.line(r).MoveToBack(r.place)
	}
}

// line is the list that r stands in.
func (s *sessions) line(r *record) *list.List {
	if r.parent != nil {
		return &s.children
	}
	return &s.own
}

// named finds the record under key, or makes one.
func (s *sessions) named(key, id string) *record {
	if r := s.find([]byte(key)); r != nil {
		s.touch(r)
		return r
	}
	return s.add(&record{key: key, id: id})
}

func (s *sessions) add(r *record) *record {
	if s.byKey == nil {
		s.byKey = map[string]*record{}
	}
	s.byKey[r.key] = r
	r.place = s.line(r).PushBack(r)
	s.trim(r)
	return r
}

// trim makes room, sparing r.
func (s *sessions) trim(r *record) {
	for s.own.Len() > MaxSessions || s.size > MaxGrants && s.own.Len() > 1 {
		s.remove(s.idle(r))
	}
	for s.children.Len() > MaxChildren {
		s.remove(s.children.Front().Value.(*record))
	}
}

// idle is the session to be forgotten, not spared: of the few that were used
// least recently the first without a request under way, if there is one.
func (s *sessions) idle(spared *record) *record {
	const few = 256
	for range min(few, s.own.Len()-1) {
		r := s.own.Front().Value.(*record)
		if r != spared && len(r.loads) == 0 && s.prompts[r.key] == 0 {
			return r
		}
		s.own.MoveToBack(r.place)
	}
	first := s.own.Front()
	if first.Value == any(spared) {
		first = first.Next()
	}
	return first.Value.(*record)
}

// give opens r with a grant that replaces the one it had.
func (s *sessions) give(r *record, g Grant, born uint64) {
	if r.parent != nil {
		s.children.Remove(r.place)
		r.parent = nil
		r.place = s.own.PushBack(r)
	}
	s.size += g.size() - r.grant.size()
	r.grant, r.open, r.born = g, true, born
	s.trim(r)
}

// end takes from r what it has, and its children with it. Requests under way
// that will open it again stay.
func (s *sessions) end(r *record) {
	s.size -= r.grant.size()
	*r = record{key: r.key, id: r.id, parent: r.parent, loads: r.loads, closing: r.closing, place: r.place, ended: s.tick()}
	if len(r.loads) == 0 {
		s.remove(r)
	}
}

func (s *sessions) remove(r *record) {
	if r.gone {
		return
	}
	s.size -= r.grant.size()
	s.line(r).Remove(r.place)
	delete(s.byKey, r.key)
	r.gone, r.grant = true, Grant{}
}

// prompted counts the open prompts of the session under key.
func (s *sessions) prompted(key string, n int) {
	if key == "" {
		return
	}
	if s.prompts == nil {
		s.prompts = map[string]int{}
	}
	if s.prompts[key] += n; s.prompts[key] <= 0 {
		delete(s.prompts, key)
	}
}

// inOrder are the client's sessions that are open or about to be, oldest first.
func (s *sessions) inOrder() []*record {
	all := make([]*record, 0, s.own.Len())
	for e := s.own.Front(); e != nil; e = e.Next() {
		all = append(all, e.Value.(*record))
	}
	slices.SortFunc(all, func(a, b *record) int {
		return cmp.Or(cmp.Compare(a.born, b.born), strings.Compare(a.key, b.key))
	})
	return all
}
