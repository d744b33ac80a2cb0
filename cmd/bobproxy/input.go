package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"bobproxy/acp/clean"
)

// deepest is how far a JSON value is indented.
const deepest = 16

// spread writes a valid JSON value as clean lines for people. Escapes are
// resolved, so that letters cannot hide behind them; a line break in a string
// stays visible as \n and breaks the line. Many empty lines are counted.
func spread(value []byte) []string {
	s := spreading{}
	for i := 0; i < len(value); {
		switch c := value[i]; c {
		case ' ', '\t', '\n', '\r':
			i++
		case '{', '[':
			i += s.open(value[i:])
		case '}', ']':
			s.depth--
			s.newLine()
			s.line.WriteByte(c)
			i++
		case ',':
			s.line.WriteByte(c)
			s.newLine()
			i++
		case ':':
			s.line.WriteString(": ")
			i++
		case '"':
			n := stringEnd(value[i:])
			s.text(value[i : i+n])
			i += n
		default: // a number, true, false, null
			s.line.WriteString(clean.Line(string(value[i : i+1])))
			i++
		}
	}
	return withoutBlanks(append(s.lines, s.line.String()))
}

type spreading struct {
	lines []string
	line  strings.Builder
	depth int
}

func (s *spreading) newLine() {
	s.lines = append(s.lines, s.line.String())
	s.line.Reset()
	s.line.WriteString(strings.Repeat("  ", min(max(s.depth, 0), deepest)))
}

// open begins an object or array and says how many bytes that took; an empty
// one is taken whole.
func (s *spreading) open(value []byte) int {
	s.line.WriteByte(value[0])
	for i := 1; i < len(value); i++ {
		switch value[i] {
		case ' ', '\t', '\n', '\r':
			continue
		case '}', ']':
			s.line.WriteByte(value[i])
			return i + 1
		}
		break
	}
	s.depth++
	s.newLine()
	return 1
}

// text writes a string; each line of it begins where the string began.
func (s *spreading) text(token []byte) {
	var text string
	if json.Unmarshal(token, &text) != nil {
		text = string(token)
	}
	indent := strings.Repeat("  ", min(max(s.depth, 0), deepest)+1)
	s.line.WriteByte('"')
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		s.line.WriteString(field(inString.Replace(line)))
		if i < len(lines)-1 {
			s.line.WriteString(`\n`)
			s.lines = append(s.lines, s.line.String())
			s.line.Reset()
			s.line.WriteString(indent)
		}
	}
	s.line.WriteByte('"')
}

var inString = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`, "\r", `\r`)

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

// withoutBlanks counts empty lines where there are many, which would push what
// follows out of sight.
func withoutBlanks(lines []string) []string {
	var out []string
	for i := 0; i < len(lines); {
		n := 0
		for i+n < len(lines) && blank(lines[i+n]) {
			n++
		}
		if n > 3 {
			out = append(out, fmt.Sprintf("‹%d blank lines›", n))
		} else {
			out = append(out, lines[i:i+n]...)
		}
		if i += n; i < len(lines) {
			out = append(out, lines[i])
			i++
		}
	}
	return out
}

// blank says that a line has nothing in it but a line break.
func blank(line string) bool {
	line = strings.TrimSuffix(line, `\n`)
	line = strings.ReplaceAll(strings.ReplaceAll(line, `\t`, ""), `\r`, "")
	return strings.TrimSpace(line) == ""
}
