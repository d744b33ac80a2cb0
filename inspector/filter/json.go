package filter

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// maxNested is how deep arrays in arrays are looked into.
const maxNested = 128

// walker finds the values at a path in a frame. It takes what it is given for
// JSON and checks nothing: of a line that is torn or broken it gives what it
// finds up to there. Each of its methods returns an index that is larger than
// the one it was given, or len(b), so it passes each byte a bounded number of
// times.
type walker struct {
	b       []byte
	path    []step
	visit   func(raw []byte) bool
	stopped bool
}

// walk calls visit with the values at path, as they are spelled, until it
// returns false. None of them is empty.
func walk(b []byte, path []step, visit func(raw []byte) bool) {
	w := walker{b: b, path: path, visit: visit}
	if i := w.blank(0); i < len(b) && b[i] == '{' {
		w.value(i, path, 0)
	}
}

// value looks for path in the value at i.
func (w *walker) value(i int, path []step, nested int) (end int) {
	if len(path) == 0 {
		end = skip(w.b, i)
		if raw := bytes.TrimSpace(w.b[i:end]); len(raw) > 0 && !w.visit(raw) {
			w.stopped = true
			return len(w.b)
		}
		return end
	}
	switch w.at(i) {
	case '{':
		return w.object(i, path)
	case '[':
		if nested < maxNested {
			return w.array(i, path, nested+1)
		}
	}
	return skip(w.b, i)
}

func (w *walker) object(i int, path []step) (end int) {
	i = w.blank(i + 1)
	for w.at(i) == '"' {
		end := stringEnd(w.b, i)
		name := w.b[i:end]
		if i = w.blank(end); w.at(i) != ':' {
			break
		}
		if i = w.blank(i + 1); path[0].is(name) {
			i = w.value(i, path[1:], 0)
		} else {
			i = skip(w.b, i)
		}
		if i = w.blank(i); w.stopped || w.at(i) != ',' {
			break
		}
		i = w.blank(i + 1)
	}
	return w.close(i, '}')
}

// array looks into the entries of the array at i.
func (w *walker) array(i int, path []step, nested int) (end int) {
	index, err := strconv.Atoi(path[0].name)
	one := err == nil
	i = w.blank(i + 1)
	for n := 0; i < len(w.b) && w.b[i] != ']'; n++ {
		switch {
		case path[0].any || one && n == index:
			i = w.value(i, path[1:], nested)
		case one:
			i = skip(w.b, i)
		default:
			i = w.value(i, path, nested)
		}
		if i = w.blank(i); w.stopped || w.at(i) != ',' {
			break
		}
		i = w.blank(i + 1)
	}
	return w.close(i, ']')
}

// close passes the bracket that has to be at i. Where it is not, nothing more
// can be read.
func (w *walker) close(i int, bracket byte) (end int) {
	if w.at(i) == bracket {
		return i + 1
	}
	w.stopped = true
	return len(w.b)
}

func (w *walker) at(i int) byte {
	if i < len(w.b) {
		return w.b[i]
	}
	return 0
}

func (w *walker) blank(i int) int {
	for i < len(w.b) && isBlank(w.b[i]) {
		i++
	}
	return i
}

// is says whether a member of that name, quotes included, is meant.
func (s step) is(name []byte) bool {
	if s.any {
		return true
	}
	if len(name) == len(s.name)+2 && string(name[1:len(name)-1]) == s.name {
		return true
	}
	if bytes.IndexByte(name, '\\') < 0 {
		return false
	}
	text, ok := stringAt(name)
	return ok && string(text) == s.name
}

// skip is where the value at i ends.
func skip(b []byte, i int) (end int) {
	open := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case '"':
			if i = stringEnd(b, i) - 1; open == 0 {
				return i + 1
			}
		case '{', '[':
			open++
		case '}', ']':
			if open <= 1 {
				return i + min(open, 1)
			}
			open--
		case ',':
			if open == 0 {
				return i
			}
		}
	}
	return len(b)
}

// stringEnd is where the string whose quote is at i ends.
func stringEnd(b []byte, i int) (end int) {
	quote := i
	for i++; i < len(b); {
		if quote < i {
			n := bytes.IndexByte(b[i:], '"')
			if n < 0 {
				break
			}
			quote = i + n
		}
		n := bytes.IndexByte(b[i:quote], '\\')
		if n < 0 {
			return quote + 1
		}
		i += n + 2
	}
	return len(b)
}

// stringAt is the text of a string, escapes resolved; ok is false when raw is
// none. A torn one is taken as far as it goes.
func stringAt(raw []byte) (text []byte, ok bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return nil, false
	}
	text = raw[1:]
	if end := stringEnd(raw, 0); end <= len(raw) && end > 1 && raw[end-1] == '"' {
		text = raw[1 : end-1]
	}
	if bytes.IndexByte(text, '\\') < 0 {
		return text, true
	}
	return resolved(text), true
}

// resolved is the inside of a string with its escapes resolved. What is no
// escape stays as it is.
func resolved(s []byte) []byte {
	dst := make([]byte, 0, len(s))
	for len(s) > 0 {
		i := bytes.IndexByte(s, '\\')
		if i < 0 || i+1 == len(s) {
			break
		}
		dst = append(dst, s[:i]...)
		r, size := escaped(s[i:])
		dst = utf8.AppendRune(dst, r)
		s = s[i+size:]
	}
	return append(dst, s...)
}

// escaped is the character that the escape at the beginning of s, which is of
// two bytes or more, stands for, and the escape's size.
func escaped(s []byte) (r rune, size int) {
	switch s[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'u':
		if r, ok := hex4(s[2:]); ok {
			if lo, ok := low(s[6:]); ok && utf16.IsSurrogate(r) {
				if pair := utf16.DecodeRune(r, lo); pair != utf8.RuneError {
					return pair, 12
				}
			}
			return r, 6
		}
	}
	if c := unescaped(s[1]); c != 0 {
		return rune(c), 2
	}
	return '\\', 1
}

func low(s []byte) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	return hex4(s[2:])
}

func hex4(s []byte) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	v, err := strconv.ParseUint(string(s[:4]), 16, 16)
	return rune(v), err == nil
}

// pathNames are the members that name files, in frames and in what tools are
// given.
var pathNames = map[string]bool{
	"path": true, "oldPath": true, "newPath": true, "uri": true,
	"file_path": true, "filePath": true, "fileName": true,
}

// eachPath gives the values of those members of a frame until yield returns
// false.
func eachPath(b []byte, yield func(text []byte) bool) {
	w := walker{b: b}
	for i := bytes.IndexByte(b, '"'); i >= 0 && i < len(b); {
		end := stringEnd(b, i)
		after := w.blank(end)
		if w.at(after) == ':' && end-i > 2 && pathNames[string(b[i+1:end-1])] {
			if i = w.blank(after + 1); w.at(i) == '"' {
				end = stringEnd(b, i)
				if text, _ := stringAt(b[i:end]); !yield(text) {
					return
				}
			}
		}
		next := bytes.IndexByte(b[end:], '"')
		if next < 0 {
			return
		}
		i = end + next
	}
}
