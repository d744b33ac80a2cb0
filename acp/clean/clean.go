package clean

import (
	"strings"
	"unicode/utf8"
)

// Line is s as one line of clean text. Text that is clean comes back as it is.
func Line(s string) string {
	if Is(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, span := range Spans(nil, s) {
		b.WriteString(span.Text)
	}
	return b.String()
}

// Is says whether s is clean already, that is whether Line(s) is s.
func Is(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] == 0x7F {
			return false
		}
		if s[i] >= utf8.RuneSelf {
			return isSlow(s[max(i-1, 0):]) // a mark stands on the character before
		}
	}
	return true
}

func isSlow(s string) bool {
	var r reader
	for s != "" {
		n, sign := r.next(s)
		if sign != "" {
			return false
		}
		s = s[n:]
	}
	return true
}

// Span is a piece of clean text.
type Span struct {
	Text   string
	Odd    bool // stands for something that cannot be shown as it is
	Letter bool // set by Command alone: not ASCII, or looks like it
}

// Spans appends s, cut where clean text and what stands for something else
// meet. The texts one after the other are Line(s). Only in spans is a sign told
// from text that looks like one.
func Spans(dst []Span, s string) []Span {
	var r reader
	start := 0
	for i := 0; i < len(s); {
		n, sign := r.next(s[i:])
		if sign != "" {
			if start < i {
				dst = append(dst, Span{Text: s[start:i]})
			}
			dst = append(dst, Span{Text: sign, Odd: true})
			start = i + n
		}
		i += n
	}
	if start < len(s) {
		dst = append(dst, Span{Text: s[start:]})
	}
	return dst
}

// Count is how many characters of s are shown by a sign: control characters,
// but for line feed and tab, and all others, most of which are invisible or turn
// the direction of writing. A byte that is not UTF-8 counts as one of the others.
func Count(s string) (controls, others int) {
	var r reader
	for s != "" {
		n, sign := r.next(s)
		switch char, _ := utf8.DecodeRuneInString(s); {
		case sign == "" || char == '\n' || char == '\t':
		case char < ' ' || char >= 0x7F && char < 0xA0:
			controls++
		default:
			others++
		}
		s = s[n:]
	}
	return controls, others
}
