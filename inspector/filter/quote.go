package filter

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// quote appends s as it can be typed: as it is when it is a word, else in
// quotes.
func quote(dst []byte, s string) []byte {
	if isWord(s) {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// isWord says that s reads as itself wherever a word can stand. A slash at its
// end could end a regular expression that was none before.
func isWord(s string) bool {
	if s == "" || strings.ContainsRune("-/@", rune(s[0])) || strings.HasSuffix(s, "/") || strings.HasSuffix(s, "/i") {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c == 0x7f || strings.IndexByte(`(),:<>=*"`, c) >= 0 {
			return false
		}
	}
	return !strings.EqualFold(s, "or") && !strings.EqualFold(s, "and") && !strings.EqualFold(s, "not")
}

// unquote resolves the escapes between quotes. A backslash before anything else
// is one.
func unquote(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if c := unescaped(s[i+1]); c != 0 {
				b.WriteByte(c)
				i++
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func unescaped(c byte) byte {
	switch c {
	case '"', '\\', '/':
		return c
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return 0
}

func writeUnicode(b *bytes.Buffer, r rune) {
	if hi, lo := utf16.EncodeRune(r); hi != utf8.RuneError {
		fmt.Fprintf(b, `\u%04x\u%04x`, hi, lo)
		return
	}
	fmt.Fprintf(b, `\u%04x`, r)
}

// longestValue is how many characters of a value are looked for.
const longestValue = 80

// Term is a term for rows in which path, a key or what Path gives, has that
// value, as a person would want it who looks at one such row. Of a long value
// the beginning is looked for. A path that is no key looks for the value in the
// line.
func Term(path, value string) string {
	steps, isPath, err := readPath(path, 0)
	isPath = isPath && err == nil
	k := findKey(path)
	if k == nil || k.how != whole {
		value = beginning(value)
	}
	switch {
	case value == "" && isPath:
		return string(writePath(nil, steps)) + ":*"
	case value == "":
		return ""
	case isPath:
		return string(quote(append(writePath(nil, steps), ':'), value))
	case k == nil || k.number != nil || k.moment:
		return string(quote(nil, value))
	}
	return string(quote([]byte(k.name+":"), value))
}

func beginning(s string) string {
	n := 0
	for i := range s {
		if n++; n > longestValue {
			return s[:i]
		}
	}
	return s
}

// Path is the path to a value in a frame, as a key: names are those of members
// from the envelope down, and numbers of entries.
func Path(names ...string) string {
	var b []byte
	for i, name := range names {
		if i > 0 {
			b = append(b, '.')
		}
		if i == 0 || isPlainName(name) {
			b = append(b, name...)
		} else {
			b = quoteName(b, name)
		}
	}
	return string(b)
}
