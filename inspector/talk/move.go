package talk

import (
	"bobproxy/inspector/keys"
	"bobproxy/inspector/pane"
)

// move moves the selection. One that starts while it follows starts at the end.
func (s *scene) move(action keys.Action) {
	at := s.selected()
	if at < 0 {
		at = len(s.items) - 1
		s.choose(at, s.h-len(s.lines(at)))
		if action == keys.Down || action == keys.Up {
			return
		}
	}
	switch action {
	case keys.Down:
		s.down(at)
	case keys.Up:
		s.up(at)
	case keys.PageDown:
		s.scroll(at, max(s.h-1, 1))
	case keys.PageUp:
		s.scroll(at, -max(s.h-1, 1))
	case keys.HalfDown:
		s.scroll(at, max(s.h/2, 1))
	case keys.HalfUp:
		s.scroll(at, -max(s.h/2, 1))
	case keys.Top:
		s.choose(0, 0)
	}
}

// down goes to the next item, or on in this one as long as it goes on below the
// screen.
func (s *scene) down(at int) {
	row := s.view.row
	end := row + len(s.lines(at))
	switch {
	case end > s.h:
		s.choose(at, row-1)
	case at+1 < len(s.items):
		fit := max(s.h-len(s.lines(at+1)), 0)
		s.choose(at+1, min(end, fit))
	}
}

// up goes to the item before, or back in this one as long as it begins above the
// screen.
func (s *scene) up(at int) {
	row := s.view.row
	switch {
	case row < 0:
		s.choose(at, row+1)
	case at > 0:
		n := len(s.lines(at - 1))
		above := row - n
		if n <= s.h {
			above = max(above, 0)
		}
		s.choose(at-1, min(max(above, 1-n), s.h-1))
	}
}

// scroll moves what is on the screen by n lines, not beyond its ends, and
// selects what is then at the top; at an end, what is there.
func (s *scene) scroll(at, n int) {
	first, row := s.settle(at, s.view.row-n)
	end, last := s.above(len(s.items), s.h)
	switch {
	case s.fits(), n < 0 && first == 0 && row >= 0:
		s.ends(n)
	case n > 0 && (first > end || first == end && row <= last):
		s.ends(n)
	case row < 0 && row+len(s.lines(first)) < s.h && first+1 < len(s.items):
		s.choose(first+1, row+len(s.lines(first)))
	default:
		s.choose(first, row)
	}
}

// ends selects what is at the end in the direction of n.
func (s *scene) ends(n int) {
	if n < 0 {
		s.choose(0, 0)
		return
	}
	last := len(s.items) - 1
	s.choose(last, s.h-len(s.lines(last)))
}

// settle is the item that is at the top of the screen when item i begins at row.
func (s *scene) settle(i, row int) (int, int) {
	i, row = s.above(i, row)
	for i+1 < len(s.items) {
		n := len(s.lines(i))
		if row+n > 0 {
			break
		}
		row += n
		i++
	}
	return i, row
}

// follow shows the end from now on, and what is added there.
func (t *Timeline) follow() {
	v := t.view()
	*v = view{open: v.open}
}

// Click selects what was clicked at; twice opens it.
func (t *Timeline) Click(x, y int, double bool, c pane.Context) []pane.Wish {
	if t.session == nil || y < t.top || t.w < 1 {
		return nil
	}
	t.gather()
	if len(t.items) == 0 {
		return nil
	}
	s := t.scene(t.w, c)
	i, row := s.start(s.selected())
	for ; i < len(s.items); i++ {
		n := len(s.lines(i))
		if y-t.top < row+n {
			s.choose(i, row)
			if double {
				return s.enterItem(i)
			}
			return nil
		}
		row += n
	}
	return nil
}
