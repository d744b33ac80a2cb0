package talk

import (
	"slices"

	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// Summary is the short form of a session, for the space that is left beside its
// pane or below the list.
type Summary struct {
	s     *model.Session
	width int
	first block   // above the plan
	rest  []block // below it
}

// Summarize is that of a session in so many columns; of none it is empty.
func Summarize(width int, s *model.Session, c pane.Context) *Summary {
	if s == nil || width < 8 {
		return &Summary{}
	}
	c.Now, _ = s.Until(c.Now)
	m := &Summary{s: s, width: width, first: alarm(width-1, s)}
	for _, b := range []block{standing(width-1, s, c), offers(width-1, s), peers(s, c), words(s), gate(s)} {
		if len(b) > 0 {
			m.rest = append(m.rest, b)
		}
	}
	return m
}

// Rows is how many rows all of it takes.
func (m *Summary) Rows() int {
	if m.s == nil {
		return 0
	}
	return max(m.others()+below(planNeed(m.s.Talk))-1, 0)
}

// others are the rows of all but the plan, each block with a line.
func (m *Summary) others() int {
	n := below(len(m.first))
	for _, b := range m.rest {
		n += below(len(b))
	}
	return n
}

// below is how many rows a block takes below another one.
func below(rows int) int {
	if rows == 0 {
		return 0
	}
	return rows + 1
}

// Draw paints as many blocks as fit, each whole; the plan gets what the others
// leave, or half.
func (m *Summary) Draw(a paint.Area) {
	if m.s == nil {
		return
	}
	y := 0
	for _, b := range slices.Concat([]block{m.first, m.plan(a.H)}, m.rest) {
		if len(b) == 0 || y+len(b) > a.H || y > 0 && y+below(len(b)) > a.H {
			continue
		}
		if y > 0 {
			a.Rule(y)
			y++
		}
		for _, r := range b {
			a.In(1, 0).Both(y, r.left, r.right)
			y++
		}
	}
}

func (m *Summary) plan(height int) (b block) {
	for _, l := range planRows(m.s.Talk, m.width, max(height-m.others(), min(height/2, 10), 3)) {
		b = append(b, row{left: l})
	}
	return b
}

// gate is which session it is, and what guards it.
func gate(s *model.Session) (b block) {
	if id := s.Talk.Session; id != "" {
		b = append(b, row{left: paint.L(paint.Heading, "SESSION ").With(paint.Clean(paint.Plain, head(id, 256)))})
	}
	if s.Proxy == nil || s.Proxy.State.Bounds == "" {
		return b
	}
	bounds := paint.Clean(paint.Plain, head(s.Proxy.State.Bounds, 64))
	if s.Proxy.State.Bounds != "enforce" {
		bounds = paint.L(paint.Warn, "! ").With(paint.Clean(paint.Warn, head(s.Proxy.State.Bounds, 64)))
	}
	switch t := s.Proxy.State.Timeout; t {
	case "":
	case "0":
		bounds = bounds.With(paint.L(paint.Plain, " · no time-out"))
	default:
		bounds = bounds.With(paint.Clean(paint.Plain, " · time-out "+head(t, 32)))
	}
	return append(b, row{left: paint.L(paint.Heading, "BOUNDS  ").With(bounds)})
}
