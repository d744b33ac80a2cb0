package acp_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"bobproxy/acp"

	"github.com/go-json-experiment/json/jsontext"
)

// node is a value as jsontext reads it, with every member in its order.
type node struct {
	raw     string
	text    string // of a string
	names   []string
	keys    []*node // of an object: the names as they are written
	members []*node // of an object, by their names
	entries []*node // of an array
}

// readTree reads one value; nil when one of two parsers refuses it, be they told
// not to mind what is no character.
func readTree(value []byte) *node {
	if !json.Valid(value) || !jsontext.Value(value).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return nil
	}
	return readNode(value)
}

// readNode reads a value that is valid.
func readNode(value []byte) *node {
	n := &node{raw: string(bytes.Trim(value, " \t\r\n"))}
	d := jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	switch d.PeekKind() {
	case '"':
		text, _ := jsontext.AppendUnquote(nil, n.raw) // it minds what is no character, but goes on
		n.text = string(text)
	case '[':
		must(d.ReadToken())
		for d.PeekKind() != ']' {
			n.entries = append(n.entries, readNode(must(d.ReadValue())))
		}
	case '{':
		must(d.ReadToken())
		for d.PeekKind() != '}' {
			key := readNode(must(d.ReadValue()))
			n.names, n.keys = append(n.names, key.text), append(n.keys, key)
			n.members = append(n.members, readNode(must(d.ReadValue())))
		}
	}
	return n
}

// garbled is what a parser minds about a value that is valid but for that.
func garbled(raw string) (found []acp.Reason) {
	minds := func(raw string) bool { return !jsontext.Value(raw).IsValid(jsontext.AllowDuplicateNames(true)) }
	if minds(raw) && !utf8.ValidString(raw) {
		found = append(found, acp.InvalidUTF8)
	}
	if minds(strings.ToValidUTF8(raw, "?")) {
		found = append(found, acp.LoneSurrogate)
	}
	return found
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// is reports what kind of value it is: by its first character.
func (n *node) is(first byte) bool { return n != nil && n.raw[0] == first }

// get is the last member of that name; nil when there is none.
func (n *node) get(name string) (value *node) {
	if n == nil {
		return nil
	}
	for i, m := range n.members {
		if n.names[i] == name {
			value = m
		}
	}
	return value
}

// list is the entries of an array; none of anything else.
func (n *node) list() []*node {
	if n == nil {
		return nil
	}
	return n.entries
}

// shown is the value as the readers give one that should be a string and is only
// shown.
func (n *node) shown() acp.String {
	if n == nil {
		return acp.String{}
	}
	return acp.String{Value: n.text, Raw: []byte(n.raw), OK: n.is('"')}
}

// str is the value as the readers give one that is acted on.
func (n *node) str() acp.String {
	if n.is('"') && garbled(n.raw) != nil {
		return acp.String{Raw: []byte(n.raw), Odd: true}
	}
	return n.shown()
}

// bytes is the raw value.
func (n *node) bytes() []byte {
	if n == nil {
		return nil
	}
	return []byte(n.raw)
}

// there reports whether a member is there and not null.
func (n *node) there() bool { return n != nil && !n.is('n') }

// shape is which members of an object are read, which of those are strings that
// are acted on, and the shapes of what is in them: of objects, and of the entries
// of arrays.
type shape struct {
	names, acted []string
	in, each     map[string]*shape
}

var (
	changeShape  = &shape{names: []string{"operation", "path", "oldPath"}, acted: []string{"operation", "path", "oldPath"}}
	contentShape = &shape{names: []string{"type", "path", "oldText", "newText", "changes", "patch"}, acted: []string{"type", "path"},
		each: map[string]*shape{"changes": changeShape}}
	callShape = &shape{names: []string{"toolCallId", "title", "kind", "status", "locations", "content", "rawInput"},
		acted: []string{"toolCallId", "kind"},
		in:    map[string]*shape{"content": contentShape},
		each:  map[string]*shape{"locations": {names: []string{"path"}, acted: []string{"path"}}, "content": contentShape}}
	permissionShape = &shape{names: []string{"sessionId", "toolCall", "options", "title", "description", "subject"},
		acted: []string{"sessionId"},
		in: map[string]*shape{"toolCall": callShape, "subject": {
			names: []string{"type", "toolCall", "toolCallId", "command", "cwd"},
			acted: []string{"type", "toolCallId", "command", "cwd"},
			in:    map[string]*shape{"toolCall": callShape}}}}
	optionShape   = &shape{names: []string{"optionId", "name", "kind"}, acted: []string{"optionId", "kind"}}
	fileShape     = &shape{names: []string{"sessionId", "path"}, acted: []string{"sessionId", "path"}}
	terminalShape = &shape{names: []string{"sessionId", "command", "args", "cwd"}, acted: []string{"sessionId", "command", "cwd"}}
	setupShape    = &shape{names: []string{"sessionId", "cwd", "additionalDirectories"}, acted: []string{"sessionId", "cwd", "additionalDirectories"}}
	outcomeShape  = &shape{names: []string{"outcome"},
		in: map[string]*shape{"outcome": {names: []string{"outcome", "optionId"}, acted: []string{"outcome", "optionId"}}}}
	cancelShape = &shape{names: []string{"requestId"}}
)

// oddities are the reasons that n gives a strict reader of that shape.
func (n *node) oddities(s *shape) map[acp.Reason]bool {
	found := map[acp.Reason]bool{}
	n.collect(s, found)
	return found
}

func (n *node) collect(s *shape, found map[acp.Reason]bool) {
	if n == nil || s == nil {
		return
	}
	seen := map[string]bool{}
	for i, name := range n.names {
		n.keys[i].mind(found)
		if slices.Contains(s.acted, name) {
			n.members[i].mind(found)
		}
		if name == "additionalDirectories" && slices.Contains(s.acted, name) {
			for _, entry := range n.members[i].entries {
				entry.mind(found)
			}
		}
		for _, known := range s.names {
			switch {
			case name == known:
				found[acp.DuplicateMember] = found[acp.DuplicateMember] || seen[name]
				seen[name] = true
				n.members[i].collect(s.in[name], found)
				for _, entry := range n.members[i].entries {
					entry.collect(s.each[name], found)
				}
			case strings.EqualFold(name, known):
				found[acp.FoldedMember] = true
			}
		}
	}
	for reason, yes := range found {
		if !yes {
			delete(found, reason)
		}
	}
}

// mind adds what makes n a garbled string.
func (n *node) mind(found map[acp.Reason]bool) {
	if n.is('"') {
		for _, reason := range garbled(n.raw) {
			found[reason] = true
		}
	}
}
