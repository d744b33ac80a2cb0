package wire

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"bobproxy/inspector/filter"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/journal"
)

// Draw paints what the frame is, what is in it, and where the cursor is.
func (d *Detail) Draw(a paint.Area, c pane.Context) {
	if d.row == nil {
		a.Line(1, 1, paint.L(paint.Dim, "No frame is selected."))
		return
	}
	d.sync()
	d.above = d.header(a)
	body := a.Rows(d.above, a.H-d.above-1)
	d.height = max(body.H, 1)
	d.layout(a.W)
	d.scroll()
	for y := 0; y < body.H && d.top+y < len(d.lines); y++ {
		d.draw(body.Rows(y, 1), d.top+y, c)
	}
	if a.H > d.above+1 {
		d.footer(a.Rows(a.H-1, 1))
	}
}

// scroll brings the cursor into view, and no blank below the last line.
func (d *Detail) scroll() {
	d.top = min(max(d.top, d.at-d.height+1), d.at)
	d.top = max(min(d.top, len(d.lines)-d.height), 0)
}

func (d *Detail) draw(a paint.Area, i int, c pane.Context) {
	l := d.lines[i]
	switch {
	case l.note != "":
		a.Line(1, 0, paint.L(paint.Warn, l.note))
	case d.raw:
		d.rawLine(a, l)
	default:
		d.nodeLine(a, l)
	}
	if i == d.at {
		a.Put(0, 0, paint.Style{Role: paint.Strong}, "►")
		if c.Focus {
			a.Select(0)
		}
	}
}

// nodeLine paints one line of a value.
func (d *Detail) nodeLine(a paint.Area, l textLine) {
	n := &d.tree.nodes[l.node]
	x := d.column(l.node)
	if l.part == 0 && n.parent >= 0 {
		d.name(a, l.node, n)
	}
	switch {
	case n.container():
		d.container(a, x, l.node, n)
	case n.kind == '"':
		d.string(a, x, n, l)
	default:
		write(a, x, paint.Style{Role: paint.Strong}, head(n.text), d.find)
	}
}

// name paints the sign of a container, and a key.
func (d *Detail) name(a paint.Area, i int, n *node) {
	x := d.margin(i)
	if n.container() && n.n > 0 {
		sign := "▼"
		if d.folded(i) {
			sign = "►"
		}
		a.Put(x, 0, paint.Style{Role: paint.Border}, sign)
	}
	x += indent
	w := d.keyWidth(i)
	role := paint.Dim
	if n.again {
		role = paint.Warn
	}
	name := n.name()
	if paint.Width(short(name)) > w {
		a.Sub(x, 0, w, 1).Line(0, 0, paint.Clean(role, short(name)))
		return
	}
	write(a, x, paint.Style{Role: role}, name, d.find)
}

// container paints what there is to say of an object or array beside its key.
func (d *Detail) container(a paint.Area, x, i int, n *node) {
	var l paint.Line
	switch {
	case n.n == 0 && n.kind == '{':
		l = paint.L(paint.Dim, "{}")
	case n.n == 0:
		l = paint.L(paint.Dim, "[]")
	case d.folded(i):
		l = append(paint.L(paint.Strong, n.count()), paint.Clean(paint.Dim, "  "+d.tree.hint(i))...)
	case n.kind == '[':
		l = paint.L(paint.Dim, n.count())
	}
	if n.again {
		l = append(l, paint.S(paint.Warn, " named twice"))
	}
	a.In(0, 1).Line(x, 0, l)
}

func (n *node) count() string {
	if n.kind == '[' {
		return "[" + strconv.Itoa(n.n) + "]"
	}
	return "{" + strconv.Itoa(n.n) + "}"
}

// string paints one line of a text, within quotes unless it is ours.
func (d *Detail) string(a paint.Area, x int, n *node, l textLine) {
	style := paint.Style{}
	if n.text == masked {
		style.Role = paint.Warn
	}
	dim := paint.Style{Role: paint.Dim}
	quotes := !n.fact
	if quotes && l.part == 0 {
		a.Put(x, 0, dim, `"`)
	}
	if quotes {
		x++
	}
	x = write(a, x, style, n.text[l.from:l.to], d.find)
	switch {
	case l.clipped:
		a.Put(x, 0, dim, "…")
	case l.newline:
		a.Put(x, 0, paint.Style{Role: paint.Odd}, "↵")
	case l.to == len(n.text) && n.torn:
		a.Put(x, 0, paint.Style{Role: paint.Warn}, "…")
	case l.to == len(n.text) && quotes:
		x = a.Put(x, 0, dim, `"`)
		if n.again {
			a.Put(x+1, 0, paint.Style{Role: paint.Warn}, "named twice")
		}
	}
}

// masked is what the journal puts in the place of a secret.
const masked = "[masked]"

// footer says where the cursor is.
func (d *Detail) footer(a paint.Area) {
	l, ok := d.line()
	if !ok {
		return
	}
	var right paint.Line
	if len(d.lines) > d.height {
		right = paint.L(paint.Dim, strconv.Itoa(d.at+1)+" of "+strconv.Itoa(len(d.lines)))
	}
	text := ""
	switch {
	case d.raw && l.note == "":
		text = "byte " + strconv.Itoa(l.from) + " of " + strconv.Itoa(len(d.body))
	case !d.raw && d.row.Type == journal.FrameEvent && len(d.tree.nodes) > 0:
		text = filter.Path(d.tree.path(l.node)...)
	}
	a.In(1, 1).Both(0, paint.Clean(paint.Dim, head(text)), right)
}

// spelling is a node as it stands in the frame.
func (t *tree) spelling(i int) string {
	n := &t.nodes[i]
	if n.kind == jsontext.KindString {
		return n.text
	}
	if n.fact {
		return n.text
	}
	return t.body[n.from:n.to]
}
