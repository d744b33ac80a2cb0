package session

import (
	"strconv"
	"strings"

	"bobproxy/acp"
)

// These read what is only told to people: field by field, of duplicates the
// last, and what is something else than expected is nothing.

// get follows names into the objects of value.
func get(value []byte, names ...string) []byte {
	for _, name := range names {
		var found []byte
		for k, v := range acp.Members(value) {
			if string(k) == name {
				found = v
			}
		}
		if value = found; value == nil {
			return nil
		}
	}
	return value
}

// str is the string that names lead to, at most limit bytes of it.
func str(value []byte, limit int, names ...string) string {
	s, _ := acp.Unquote(get(value, names...))
	return clip(s, limit)
}

// either is the first string that value has under one of names.
func either(value []byte, limit int, names ...string) string {
	for _, name := range names {
		if s := str(value, limit, name); s != "" {
			return s
		}
	}
	return ""
}

// whole is the integer that names lead to.
func whole(value []byte, names ...string) (int64, bool) {
	f, err := strconv.ParseFloat(string(get(value, names...)), 64)
	if err != nil || f != f || f > 1<<53 || f < -1<<53 {
		return 0, false
	}
	return int64(f), true
}

// counted is how many elements the array has that names lead to.
func counted(value []byte, names ...string) (n int) {
	for range acp.Elements(get(value, names...)) {
		n++
	}
	return n
}

// has says whether names lead to something that is not null or false.
func has(value []byte, names ...string) bool {
	v := get(value, names...)
	return given(v) && string(v) != "false"
}

// begin is the beginning of a value as it stands.
func begin(value []byte, limit int) string {
	return clip(string(value[:min(len(value), limit+4)]), limit)
}

// joined puts what is not empty together.
func joined(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		if p == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(" · ")
		}
		b.WriteString(p)
	}
	return b.String()
}

// many is a count with its noun; empty for none.
func many(n int, noun string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
