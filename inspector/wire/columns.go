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
func layout(w, ids int, chosen set) (c columns) {
	c.short = w < 80
	c.exact = w >= 92 || chosen == figures && w >= 48
	x := 1
	next := func(col *column, width, gap int) {
		*col = column{x, width}
		x += width + gap
	}
	switch {
	case c.exact:
		next(&c.time, len("15:04:05.000"), 1)
	case w >= 34:
		next(&c.time, len("15:04:05"), 1)
	}
	next(&c.kind, arrowWidth+kindWidth, 1)
	left := w - x - 1 // for all the rest; one blank at the right edge
	if chosen == speech {
		next(&c.method, min(methodWidth, max(left*2/5, leastSpeech)), 1)
		next(&c.words, max(w-x-1, 0), 0)
		return c
	}
	want := func(width, least int) bool {
		if left-width < least {
			return false
		}
		left -= width
		return true
	}
	latency := want(1+latencyWidth, 8)
	size := want(1+sizeWidth, 14)
	id := (w >= 60 || chosen == figures) && want(1+ids, leastMethod)
	least := methodWidth
	if c.short {
		least = leastMethod
	}
	words := chosen != figures && w >= 80 && want(2+leastWords, least)
	if !words {
		next(&c.method, max(left, 1), 1)
	} else {
		next(&c.method, methodWidth, 1)
		left += leastWords - methodWidth
	}
	if id {
		next(&c.id, ids, 1)
	}
	if size {
		next(&c.size, sizeWidth, 1)
	}
	if latency {
		next(&c.latency, latencyWidth, 2)
	}
	if words {
		c.words = column{x, max(w-x-1, 0)}
	}
	return c
}
