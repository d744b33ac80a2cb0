package talk

import (
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// Draw paints all of it.
func (t *Timeline) Draw(a paint.Area, c pane.Context) {
	t.top = 0
	if t.Pin && t.session != nil {
		t.top = pinned(a, t.session.Talk)
	}
	a = a.Rows(t.top, a.H-t.top)
	t.w, t.h = a.W, a.H
	if a.W < 1 || a.H < 1 {
		return
	}
	if t.session == nil {
		empty(a, []string{"No session."})
		return
	}
	t.gather()
	if len(t.items) == 0 {
		empty(a, nothing(t.session, c))
		return
	}
	s := t.scene(a.W, c)
	s.paint(a)
	t.texts.tidy()
}

// paint paints the items that are on the screen, from the first one on.
func (s *scene) paint(a paint.Area) {
	selected := s.selected()
	i, y := s.start(selected)
	for ; i < len(s.items) && y < a.H; i++ {
		lines := s.lines(i)
		for n, l := range lines {
			s.row(a, y+n, l)
			s.margin(a, i, y+n, n == 0, i == selected)
		}
		y += len(lines)
	}
	if i == len(s.items) && y <= a.H { // all that is new is on the screen
		s.view.seen = max(s.view.seen, s.items[i-1].seq)
	}
}

func (s *scene) row(a paint.Area, y int, l line) {
	if y >= 0 && y < a.H {
		a.In(l.at, 1).Both(y, s.marked(l.left), l.right)
	}
}

// margin is the first column: what is selected, and what is replayed.
func (s *scene) margin(a paint.Area, i, y int, head, selected bool) {
	mark, role := "", paint.Dim
	switch {
	case selected && head:
		mark, role = "►", paint.Strong
	case selected:
		mark, role = "│", paint.Strong
	case s.items[i].kind == replayStart:
		mark = "┌"
	case s.items[i].kind == replayEnd:
		mark = "└"
	case s.items[i].replay:
		mark = "│"
	}
	a.Put(0, y, paint.Style{Role: role}, mark)
	if selected && head && s.c.Focus {
		a.Select(y)
	}
}

// start is the first item on the screen and the row of its first line, which may
// be above the screen.
func (s *scene) start(selected int) (first, row int) {
	if s.fits() {
		if selected >= 0 {
			s.view.row = 0
			for i := range selected {
				s.view.row += len(s.lines(i))
			}
		}
		return 0, 0
	}
	if selected < 0 {
		return s.above(len(s.items), s.h)
	}
	s.view.at = s.items[selected].key
	s.view.row = s.within(selected, s.view.row)
	first, row = s.above(selected, s.view.row)
	if row > 0 { // nothing is above the first item
		s.view.row -= row
		row = 0
	}
	return first, row
}

// within is row, or the next one to it at which a part of item i is on the
// screen.
func (s *scene) within(i, row int) int {
	if row >= s.h {
		return s.h - 1
	}
	if row < 0 {
		return max(row, 1-len(s.lines(i)))
	}
	return row
}

// above is the first item on the screen when item i begins at row.
func (s *scene) above(i, row int) (int, int) {
	for i > 0 && row > 0 {
		i--
		row -= len(s.lines(i))
	}
	return i, row
}

// fits says that all of it is on the screen at once.
func (s *scene) fits() bool {
	if len(s.items) > s.h {
		return false
	}
	n := 0
	for i := range s.items {
		if n += len(s.lines(i)); n > s.h {
			return false
		}
	}
	return true
}

// empty is what stands where there is nothing to tell.
func empty(a paint.Area, words []string) {
	y := 1
	for _, w := range words {
		for _, l := range paint.Clean(paint.Dim, w).Wrap(max(a.W-2, 1)) {
			a.In(1, 1).Line(0, y, l)
			y++
		}
	}
}
