package card

import (
	"fmt"
	"slices"

	"bobproxy/inspector/gist"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// drawNone paints that nothing is asked, and what was.
func (c *Card) drawNone(a paint.Area, ctx pane.Context) {
	a.Line(1, 0, paint.L(paint.Strong, "no permission waiting"))
	if a.H > 6 {
		d := down{area: a, y: 1}
		d.lines(indented(paint.L(paint.Dim, nothingAsked(ctx.Model)), 1, a.W))
		c.drawLists(a.Rows(d.y+1, a.H-d.y-1), d.y+1, ctx)
	}
}

// nothingAsked says what is to come.
func nothingAsked(m *model.Model) string {
	if m != nil && len(m.Proxies) > 0 && !slices.ContainsFunc(m.Proxies, func(p *model.Proxy) bool { return p.Link != model.Recorded }) {
		return "A recording asks nothing; its timeline and wire have what was asked."
	}
	return "When an agent asks, its request comes here."
}

const (
	leastList = 3  // rows for which a list is worth it
	mostList  = 12 // rows of the queue
)

// drawLists paints the queue and what was closed, at the bottom, as far as there
// is room. The area begins at a row of the card's.
func (c *Card) drawLists(a paint.Area, row int, ctx pane.Context) {
	queue, closed := waiting(ctx.Model), closedOf(ctx.Model)
	if len(queue) == 1 && queue[0] == c.p {
		queue = nil
	}
	queue = queue[:min(len(queue), mostList)]
	rows := listRows(len(queue))
	if rows+1 > a.H {
		return
	}
	room := a.H - 1 - rows
	if rows > 0 {
		room-- // between the two
	}
	if room <= leastList {
		closed = nil
	}
	closed = closed[:max(min(len(closed), room-1), 0)]
	if n := listRows(len(closed)); n > 0 && rows > 0 {
		rows += 1 + n
	} else {
		rows += n
	}
	if rows == 0 {
		return
	}
	a.Rule(a.H - rows - 1)
	l := list{c, a, a.H - rows, row}
	digits := len(fmt.Sprint(len(queue)))
	l.of("QUEUE", queue, ctx, func(a paint.Area, y, number int, p *model.Permission, ctx pane.Context) {
		c.queueRow(a, y, fmt.Sprintf("%*d", digits, number), p, ctx)
	})
	l.of("CLOSED", closed, ctx, c.closedRow)
}

// listRows is how many rows a list of n takes, with its heading.
func listRows(n int) int {
	if n == 0 {
		return 0
	}
	return n + 1
}

// list paints lists below each other.
type list struct {
	card *Card
	area paint.Area
	y    int
	row  int // of the card's where the area begins
}

func (l *list) of(name string, all []*model.Permission, ctx pane.Context, row func(paint.Area, int, int, *model.Permission, pane.Context)) {
	if len(all) == 0 {
		return
	}
	l.area.Line(1, l.y, paint.L(paint.Heading, name))
	for i, p := range all {
		l.y++
		row(l.area, l.y, i+1, p, ctx)
		l.card.targets = append(l.card.targets, target{l.row + l.y, p})
	}
	l.y += 2
}

// closedOf are the requests that were settled, the latest first.
func closedOf(m *model.Model) (all []*model.Permission) {
	if m == nil {
		return nil
	}
	for _, p := range m.Proxies {
		all = append(all, p.Closed...)
	}
	slices.SortStableFunc(all, func(a, b *model.Permission) int { return b.Closed.Compare(a.Closed) })
	return all
}

// about is what a request is about, in a row of so many cells with what stands at
// its left.
func about(left paint.Line, p *model.Permission, width int, ctx pane.Context) paint.Line {
	kind := paint.Cut(p.Kind, 8)
	if kind == "" {
		kind = "·"
	}
	left = left.With(paint.Clean(paint.Plain, fmt.Sprintf("%-8s  ", kind)))
	return left.With(gist.Of(p.Session, ctx.Home).Line(p.Subject(), max(width-left.Width(), 1)))
}

func (c *Card) queueRow(a paint.Area, y int, number string, p *model.Permission, ctx pane.Context) {
	mark := "  "
	if p == c.p {
		mark = "► "
	}
	var right paint.Line
	if p.Card != nil {
		if p.Card.Verdict.Level == broker.LevelOutside {
			right = paint.L(paint.Danger, "! outside  ")
		}
	}
	right = append(right, paint.S(paint.Plain, p.Clock(ctx.Now)+" "))
	a.Both(y, about(paint.L(paint.Strong, mark+number+"  "), p, a.W-right.Width()-1, ctx), right)
}

func (c *Card) closedRow(a paint.Area, y, _ int, p *model.Permission, ctx pane.Context) {
	mark, role, how := closing(p)
	at := p.Closed.In(ctx.Now.Location()).Format("15:04:05")
	right := paint.Line{paint.S(paint.Plain, how+"  "), paint.S(paint.Dim, at+" ")}
	a.Both(y, about(paint.L(role, " "+mark+" "), p, a.W-right.Width()-1, ctx), right)
}

// closing says how a request ended: a mark, and who with which option.
func closing(p *model.Permission) (mark string, role paint.Role, how string) {
	if p.Decision == nil {
		return "×", paint.Dim, "ended"
	}
	number := ""
	d := *p.Decision
	mark, role = "·", paint.Plain
	for _, o := range options(p) {
		if d.HasOption && o.ID == d.OptionID && o.Kind == d.OptionKind {
			number = fmt.Sprintf(", %d", o.Number)
		}
	}
	if d.HasOption {
		switch m := meaningOf(control.Option{Kind: d.OptionKind}); {
		case m.rejects():
			mark, role = "×", paint.Bad
		case m != unclear:
			mark, role = "✓", paint.Good
		}
	}
	switch broker.By(d.By) {
	case broker.ByTimeout:
		return "!", paint.Warn, "timed out"
	case broker.ByCancel, broker.ByAgent:
		return "·", paint.Dim, "withdrawn"
	case broker.ByGone:
		return "×", paint.Dim, "ended"
	case broker.ByBounds:
		return "×", paint.Bad, "bounds"
	}
	return mark, role, paint.Cut(d.By, 8) + number
}
