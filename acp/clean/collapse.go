package clean

import (
	"fmt"
	"strings"
)

// More blanks than these are padding, which pushes what follows out of sight.
// Code may be indented by more.
const (
	mostBlanks = 8
	mostIndent = 40
	mostEmpty  = 8 // blank lines in a row

	padding = "         " // one blank more than mostBlanks
)

// Collapse replaces long runs of blanks and of blank lines by signs that count
// them: ‹40 blanks›, ‹12 blank lines›. It changes lines, whose spans are those of
// one line each.
func Collapse(lines [][]Span) [][]Span {
	out := lines[:0]
	for i := 0; i < len(lines); {
		n := 0
		for i+n < len(lines) && isBlank(lines[i+n]) {
			n++
		}
		if n > mostEmpty {
			out = append(out, []Span{{Text: fmt.Sprintf("‹%d blank lines›", n), Odd: true}})
			i += n
			continue
		}
		for end := i + max(n, 1); i < end; i++ {
			out = append(out, collapseLine(lines[i]))
		}
	}
	return out
}

func isBlank(line []Span) bool {
	for _, s := range line {
		if s.Odd || strings.Trim(s.Text, " ") != "" {
			return false
		}
	}
	return true
}

func collapseLine(line []Span) []Span {
	if !padded(line) {
		return line
	}
	var out []Span
	for _, s := range line {
		most := mostBlanks
		if len(out) == 0 {
			most = mostIndent
		}
		out = collapseSpan(out, s, most)
	}
	return out
}

func padded(line []Span) bool {
	for _, s := range line {
		if strings.Contains(s.Text, padding) {
			return true
		}
	}
	return false
}

// collapseSpan appends s; most is how many blanks may stand at its start.
func collapseSpan(dst []Span, s Span, most int) []Span {
	text, start, i := s.Text, 0, 0
	for i < len(text) {
		n := len(text[i:]) - len(strings.TrimLeft(text[i:], " "))
		if n <= most {
			most = mostBlanks
			i += max(n, 1)
			continue
		}
		if start < i {
			dst = append(dst, Span{Text: text[start:i], Letter: s.Letter})
		}
		dst = append(dst, Span{Text: fmt.Sprintf("‹%d blanks›", n), Odd: true})
		i += n
		start, most = i, mostBlanks
	}
	if start < len(text) {
		s.Text = text[start:]
		dst = append(dst, s)
	}
	return dst
}
