// Package clean makes text from a peer safe to show: what a terminal would obey,
// what is invisible, and what turns the direction of writing is shown as text of
// its own instead of being obeyed, and nothing is left out.
//
// It is the one place where that is done: for every view, title, notification,
// command and export. What comes out has no control, format, private,
// unassigned or blank-looking character and is valid UTF-8.
package clean

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Span is a piece of clean text.
type Span struct {
	Text string
	Odd  bool // stands for something that cannot be shown as it is
}

// Line is s as one line of clean text. Text that is clean comes back as it is.
func Line(s string) string {
	if Is(s) {
		return s
	}
	var b strings.Builder
	for _, span := range Spans(nil, s) {
		b.WriteString(span.Text)
	}
	return b.String()
}

// Is says whether s is clean already.
func Is(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return isSlow(s[i:])
		}
	}
	return true
}

func isSlow(s string) bool {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") || !shows(r) {
			return false
		}
	}
	return true
}

// shows says that r can be shown as it is.
func shows(r rune) bool { return unicode.IsPrint(r) && !unicode.Is(unseen, r) }

// Spans appends s, cut where clean text and what stands for something else meet.
func Spans(dst []Span, s string) []Span {
	start := 0
	for i, r := range s {
		text := ""
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			text = fmt.Sprintf("‹%02x›", s[i])
		case !shows(r):
			text = sign(r)
		default:
			continue
		}
		if start < i {
			dst = append(dst, Span{Text: s[start:i]})
		}
		dst = append(dst, Span{text, true})
		start = i + max(1, utf8.RuneLen(r))
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			start = i + 1
		}
	}
	if start < len(s) {
		dst = append(dst, Span{Text: s[start:]})
	}
	return dst
}

// sign is what stands for r.
func sign(r rune) string {
	switch {
	case r == '\n':
		return "↵"
	case r == '\t':
		return "→"
	case r < ' ':
		return string('␀' + r)
	case r == 0x7f:
		return "␡"
	}
	return fmt.Sprintf("‹U+%04X›", r)
}

// unseen are the characters that Unicode calls printable and that print
// nothing: joiners, fillers and selectors that can hide text.
var unseen = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034F, Hi: 0x034F, Stride: 1},
		{Lo: 0x115F, Hi: 0x1160, Stride: 1},
		{Lo: 0x17B4, Hi: 0x17B5, Stride: 1},
		{Lo: 0x180B, Hi: 0x180F, Stride: 1},
		{Lo: 0x2800, Hi: 0x2800, Stride: 1},
		{Lo: 0x3164, Hi: 0x3164, Stride: 1},
		{Lo: 0xFE00, Hi: 0xFE0E, Stride: 1},
		{Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0xE0100, Hi: 0xE01EF, Stride: 1},
	},
}
