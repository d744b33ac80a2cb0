package card

import (
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// drawFlat paints a request where there is no room for its parts beside each
// other: as one text from its title to its options, all of which has to be read,
// with a row at the end for the clock and for what keys did.
func (c *Card) drawFlat(a paint.Area, ctx pane.Context) {
	s := c.flatSheet(a.W, ctx)
	c.setSheet(s, true)
	view := max(a.H-1, 1)
	c.view = view
	if c.confirm != nil {
		c.flatConfirm(a)
		return
	}
	if c.follow && c.selected > 0 {
		c.bringUp(s, view)
	}
	c.follow = false
	w := c.window(s, view)
	w.flat = true
	c.painted.from, c.painted.to = w.from, w.to
	c.painted.whole = a.W >= leastWidth && !c.raw
	if c.raw {
		c.flatRaw(a, view)
	} else {
		c.top = w.from
	}
	for i := w.from; i < w.to; i++ {
		a.Line(0, i-w.from, s.rows[i].text)
		if id := s.rows[i].lines[0]; id >= 0 && s.option[id] > 0 {
			c.flatOption(a.Rows(i-w.from, 1), s.option[id], w)
		}
	}
	if a.H > 1 {
		c.flatFoot(a.Rows(a.H-1, 1), ctx, w)
	}
}

// leastWidth is how narrow a card may be to be answered with more than no.
const leastWidth = 16

// flatSheet is all of a card as one text.
func (c *Card) flatSheet(width int, ctx pane.Context) *sheet {
	m := measure{width: width, flat: true, heads: true, first: true}
	if s, ok := c.sheets[m]; ok {
		return s
	}
	body := c.content.lines
	lines := body[:len(body):len(body)]
	add := func(more []paint.Line, option int) {
		for _, l := range more {
			lines = append(lines, line{text: l, part: -1, option: option})
		}
	}
	add(c.title(width), 0)
	add(c.verdict(width, ctx), 0)
	add(c.kind(width), 0)
	add(c.where(width, ctx), 0)
	for _, n := range c.content.notes {
		add(indented(n, 1, width), 0)
	}
	add([]paint.Line{paint.L(paint.Dim, " claimed by the agent:")}, 0)
	front := len(lines)
	for _, ch := range c.choices {
		head := paint.L(paint.Strong, " "+numberOf(ch)+"  ").With(reading(ch)).Wrap(width)
		add(append(head, indented(ch.name(paint.Plain), 3, width)...), ch.Number)
	}
	add(c.editorLines(width, ctx.Now), 0)
	s := flatten(lines, len(body), front, c.content.parts, m, c.dossier.read)
	return c.keep(m, s)
}

func numberOf(ch choice) string { return grouped(ch.Number) }

// flatten breaks lines, of which the first body ones stand between the others:
// behind those up to front.
func flatten(lines []line, body, front int, parts []part, m measure, read []bool) *sheet {
	s := &sheet{width: m.width, first: make([]int, len(lines)), option: make([]int, len(lines)), left: make([]int32, len(lines))}
	for id := body; id < front; id++ {
		s.whole(lines, id, m)
	}
	inner := m
	inner.width -= 2
	at := len(s.rows)
	part := -1
	for id := range body {
		if l := &lines[id]; l.part != part && (len(parts) > 1 || parts[l.part].file > 0) {
			s.heading(parts, l.part, id, inner)
			part = l.part
		}
		s.line(&lines[id], id, inner)
	}
	for i := at; i < len(s.rows); i++ {
		s.rows[i].text = paint.L(paint.Border, "│ ").With(s.rows[i].text)
	}
	for id := front; id < len(lines); id++ {
		s.whole(lines, id, m)
	}
	s.mark(lines, read[:min(len(read), body)])
	return s
}

// whole adds a line that is broken already, unless the width is less than it
// was made for.
func (s *sheet) whole(lines []line, id int, m measure) {
	for _, r := range lines[id].text.Break(m.width) {
		s.add(row{text: r, part: -1, lines: [2]int{id, -1}})
	}
}

// bringUp scrolls the selected option into view.
func (c *Card) bringUp(s *sheet, view int) {
	first, last := -1, -1
	for i, r := range s.rows {
		if id := r.lines[0]; id >= 0 && s.option[id] == c.selected {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return
	}
	c.top = min(c.top, first)
	if last >= c.top+view {
		c.top = min(last-view+1, first)
	}
}

// flatOption notes that an option is in view, and marks the selected one.
func (c *Card) flatOption(a paint.Area, number int, w window) {
	ch, ok := numbered(c.choices, number)
	if !ok {
		return
	}
	c.painted.options[number] = c.locked(ch, w)
	if c.selected == number {
		a.Put(0, 0, paint.Style{Role: paint.Strong}, "►")
	}
}

// flatFoot is the row for the clock, and for what there is to say.
func (c *Card) flatFoot(a paint.Area, ctx pane.Context, w window) {
	p := &plan{}
	for _, ch := range c.choices {
		p.options = append(p.options, optionRows{number: ch.Number, lock: c.locked(ch, w)})
	}
	text := c.noteLine(p, a.W, ctx.Now)
	if len(text) == 0 {
		text = paint.L(paint.Dim, c.usage())
	}
	var left paint.Line
	if c.told != nil && c.told.Deadline != nil {
		until := c.told.Deadline.Sub(ctx.Now)
		left = paint.L(c.urgency(until), clockText(until))
	}
	a.Both(0, text, left)
}

// flatConfirm paints the step before an option is taken instead of all else.
func (c *Card) flatConfirm(a paint.Area) {
	ch, ok := numbered(c.choices, c.confirm.number)
	if !ok {
		return
	}
	rows := c.confirming(a.W)
	word := rows[len(rows)-1]
	a.Line(0, 0, word)
	d := down{area: a, y: 1}
	d.lines(paint.L(paint.Strong, "► "+numberOf(ch)+"  ").With(reading(ch)).Wrap(a.W))
	d.lines(ch.name(paint.Plain).Wrap(a.W))
	d.lines(rows[:len(rows)-1])
	c.painted.whole = a.W >= leastWidth && a.H >= 3
	if c.painted.whole {
		c.painted.confirm = ch.Number
		c.painted.options[ch.Number] = c.locked(ch, window{sheet: c.sheet, flat: true})
	}
}

// flatRaw paints the raw input.
func (c *Card) flatRaw(a paint.Area, view int) {
	s := c.rawOf(a.W)
	c.rawTop = max(min(c.rawTop, len(s.rows)-view), 0)
	for i := range min(view, len(s.rows)) {
		a.Line(0, i, s.rows[c.rawTop+i].text)
	}
}
