package session

import "bobproxy/acp"

const (
	// maxAsking is how many open requests of both sides a story knows.
	maxAsking = 1024
	// maxOffered is how many options of a permission are known by name.
	maxOffered = 16
)

// question is what is kept of a request to tell its answer.
type question struct {
	talk    *talk // that it was asked in
	entry   *Entry
	value   string   // mode, option or terminal that it names
	options []Choice // of a permission: id, name, and the kind for a description
	next    *question
}

// asking are the open requests by who asked and the id, the oldest first.
type asking struct {
	byID  map[string]*question
	count int
	key   []byte
}

func (a *asking) keyOf(from acp.Direction, id []byte) []byte {
	a.key, _ = acp.IDKey(append(a.key[:0], byte(from)), id)
	return a.key
}

// put remembers a request, unless there are too many.
func (a *asking) put(from acp.Direction, id []byte, q question) {
	if isNull(id) || a.count >= maxAsking {
		return
	}
	if a.byID == nil {
		a.byID = map[string]*question{}
	}
	a.count++
	last := a.byID[string(a.keyOf(from, id))]
	if last == nil {
		a.byID[string(a.key)] = &q
		return
	}
	for last.next != nil {
		last = last.next
	}
	last.next = &q
}

// take gives the request of from that is answered under id; an empty one when it
// is not known.
func (a *asking) take(from acp.Direction, id []byte) question {
	if id == nil || isNull(id) {
		return question{}
	}
	q := a.byID[string(a.keyOf(from, id))]
	if q == nil {
		return question{}
	}
	a.count--
	if q.next == nil {
		delete(a.byID, string(a.key))
	} else {
		a.byID[string(a.key)] = q.next
	}
	return *q
}
