package wire

import (
	"bobproxy/acp"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/journal"
)

// Detail is the pane that shows one frame. Use NewDetail.
type Detail struct {
	row  *model.Row
	body []byte // the row's, when it was last read

	tree   tree
	folds  map[int]bool // containers that are not as they are at first, by node
	raw    bool
	pinned bool // the person chose raw or not; else it is as the frame is best read
	long   bool // lines that are too long are cut, not wrapped

	lines  []textLine
	width  int // that they were made for
	made   bool
	at     int // the line of the cursor
	top    int // the line at the top
	height int // lines there was room for, when it was last painted
	above  int // rows above them

	find    string // what is looked for, in lower case
	matches []match
	match   int
}

// NewDetail is a detail of nothing.
func NewDetail() *Detail { return &Detail{width: 80, height: 10} }

// Place is that of the detail's keys.
func (d *Detail) Place() keys.Place { return keys.Detail }

// Show shows a row; nil: none. Showing the same one again changes nothing.
func (d *Detail) Show(r *model.Row) {
	if r == d.row {
		return
	}
	d.row, d.at, d.top = r, 0, 0
	if d.pinned = d.pinned && d.raw; !d.pinned {
		d.raw = false
	}
	d.read()
}

// ShowRaw shows a row as it was on the wire.
func (d *Detail) ShowRaw(r *model.Row) {
	d.Show(r)
	d.raw, d.pinned, d.made = true, true, false
}

// read makes the tree of the row, whose body may have been dropped, or come,
// since it was first shown.
func (d *Detail) read() {
	d.tree, d.body, d.folds, d.made = tree{}, nil, map[int]bool{}, false
	switch {
	case d.row == nil:
	case d.row.Type != journal.FrameEvent:
		d.tree = facts(d.row)
	case d.row.Body != nil:
		d.body = d.row.Body[:min(len(d.row.Body), maxBody)]
		d.tree = parse(d.body)
	}
	if !d.pinned {
		d.raw = d.unreadable()
	}
	d.search()
}

const maxBody = 64 << 10 // bytes of a frame that are shown

// unreadable says that the tree of a frame is not what it says.
func (d *Detail) unreadable() bool {
	return d.body != nil && (len(d.tree.nodes) == 0 || d.row.Kind == acp.Text || d.tree.torn && !d.row.Cut)
}

// sync looks whether the row's body is what it was.
func (d *Detail) sync() {
	if d.row == nil || d.row.Type != journal.FrameEvent {
		return
	}
	if now := d.row.Body[:min(len(d.row.Body), maxBody)]; len(now) != len(d.body) || len(now) > 0 && &now[0] != &d.body[0] {
		d.read()
	}
}

// Hints are the keys that are most useful now.
func (d *Detail) Hints(pane.Context) []keys.Action {
	switch {
	case d.row == nil:
		return nil
	case len(d.matches) > 0:
		return []keys.Action{keys.NextMatch, keys.PrevMatch, keys.Raw, keys.Copy, keys.Back}
	case d.raw:
		return []keys.Action{keys.Raw, keys.CopyAll, keys.NextFrame, keys.Find, keys.Save, keys.Back}
	}
	return []keys.Action{keys.Unfold, keys.Raw, keys.OnlyThis, keys.Copy, keys.CopyAll, keys.NextFrame, keys.Pair, keys.Find, keys.Back}
}
