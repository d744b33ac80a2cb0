package talk

import "bobproxy/acp/session"

// maxViews is how many sessions keep their place.
const maxViews = 256

// place names a session so that it is found again after its proxy was dialed
// anew.
type place struct{ instance, session string }

// view is where the person is in one session.
type view struct {
	paused bool
	at     key    // what is selected; only while paused
	row    int    // of its first line on the screen; below 0 when that is above the screen
	seen   uint64 // newest item when it was paused
	open   map[key]bool
}

// key names an item in a way that outlasts changes, and the model itself.
type key struct {
	kind kind
	seq  uint64
	id   string
}

// kind is what an item is: an entry's kind, or one of those below.
type kind uint8

const (
	forgotten kind = iota + 100
	replayStart
	replayEnd
	stderr
	warning
	asking  // a permission without a tool call
	signing // an authenticate that has no answer
	gap     // events that nobody could tell
)

func ofEntry(e *session.Entry) key { return key{kind(e.Kind), e.Seq, e.ID} }

// view is the one of the session that is shown.
func (t *Timeline) view() *view {
	p := place{session: t.session.Talk.Session}
	if t.session.Proxy != nil {
		p.instance = t.session.Proxy.Instance
	}
	v := t.views[p]
	if v == nil {
		if len(t.views) >= maxViews {
			clear(t.views)
		}
		v = &view{open: map[key]bool{}}
		t.views[p] = v
	}
	return v
}

// choose selects an item whose first line is on a row.
func (t *Timeline) choose(i, row int) {
	v := t.view()
	if i < 0 || i >= len(t.items) {
		return
	}
	if !v.paused {
		v.paused, v.seen = true, t.items[len(t.items)-1].seq
	}
	v.at, v.row = t.items[i].key, row
}

// selected is the item that is selected: when it was forgotten, the one that is
// next to it now; -1 while it follows.
func (t *Timeline) selected() int {
	v := t.view()
	if !v.paused || len(t.items) == 0 {
		return -1
	}
	next := len(t.items) - 1
	for i := next; i >= 0; i-- {
		if t.items[i].key == v.at {
			return i
		}
		if t.items[i].last() >= v.at.seq {
			next = i
		}
	}
	return next
}

// news is how many items have come since it was paused.
func (t *Timeline) news(v *view) (n int) {
	for i := len(t.items) - 1; i >= 0 && t.items[i].seq > v.seen; i-- {
		n++
	}
	return n
}
