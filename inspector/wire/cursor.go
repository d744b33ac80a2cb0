package wire

import "bobproxy/inspector/model"

// cursor is where the person is. It stays with its row: while a filter hides
// that, at is the nearest line, and goes back to it when it is shown again.
type cursor struct {
	row     *model.Row
	heading bool // on the line above the unfolded run that row is the first of
	at      int  // line
	follow  bool // it is always on the last line
	seen    uint64
}

// viewKey names a list.
type viewKey struct{ instance, session string }

// view is what is remembered of a list that is not shown.
type view struct {
	cursor cursor
	open   map[uint64]bool
	above  int // lines between the top and the cursor
}

const maxViews = 100

func (w *Wire) key() viewKey {
	k := viewKey{instance: w.proxy.Instance}
	if w.session != nil {
		k.session = w.session.Talk.Session
	}
	return k
}

func (w *Wire) remember() {
	if w.proxy == nil {
		return
	}
	if len(w.views) >= maxViews {
		clear(w.views)
	}
	w.views[w.key()] = view{w.cursor, w.index.open, w.cursor.at - w.top}
}

func (w *Wire) recall() {
	w.cursor = cursor{follow: true}
	if w.proxy == nil {
		return
	}
	v, ok := w.views[w.key()]
	if ok {
		w.cursor, w.index.open = v.cursor, v.open
		w.index.fold()
	}
	w.locate()
	w.top = w.cursor.at - v.above
}

// locate finds the line of the cursor again.
func (w *Wire) locate() {
	x, c := &w.index, &w.cursor
	if len(x.lines) == 0 {
		c.at = 0
		return
	}
	if c.follow || c.row == nil {
		w.at(len(x.lines) - 1)
		return
	}
	i, ok := x.find(c.row)
	if !ok {
		i = x.nearest(c.row.Seq)
		if c.row.Seq < x.scope[0].Seq { // it is gone for good
			c.row = x.shown[i]
		}
	}
	c.at = x.lineOf(i)
	if c.heading {
		c.at = x.head(c.at)
	}
}

// at puts the cursor on line i.
func (w *Wire) at(i int) {
	l := w.index.lines[i]
	w.cursor.at, w.cursor.row, w.cursor.heading = i, w.index.shown[l.from], l.form == heading
}

// move puts the cursor n lines further down.
func (w *Wire) move(n int) {
	if len(w.index.lines) == 0 {
		return
	}
	to := min(max(w.cursor.at+n, 0), len(w.index.lines)-1)
	if to < w.cursor.at {
		w.pause()
	}
	w.at(to)
}

// pause stops following.
func (w *Wire) pause() {
	if !w.cursor.follow {
		return
	}
	w.cursor.follow = false
	if n := len(w.index.shown); n > 0 {
		w.cursor.seen = w.index.shown[n-1].Seq
	}
}

// resume goes to the last line and stays there.
func (w *Wire) resume() {
	w.cursor.follow = true
	w.locate()
}

// unseen is how many rows have come since it paused.
func (w *Wire) unseen() int { return w.index.after(w.cursor.seen) }
