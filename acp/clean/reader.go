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
	last  rune // of base and marks
}

const mostMarks = 2

// isPlain says of the most frequent characters that they are shown and are no
// marks, without a look into the tables.
func isPlain(r rune) bool {
	switch {
	case r < 0x100:
		return ' ' < r && r <= '~' || 0xA0 < r && r != 0xAD
	case r < 0x2010:
		return r < 0x250 // Latin
	case r < 0x2600: // punctuation, arrows, lines
		return r < 0x2028 || 0x2190 <= r && r < 0x2400 || 0x2500 <= r
	}
	return 0x4E00 <= r && r < 0xA000 || 0xAC00 <= r && r < 0xD7A4 // Han, Hangul
}

// next is the length of the first character of s, which is not empty, and the
// sign to show for it, if it is not to be shown as it is.
func (p *reader) next(s string) (n int, sign string) {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case isPlain(r):
		*p = reader{base: r, last: r}
		return n, ""
	case r == ' ':
		*p = reader{}
		return 1, ""
	case r == utf8.RuneError && n == 1:
		*p = reader{}
		return 1, fmt.Sprintf("‹%02x›", s[0])
	case p.isMark(r):
		if p.takes(r, s[n:]) {
			p.marks, p.last = p.marks+1, r
			return n, ""
		}
	case Shows(r):
		*p = reader{base: r, last: r}
		return n, ""
	}
	*p = reader{}
	return n, signOf(r)
}

// isMark says that r goes on top of what stands before it.
func (p *reader) isMark(r rune) bool {
	switch {
	case r == emojiSelector, isSkin(r), unicode.Is(likeMarks, r):
		return true
	case isHangul(r):
		return joinsHangul(p.last, r)
	}
	return unicode.Is(unicode.M, r) && !unicode.Is(unseen, r) && !unicode.Is(likeLetters, r)
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
