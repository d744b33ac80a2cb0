package acp

import (
	"slices"
	"unicode/utf8"
)

// Close makes an object or array of one whose end was cut off: it ends the
// string that was cut, drops the half of a name, number or word, and closes what
// is open. The same happens where cut is broken. The result is well-formed, with
// memory of its own; nil when cut starts neither an object nor an array.
func Close(cut []byte) []byte {
	c := closer{lexer: lexer{b: cut}}
	c.read()
	if c.end == 0 {
		return nil
	}
	closed := slices.Clone(cut[:c.end])
	if c.inText {
		closed = append(closed, '"')
	}
	slices.Reverse(c.open)
	return append(closed, c.open...)
}

// Mend adds to f, which says what is known of a frame whose line was cut, the
// members that the beginning of the line has. What they hold may be cut too.
// An Ambiguous frame stays as it is.
func Mend(line []byte, f *Frame) {
	closed := Close(line)
	if closed == nil || f.Kind == Ambiguous || f.Kind == Text {
		return
	}
	f.Cut = true
	for name, value := range Members(closed) {
		switch string(name) {
		case "params":
			f.Params = value
		case "result":
			f.Result = value
		case "error":
			f.Error = value
		}
	}
	f.mendSession()
}

// mendSession reads what Scan gives of params and result.
func (f *Frame) mendSession() {
	said := f.Params
	if f.Kind == Response {
		said = f.Result
	}
	for name, value := range Members(said) {
		switch {
		case string(name) == "sessionId" && f.Session == nil && value[0] == '"':
			f.Session = value[1 : len(value)-1]
		case string(name) == "update" && f.Kind == Notification:
			f.Update = variant(value)
		}
	}
}

func variant(update []byte) (kind []byte) {
	for name, value := range Members(update) {
		if string(name) == "sessionUpdate" && value[0] == '"' {
			kind = value[1 : len(value)-1]
		}
	}
	return kind
}

// closer finds the last place at which a value can be closed.
type closer struct {
	lexer
	open   []byte // what closes the open brackets, the innermost last
	end    int    // of what is kept; 0: nothing
	inText bool   // the end is in a string
}

func (c *closer) read() {
	i := c.blank(0)
	if c.at(i) != '{' && c.at(i) != '[' {
		return
	}
	for ok := true; ok; {
		if i, ok = c.step(i); ok {
			i, ok = c.behind(i)
		}
	}
}

// step reads the value at i, or the bracket that it starts with and, when
// something is in there, all up to the first value.
func (c *closer) step(i int) (next int, ok bool) {
	for {
		b := c.at(i)
		switch {
		case b == '"':
			if next, _, ok = c.text(i); !ok {
				c.cutText(i)
				return 0, false
			}
			c.end = next
			return next, true
		case b != '{' && b != '[':
			next, ok = c.scalar(i)
			if !ok || next == len(c.b) { // a number may have gone on
				return 0, false
			}
			c.end = next
			return next, true
		case len(c.open) == maxDepth:
			return 0, false
		}
		c.open = append(c.open, b+2) // '}' is '{'+2, ']' is '['+2
		c.end = i + 1
		if i = c.blank(i + 1); c.at(i) == b+2 {
			return i, true
		}
		if i, ok = c.name(i); !ok {
			return 0, false
		}
	}
}

// behind goes on behind a value: it closes what ends there, up to the next
// value.
func (c *closer) behind(i int) (next int, ok bool) {
	for len(c.open) > 0 {
		last := len(c.open) - 1
		switch i = c.blank(i); c.at(i) {
		case ',':
			return c.name(c.blank(i + 1))
		case c.open[last]:
			i++
			c.open, c.end = c.open[:last], i
		default:
			return 0, false
		}
	}
	return 0, false
}

// name passes the name of a member, where one must be.
func (c *closer) name(i int) (value int, ok bool) {
	if c.open[len(c.open)-1] != '}' {
		return i, true
	}
	_, value, ok = c.key(i)
	return value, ok
}

// cutText keeps of the string that starts at i its whole characters.
func (c *closer) cutText(i int) {
	c.inText = true
	for i++; i < len(c.b) && c.b[i] >= ' ' && c.b[i] != '"'; {
		n := 1
		if c.b[i] == '\\' {
			if n, _ = escape(c.b[i:]); n == 0 {
				break
			}
		}
		i += n
	}
	c.end = i - partial(c.b[:i])
}

// partial is how many bytes at the end of b are the beginning of a character.
func partial(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		tail := b[len(b)-n:]
		if utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}
