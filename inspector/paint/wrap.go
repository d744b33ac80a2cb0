package paint

import "bobproxy/acp/clean"

// Wrap is the line as lines of at most width cells, broken at blanks where
// there are any, in the middle of words that are longer than a line. It has at
// least one line, and nothing of the text is lost but the blanks at breaks. Only
// a character that is wider than width makes a line wider.
func (l Line) Wrap(width int) []Line {
	f := newFlow(l, max(width, 1))
	for i := 0; i < len(f.cells); {
		n := f.whole(i)
		if n == len(f.cells) {
			f.add(i, n)
			break
		}
		end := f.word(i, n)
		f.add(i, f.trim(i, end))
		for i = end; i < len(f.cells) && f.cells[i].blank; {
			i++
		}
	}
	return f.done()
}

// Break is the line as lines of at most width cells, broken only where a line
// is full, so that every blank stays where it is: for commands and code.
func (l Line) Break(width int) []Line {
	f := newFlow(l, max(width, 1))
	for i := 0; i < len(f.cells); {
		n := f.whole(i)
		f.add(i, n)
		i = n
	}
	return f.done()
}

// flow is a line while it is broken.
type flow struct {
	width int
	cells []flowCell // the line's clusters
	spans []flowSpan
	taken int // clusters that are in lines, or dropped; spans begins there
	lines []Line
}

type flowCell struct {
	width uint8
	blank bool
	bytes uint16
}

type flowSpan struct {
	text  string // clean, what is left of it
	style Style
	cells int // how many clusters that is
}

func newFlow(l Line, width int) *flow {
	f := &flow{width: width}
	for _, s := range l {
		text := clean.Line(s.Text)
		before := len(f.cells)
		for rest := text; rest != ""; {
			cluster, w, after := next(rest)
			f.cells = append(f.cells, flowCell{uint8(w), cluster == " ", uint16(len(cluster))})
			rest = after
		}
		f.spans = append(f.spans, flowSpan{text, s.Style, len(f.cells) - before})
	}
	return f
}

// whole is the end of the clusters from i on that fit into a line, at least one.
func (f *flow) whole(i int) int {
	used := int(f.cells[i].width)
	for i++; i < len(f.cells) && used+int(f.cells[i].width) <= f.width; i++ {
		used += int(f.cells[i].width)
	}
	return i
}

// word is where to end the line of the clusters from i to n for the sake of the
// word that does not fit.
func (f *flow) word(i, n int) int {
	if f.cells[n].blank {
		return n
	}
	at := n
	for at > i && !f.cells[at-1].blank {
		at--
	}
	if f.trim(i, at) == i || f.long(at) {
		return n
	}
	return at
}

// long says that the word at i takes more than a line.
func (f *flow) long(i int) bool {
	used := 0
	for ; i < len(f.cells) && !f.cells[i].blank; i++ {
		if used += int(f.cells[i].width); used > f.width {
			return true
		}
	}
	return false
}

// trim is the end of the clusters from i to n without the blanks at their end.
func (f *flow) trim(i, n int) int {
	for n > i && f.cells[n-1].blank {
		n--
	}
	return n
}

// add makes a line of the clusters from i to n, and drops what is before.
func (f *flow) add(i, n int) {
	f.take(i)
	f.lines = append(f.lines, f.take(n))
}

// take gives the clusters before n that were not taken.
func (f *flow) take(n int) (line Line) {
	for f.taken < n {
		s := &f.spans[0]
		k, bytes := min(n-f.taken, s.cells), 0
		for _, c := range f.cells[f.taken : f.taken+k] {
			bytes += int(c.bytes)
		}
		if k > 0 {
			line = append(line, Span{s.text[:bytes], s.style})
		}
		s.text, s.cells, f.taken = s.text[bytes:], s.cells-k, f.taken+k
		if s.cells == 0 {
			f.spans = f.spans[1:]
		}
	}
	return line
}

func (f *flow) done() []Line {
	if len(f.lines) == 0 {
		return []Line{nil}
	}
	return f.lines
}
