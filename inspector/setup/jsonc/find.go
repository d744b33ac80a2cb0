package jsonc

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// span is a stretch of a text, in bytes.
type span struct{ start, end int }

// member is one of an object, without blanks around its parts.
type member struct {
	name  string
	key   span
	value span
}

// members are those of the object at, in its order.
func members(standard []byte, at span) (all []member) {
	i := at.start + 1
	for {
		i = skipBlanks(standard, i)
		if standard[i] == '}' {
			return all
		}
		if standard[i] == ',' {
			i = skipBlanks(standard, i+1)
		}
		key := span{i, i + stringEnd(standard[i:])}
		colon := skipBlanks(standard, key.end)
		start := skipBlanks(standard, colon+1)
		value := span{start, start + valueEnd(standard[start:])}
		all = append(all, member{unquoted(standard[key.start:key.end]), key, value})
		i = value.end
	}
}

func unquoted(token []byte) (text string) {
	_ = json.Unmarshal(token, &text) // valid: the whole was
	return text
}

func skipBlanks(text []byte, i int) int {
	for i < len(text) && isBlank(text[i]) {
		i++
	}
	return i
}

// valueEnd is the length of the valid value at the start of text.
func valueEnd(text []byte) int {
	depth := 0
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			i += stringEnd(text[i:])
		case c == '{' || c == '[':
			depth++
			i++
			continue
		case c == '}' || c == ']':
			depth--
			i++
		case isBlank(c) || c == ',' || c == ':':
			i++
			continue
		default:
			n := bytes.IndexAny(text[i:], " \t\r\n,]}")
			if n < 0 {
				n = len(text) - i
			}
			i += n
		}
		if depth == 0 {
			return i
		}
	}
	return len(text)
}

// whole is where the value of a text is; empty when there is none.
func whole(standard []byte) span {
	start := skipBlanks(standard, 0)
	if start == len(standard) {
		return span{start, start}
	}
	return span{start, start + valueEnd(standard[start:])}
}

// child is the member called name of the object at. It is an error when there
// is no object, or more than one such member: readers differ in which one counts.
func child(standard []byte, at span, name string) (m member, found bool, err error) {
	if standard[at.start] != '{' {
		return member{}, false, fmt.Errorf("there is no object for %q to be in", name)
	}
	for _, each := range members(standard, at) {
		switch {
		case each.name != name:
		case found:
			return member{}, false, fmt.Errorf("%q is in it twice", name)
		default:
			m, found = each, true
		}
	}
	return m, found, nil
}

// Get is the value at path, as strict JSON; false when there is none.
func Get(text []byte, path ...string) (json.RawMessage, bool, error) {
	standard, err := Standard(text)
	if err != nil {
		return nil, false, err
	}
	at := whole(standard)
	if at.start == at.end {
		return nil, false, nil
	}
	for _, name := range path {
		m, found, err := child(standard, at, name)
		if err != nil || !found {
			return nil, false, err
		}
		at = m.value
	}
	return standard[at.start:at.end], true, nil
}
