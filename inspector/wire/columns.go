package wire

// set is a choice of columns that the person made.
type set uint8

const (
	fitting set = iota // what fits, the most useful first
	speech             // what frames say instead of how large and slow they are
	figures            // exact times and ids instead of what frames say
	sets               // how many there are
)

var setNames = [sets]string{"columns that fit", "columns: what frames say", "columns: times, ids and sizes"}

// columns are the places of what a line shows, in cells from the left. A column
// that is not shown has no width.
type columns struct {
	time, kind, method, id, size, latency, words column
	exact                                        bool // time with milliseconds
	short                                        bool // ·tool_call instead of session/update·tool_call
}

type column struct{ x, w int }

// Widths of columns. The method is as wide as the longest one that is common.
const (
	arrowWidth   = 2 // with the sign beside it
	kindWidth    = 3
	sizeWidth    = 4
	latencyWidth = 7
	methodWidth  = 26
	leastMethod  = 18
	leastSpeech  = 14 // of the method, beside what frames say
	leastWords   = 18
)

// layout says where columns are in w cells. ids is how wide the longest id is.
func layout(w, ids int, chosen set) columns {
	c := columns{short: w < 80, exact: w >= 92 || chosen == figures && w >= 48}
	x := c.begin(w)
	left := w - x - 1 // one blank at the right edge
	if chosen == speech {
		c.method.w = min(methodWidth, max(left*2/5, leastSpeech))
		c.words.w = max(left-c.method.w-1, 0)
	} else {
		c.choose(w, left, ids, chosen)
	}
	c.place(x)
	return c
}

// begin places what every line begins with, and gives where the rest begins.
func (c *columns) begin(w int) (x int) {
	x = 1
	switch {
	case c.exact:
		c.time.w = len("15:04:05.000")
	case w >= 34:
		c.time.w = len("15:04:05")
	}
	if c.time.w > 0 {
		c.time.x = x
		x += c.time.w + 1
	}
	c.kind = column{x, arrowWidth + kindWidth}
	return x + c.kind.w + 1
}

// choose takes the columns that there is room for, the most useful first.
func (c *columns) choose(w, left, ids int, chosen set) {
	take := func(col *column, width, gap, least int) {
		if left-width-gap >= least {
			col.w = width
			left -= width + gap
		}
	}
	take(&c.latency, latencyWidth, 1, 8)
	take(&c.size, sizeWidth, 1, 14)
	if w >= 60 || chosen == figures {
		take(&c.id, ids, 1, leastMethod)
	}
	if w >= 80 && chosen == fitting {
		take(&c.words, leastWords, 2, methodWidth)
	}
	c.method.w = max(left, 1)
	if c.words.w > 0 {
		c.words.w += left - methodWidth
		c.method.w = methodWidth
	}
}

// place puts the columns that are there beside each other.
func (c *columns) place(x int) {
	for _, col := range []struct {
		*column
		gap int
	}{{&c.method, 1}, {&c.id, 1}, {&c.size, 1}, {&c.latency, 2}, {&c.words, 0}} {
		if col.w > 0 {
			col.x = x
			x += col.w + col.gap
		}
	}
}

func (c column) end() int { return c.x + c.w }
