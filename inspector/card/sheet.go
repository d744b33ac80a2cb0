package card

import (
	"fmt"
	"strings"

	"bobproxy/inspector/paint"
)

// row is one row of a sheet.
type row struct {
	text  paint.Line
	right paint.Line // of the new text, where that stands at the side
	lines [2]int     // the lines that it shows, or parts of; -1: none
	part  int
	split bool // there is a new text at the side, be it empty
}

// sheet is lines broken to a width, and which rows have been on the screen.
type sheet struct {
	rows   []row
	first  []int // the first row of each line
	option []int // of each line: the number of the option it is of
	seen   []bool
	left   []int32 // of each line: rows that have not been seen
	unseen int     // rows
	half   int     // width of the old text, where the new one stands beside it; 0: it does not
	width  int
	asked  gap // the last answer of gap
}

// gap is between which rows, from 1, some have not been seen, and how many.
type gap struct{ from, to, first, last, rows int }

// measure is how a sheet is broken.
type measure struct {
	width   int
	split   bool // old and new text side by side
	heads   bool // a heading for every part but the first, and
	first   bool // for that one
	numbers bool // of lines of files
	flat    bool // with all else
	outer   int  // width of the card, and
	level   int  // how short of space it is, on which depends what is told elsewhere
	most    int  // rows of title and paths that are told elsewhere
}

// newSheet breaks lines. seen says which of the lines have been read; it may be
// shorter.
func newSheet(lines []line, parts []part, m measure, seen []bool) *sheet {
	m.width = max(m.width, 1)
	s := &sheet{width: m.width, first: make([]int, len(lines)), option: make([]int, len(lines)), left: make([]int32, len(lines))}
	part := -1
	for i := 0; i < len(lines); {
		if l := &lines[i]; l.part != part && l.part >= 0 && l.part < len(parts) && (m.first && l.part == 0 || m.heads && l.part > 0) {
			s.heading(parts, l.part, i, m)
		}
		part = lines[i].part
		if m.split && lines[i].sign != 0 {
			i += s.beside(lines, i, m)
			continue
		}
		s.line(&lines[i], i, m)
		i++
	}
	s.mark(lines, seen)
	return s
}

// heading stands above a part, and belongs to its first line.
func (s *sheet) heading(parts []part, at, id int, m measure) {
	if at > 0 {
		s.add(row{part: at, lines: [2]int{id, -1}})
	}
	for _, text := range partName(parts, at).Break(m.width) {
		s.add(row{text: text, part: at, lines: [2]int{id, -1}})
	}
}

// partName is the heading of a part.
func partName(parts []part, at int) paint.Line {
	p := parts[at]
	if p.ours {
		return paint.L(paint.Strong, p.name)
	}
	l := partLead(parts, at).With((&ink{}).code(paint.Strong, p.name))
	return append(l, paint.S(paint.Plain, "  ")).With(p.right)
}

// partLead is which of several files a part is.
func partLead(parts []part, at int) paint.Line {
	if n := files(parts); n > 1 {
		return paint.L(paint.Dim, fmt.Sprintf("%d/%d  ", parts[at].file, n))
	}
	return nil
}

func files(parts []part) (n int) {
	for _, p := range parts {
		if p.file > 0 {
			n++
		}
	}
	return n
}

func (s *sheet) add(r row) { s.rows = append(s.rows, r) }

// line breaks one line.
func (s *sheet) line(l *line, id int, m measure) {
	number := l.after
	if l.sign == '-' {
		number = l.before
	}
	for _, text := range l.rows(m.width, m.numbers, number) {
		s.add(row{text: text, part: l.part, lines: [2]int{id, -1}})
	}
}

// rows are the rows of a line, with what stands in front of them.
func (l *line) rows(width int, numbers bool, number int) []paint.Line {
	front, next := l.front(numbers, number)
	rest := max(width-front.Width(), 1)
	var rows []paint.Line
	if l.prose || l.label {
		rows = l.text.Wrap(rest)
	} else {
		rows = l.text.Break(rest)
	}
	if len(front) == 0 {
		return rows
	}
	for i := range rows {
		rows[i] = front.With(rows[i])
		front = next
	}
	return rows
}

// front is what stands in front of a line, and of the rows in which it goes on.
func (l *line) front(numbers bool, number int) (first, next paint.Line) {
	switch {
	case l.number != "":
		return paint.L(paint.Dim, l.number+"  "), paint.L(paint.Dim, strings.Repeat(" ", len(l.number)+2))
	case l.sign == 0:
		return nil, nil
	}
	if numbers {
		first, next = paint.L(paint.Dim, "     "), paint.L(paint.Dim, "     ")
		if number > 0 {
			first = paint.L(paint.Dim, fmt.Sprintf("%4d ", number))
		}
	}
	if l.label {
		return first, next
	}
	role := inSign[l.sign][0]
	return append(first, paint.S(role, string(rune(l.sign)))), append(next, paint.S(paint.Dim, "…"))
}

// beside puts what goes at the left and what comes for it at the right, and says
// how many lines that took.
func (s *sheet) beside(lines []line, i int, m measure) int {
	s.half = (m.width - 3) / 2
	if lines[i].sign == ' ' {
		s.pair(lines, i, i, m)
		return 1
	}
	gone := run(lines, i, '-')
	come := run(lines, i+gone, '+')
	for n := range max(gone, come) {
		left, right := -1, -1
		if n < gone {
			left = i + n
		}
		if n < come {
			right = i + gone + n
		}
		s.pair(lines, left, right, m)
	}
	return gone + come
}

func run(lines []line, i int, sign byte) (n int) {
	for i+n < len(lines) && lines[i+n].sign == sign && lines[i+n].part == lines[i].part {
		n++
	}
	return n
}

// pair is one line at the left and one at the right; -1: none.
func (s *sheet) pair(lines []line, left, right int, m measure) {
	var l, r []paint.Line
	part := 0
	if left >= 0 {
		l, part = lines[left].rows(s.half, true, lines[left].before), lines[left].part
	}
	if right >= 0 {
		r, part = lines[right].rows(m.width-s.half-3, true, lines[right].after), lines[right].part
	}
	if left == right && lines[left].label {
		r = nil
	}
	for i := range max(len(l), len(r)) {
		one := row{part: part, lines: [2]int{-1, -1}, split: true}
		if i < len(l) {
			one.text, one.lines[0] = l[i], left
		}
		if i < len(r) {
			one.right, one.lines[1] = r[i], right
		}
		if left == right {
			one.lines[1] = -1
		}
		s.add(one)
	}
}

// mark counts the rows of each line, and takes those of lines that were read for
// seen.
func (s *sheet) mark(lines []line, seen []bool) {
	s.seen = make([]bool, len(s.rows))
	for i := range s.first {
		s.first[i] = -1
		s.option[i] = lines[i].option
	}
	for i, r := range s.rows {
		known := true
		for _, id := range r.lines {
			if id < 0 {
				continue
			}
			if s.first[id] < 0 {
				s.first[id] = i
			}
			known = known && id < len(seen) && seen[id]
		}
		if known {
			s.seen[i] = true
			continue
		}
		s.unseen++
		for _, id := range r.lines {
			if id >= 0 {
				s.left[id]++
			}
		}
	}
}

// see takes rows from and up to to for seen, and gives the lines that have now
// been read to read.
func (s *sheet) see(from, to int, read func(line int)) {
	for i := max(from, 0); i < min(to, len(s.rows)); i++ {
		if s.seen[i] {
			continue
		}
		s.seen[i] = true
		s.unseen--
		s.asked = gap{}
		for _, id := range s.rows[i].lines {
			if id < 0 {
				continue
			}
			if s.left[id]--; s.left[id] == 0 {
				read(id)
			}
		}
	}
}

// gap is which rows have not been seen if those from and up to to are taken for
// seen.
func (s *sheet) gap(from, to int) gap {
	if s.unseen == 0 {
		return gap{}
	}
	if g := s.asked; g.from == from && g.to == to && g.first > 0 {
		return g
	}
	g := gap{from: from, to: to}
	for i := range s.rows {
		if s.seen[i] || i >= from && i < to {
			continue
		}
		if g.rows++; g.first == 0 {
			g.first = i + 1
		}
		g.last = i + 1
	}
	s.asked = g
	return g
}

// endSeen says that the last row has been seen, or is among from and up to to.
func (s *sheet) endSeen(from, to int) bool {
	n := len(s.rows) - 1
	return n < 0 || s.seen[n] || n >= from && n < to
}
