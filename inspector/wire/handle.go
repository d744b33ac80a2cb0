package wire

import (
	"fmt"
	"strconv"
	"strings"

	"bobproxy/inspector/filter"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/journal"
)

// Do moves, folds, or does something with the value at the cursor.
func (d *Detail) Do(action keys.Action, _ pane.Context) []pane.Wish {
	if d.row == nil {
		return nil
	}
	d.layout(d.width)
	switch action {
	case keys.Down:
		d.move(1)
	case keys.Up:
		d.move(-1)
	case keys.PageDown:
		d.move(max(d.height-1, 1))
	case keys.PageUp:
		d.move(-max(d.height-1, 1))
	case keys.HalfDown:
		d.move(max(d.height/2, 1))
	case keys.HalfUp:
		d.move(-max(d.height/2, 1))
	case keys.Top:
		d.move(-len(d.lines))
	case keys.Bottom:
		d.move(len(d.lines))
	case keys.Back:
		return []pane.Wish{pane.Close{}}
	case keys.NextFrame:
		return []pane.Wish{pane.Step{By: 1}}
	case keys.PrevFrame:
		return []pane.Wish{pane.Step{By: -1}}
	case keys.NextMatch:
		return d.step(1)
	case keys.PrevMatch:
		return d.step(-1)
	default:
		return d.use(action)
	}
	return nil
}

func (d *Detail) move(n int) { d.at = min(max(d.at+n, 0), max(len(d.lines)-1, 0)) }

func (d *Detail) use(action keys.Action) []pane.Wish {
	switch action {
	case keys.Raw:
		d.toggleRaw()
	case keys.Wrap:
		d.long, d.made = !d.long, false
	case keys.Pair:
		if to := partner(d.row); to != nil {
			return []pane.Wish{pane.Detail{Row: to}}
		}
		return say(unpaired(d.row))
	case keys.CopyAll:
		return copyFrame(d.row)
	case keys.Save:
		return d.save()
	case keys.FoldAll, keys.UnfoldAll:
		d.foldAll(action == keys.FoldAll)
	default:
		if node, ok := d.node(); ok {
			return d.useNode(action, node)
		}
	}
	return nil
}

// node is the node at the cursor; false in the raw view.
func (d *Detail) node() (int, bool) {
	l, ok := d.line()
	return l.node, ok && !d.raw && l.node < len(d.tree.nodes)
}

func (d *Detail) useNode(action keys.Action, i int) []pane.Wish {
	switch action {
	case keys.Open:
		d.fold(i, !d.folded(i))
	case keys.Fold:
		if n := &d.tree.nodes[i]; (!n.container() || d.folded(i) || n.n == 0) && n.parent >= d.first() {
			d.goTo(n.parent)
			return nil
		}
		d.fold(i, true)
	case keys.Unfold:
		d.fold(i, false)
	case keys.Copy:
		return []pane.Wish{pane.Copied{What: firstOf(d.tree.nodes[i].key, "the value"), Text: d.tree.spelling(i)}}
	case keys.OnlyThis, keys.NotThis:
		return d.narrow(i, action == keys.NotThis)
	}
	return nil
}

func (d *Detail) fold(i int, fold bool) {
	d.setFold(i, fold)
	d.layout(d.width)
	d.goTo(i)
}

// goTo puts the cursor on the first line of node i.
func (d *Detail) goTo(i int) { d.at = min(d.lineAt(textLine{node: i}), max(len(d.lines)-1, 0)) }

// foldAll folds or unfolds all but the envelope.
func (d *Detail) foldAll(fold bool) {
	i, ok := d.node()
	for k := d.first(); k < len(d.tree.nodes); k++ {
		d.setFold(k, fold)
	}
	for fold && ok && d.tree.nodes[i].parent >= d.first() {
		i = d.tree.nodes[i].parent
	}
	d.layout(d.width)
	if ok {
		d.goTo(i)
	}
}

// toggleRaw changes between tree and bytes, and stays at the place.
func (d *Detail) toggleRaw() {
	l, ok := d.line()
	d.raw, d.made, d.pinned = !d.raw, false, true
	d.search()
	d.layout(d.width)
	if !ok || len(d.tree.nodes) == 0 || d.row.Type != journal.FrameEvent {
		d.at = 0
		return
	}
	if d.raw {
		at := d.tree.nodes[l.node].from
		d.goToByte(at)
		return
	}
	d.goTo(d.visible(d.nodeAt(l.from)))
}

func (d *Detail) goToByte(at int) {
	d.at = min(d.lineAt(textLine{piece: piece{from: at, to: at}}), max(len(d.lines)-1, 0))
}

// nodeAt is the node that byte at is in.
func (d *Detail) nodeAt(at int) int {
	found := 0
	for i := range d.tree.nodes {
		if d.tree.nodes[i].from <= at {
			found = i
		}
	}
	return max(found, d.first())
}

// visible is node i, or the outermost one that it is folded away in.
func (d *Detail) visible(i int) int {
	for p := d.tree.nodes[i].parent; p >= d.first(); p = d.tree.nodes[p].parent {
		if d.folded(p) {
			i = p
		}
	}
	return i
}

// narrow filters on the value of node i at its place.
func (d *Detail) narrow(i int, out bool) []pane.Wish {
	n := &d.tree.nodes[i]
	switch {
	case d.row.Type != journal.FrameEvent:
		return narrow(d.row, out)
	case n.container():
		return say("Only single values can be filtered on.")
	}
	path := d.tree.path(i)
	if len(path) == 0 {
		return narrow(d.row, out)
	}
	term := filter.Term(filter.Path(path...), n.text)
	switch path[0] {
	case "params", "result", "error":
	case "method":
		return narrow(d.row, out)
	case "id":
		term = filter.Term("id", d.row.ID)
	}
	if term == "" {
		return say("There is nothing to filter on.")
	}
	if out {
		term = "-" + term
	}
	return []pane.Wish{pane.Narrow{Term: term}}
}

// save wants the frame in a file.
func (d *Detail) save() []pane.Wish {
	data, kind := d.row.Body, "json"
	if d.row.Type != journal.FrameEvent {
		data, kind = []byte(d.row.Text), "txt"
	}
	if len(data) == 0 {
		return say(firstOf(missing(d.row), "It is empty."))
	}
	return []pane.Wish{pane.Saved{Name: fmt.Sprintf("%s-%s.%s", d.instance(), strconv.FormatUint(d.row.Seq, 10), kind), Data: data}}
}

func (d *Detail) instance() string {
	if d.row.Proxy == nil {
		return "frame"
	}
	return strings.ToValidUTF8(d.row.Proxy.Instance, "")
}

// Click puts the cursor on the line at y; twice folds or unfolds it.
func (d *Detail) Click(_, y int, double bool, c pane.Context) []pane.Wish {
	i := d.top + y - d.above
	if d.row == nil || y < d.above || y >= d.above+d.height || i >= len(d.lines) {
		return nil
	}
	d.at = i
	if double {
		return d.Do(keys.Open, c)
	}
	return nil
}
