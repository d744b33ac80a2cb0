package compare

import (
	"fmt"
	"strings"
)

// Result is what is different between two recordings.
type Result struct {
	A, B        *Recording
	Differences []Difference // in order
}

// Change says what happened to an item.
type Change byte

const (
	Removed Change = '-' // only the first recording has it
	Added   Change = '+' // only the second one has it
	Changed Change = '~'
)

// Difference is an item that only one recording has, or that differs.
type Difference struct {
	Change Change
	Where  string  // the session, the turn, and what both have in front of it
	What   string  // the item
	A, B   uint64  // frames; 0: none
	Fields []Field // of what is Changed
}

// Field is what differs in an item; empty: not said.
type Field struct{ Name, A, B string }

// Diff compares two recordings.
func Diff(a, b *Recording) *Result {
	r := &Result{A: a, B: b}
	r.parts("connection", a.of(false), b.of(false))
	r.parts("session", a.of(true), b.of(true))
	if a.exit != nil && b.exit != nil {
		x, y := ended(a), ended(b)
		r.item("end", pair{x, y})
	}
	return r
}

// ended is how the agent ended.
func ended(r *Recording) *item {
	t := &item{kind: "agent"}
	t.set("exit status", fmt.Sprint(r.exit.Status), maxValue)
	t.set("signal", r.exit.Signal, maxValue)
	return t
}

// parts holds those of one sort against each other, in their order.
func (r *Result) parts(sort string, a, b []*part) {
	for i := range max(len(a), len(b)) {
		var x, y []*item
		if i < len(a) {
			x = a[i].items
		}
		if i < len(b) {
			y = b[i].items
		}
		name := sort
		if len(a) > 1 || len(b) > 1 {
			name = fmt.Sprintf("%s %d", sort, i+1)
		}
		r.part(name, align(x, y, 0))
	}
}

// part tells what is different in one part.
func (r *Result) part(name string, pairs []pair) {
	var last *item // that is the same in both
	for _, p := range pairs {
		if r.item(where(name, last, p), p) {
			last = p.a
		}
	}
}

// where says where p stands.
func where(name string, last *item, p pair) string {
	t := p.a
	if t == nil {
		t = p.b
	}
	parts := []string{name}
	if t.turn > 0 {
		parts = append(parts, fmt.Sprintf("turn %d", t.turn))
	}
	if last != nil && last.turn == t.turn && last.kind != "prompt" && last.kind != "initialize" {
		parts = append(parts, "after "+last.label())
	}
	return strings.Join(parts, ", ")
}

// item tells what is different in p, and says whether it is the same.
func (r *Result) item(where string, p pair) (same bool) {
	switch {
	case p.a == nil:
		r.Differences = append(r.Differences, Difference{Added, where, p.b.brief(), 0, p.b.frame, nil})
	case p.b == nil:
		r.Differences = append(r.Differences, Difference{Removed, where, p.a.brief(), p.a.frame, 0, nil})
	default:
		if fields := p.a.differences(p.b); len(fields) > 0 {
			r.Differences = append(r.Differences, Difference{Changed, where, p.a.label(), p.a.frame, p.b.frame, fields})
			return false
		}
		return true
	}
	return false
}
