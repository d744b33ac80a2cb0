package card

import (
	"fmt"

	"bobproxy/inspector/gist"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// paint paints a request as it was planned.
func (c *Card) paint(a paint.Area, ctx pane.Context, p *plan) {
	w := c.window(p.sheet, p.view)
	c.setSheet(p.sheet, false)
	c.view = max(p.view, 1)
	if !c.raw {
		c.top = w.from
	}
	c.painted.from, c.painted.to = w.from, w.to
	c.painted.whole = true
	air := p.level < packed
	d := down{area: a}
	d.lines(p.title)
	d.skip(air)
	d.lines(p.facts)
	d.lines(p.from)
	d.skip(air)
	d.y += c.box(a.Rows(d.y, a.H-d.y), p, w.from)
	d.lines(p.notes)
	d.skip(air)
	c.paintOptions(&d, p)
	d.lines(p.note)
	d.lines(p.clock)
	d.skip(air)
	d.lines(p.editor)
	c.drawLists(a.Rows(d.y+1, a.H-d.y-1), d.y+1, ctx)
}

// down paints rows below each other.
type down struct {
	area paint.Area
	y    int
}

func (d *down) lines(lines []paint.Line) {
	for _, l := range lines {
		d.area.Line(0, d.y, l)
		d.y++
	}
}

func (d *down) skip(one bool) {
	if one {
		d.y++
	}
}

func (c *Card) paintOptions(d *down, p *plan) {
	for _, o := range p.options {
		for range o.rows {
			if o.number > 0 {
				c.targets = append(c.targets, target{row: d.y})
			}
		}
		d.lines(o.rows)
		if o.number > 0 {
			c.painted.options[o.number] = o.lock
		}
	}
	if c.confirm != nil {
		c.painted.confirm = c.confirm.number
	}
}

// box paints the input, and says how many rows that took.
func (c *Card) box(a paint.Area, p *plan, from int) int {
	s, top, rows := p.sheet, from, min(p.view, len(p.sheet.rows))
	if c.raw {
		s = c.rawOf(c.inner(a.W, p.level))
		c.rawTop = max(min(c.rawTop, len(s.rows)-p.view), 0)
		top, rows = c.rawTop, min(p.view, len(s.rows))
	}
	if p.level >= edgeless {
		for i := range rows {
			a.Put(1, i, paint.Style{Role: paint.Border}, "│")
			c.row(a.In(3, 0).Rows(i, 1), s, s.rows[top+i])
		}
		return rows
	}
	at := s.rows[min(max(top, 0), max(len(s.rows)-1, 0))].part
	in := a.In(1, 1).Rows(0, rows+2).Box(c.boxTitle(at, a.W), c.boxRight(at, s, top, rows, a.W), c.boxBelow(), c.boxHint(s, top, rows, a.W))
	for i := range rows {
		c.row(in.Rows(i, 1), s, s.rows[top+i])
	}
	return rows + 2
}

// row paints one row of a sheet.
func (c *Card) row(a paint.Area, s *sheet, r row) {
	a.Line(0, 0, r.text)
	if !r.split {
		return
	}
	a.Line(s.half+3, 0, r.right)
	a.Put(s.half+1, 0, paint.Style{Role: paint.Border}, "│")
}

// rawOf is the raw input, broken to a width.
func (c *Card) rawOf(width int) *sheet {
	if c.rawSheet == nil || c.rawSheet.width != max(width, 1) {
		c.rawSheet = newSheet(c.content.raw, nil, measure{width: max(width, 1)}, nil)
	}
	return c.rawSheet
}

// besideTitle is how many cells of the edge of the box are not the title's.
const besideTitle = 16

func (c *Card) boxTitle(at, width int) paint.Line {
	switch {
	case c.raw:
		return paint.L(paint.Heading, "raw input")
	case at < 0 || at >= len(c.content.parts):
		return paint.L(paint.Heading, "in full")
	}
	p := c.content.parts[at]
	if p.ours {
		return partName(c.content.parts, at)
	}
	lead := partLead(c.content.parts, at)
	if name := lead.With((&ink{}).code(paint.Strong, p.name)); name.Width() <= width-besideTitle {
		return name
	}
	// The whole path stands in the box.
	return lead.With((&ink{}).code(paint.Strong, gist.Of(c.p.Session, "").Path(p.name, max(width-besideTitle-lead.Width(), 1))))
}

// boxRight is what rows are in view, and as far as there is room beside the
// title how much a change changes, and that there is more.
func (c *Card) boxRight(part int, s *sheet, top, rows, width int) paint.Line {
	room := width - c.boxTitle(part, width).Width() - 9 // edges and blanks
	var sums paint.Line
	if !c.raw && part >= 0 && part < len(c.content.parts) {
		sums = c.content.parts[part].right
	}
	if rows == len(s.rows) {
		return fitting(room, sums)
	}
	at := paint.L(paint.Plain, fmt.Sprintf("rows %s-%s of %s", grouped(top+1), grouped(top+rows), grouped(len(s.rows))))
	more := paint.Line{}
	if width >= 80 && top+rows < len(s.rows) {
		more = paint.L(paint.Strong, "more below")
	}
	if len(fitting(room, sums, at)) == 0 {
		return fitting(room, at)
	}
	if l := fitting(room, sums, at, more); len(l) > 0 {
		return l
	}
	return fitting(room, sums, at)
}

// fitting is all of the pieces with lines between them, or nothing.
func fitting(room int, pieces ...paint.Line) (l paint.Line) {
	for _, p := range pieces {
		switch {
		case len(p) == 0:
			continue
		case len(l) > 0:
			l = append(l, paint.S(paint.Border, " ── "))
		}
		l = append(l, p...)
	}
	if l.Width() > room {
		return nil
	}
	return l
}

// boxBelow says whose word this is.
func (c *Card) boxBelow() paint.Line {
	if c.content.more && !c.raw {
		return paint.L(paint.Dim, "claimed by the agent · "+rawKey+" raw input")
	}
	return paint.L(paint.Dim, "claimed by the agent")
}

// boxHint says how to see the rest.
func (c *Card) boxHint(s *sheet, top, rows, width int) paint.Line {
	switch {
	case c.raw:
		return paint.L(paint.Dim, rawKey+" goes back")
	case rows == len(s.rows):
		return paint.L(paint.Dim, "all")
	case top+rows == len(s.rows):
		return paint.L(paint.Dim, "the end")
	case s.unseen == 0 || !c.options.ReadAll:
		return paint.L(paint.Dim, "more below")
	case !c.unlocks():
		return paint.L(paint.Dim, "Space reads on")
	case width >= 80:
		return paint.L(paint.Strong, "Space scrolls: read to the end to unlock what allows")
	}
	return paint.L(paint.Strong, "Space reads on")
}

// unlocks says that to read on opens keys.
func (c *Card) unlocks() bool {
	return c.was == open && c.barred() == "" && c.p.Proxy.Greeting.Answers != "deny-only" && (c.told == nil || c.told.Unanswerable == "")
}

// rawKey is the key for the raw input, as it comes.
const rawKey = "i"
