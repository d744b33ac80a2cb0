package filter

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// needle finds a text in others, ignoring case.
type needle struct {
	text string

	// Of a text in ASCII: lower case, and its rarest letter, by which it is found.
	ascii  bool
	anchor int
	lo, hi byte // that letter in both cases

	// Of others: the spellings of the first character.
	first [][]byte
}

func newNeedle(text string) *needle {
	n := &needle{text: text}
	if isASCII(text) {
		n.ascii, n.text = true, strings.ToLower(text)
		n.anchor = rarest(n.text)
		n.lo = n.text[n.anchor]
		n.hi = upper(n.lo)
		return n
	}
	r, size := utf8.DecodeRuneInString(text)
	n.first = append(n.first, []byte(text[:size]))
	if r == utf8.RuneError {
		return n
	}
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		n.first = append(n.first, utf8.AppendRune(nil, other))
	}
	return n
}

// index is where the needle begins in b first; -1: nowhere.
func (n *needle) index(b []byte) int {
	if n.ascii {
		return n.indexASCII(b)
	}
	for at := 0; ; at++ {
		next := -1
		for _, first := range n.first {
			if i := bytes.Index(b[at:], first); i >= 0 && (next < 0 || i < next) {
				next = i
			}
		}
		if next < 0 {
			return -1
		}
		at += next
		if _, ok := n.begins(b[at:]); ok {
			return at
		}
	}
}

func (n *needle) indexASCII(b []byte) int {
	if len(b) < len(n.text) {
		return -1
	}
	// From anchor to end the letter can be; it is looked for in both cases, and
	// each case only once at each place.
	end := len(b) - len(n.text) + n.anchor + 1
	lo := indexFrom(b[:end], n.anchor, n.lo)
	hi := -1
	if n.hi != n.lo {
		hi = indexFrom(b[:end], n.anchor, n.hi)
	}
	for lo >= 0 || hi >= 0 {
		at := lo
		if lo < 0 || hi >= 0 && hi < lo {
			at = hi
			hi = indexFrom(b[:end], at+1, n.hi)
		} else {
			lo = indexFrom(b[:end], at+1, n.lo)
		}
		if n.isAt(b, at-n.anchor) {
			return at - n.anchor
		}
	}
	return -1
}

func indexFrom(b []byte, from int, c byte) int {
	if i := bytes.IndexByte(b[from:], c); i >= 0 {
		return from + i
	}
	return -1
}

func (n *needle) isAt(b []byte, at int) bool {
	for i, c := range []byte(n.text) {
		if lower(b[at+i]) != c {
			return false
		}
	}
	return true
}

// begins says whether b begins with the needle, and how many bytes of b it is.
func (n *needle) begins(b []byte) (size int, ok bool) {
	if n.ascii {
		return len(n.text), len(b) >= len(n.text) && n.isAt(b, 0)
	}
	for i := 0; i < len(n.text); {
		want, skip := utf8.DecodeRuneInString(n.text[i:])
		r, width := utf8.DecodeRune(b[size:])
		if width == 0 || !same(want, r) || r == utf8.RuneError && string(b[size:size+width]) != n.text[i:i+skip] {
			return 0, false
		}
		i += skip
		size += width
	}
	return size, true
}

// ends says whether b ends with the needle, and how many bytes of b it is.
func (n *needle) ends(b []byte) (size int, ok bool) {
	start := len(b)
	for range utf8.RuneCountInString(n.text) {
		_, width := utf8.DecodeLastRune(b[:start])
		start -= width
	}
	size, ok = n.begins(b[start:])
	return size, ok && start+size == len(b)
}

// same says that a and b are one but for their case.
func same(a, b rune) bool {
	if a == b {
		return true
	}
	for r := unicode.SimpleFold(a); r != a; r = unicode.SimpleFold(r) {
		if r == b {
			return true
		}
	}
	return false
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// common are the bytes of the lines of the wire, the most frequent ones first.
const common = `"etasnoirdl,:p cumh_fkgby/.{}-\w0v12x3456789jqz[]`

// rarest is the place of the rarest byte of s, which is not empty.
func rarest(s string) (at int) {
	best := -1
	for i := range len(s) {
		rank := strings.IndexByte(common, s[i])
		if rank < 0 {
			rank = len(common)
		}
		if rank > best {
			at, best = i, rank
		}
	}
	return at
}
