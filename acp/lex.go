package acp

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// maxDepth is how many brackets may be open at once, the envelope's own
// included. Common parsers stop between 128 and 10,000 levels; beyond it peers
// disagree on whether there is a message at all.
const maxDepth = 128

// lexer reads RFC 8259 tokens from b. Its methods take the index to read at
// and return the index behind what they read; ok is false when b cannot be
// read any further, and reason then says why.
type lexer struct {
	b       []byte
	reason  Reason // the first thing that was wrong
	garbled Reason // the first thing in a string that is no character, since somebody looked
	breaks  bool   // a CR or LF stands between two tokens
}

// note remembers r unless something was wrong before. Reading may go on.
func (l *lexer) note(r Reason) {
	if l.reason == 0 {
		l.reason = r
	}
}

// garble is note for what is no character in a string.
func (l *lexer) garble(r Reason) {
	if l.garbled == 0 {
		l.garbled = r
	}
}

// spoilt tells what was garbled in the strings that were read since it was
// called last.
func (l *lexer) spoilt() (r Reason) {
	r, l.garbled = l.garbled, 0
	return r
}

// fail notes r and says that reading must stop.
func (l *lexer) fail(r Reason) (int, bool) {
	l.note(r)
	return 0, false
}

// at is the byte at i, or NUL, which starts no token, behind the end.
func (l *lexer) at(i int) byte {
	if uint(i) < uint(len(l.b)) {
		return l.b[i]
	}
	return 0
}

// blank skips the four blanks of RFC 8259 §2.
func (l *lexer) blank(i int) int {
	for ; i < len(l.b); i++ {
		switch l.b[i] {
		case ' ', '\t':
		case '\r', '\n':
			l.breaks = true
			l.note(LineBreak)
		default:
			return i
		}
	}
	return i
}

// value reads one value whose enclosing brackets number depth. It keeps the
// kinds of the open brackets in 128 bits instead of recursing, so no input can
// exhaust the stack.
func (l *lexer) value(i, depth int) (end int, ok bool) {
	var open brackets
	base := depth
	for {
		switch c := l.at(i); c {
		case '{', '[':
			if depth++; depth > maxDepth {
				return l.fail(TooDeep)
			}
			open.push(c == '{')
			if i++; l.at(i) <= ' ' {
				i = l.blank(i)
			}
			if l.at(i) != c+2 { // '}' is '{'+2, ']' is '['+2
				if c == '{' {
					if _, i, ok = l.key(i); !ok {
						return 0, false
					}
				}
				continue
			}
			i++
			depth--
			open.pop()
		case '"':
			if i, _, ok = l.text(i); !ok {
				return 0, false
			}
		default:
			if i, ok = l.scalar(i); !ok {
				return 0, false
			}
		}

		// A value ends before i: close what it ends, up to the next comma.
		for depth > base {
			c := l.at(i)
			if c <= ' ' {
				i = l.blank(i)
				c = l.at(i)
			}
			i++
			if c == ',' {
				break
			}
			if c != open.closer() {
				return l.fail(BrokenJSON)
			}
			depth--
			open.pop()
		}
		if depth == base {
			return i, true
		}
		if l.at(i) <= ' ' {
			i = l.blank(i)
		}
		if open.object() {
			if _, i, ok = l.key(i); !ok {
				return 0, false
			}
		}
	}
}

// text reads the string whose opening quote is at i (RFC 8259 §7): no raw
// control character, no escape that does not exist. It is garbled when there is
// half of a surrogate pair in it, or UTF-8 that is not well-formed, as overlong
// forms and encoded surrogates are not (RFC 3629 §3).
func (l *lexer) text(i int) (end int, escaped, ok bool) {
	b := l.b
	i++
	start := i
	var high uint64 // collects the top bits of what was passed
	for i < len(b) {
		if i+8 <= len(b) {
			w := binary.LittleEndian.Uint64(b[i:])
			high |= w
			m := stops(w)
			if m == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(m) >> 3
		}
		switch c := b[i]; {
		case c == '"':
			if high&tops != 0 && !utf8.Valid(b[start:i]) {
				l.garble(InvalidUTF8)
			}
			return i + 1, escaped, true
		case c == '\\':
			escaped = true
			n, whole := escape(b[i:])
			if n == 0 {
				l.note(BrokenJSON)
				return 0, true, false
			}
			if !whole {
				l.garble(LoneSurrogate)
			}
			i += n
		case c >= ' ':
			high |= uint64(c)
			i++
		case c == '\r' || c == '\n':
			l.note(LineBreak)
			return 0, escaped, false
		default:
			l.note(ControlCharacter)
			return 0, escaped, false
		}
	}
	l.note(BrokenJSON)
	return 0, escaped, false
}

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// stops marks, by its top bit, the first of eight bytes that is a quote, a
// backslash or a control character. Marks above the first one may be wrong.
func stops(w uint64) uint64 {
	quote := w ^ '"'*ones
	slash := w ^ '\\'*ones
	return ((quote-ones)&^quote | (slash-ones)&^slash | (w-' '*ones)&^w) & tops
}

// escape measures the escape sequence that b starts with: 0 when it is none. A
// surrogate pair is one sequence, and half of one is not whole.
func escape(b []byte) (n int, whole bool) {
	if len(b) < 2 {
		return 0, false
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, true
	case 'u':
	default:
		return 0, false
	}
	hi, ok := hex4(b[2:])
	if !ok {
		return 0, false
	}
	if hi < 0xD800 || hi > 0xDFFF {
		return 6, true
	}
	if hi >= 0xDC00 || len(b) < 12 || b[6] != '\\' || b[7] != 'u' {
		return 6, false
	}
	if lo, ok := hex4(b[8:]); !ok || lo < 0xDC00 || lo > 0xDFFF {
		return 6, false
	}
	return 12, true
}

// hex4 reads the four hexadecimal digits that b starts with.
func hex4(b []byte) (v rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		d, ok := hexDigit(c)
		if !ok {
			return 0, false
		}
		v = v<<4 | d
	}
	return v, true
}

// hexDigit is the value of one hexadecimal digit.
func hexDigit(c byte) (v rune, ok bool) {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0'), true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10, true
	}
	return 0, false
}

// scalar reads a number, true, false or null.
func (l *lexer) scalar(i int) (end int, ok bool) {
	word := ""
	switch l.at(i) {
	case 't':
		word = "true"
	case 'f':
		word = "false"
	case 'n':
		word = "null"
	default:
		return l.number(i)
	}
	if end = i + len(word); end > len(l.b) || string(l.b[i:end]) != word {
		return l.fail(BrokenJSON)
	}
	return end, true
}

// number reads a number as RFC 8259 §6 spells it.
func (l *lexer) number(i int) (end int, ok bool) {
	if l.at(i) == '-' {
		i++
	}
	if l.at(i) == '0' {
		i++
	} else if i, ok = l.digits(i); !ok {
		return 0, false
	}
	if l.at(i) == '.' {
		if i, ok = l.digits(i + 1); !ok {
			return 0, false
		}
	}
	if l.at(i)|0x20 == 'e' {
		if i++; l.at(i) == '+' || l.at(i) == '-' {
			i++
		}
		if i, ok = l.digits(i); !ok {
			return 0, false
		}
	}
	return i, true
}

// digits reads one digit or more.
func (l *lexer) digits(i int) (end int, ok bool) {
	start := i
	for '0' <= l.at(i) && l.at(i) <= '9' {
		i++
	}
	if i == start {
		return l.fail(BrokenJSON)
	}
	return i, true
}

// brackets is a stack of maxDepth open brackets, one bit each.
type brackets struct{ lo, hi uint64 }

func (s *brackets) push(object bool) {
	s.hi = s.hi<<1 | s.lo>>63
	s.lo <<= 1
	if object {
		s.lo |= 1
	}
}

func (s *brackets) pop() {
	s.lo = s.lo>>1 | s.hi<<63
	s.hi >>= 1
}

// object reports whether the innermost bracket is a brace.
func (s *brackets) object() bool { return s.lo&1 != 0 }

// closer is what closes the innermost bracket.
func (s *brackets) closer() byte {
	if s.object() {
		return '}'
	}
	return ']'
}

// resolve is the content of a string, without its quotes, with the escapes
// resolved: content itself when there are none.
func resolve(content []byte) []byte {
	if bytes.IndexByte(content, '\\') < 0 {
		return content
	}
	return unescape(make([]byte, 0, len(content)), content)
}

// unescape appends the content of a string, without its quotes, to dst with
// the escapes resolved, half of a surrogate pair to U+FFFD. What is no escape
// sequence is kept as it stands.
func unescape(dst, s []byte) []byte {
	for i := 0; i < len(s); {
		n := 0
		if s[i] == '\\' {
			n, _ = escape(s[i:])
		}
		if n == 0 {
			dst = append(dst, s[i])
			i++
			continue
		}
		dst = utf8.AppendRune(dst, escaped(s[i:i+n]))
		i += n
	}
	return dst
}

// escaped is the character that an escape sequence stands for.
func escaped(seq []byte) rune {
	switch c := seq[1]; c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'u':
		v, _ := hex4(seq[2:])
		if len(seq) == 12 {
			lo, _ := hex4(seq[8:])
			v = (v-0xD800)<<10 | (lo - 0xDC00) + 0x10000
		}
		return v
	default:
		return rune(c)
	}
}
