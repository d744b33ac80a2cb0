package broker

import "slices"

// line is what is known of one id.
type line struct {
	key    string
	owed   []*entry // those whose reply has not come, in the order they were forwarded
	others int      // requests of other methods in flight under this id
}

// first is the oldest entry at a stage, or nil.
func (l *line) first(s stage) *entry {
	for _, e := range l.owed {
		if e.stage == s {
			return e
		}
	}
	return nil
}

// live are the entries that the agent waits for.
func (l *line) live() []*entry {
	var live []*entry
	for _, e := range l.owed {
		if e.stage != settled {
			live = append(live, e)
		}
	}
	return live
}

// mix says that the agent may take an answer to one of its requests under this
// id for another's.
func (l *line) mix() {
	for _, e := range l.live() {
		e.ambiguous = true
	}
}

// doubt says that of the replies under this id nobody can tell any more which
// request they were meant for.
func (l *line) doubt() {
	for _, e := range l.live() {
		e.doubtful = true
	}
}

// target is the entry that r is taken to answer. Which one it was meant for
// nobody can tell when there are several; the choice is such that what could
// be an approval does not reach the agent while an older reply is owed, nor
// while a cancelled request waits.
func (l *line) target(r Reply) *entry {
	debt, live := l.first(settled), l.unreplied()
	switch {
	case len(live) == 0:
		return debt
	case debt != nil && l.rejects(r):
		return live[0]
	case debt != nil:
		return debt
	}
	if i := slices.IndexFunc(live, func(e *entry) bool { return e.stage == cancelling }); i >= 0 && !l.harmless(r) {
		return live[i]
	}
	return likely(live, r)
}

// unreplied are the entries that the agent waits for and whose reply has not
// come; when there are none, those whose reply was kept back.
func (l *line) unreplied() []*entry {
	live := l.live()
	if i := slices.IndexFunc(live, func(e *entry) bool { return !e.replied }); i >= 0 {
		return slices.DeleteFunc(live, func(e *entry) bool { return e.replied })
	}
	return live
}

// likely is the oldest of entries that offers what r selects, or else the
// oldest: editors answer in any order.
func likely(entries []*entry, r Reply) *entry {
	if r.outcome() == outcomeSelected {
		for _, e := range entries {
			if _, offered := e.kindOf(r.Option); offered {
				return e
			}
		}
	}
	return entries[0]
}

// harmless says that no peer can take r for an approval of anything that the
// agent waits for under this id.
func (l *line) harmless(r Reply) bool {
	switch r.outcome() {
	case outcomeError, outcomeCancelled:
		return true
	}
	return l.rejects(r)
}

// rejects says that r selects an option that rejects whatever the agent waits
// for under this id.
func (l *line) rejects(r Reply) bool {
	return r.outcome() == outcomeSelected && rejectsAll(l.live(), r.Option)
}
