package filter

import (
	"time"

	"bobproxy/inspector/model"
)

// Expr is a filter. The zero Expr matches everything.
type Expr struct{ root node }

// World is what a match depends on beside the row.
type World struct {
	Now    time.Time // its location is that of clock times
	Marked func(*model.Row) bool
	Hidden func(*model.Row) bool // nil, like Marked: none is
}

// Match says whether e chooses r. A saved filter that was not resolved chooses
// nothing.
func (e Expr) Match(r *model.Row, w World) bool { return e.root == nil || e.root.match(r, &w) }

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
	match(r *model.Row, w *World) bool
	write(dst []byte) []byte
}

type (
	all     []node // two or more, none of them an all
	either  []node // two or more, none of them an either
	neither struct{ node }
	saved   string
)

func (n all) match(r *model.Row, w *World) bool {
	for _, each := range n {
		if !each.match(r, w) {
			return false
		}
	}
	return true
}

func (n either) match(r *model.Row, w *World) bool {
	for _, each := range n {
		if each.match(r, w) {
			return true
		}
	}
	return false
}

func (n neither) match(r *model.Row, w *World) bool { return !n.node.match(r, w) }

func (n saved) match(*model.Row, *World) bool { return false }

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
