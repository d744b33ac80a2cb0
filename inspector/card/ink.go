package card

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"bobproxy/acp/clean"
	"bobproxy/inspector/paint"
)

// ink turns text from the agent into lines for the screen, and counts what it
// does not show as it is.
type ink struct {
	controls int             // characters that terminals obey, and
	hidden   int             // others that a sign stands for
	strange  strings.Builder // commands and paths that are not ASCII
}

const (
	longBlank  = 8  // more blanks or tabs in a row are replaced by their number
	deepIndent = 40 // more blanks at the start of a line are
	manyEmpty  = 8  // more empty lines are
	tab        = "→   "
)

// line is one line of prose or data.
func (k *ink) line(role paint.Role, text string) paint.Line { return k.write(role, text, false) }

// code is one line of a command or a path, its letters looked at.
func (k *ink) code(role paint.Role, text string) paint.Line { return k.write(role, text, true) }

func (k *ink) write(role paint.Role, text string, code bool) (out paint.Line) {
	text = strings.TrimSuffix(text, "\n")
	for start := true; text != ""; start = false {
		switch n := blanks(text); {
		case n > deepIndent || n > longBlank && !start:
			out, text = append(out, paint.S(paint.Odd, fmt.Sprintf("‹%d blanks›", n))), text[n:]
		case n > 0:
			out, text = append(out, paint.S(role, text[:n])), text[n:]
		case text[0] == '\t':
			n := len(text) - len(strings.TrimLeft(text, "\t"))
			out, text = append(out, tabs(n)), text[n:]
		default:
			n := chunk(text)
			out, text = k.words(out, role, text[:n], code), text[n:]
		}
	}
	return out
}

// blanks is how many blanks text begins with.
func blanks(text string) int { return len(text) - len(strings.TrimLeft(text, " ")) }

// tabs is what is shown for n of them.
func tabs(n int) paint.Span {
	if n > longBlank {
		return paint.S(paint.Odd, fmt.Sprintf("‹%d tabs›", n))
	}
	return paint.S(paint.Dim, strings.Repeat(tab, n))
}

// chunk is the length of text up to a tab or to blanks that need a look.
func chunk(text string) int {
	const pair = "         " // one more than longBlank
	n := len(text)
	if i := strings.IndexByte(text, '\t'); i >= 0 {
		n = i
	}
	if i := strings.Index(text[:n], pair); i >= 0 {
		n = i
	}
	return n
}

func (k *ink) words(out paint.Line, role paint.Role, text string, code bool) paint.Line {
	if clean.Is(text) && (!code || isASCII(text)) {
		return append(out, paint.S(role, text))
	}
	if !code {
		return k.spans(out, role, clean.Spans(nil, text))
	}
	k.strange.WriteString(text + "\n")
	return k.spans(out, role, clean.Command(nil, text))
}

func (k *ink) spans(out paint.Line, role paint.Role, spans []clean.Span) paint.Line {
	for _, s := range spans {
		switch {
		case s.Odd:
			k.odd(s.Text)
			out = append(out, paint.S(paint.Odd, s.Text))
		case s.Letter:
			out = append(out, paint.S(paint.Letter, s.Text))
		default:
			out = append(out, paint.S(role, s.Text))
		}
	}
	return out
}

// odd counts what a sign stands for: one of the pictures of control characters,
// or something else.
func (k *ink) odd(sign string) {
	if r, _ := utf8.DecodeRuneInString(sign); r >= '␀' && r <= '␡' {
		k.controls++
	} else {
		k.hidden++
	}
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isEmpty says that nothing is to be seen of a line.
func isEmpty(line string) bool { return strings.Trim(line, " \t\r\n") == "" }

// empties says how many of lines, from the first one on, are empty when these are
// more than are shown; else 0.
func empties(lines []string) int {
	n := 0
	for n < len(lines) && isEmpty(lines[n]) {
		n++
	}
	if n <= manyEmpty {
		return 0
	}
	return n
}

// emptied is what is shown in place of n empty lines.
func emptied(n int) paint.Line { return paint.L(paint.Odd, fmt.Sprintf("‹%d empty lines›", n)) }

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%s %s", grouped(n), many)
}

// grouped is a number with its thousands apart.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
