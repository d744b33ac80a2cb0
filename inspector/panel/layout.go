package panel

import (
	"bobproxy/inspector/paint"
	"bobproxy/inspector/talk"
)

// class is how much room there is.
type class uint8

const (
	auto class = iota // by the width
	tiny
	narrow // one pane at a time
	medium // sessions, and the session; details below
	wide   // sessions, the session, and a detail or card
)

// Widths and heights in cells.
const (
	leastWidth  = 40
	leastHeight = 12
	sideWidth   = 33
)

// Widths say from which width on a layout is medium and wide.
type Widths struct{ Medium, Wide int }

func (o Widths) orDefault() Widths {
	if o.Medium <= 0 {
		o.Medium = 80
	}
	if o.Wide <= 0 {
		o.Wide = 130
	}
	return o
}

// class is that of a screen, unless the person chose another one that fits.
func (o Widths) class(w, h int, chosen class) class {
	switch {
	case w < leastWidth || h < leastHeight:
		return tiny
	case chosen == wide && w >= 100, chosen == medium && w >= 70, chosen == narrow:
		return chosen
	case w >= o.Wide:
		return wide
	case w >= o.Medium:
		return medium
	}
	return narrow
}

// next is the layout that L goes to from a chosen one.
func (c class) next() class {
	switch c {
	case auto:
		return narrow
	case narrow:
		return medium
	case medium:
		return wide
	}
	return auto
}

func (c class) String() string {
	return [...]string{"by the width", "tiny", "one pane", "two panes", "three panes"}[c]
}

// name is what the settings call it.
func (c class) name() string { return [...]string{"auto", "tiny", "narrow", "medium", "wide"}[c] }

// classNamed is for the settings.
func classNamed(name string) class {
	switch name {
	case "narrow":
		return narrow
	case "medium":
		return medium
	case "wide":
		return wide
	}
	return auto
}

// spot is a place on the screen where a pane stands.
type spot uint8

const (
	atSessions spot = iota
	atMain          // timeline, wire, info, or what is left of a proxy that has gone
	atDetail
	atCard
	atHelp
	spots
)

// plan is where everything stands on a screen.
type plan struct {
	class  class
	panes  [spots]paint.Area // of panes that are not there: nothing
	heads  [spots]paint.Area // the rows above them
	title  paint.Area
	side   paint.Area
	frames []func() // lines between the panes
	joints []func() // where they meet; after all else is drawn
	strip  paint.Area
	notice paint.Area
	bar    paint.Area
}

// there says whether a pane is on the screen.
func (l *plan) there(s spot) bool { return l.panes[s].W > 0 && l.panes[s].H > 0 }

// at is the pane at a cell, and the cell in the pane's own coordinates.
func (l *plan) at(x, y int) (s spot, px, py int, ok bool) {
	for s := range spots {
		if px, py, ok := l.panes[s].Locate(x, y); ok {
			return s, px, py, true
		}
	}
	return 0, 0, 0, false
}

// plan lays a screen out.
func (p *Panel) plan(all paint.Area) *plan {
	l := &plan{class: p.options.Widths.class(all.W, all.H, p.layout)}
	if l.class == tiny {
		p.planTiny(l, all)
		return l
	}
	body := p.planBottom(l, all)
	p.summary = nil
	switch {
	case p.whole(l.class), p.zoomed && p.focus == p.zoomedAt:
		p.planOne(l, body, p.focus)
	case l.class == medium:
		p.planMedium(l, body)
	default:
		p.planWide(l, body)
	}
	return l
}

// column draws a line between the title's rule and the strip's, which the rules
// beside it meet.
func (l *plan) column(body paint.Area, x int) {
	l.frames = append(l.frames, func() {
		body.Column(x)
		body.Joint(x, -1, "┬")
		body.Joint(x, body.H, "┴")
	})
	l.joints = append(l.joints, func() { body.Joints(x) })
}

// planTiny has one pane, and one row for the strip.
func (p *Panel) planTiny(l *plan, all paint.Area) {
	l.strip = all.Rows(all.H-1, 1)
	if p.focus == atCard {
		l.panes[atCard] = all.Rows(0, all.H-1)
	} else {
		l.title = all.Rows(0, all.H-1)
	}
}

// planBottom takes the rows of strip and bar, and gives what is above them.
func (p *Panel) planBottom(l *plan, all paint.Area) paint.Area {
	rows := 4
	if p.barHidden && p.prompt == nil {
		rows = 2
	}
	at := all.H - rows
	upper := all.Rows(at, 1)
	l.frames = append(l.frames, func() { upper.Rule(0) })
	l.strip = all.Rows(at+1, 1)
	if rows == 4 {
		l.notice, l.bar = all.Rows(at+2, 1), all.Rows(at+3, 1)
		l.frames = append(l.frames, func() { l.notice.Rule(0) })
	} else {
		l.notice = upper
	}
	return all.Rows(0, at)
}

// planOne has one pane over the whole screen: its title, its status when it has
// one, a line, and the pane.
func (p *Panel) planOne(l *plan, body paint.Area, s spot) {
	rows := 1 + p.statusRows(s, true)
	l.heads[s] = body.Rows(0, rows)
	line := body.Rows(rows, 1)
	l.frames = append(l.frames, func() { line.Rule(0) })
	l.panes[s] = body.Rows(rows+1, body.H-rows-1)
	if s == atSessions && len(p.model.Proxies) > 0 {
		p.planBelow(l)
	}
}

// leastSide is how many rows are worth a summary.
const leastSide = 4

// planBelow has what there is to know of the selected session in the rows that the
// list leaves.
func (p *Panel) planBelow(l *plan) {
	all := l.panes[atSessions]
	rows := p.sessions.Rows(all.W) + 1
	if p.shown == nil || all.H-rows-1 < leastSide {
		return
	}
	line := all.Rows(rows, 1)
	l.frames = append(l.frames, func() { line.Rule(0) })
	l.panes[atSessions], l.side = all.Rows(0, rows), all.Rows(rows+1, all.H-rows-1)
	p.summary = p.summarize(l.side.W)
}

func (p *Panel) summarize(width int) *talk.Summary {
	return talk.Summarize(width, p.shown, p.context(atMain, p.now))
}

// planMedium has the sessions beside the session, and a detail below that.
func (p *Panel) planMedium(l *plan, body paint.Area) {
	body = p.planTitle(l, body)
	p.planSessions(l, body)
	right := body.Sub(sideWidth+1, 0, body.W-sideWidth-1, body.H)
	if p.detailOpen() {
		rows := max(6, right.H*9/20)
		from := right.H - rows
		below := right.Rows(from, rows)
		l.frames = append(l.frames, func() { below.Rule(0) })
		p.planPane(l, below.Rows(1, rows-1), atDetail)
		right = right.Rows(0, right.H-rows)
	}
	p.planPane(l, right, atMain)
}

// planWide has a third column for a detail, or else the card.
func (p *Panel) planWide(l *plan, body paint.Area) {
	body = p.planTitle(l, body)
	p.planSessions(l, body)
	rest := body.W - sideWidth - 1
	third := (rest - 1) / 2
	middle := body.Sub(sideWidth+1, 0, rest-third-1, body.H)
	right := body.Sub(body.W-third, 0, third, body.H)
	at := body.W - third - 1
	l.column(body, at)
	p.planPane(l, middle, atMain)
	if p.detailOpen() && p.focus != atCard {
		p.planPane(l, right, atDetail)
	} else {
		p.planPane(l, right, atCard)
	}
}

func (p *Panel) planTitle(l *plan, body paint.Area) paint.Area {
	l.title = body.Rows(0, 1)
	line := body.Rows(1, 1)
	l.frames = append(l.frames, func() { line.Rule(0) })
	return body.Rows(2, body.H-2)
}

// planSessions has the list, and below it what there is to know of the selected
// session, when there is room.
func (p *Panel) planSessions(l *plan, body paint.Area) {
	column := body.Sub(0, 0, sideWidth, body.H)
	l.column(body, sideWidth)
	rows := body.H
	if body.H >= 16 {
		p.summary = p.summarize(column.W)
		rows = share(body.H-1, max(p.sessions.Rows(column.W), 4)+2, p.summary.Rows())
		line := column.Rows(rows, 1)
		l.frames = append(l.frames, func() { line.Rule(0) })
		l.side = column.Rows(rows+1, body.H-rows-1)
	}
	p.planPane(l, column.Rows(0, rows), atSessions)
}

// share is how many of so many rows the upper of two things gets: what it needs,
// as long as the other one has what it needs, or half.
func share(rows, upper, lower int) int {
	return min(upper, max(rows-lower, rows/2))
}

// planPane has one row for the title, one for the status if the pane always has
// one, and the pane.
func (p *Panel) planPane(l *plan, a paint.Area, s spot) {
	rows := 1 + p.statusRows(s, false)
	l.heads[s] = a.Rows(0, rows)
	l.panes[s] = a.Rows(rows, a.H-rows)
}

// statusRows is how many rows a pane's status takes.
func (p *Panel) statusRows(s spot, alone bool) int {
	if h := p.head(s); len(h.Status)+len(h.StatusRight) > 0 && (alone || h.Always) {
		return 1
	}
	return 0
}
