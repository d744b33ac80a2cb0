package filter

import (
	"strings"

	"bobproxy/inspector/model"
)

// longestPath is how many names a path can have.
const longestPath = 32

// place is a term about what stands somewhere in a frame.
type place struct {
	path   []step // from the envelope down
	values []value
}

// step is one name of a path.
type step struct {
	name string
	any  bool // *: whatever it is called
}

func (n *place) match(r *model.Row, _ *World) bool {
	found := false
	walk(r.Body, n.path, func(raw []byte) bool {
		found = n.has(raw)
		return !found
	})
	return found
}

// has says whether the value at n's place is one of n's. A string may contain
// it; of a number or a word all counts.
func (n *place) has(raw []byte) bool {
	if text, ok := stringAt(raw); ok {
		return anyIn(n.values, text, within)
	}
	if c := raw[0]; c == '{' || c == '[' {
		return anyIn(n.values, raw, within)
	}
	return anyIn(n.values, raw, whole)
}

func (n *place) write(dst []byte) []byte {
	return writeValues(append(writePath(dst, n.path), ':'), n.values)
}

func writeValues(dst []byte, values []value) []byte {
	for i := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = values[i].write(dst)
	}
	return dst
}

// readPath reads a key as a path; ok says that it is one. It stands at at.
func readPath(key string, at int) (path []step, ok bool, err *Error) {
	root, rest, more := strings.Cut(key, ".")
	if root != "params" && root != "result" && root != "error" {
		return nil, false, nil
	}
	path = append(path, step{name: root})
	at += len(root)
	for more {
		at++
		var s step
		size := 0
		if strings.HasPrefix(rest, `"`) {
			if size = quoteEnd(rest, 0); size < 0 {
				return nil, false, wrong(at, `expected another "`)
			}
			s.name = unquote(rest[1 : size-1])
		} else {
			if size = strings.IndexByte(rest, '.'); size < 0 {
				size = len(rest)
			}
			s = step{rest[:size], rest[:size] == "*"}
			if size == 0 {
				return nil, false, wrong(at, "expected a name")
			}
		}
		path = append(path, s)
		at += size
		if rest, more = rest[size:], size < len(rest); more {
			if rest[0] != '.' {
				return nil, false, wrong(at, "expected . or :")
			}
			rest = rest[1:]
		}
	}
	if len(path) > longestPath {
		return nil, false, wrong(at, "expected at most %d names", longestPath)
	}
	return path, true, nil
}

func writePath(dst []byte, path []step) []byte {
	for i, s := range path {
		if i > 0 {
			dst = append(dst, '.')
		}
		switch {
		case s.any:
			dst = append(dst, '*')
		case isPlainName(s.name):
			dst = append(dst, s.name...)
		default:
			dst = quoteName(dst, s.name)
		}
	}
	return dst
}

func isPlainName(s string) bool {
	for i := range len(s) {
		if !isName(s[i]) && s[i] != '$' {
			return false
		}
	}
	return s != ""
}

// quoteName puts a name into quotes, whatever is in it.
func quoteName(dst []byte, s string) []byte {
	quoted := quote(nil, "("+s)
	return append(append(dst, '"'), quoted[len(`"(`):]...)
}
