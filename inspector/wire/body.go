package wire

import (
	"slices"

	"bobproxy/inspector/paint"
)

// Bounds of what is shown of one frame as a tree.
const (
	textLines = 500  // of one string
	treeLines = 5000 // of all
)

// textLine is one line below the heading.
type textLine struct {
	node int // that it shows; of a note, the one before it
	part int // which line of the node it is
	piece
	note string // stands alone: what is not shown
}

// layout makes the lines for a width, unless they are made, and keeps the
// cursor where it was.
func (d *Detail) layout(width int) {
	d.sync()
	if d.made && d.width == width {
		return
	}
	was, ok := d.line()
	above := d.at - d.top
	d.width, d.made, d.lines = width, true, d.lines[:0]
	switch {
	case d.row == nil:
	case d.raw:
		d.rawLines()
	default:
		d.treeLines()
	}
	d.note()
	if ok {
		d.at = d.lineAt(was)
		d.top = d.at - above
	}
	d.at = min(max(d.at, 0), max(len(d.lines)-1, 0))
}

// line is the line of the cursor; false when there is none.
func (d *Detail) line() (textLine, bool) {
	if d.at < 0 || d.at >= len(d.lines) {
		return textLine{}, false
	}
	return d.lines[d.at], true
}

// lineAt is the line where that is now which another line showed.
func (d *Detail) lineAt(was textLine) int {
	i, _ := slices.BinarySearchFunc(d.lines, was, func(l, was textLine) int {
		switch {
		case l.node != was.node:
			return l.node - was.node
		case l.note != "" && was.note != "":
			return l.part - was.part
		case l.note != "" || was.note != "":
			return len(l.note) - len(was.note)
		case l.from > was.from:
			return 1
		case l.to > was.from || l.from == was.from:
			return 0
		}
		return -1
	})
	return i
}

// treeLines shows the values that are not folded away.
func (d *Detail) treeLines() {
	for i := d.first(); i < len(d.tree.nodes); {
		if !d.nodeLines(i) {
			return
		}
		if i = i + 1; d.folded(i - 1) {
			i = d.tree.nodes[i-1].end
		}
	}
}

// first is the first node that has a line: what is in the envelope, whose own
// braces say nothing.
func (d *Detail) first() int {
	if len(d.tree.nodes) > 1 && d.tree.nodes[0].container() {
		return 1
	}
	return 0
}

// nodeLines adds the lines of a node; false when there is no room for more.
func (d *Detail) nodeLines(i int) bool {
	n := &d.tree.nodes[i]
	room := treeLines - len(d.lines)
	if room <= 0 {
		d.lines = append(d.lines, textLine{node: i, note: "… more, r for raw"})
		return false
	}
	if n.kind != '"' {
		d.lines = append(d.lines, textLine{node: i, piece: piece{to: len(n.text)}})
		return true
	}
	pieces, more := d.pieces(i, min(room, textLines))
	for k, p := range pieces {
		d.lines = append(d.lines, textLine{node: i, part: k, piece: p})
	}
	if more {
		d.lines = append(d.lines, textLine{node: i, part: len(pieces), note: "… more of this text, r for raw"})
	}
	return true
}

// pieces are the lines of string i.
func (d *Detail) pieces(i, most int) ([]piece, bool) {
	room := max(d.width-d.column(i)-3, 8) // quotes on both sides, and one blank
	if d.long {
		return clip(d.tree.nodes[i].text, room, most)
	}
	return flow(d.tree.nodes[i].text, room, most, true)
}

// note says below the last line what is not there.
func (d *Detail) note() {
	text := ""
	switch {
	case d.row == nil:
	case missing(d.row) != "":
		text = missing(d.row)
	case d.body != nil && !d.raw && d.tree.torn:
		text = "… what follows is not JSON, r for raw"
	case len(d.lines) == 0:
		text = "It is empty."
	}
	if text == "" {
		return
	}
	for _, l := range paint.L(paint.Warn, text).Wrap(max(d.width-2, 8)) {
		d.lines = append(d.lines, textLine{node: max(len(d.tree.nodes)-1, 0), part: len(d.lines), piece: piece{from: len(d.body), to: len(d.body)}, note: l.String()})
	}
}

// folded says whether what is in node i is not shown.
func (d *Detail) folded(i int) bool {
	n := &d.tree.nodes[i]
	return n.container() && n.n > 0 && i >= d.first() && d.shut(n) != d.folds[i]
}

// shut says whether a container is folded at first.
func (d *Detail) shut(n *node) bool { return n.level >= 3 || n.kind == '[' && n.n > 1 && n.level >= 2 }

// setFold folds or unfolds a container.
func (d *Detail) setFold(i int, fold bool) {
	if n := &d.tree.nodes[i]; n.container() && n.n > 0 {
		d.folds[i] = d.shut(n) != fold
		d.made = false
	}
}

// Bounds of where values begin.
const (
	widestKey = 24
	leastKey  = 12
	indent    = 2
)

// column is where the value of node i begins.
func (d *Detail) column(i int) int {
	if d.tree.nodes[i].parent < 0 {
		return 3
	}
	return d.margin(i) + indent + d.keyWidth(i) + 2
}

// margin is where the sign of a container stands before its key. Deep values
// do not go further to the right than half of the width.
func (d *Detail) margin(i int) int {
	return 1 + min(indent*(d.tree.nodes[i].depth-1), d.width/3)
}

// keyWidth is how wide keys are beside node i: as the longest of them, when
// that is not too long.
func (d *Detail) keyWidth(i int) int {
	return min(d.tree.nodes[d.tree.nodes[i].parent].keys, max(d.width/3, leastKey))
}
