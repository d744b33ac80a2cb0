package acp

import (
	"iter"
	"unicode/utf8"
)

// Members gives the members of an object in their order, duplicates and all:
// the name, escapes resolved, and the value as it stands. Both lie in object
// unless the name was written with escapes. What is no object has none, and
// what is broken has those in front of that. It is for what is only shown: peers
// may read another one of duplicates.
func Members(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		l := lexer{b: object}
		i := l.blank(0)
		if l.at(i) != '{' {
			return
		}
		i, more, ok := l.open(i)
		for more && ok {
			var k key
			if k, i, ok = l.key(i); !ok {
				return
			}
			start := i
			if i, ok = l.value(i, 1); !ok || !yield(k.text(), object[start:i:i]) {
				return
			}
			i, more, ok = l.next(i)
		}
	}
}

// Elements gives those of an array in the same way.
func Elements(array []byte) iter.Seq[[]byte] {
	return func(yield func(value []byte) bool) {
		l := lexer{b: array}
		i := l.blank(0)
		if l.at(i) != '[' {
			return
		}
		if i = l.blank(i + 1); l.at(i) == ']' {
			return
		}
		for ok := true; ; i = l.blank(i + 1) {
			start := i
			if i, ok = l.value(i, 1); !ok || !yield(array[start:i:i]) {
				return
			}
			if i = l.blank(i); l.at(i) != ',' {
				return
			}
		}
	}
}

// Unquote gives a string's value, escapes resolved and with U+FFFD for what is no
// character; ok is false for a token that is no string.
func Unquote(token []byte) (s string, ok bool) {
	if len(token) < 2 || token[0] != '"' {
		return "", false
	}
	if s = stringOf(token).Value; !utf8.ValidString(s) {
		s = legible(s)
	}
	return s, true
}
