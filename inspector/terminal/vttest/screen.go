package vttest

import (
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
)

// maxRest bounds an unfinished sequence that is kept for its end.
const maxRest = 1 << 20

// Screen is what a terminal shows. It knows places, erasing, the alternate
// screen and modes; the rest it ignores.
type Screen struct {
	w, h   int
	cells  [][]string // empty: the right half of a wide one
	main   [][]string // while the alternate screen is shown
	x, y   int
	back   [2]int // the place in main
	modes  map[string]bool
	title  string
	bells  int
	notes  []string // control strings but titles, without ESC ] and the end
	unread []byte
}

func newScreen(w, h int) *Screen {
	s := &Screen{modes: map[string]bool{"7": true, "25": true}}
	s.resize(w, h)
	return s
}

func (s *Screen) resize(w, h int) {
	s.w, s.h = w, h
	s.cells = resized(s.cells, w, h)
	if s.main != nil {
		s.main = resized(s.main, w, h)
	}
	s.x, s.y = min(s.x, w-1), min(s.y, h-1)
}

func resized(old [][]string, w, h int) [][]string {
	rows := blank(w, h)
	for y := range min(h, len(old)) {
		copy(rows[y], old[y])
	}
	return rows
}

func blank(w, h int) [][]string {
	rows := make([][]string, h)
	for y := range rows {
		rows[y] = make([]string, w)
		for x := range rows[y] {
			rows[y][x] = " "
		}
	}
	return rows
}

// text is the screen, blanks at the ends of lines left out.
func (s *Screen) text() string {
	var b strings.Builder
	for _, row := range s.cells {
		b.WriteString(strings.TrimRight(strings.Join(row, ""), " ") + "\n")
	}
	return b.String()
}

// write obeys output. What is unfinished waits for the rest.
func (s *Screen) write(b []byte) {
	s.unread = append(s.unread, b...)
	for len(s.unread) > 0 {
		kind, n, complete := next(s.unread)
		if !complete && kind != Text && len(s.unread) < maxRest {
			return
		}
		if !complete && kind == Text && len(s.unread) < 256 && len(b) > 0 {
			return // a cluster may go on; flush shows it
		}
		s.obey(kind, string(s.unread[:n]))
		s.unread = s.unread[n:]
	}
}

// flush shows text that was not followed by anything yet.
func (s *Screen) flush() { s.write(nil) }

func (s *Screen) obey(kind Kind, seq string) {
	switch kind {
	case Text:
		s.put(seq)
	case Control:
		s.control(seq[0])
	case CSI:
		s.csi(seq[2:len(seq)-1], seq[len(seq)-1])
	case String:
		s.controlString(seq)
	}
}

func (s *Screen) put(text string) {
	state := -1
	for text != "" {
		var cluster string
		var w int
		cluster, text, w, state = uniseg.FirstGraphemeClusterInString(text, state)
		if s.x+w > s.w {
			s.wrap(w)
		}
		if w == 0 || w > s.w {
			continue
		}
		row := s.cells[s.y]
		if row[s.x] == "" && s.x > 0 {
			row[s.x-1] = " " // half of a wide one is overwritten
		}
		row[s.x] = cluster
		for i := 1; i < w; i++ {
			row[s.x+i] = ""
		}
		if end := s.x + w; end < s.w && row[end] == "" {
			row[end] = " "
		}
		s.x += w
	}
}

func (s *Screen) wrap(w int) {
	if !s.modes["7"] {
		s.x = max(s.w-w, 0)
		return
	}
	s.x = 0
	s.down()
}

func (s *Screen) down() {
	if s.y++; s.y < s.h {
		return
	}
	s.y = s.h - 1
	s.cells = append(s.cells[1:], blank(s.w, 1)[0])
}

func (s *Screen) control(c byte) {
	switch c {
	case '\r':
		s.x = 0
	case '\n':
		s.down()
	case '\b':
		s.x = max(s.x-1, 0)
	case '\a':
		s.bells++
	}
}

func (s *Screen) csi(params string, final byte) {
	switch final {
	case 'H':
		y, x := two(params)
		s.x, s.y = min(x, s.w)-1, min(y, s.h)-1
	case 'J':
		if params == "2" {
			s.cells = blank(s.w, s.h)
			return
		}
		s.eraseRight()
		copy(s.cells[s.y+1:], blank(s.w, s.h-s.y-1))
	case 'K':
		s.eraseRight()
	case 'h', 'l':
		s.mode(strings.TrimPrefix(params, "?"), final == 'h')
	}
}

func two(params string) (a, b int) {
	first, second, _ := strings.Cut(params, ";")
	a, _ = strconv.Atoi(first)
	b, _ = strconv.Atoi(second)
	return max(a, 1), max(b, 1)
}

func (s *Screen) eraseRight() { copy(s.cells[s.y][min(s.x, s.w):], blank(s.w, 1)[0]) }

func (s *Screen) mode(number string, on bool) {
	if number == "1049" && on != (s.main != nil) {
		if on {
			s.main, s.cells, s.back = s.cells, blank(s.w, s.h), [2]int{s.x, s.y}
		} else {
			s.main, s.cells = nil, s.main
			s.x, s.y = min(s.back[0], s.w-1), min(s.back[1], s.h-1)
		}
	}
	s.modes[number] = on
}

func (s *Screen) controlString(seq string) {
	body := strings.TrimSuffix(strings.TrimSuffix(seq, "\a"), "\x1b\\")
	if title, ok := strings.CutPrefix(body, "\x1b]2;"); ok {
		s.title = title
	} else if body != "\x1b]8;;" {
		s.notes = append(s.notes, strings.TrimPrefix(body, "\x1b]"))
	}
}
