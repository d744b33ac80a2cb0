package filter

import (
	"time"

	"bobproxy/inspector/model"
)

// Expr is a filter. The zero Expr matches everything.
type Expr struct{ root node }

// World is what a match depends on beside the row.
type World struct {
	Now time.Time // its location is that of clock times

	// From and To are when a recording begins and ends, in whose days clock times
	// are; zero: those are of now, as the row's proxy may go on.
	From, To time.Time
	Marked   func(*model.Row) bool
	Hidden   func(*model.Row) bool // nil, like Marked: none is
}

// Match says whether e chooses r. A saved filter that was not resolved chooses
// nothing.
func (e Expr) Match(r *model.Row, w World) bool { return e.root == nil || e.root.judge(r, &w) == yes }

// Unsure says that too little of r is kept to say whether e chooses it.
func (e Expr) Unsure(r *model.Row, w World) bool {
	known := !partial(r) && !unread(r) && (r.Pair == nil || !partial(r.Pair))
	return !known && e.root != nil && e.root.judge(r, &w) == unknown
}

// Empty says that e matches everything since nothing was asked for.
func (e Expr) Empty() bool { return e.root == nil }

// String writes e in its one canonical way.
func (e Expr) String() string {
	if e.root == nil {
		return ""
	}
	return string(e.root.write(nil))
}

// node is one of the types below, or one of the terms.
type node interface {
	judge(r *model.Row, w *World) truth
	write(dst []byte) []byte
}

type (
	all     []node // two or more, none of them an all
	either  []node // two or more, none of them an either
	neither struct{ node }
	saved   string
)

func (n all) judge(r *model.Row, w *World) truth {
	found := yes
	for _, each := range n {
		if found = min(found, each.judge(r, w)); found == no {
			break
		}
	}
	return found
}

func (n either) judge(r *model.Row, w *World) truth {
	found := no
	for _, each := range n {
		if found = max(found, each.judge(r, w)); found == yes {
			break
		}
	}
	return found
}

func (n neither) judge(r *model.Row, w *World) truth { return -n.node.judge(r, w) }

func (n saved) judge(*model.Row, *World) truth { return no }

func (n all) write(dst []byte) []byte {
	for i, each := range n {
		if i > 0 {
			dst = append(dst, ' ')
		}
		_, loose := each.(either)
		dst = writeIn(dst, each, loose)
	}
	return dst
}

func (n either) write(dst []byte) []byte {
	for i, each := range n {
		if i > 0 {
			dst = append(dst, " or "...)
		}
		dst = each.write(dst)
	}
	return dst
}

func (n neither) write(dst []byte) []byte {
	dst = append(dst, '-')
	switch n.node.(type) {
	case all, either, neither:
		return writeIn(dst, n.node, true)
	}
	return n.node.write(dst)
}

func (n saved) write(dst []byte) []byte { return append(append(dst, '@'), n...) }

// writeIn writes n, in parentheses if it needs them where it stands.
func writeIn(dst []byte, n node, parens bool) []byte {
	if !parens {
		return n.write(dst)
	}
	return append(n.write(append(dst, '(')), ')')
}
