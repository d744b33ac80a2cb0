package wire

import (
	"sort"

	"bobproxy/inspector/model"
)

// line is one line of the list: a row, or a run of them.
type line struct {
	from, to int // rows, among those that are shown
	run      int // of a member: the first row of its run
	size     int64
	form     form
}

// form says what a line stands for.
type form uint8

const (
	single  form = iota // a row that is in no run
	folded              // a run
	heading             // a run that is unfolded; its members follow
	member              // one row of it
)

// fold makes all lines anew.
func (x *index) fold() {
	x.torn = false
	x.lines = x.lines[:0]
	for i := range x.shown {
		x.put(i)
	}
}

// extend makes the line of the row that was added last.
func (x *index) extend() { x.put(len(x.shown) - 1) }

// put adds row i of those shown to the lines, which end with the one before it.
func (x *index) put(i int) {
	r := x.shown[i]
	if i == 0 || r.Run == "" || x.shown[i-1].Run != r.Run {
		x.lines = append(x.lines, line{i, i + 1, i, r.Size, single})
		return
	}
	h := x.head(len(x.lines) - 1)
	run := &x.lines[h]
	if run.form == single {
		x.unite(h)
		run = &x.lines[h]
	}
	run.to, run.size = i+1, run.size+r.Size
	if run.form == heading {
		x.open[r.Seq] = true
		x.lines = append(x.lines, line{i, i + 1, run.from, r.Size, member})
	}
}

// unite makes a run of the one row in line h, the last.
func (x *index) unite(h int) {
	first := x.lines[h]
	if !x.open[x.shown[first.from].Seq] {
		x.lines[h].form = folded
		return
	}
	x.lines[h].form = heading
	first.form = member
	x.lines = append(x.lines, first)
}

// head is the line of the run that line i is of; i itself when it is of none.
func (x *index) head(i int) int {
	if x.lines[i].form != member {
		return i
	}
	first := x.lines[i].run
	return sort.Search(i, func(k int) bool { return x.lines[k].from >= first })
}

// toggle folds or unfolds the run that line i is of, and says whether there is
// one.
func (x *index) toggle(i int) bool {
	h := x.lines[x.head(i)]
	if h.form == single {
		return false
	}
	for _, r := range x.rows(h) {
		if h.form == folded {
			x.open[r.Seq] = true
		} else {
			delete(x.open, r.Seq)
		}
	}
	x.fold()
	return true
}

// rows are those that l stands for.
func (x *index) rows(l line) []*model.Row { return x.shown[l.from:l.to] }

// lineOf is the line where row i of those shown is: its own, or that of its run.
func (x *index) lineOf(i int) int {
	return sort.Search(len(x.lines), func(k int) bool { return x.lines[k].from > i }) - 1
}
