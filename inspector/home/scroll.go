package home

import (
	"bobproxy/inspector/keys"
	"bobproxy/inspector/paint"
)

// scroll is which part of a page is on the screen.
type scroll struct {
	top, rows, all int
}

// draw paints what is in sight of a page, from column left on. The last row says
// that there is more below, when there is.
func (s *scroll) draw(a paint.Area, left int, lines []paint.Line) {
	s.rows, s.all = a.H, len(lines)
	s.to(s.top)
	rows := min(a.H, s.all-s.top)
	if s.all > s.top+s.rows {
		rows--
		a.Right(a.H-1, paint.L(paint.Dim, "more below "))
	}
	for y := range rows {
		a.In(left, 1).Line(0, y, lines[s.top+y])
	}
}

func (s *scroll) to(top int) { s.top = max(min(top, s.all-s.rows), 0) }

// do moves by what a key stands for.
func (s *scroll) do(action keys.Action) {
	switch action {
	case keys.Down:
		s.to(s.top + 1)
	case keys.Up:
		s.to(s.top - 1)
	case keys.HalfDown:
		s.to(s.top + max(s.rows/2, 1))
	case keys.HalfUp:
		s.to(s.top - max(s.rows/2, 1))
	case keys.PageDown:
		s.to(s.top + max(s.rows-2, 1))
	case keys.PageUp:
		s.to(s.top - max(s.rows-2, 1))
	case keys.Top:
		s.to(0)
	case keys.Bottom:
		s.to(s.all)
	}
}
