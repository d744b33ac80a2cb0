package wire

import (
	"slices"
	"sort"

	"bobproxy/inspector/model"
)

// index is what the list shows, as lines. It is kept up as rows come: a row
// that is added costs one match and one step.
type index struct {
	session *model.Session // nil: all rows of the proxy
	proxy   *model.Proxy
	match   Matcher // nil: all

	scope []*model.Row // rows of the session or proxy, oldest first
	shown []*model.Row // those of them that match
	dark  []*model.Row // those of which too little is known to say so
	lines []line
	open  map[uint64]bool // rows of the runs that are unfolded, by number

	first, last *model.Row // of the proxy's rows, when they were last looked at
	torn        bool       // lines do not go with shown
}

func (x *index) show(s *model.Session, p *model.Proxy) {
	if s != nil && s.Talk.Session == "" {
		s = nil
	}
	*x = index{session: s, proxy: p, match: x.match, open: map[uint64]bool{}}
	x.rebuild()
}

// rebuild looks at every row of the proxy.
func (x *index) rebuild() {
	clear(x.scope)
	x.scope, x.first, x.last = x.scope[:0], nil, nil
	if x.proxy != nil {
		for _, r := range x.proxy.Rows {
			if x.has(r) {
				x.scope = append(x.scope, r)
			}
		}
		x.note()
	}
	x.filter()
}

// note remembers which rows were looked at.
func (x *index) note() {
	x.first, x.last = nil, nil
	if rows := x.proxy.Rows; len(rows) > 0 {
		x.first, x.last = rows[0], rows[len(rows)-1]
	}
}

// has says whether r belongs into the list, be it shown or not.
func (x *index) has(r *model.Row) bool {
	return x.session == nil || r.Session == x.session || r.Session == nil || r.Session.Talk.Session == ""
}

// filter matches every row anew.
func (x *index) filter() {
	clear(x.shown)
	clear(x.dark)
	x.shown, x.dark = x.shown[:0], x.dark[:0]
	for _, r := range x.scope {
		switch match, unsure := x.judge(r); {
		case match:
			x.shown = append(x.shown, r)
		case unsure:
			x.dark = append(x.dark, r)
		}
	}
	x.fold()
}

// judge says whether r is to be shown, or, where not, might be if more of it
// were known.
func (x *index) judge(r *model.Row) (match, unsure bool) {
	if x.match == nil || x.match.Match(r) {
		return true, false
	}
	return false, x.match.Unsure(r)
}

// sync takes in what has come and gone since, and says whether lines moved
// that were there before.
func (x *index) sync() (moved bool) {
	rows := x.proxy.Rows
	if len(rows) == 0 {
		moved = len(x.scope) > 0
		x.rebuild()
		return moved
	}
	if x.first == rows[0] && x.last == rows[len(rows)-1] {
		return false
	}
	fresh, ok := x.fresh(rows)
	if !ok {
		x.rebuild()
		return true
	}
	x.trim(rows[0])
	for _, r := range fresh {
		x.add(r)
	}
	x.note()
	return x.mend()
}

// fresh are the rows after those that were looked at; ok is false when rows is
// not what came after them.
func (x *index) fresh(rows []*model.Row) (fresh []*model.Row, ok bool) {
	if x.last == nil || x.first.Seq > rows[0].Seq {
		return nil, false
	}
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i] == x.last {
			return rows[i+1:], true
		}
		if rows[i].Seq < x.last.Seq {
			break
		}
	}
	return nil, false
}

// trim forgets rows before the first that is kept.
func (x *index) trim(first *model.Row) {
	if x.first == first {
		return
	}
	for i := 0; i < len(x.scope) && x.scope[i].Seq < first.Seq; i++ {
		delete(x.open, x.scope[i].Seq)
	}
	x.scope = dropBefore(x.scope, first.Seq)
	before := len(x.shown)
	x.shown = dropBefore(x.shown, first.Seq)
	x.dark = dropBefore(x.dark, first.Seq)
	x.torn = x.torn || len(x.shown) != before
}

// dropBefore is rows without those before seq, which it lets go of.
func dropBefore(rows []*model.Row, seq uint64) []*model.Row {
	n := 0
	for n < len(rows) && rows[n].Seq < seq {
		n++
	}
	clear(rows[:n])
	return rows[n:]
}

// add takes in one more row, and looks anew at those that it changes.
func (x *index) add(r *model.Row) {
	if x.has(r) {
		x.scope = append(x.scope, r)
		switch match, unsure := x.judge(r); {
		case match:
			x.shown = append(x.shown, r)
			if !x.torn {
				x.extend()
			}
		case unsure:
			x.dark = append(x.dark, r)
		}
	}
	if r.Pair != nil && r.Pair.Seq < r.Seq {
		x.reconsider(r.Pair)
	}
	if r.Permission != nil && r.Permission.Frame < r.Seq {
		if i := search(x.scope, r.Permission.Frame); i < len(x.scope) && x.scope[i] != r {
			x.reconsider(x.scope[i])
		}
	}
}

// reconsider shows or hides a row that is not what it was.
func (x *index) reconsider(r *model.Row) {
	if r.Seq < x.proxy.Rows[0].Seq {
		return
	}
	has := x.has(r)
	x.scope, _ = enlist(x.scope, r, has)
	match, unsure := x.judge(r)
	var changed bool
	x.dark, _ = enlist(x.dark, r, has && unsure)
	x.shown, changed = enlist(x.shown, r, has && match)
	x.torn = x.torn || changed
}

// enlist puts r into rows or takes it out, and says whether that changed them.
func enlist(rows []*model.Row, r *model.Row, in bool) ([]*model.Row, bool) {
	i, ok := find(rows, r)
	switch {
	case ok == in:
		return rows, false
	case in:
		return slices.Insert(rows, i, r), true
	}
	return slices.Delete(rows, i, i+1), true
}

// mend makes lines go with shown again, when they do not.
func (x *index) mend() (moved bool) {
	if moved = x.torn; moved {
		x.fold()
	}
	return moved
}

// find is where r is among the rows that are shown; false: nowhere.
func (x *index) find(r *model.Row) (int, bool) {
	if r == nil {
		return 0, false
	}
	return find(x.shown, r)
}

// nearest is the first row shown from seq on, or the last one before it; -1
// when there is none.
func (x *index) nearest(seq uint64) int { return min(search(x.shown, seq), len(x.shown)-1) }

// after is how many rows are shown that came after seq.
func (x *index) after(seq uint64) int { return len(x.shown) - search(x.shown, seq+1) }

// find is where r is in rows, or where it would be.
func find(rows []*model.Row, r *model.Row) (int, bool) {
	i := search(rows, r.Seq)
	for ; i < len(rows) && rows[i].Seq == r.Seq; i++ {
		if rows[i] == r {
			return i, true
		}
	}
	return i, false
}

// search is the first row from seq on.
func search(rows []*model.Row, seq uint64) int {
	return sort.Search(len(rows), func(i int) bool { return rows[i].Seq >= seq })
}
