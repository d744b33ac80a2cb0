package session

import "time"

// request is what is kept of a request until its response comes.
type request struct {
	at      time.Time
	method  string
	session string
	asked   *asked // nil when the answer changes nothing
}

// table holds one direction's open requests by id. A peer may use an id again
// while it is open; then the requests are answered in the order they came, so
// that nothing is lost or taken over.
type table struct {
	byID   map[string]waiting
	count  int
	forgot bool // a request was not remembered
}

// waiting is what is open under one id; later is almost always empty.
type waiting struct {
	first request
	later []request
}

// put remembers r under id and says whether the id was open already, and
// whether there was room.
func (t *table) put(id []byte, r request) (reused, kept bool) {
	w, reused := t.byID[string(id)]
	if t.count >= MaxOpen {
		t.forgot = true
		return reused, false
	}
	if t.byID == nil {
		t.byID = map[string]waiting{}
	}
	if reused {
		w.later = append(w.later, r)
	} else {
		w.first = r
	}
	t.byID[string(id)] = w
	t.count++
	return reused, true
}

func (t *table) has(id []byte) bool {
	_, ok := t.byID[string(id)]
	return ok
}

// take removes and returns the oldest request under id.
func (t *table) take(id []byte) (request, bool) {
	w, ok := t.byID[string(id)]
	if !ok {
		return request{}, false
	}
	t.count--
	if len(w.later) == 0 {
		delete(t.byID, string(id))
	} else {
		t.byID[string(id)] = waiting{w.later[0], w.later[1:]}
	}
	return w.first, true
}
