package acp

import (
	"slices"
	"strings"
)

// walker reads the members that mean something out of a value, in one pass.
// Its methods take the index to read at and return the index behind what they
// read; ok is false when there is no sound value to read.
type walker struct {
	lexer
	strict bool
	odd    Reason // the first thing that peers could read differently
}

// walk reads raw as an object with some of names for members, and gives the
// first thing that was odd about it. Take reads the value at i of the member
// called name.
func (w *walker) walk(raw []byte, names []string, take taker) Reason {
	if len(raw) == 0 {
		return 0
	}
	w.b = raw
	end, ok := w.members(w.blank(0), names, take)
	if !ok || w.blank(end) < len(raw) {
		w.notice(BrokenJSON)
	}
	return w.odd
}

// taker reads the value at i of the member that is called name.
type taker func(name string, i int) (end int, ok bool)

// notice remembers r unless something was odd before.
func (w *walker) notice(r Reason) {
	if w.odd == 0 {
		w.odd = r
	}
}

// members lets take read the values of those members of the object at i that
// are called one of names. A value that is no object has none.
func (w *walker) members(i int, names []string, take taker) (end int, ok bool) {
	return w.object(i, names, take, func(_ key, i int) (int, bool) { return w.skip(i) })
}

// object is members, with the values of all others read by other. Nothing is
// odd about those.
func (w *walker) object(i int, names []string, take taker, other func(k key, i int) (end int, ok bool)) (end int, ok bool) {
	if w.at(i) != '{' {
		return w.skip(i)
	}
	var seen uint32
	i, more, ok := w.open(i)
	for more && ok {
		var k key
		w.garbled = 0
		if k, i, ok = w.key(i); !ok {
			break
		}
		if w.strict {
			w.notice(w.garbled)
		}
		if n := w.find(k, names, &seen); n < 0 {
			i, ok = other(k, i)
		} else {
			i, ok = take(names[n], i)
		}
		if !ok {
			break
		}
		i, more, ok = w.next(i)
	}
	return i, ok
}

// longestName bounds what can be one of the names that readers know, in bytes:
// that is additionalDirectories, each letter of it an escape.
const longestName = 6 * len("additionalDirectories")

// find gives k's place in names; -1 when it is none of them.
func (w *walker) find(k key, names []string, seen *uint32) int {
	if len(k.raw) > longestName {
		return -1
	}
	text := k.text()
	for n, name := range names {
		if string(text) != name {
			continue
		}
		if w.strict && *seen>>n&1 != 0 {
			w.notice(DuplicateMember)
		}
		*seen |= 1 << n
		return n
	}
	if w.strict && folds(string(text), names) {
		w.notice(FoldedMember)
	}
	return -1
}

// folds reports whether name equals one of names under Unicode's simple
// folding, as it does to peers that match names without regard to case.
func folds(name string, names []string) bool {
	return slices.ContainsFunc(names, func(known string) bool { return strings.EqualFold(name, known) })
}

// entries lets take read each entry of the array at i. A value that is no array
// has none.
func (w *walker) entries(i int, take func(i int) (end int, ok bool)) (end int, ok bool) {
	if w.at(i) != '[' {
		return w.skip(i)
	}
	if i = w.blank(i + 1); w.at(i) == ']' {
		return i + 1, true
	}
	for n := 0; ; n++ {
		if n < maxEntries {
			i, ok = take(i)
		} else {
			w.notice(TooMany)
			i, ok = w.skip(i)
		}
		if !ok {
			return 0, false
		}
		switch i = w.blank(i); w.at(i) {
		case ']':
			return i + 1, true
		case ',':
			i = w.blank(i + 1)
		default:
			return w.fail(BrokenJSON)
		}
	}
}

// skip passes one value.
func (w *walker) skip(i int) (end int, ok bool) { return w.value(i, 1) }

// raw reads a value as it stands, whatever is in it.
func (w *walker) raw(i int, value *[]byte) (end int, ok bool) {
	if end, ok = w.skip(i); ok {
		*value = w.b[i:end:end]
	}
	return end, ok
}

// str reads a value that should be a string and is acted on.
func (w *walker) str(i int, s *String) (end int, ok bool) {
	w.garbled = 0
	if end, ok = w.skip(i); !ok {
		return end, false
	}
	*s = stringOf(w.b[i:end:end])
	if s.OK && w.garbled != 0 {
		w.notice(w.garbled)
		*s = String{Raw: s.Raw, Odd: true}
	}
	return end, true
}

// shown reads a value that should be a string and is only shown.
func (w *walker) shown(i int, s *String) (end int, ok bool) {
	w.garbled = 0
	if end, ok = w.skip(i); !ok {
		return end, false
	}
	if *s = stringOf(w.b[i:end:end]); w.garbled != 0 {
		s.Value = legible(s.Value)
	}
	return end, true
}

// word is str for where only the string matters, if it is one.
func (w *walker) word(i int, value *string) (end int, ok bool) {
	var s String
	end, ok = w.str(i, &s)
	*value = s.Value
	return end, ok
}

// words is word for what is only shown.
func (w *walker) words(i int, value *string) (end int, ok bool) {
	var s String
	end, ok = w.shown(i, &s)
	*value = s.Value
	return end, ok
}

// isNull reports whether the value at i is null.
func (w *walker) isNull(i int) bool { return w.at(i) == 'n' }
