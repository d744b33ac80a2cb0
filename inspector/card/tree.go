package card

import (
	"encoding/json"
	"strings"

	"bobproxy/inspector/paint"
)

// deepest is how far a JSON value is indented.
const deepest = 16

// tree writes a JSON value as lines for people. Escapes are resolved, so that
// letters cannot hide behind them; a line break in a string stays visible as \n
// and breaks the line.
func tree(value json.RawMessage, k *ink) []line {
	t := trunk{ink: k}
	for i := 0; i < len(value); {
		i += t.token(value[i:])
	}
	t.end()
	return t.lines
}

// trunk is a tree being written.
type trunk struct {
	ink   *ink
	lines []line
	text  paint.Line
	depth int
	empty int // empty lines in a row
}

// token writes what value begins with, and says how many bytes that are.
func (t *trunk) token(value []byte) int {
	switch c := value[0]; c {
	case ' ', '\t', '\n', '\r':
	case '{', '[':
		return t.open(value)
	case '}', ']':
		t.depth--
		t.newLine()
		t.put(paint.Dim, string(c))
	case ',':
		t.put(paint.Dim, ",")
		t.newLine()
	case ':':
		t.put(paint.Dim, ": ")
	case '"':
		n := stringEnd(value)
		t.string(value[:n], isName(value[n:]))
		return n
	default:
		n := 1
		for n < len(value) && strings.IndexByte(" \t\r\n{}[],:\"", value[n]) < 0 {
			n++
		}
		t.text = t.text.With(t.ink.line(paint.Plain, string(value[:n])))
		return n
	}
	return 1
}

func (t *trunk) put(role paint.Role, text string) { t.text = append(t.text, paint.S(role, text)) }

// end ends a line. Empty ones, which are lines of a string, are counted.
func (t *trunk) end() {
	if isEmpty(strings.TrimSuffix(strings.TrimSpace(t.text.String()), `\n`)) {
		t.empty++
	} else {
		t.empty = 0
	}
	if t.empty > manyEmpty {
		if t.empty > manyEmpty+1 {
			t.lines = t.lines[:len(t.lines)-1]
		}
		t.text = emptied(t.empty)
	}
	t.lines = append(t.lines, line{text: t.text})
	t.text = nil
}

func (t *trunk) newLine() {
	t.end()
	t.put(paint.Plain, t.indent(0))
}

func (t *trunk) indent(more int) string {
	return strings.Repeat("  ", min(max(t.depth, 0), deepest)+more)
}

// open begins an object or array; an empty one is taken whole.
func (t *trunk) open(value []byte) int {
	t.put(paint.Dim, string(value[0]))
	for i := 1; i < len(value); i++ {
		switch value[i] {
		case ' ', '\t', '\n', '\r':
			continue
		case '}', ']':
			t.put(paint.Dim, string(value[i]))
			return i + 1
		}
		break
	}
	t.depth++
	t.newLine()
	return 1
}

// string writes a name, or a string; each line of that begins one step further
// in than the line it began in.
func (t *trunk) string(token []byte, name bool) {
	var text string
	if json.Unmarshal(token, &text) != nil {
		text = string(token)
	}
	role := paint.Plain
	if name {
		role = paint.Strong
	}
	t.put(paint.Dim, `"`)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		t.text = t.text.With(t.ink.code(role, inString.Replace(l)))
		if i < len(lines)-1 {
			t.put(paint.Dim, `\n`)
			t.end()
			t.put(paint.Plain, t.indent(1))
		}
	}
	t.put(paint.Dim, `"`)
}

var inString = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// isName says that what stands before rest is the name of a member.
func isName(rest []byte) bool {
	for _, c := range rest {
		switch c {
		case ' ', '\t', '\n', '\r':
			continue
		}
		return c == ':'
	}
	return false
}

// stringEnd is the length of the string token at the start of value.
func stringEnd(value []byte) int {
	for i := 1; i < len(value); i++ {
		switch value[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(value)
}
