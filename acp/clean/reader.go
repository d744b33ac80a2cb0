package clean

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shows says that r is shown as it is, where r goes on top of another character:
// if it has one to go on.
func Shows(r rune) bool { return unicode.IsPrint(r) && !unicode.Is(unseen, r) }

// reader goes through a text, a character at a time. Its zero value stands at
// the start.
type reader struct {
	base  rune // what a mark would go on; 0: nothing
	marks int  // on it already
}

const mostMarks = 2

// next is the length of the first character of s, which is not empty, and the
// sign to show for it, if it is not to be shown as it is.
func (p *reader) next(s string) (n int, sign string) {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case ' ' < r && r <= '~':
		p.base, p.marks = r, 0
		return 1, ""
	case r == ' ':
		p.base = 0
		return 1, ""
	case r == utf8.RuneError && n == 1:
		p.base = 0
		return 1, fmt.Sprintf("‹%02x›", s[0])
	case p.isMark(r):
		if p.takes(r, s[n:]) {
			p.marks++
			return n, ""
		}
	case Shows(r):
		p.base, p.marks = r, 0
		return n, ""
	}
	p.base = 0
	return n, signOf(r)
}

// isMark says that r goes on top of what stands before it.
func (p *reader) isMark(r rune) bool {
	switch {
	case r == emojiSelector, isSkin(r), r == 0xFF9E, r == 0xFF9F: // the last two: marks of half-width kana
		return true
	case 0x1100 <= r && r < 0x1160, 0xA960 <= r && r < 0xA980: // leading letters of Hangul pile up
		return 0x1100 <= p.base && p.base < 0x1160 || 0xA960 <= p.base && p.base < 0xA980
	case 0x1160 < r && r < 0x1200, 0xD7B0 <= r && r < 0xD800: // and those that follow
		return true
	}
	return unicode.Is(unicode.M, r) && !unicode.Is(unseen, r)
}

// takes says that the mark r may go on what stands before; rest comes after it.
func (p *reader) takes(r rune, rest string) bool {
	if p.base == 0 || p.marks == mostMarks {
		return false
	}
	switch {
	case r == emojiSelector:
		return p.marks == 0 && (unicode.Is(emoji, p.base) || isKey(p.base) && strings.HasPrefix(rest, keycap))
	case isSkin(r):
		return p.marks == 0 && unicode.Is(emoji, p.base)
	}
	return true
}

const (
	emojiSelector = 0xFE0F
	keycap        = "\u20E3" // makes a key of a digit
)

func isKey(r rune) bool { return '0' <= r && r <= '9' || r == '#' || r == '*' }

func isSkin(r rune) bool { return 0x1F3FB <= r && r <= 0x1F3FF }
