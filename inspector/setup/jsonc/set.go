package jsonc

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// Set is text with value at path: objects on the way that are not there are
// made, members that are there already are replaced, and those of an object that
// value does not name stay. What has the value already is not touched, so doing
// it twice changes nothing more. An error says why text cannot be changed.
func Set(text []byte, path []string, value any) ([]byte, error) {
	standard, err := Standard(text)
	if err != nil {
		return nil, err
	}
	at := whole(standard)
	if at.start == at.end {
		return withObject(text, nested(path, value)), nil
	}
	for i, name := range path {
		m, found, err := child(standard, at, name)
		if err != nil {
			return nil, err
		}
		if !found {
			return insert(text, standard, at, Member{name, nested(path[i+1:], value)}), nil
		}
		at = m.value
	}
	return replace(text, standard, at, path, value)
}

// nested is value inside of objects.
func nested(path []string, value any) any {
	for _, name := range slices.Backward(path) {
		value = Object{{name, value}}
	}
	return value
}

// withObject is a text that has no value yet, with one behind its comments.
func withObject(text []byte, value any) []byte {
	nl := newlineOf(text)
	out := bytes.Clone(text)
	if n := len(out); n > 0 && out[n-1] != '\n' && !bytes.Equal(out, []byte(mark)) {
		out = append(out, nl...)
	}
	return append(out, valueText(value, "", defaultUnit, nl)+nl...)
}

// replace puts value where another one is. Members of objects are set one by
// one.
func replace(text, standard []byte, at span, path []string, value any) ([]byte, error) {
	object, ok := value.(Object)
	if ok && standard[at.start] == '{' {
		for _, m := range object {
			var err error
			if text, err = Set(text, append(slices.Clone(path), m.Name), m.Value); err != nil {
				return nil, err
			}
		}
		return text, nil
	}
	if same(standard[at.start:at.end], value) {
		return text, nil
	}
	line := lineOf(text, at.start)
	return splice(text, at, valueText(value, line, unitOf(text, standard), newlineOf(text))), nil
}

// same says that the JSON in old means value.
func same(old []byte, value any) bool {
	var a, b any
	return json.Unmarshal(old, &a) == nil &&
		json.Unmarshal([]byte(valueText(value, "", "", "")), &b) == nil && reflect.DeepEqual(a, b)
}

// insert makes m the last member of the object at.
func insert(text, standard []byte, at span, m Member) []byte {
	all := members(standard, at)
	unit, nl := unitOf(text, standard), newlineOf(text)
	outer := lineOf(text, at.start)
	margin := outer + unit
	if len(all) > 0 && startsLine(text, all[0].key.start) {
		margin = lineOf(text, all[0].key.start)
	}
	brace := at.end - 1
	here := len(bytes.TrimRight(text[:brace], " \t\r\n")) // behind the last comment
	entry := nl + margin + Quote(m.Name) + ": " + valueText(m.Value, margin, unit, nl)
	comma := -1 // where one is to be put
	if len(all) > 0 {
		last := all[len(all)-1].value.end
		if trailing(text, standard, last, brace) {
			entry += ","
		} else {
			comma = last
		}
	}
	if !bytes.ContainsRune(text[here:brace], '\n') {
		entry += nl + outer
	}
	out := splice(text, span{here, here}, entry)
	if comma >= 0 {
		out = splice(out, span{comma, comma}, ",")
	}
	return out
}

// trailing says that there is a comma between the last value and the brace: a
// byte that is a comma in text and a blank in standard, and in no comment.
func trailing(text, standard []byte, from, brace int) bool {
	rest := bytes.Clone(text[from:brace])
	_ = blankComments(rest) // they end: the whole was read
	return bytes.IndexByte(rest, ',') >= 0 && bytes.IndexByte(standard[from:brace], ',') < 0
}

func splice(text []byte, at span, with string) []byte {
	return slices.Concat(text[:at.start], []byte(with), text[at.end:])
}

func newlineOf(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// defaultUnit indents where a file does not say how it does.
const defaultUnit = "  "

// unitOf is how far the members of the outermost object are indented.
func unitOf(text, standard []byte) string {
	at := whole(standard)
	if all := members(standard, at); len(all) > 0 && startsLine(text, all[0].key.start) {
		outer := lineOf(text, at.start)
		if unit, ok := strings.CutPrefix(lineOf(text, all[0].key.start), outer); ok && unit != "" {
			return unit
		}
	}
	return defaultUnit
}

// lineOf is the blank beginning of the line that has i in it.
func lineOf(text []byte, i int) string {
	start := bytes.LastIndexAny(text[:i], "\r\n") + 1
	end := start
	for end < i && (text[end] == ' ' || text[end] == '\t') {
		end++
	}
	return string(text[start:end])
}

// startsLine says that only blanks are in front of i in its line.
func startsLine(text []byte, i int) bool {
	start := bytes.LastIndexAny(text[:i], "\r\n") + 1
	return start > 0 && len(bytes.TrimLeft(text[start:i], " \t")) == 0
}
