package acp_test

import (
	"bytes"
	"encoding/json"
	"strings"

	"bobproxy/acp"

	"github.com/go-json-experiment/json/jsontext"
)

// node is a value as jsontext reads it, with every member in its order.
type node struct {
	raw     string
	text    string // of a string
	names   []string
	members []*node // of an object, by their names
	entries []*node // of an array
}

// readTree reads one value; nil when one of two parsers refuses it.
func readTree(value []byte) *node {
	if !json.Valid(value) || !jsontext.Value(value).IsValid(jsontext.AllowDuplicateNames(true)) {
		return nil
	}
	return readNode(value)
}

// readNode reads a value that is valid.
func readNode(value []byte) *node {
	n := &node{raw: string(bytes.Trim(value, " \t\r\n"))}
	d := jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowDuplicateNames(true))
	switch d.PeekKind() {
	case '"':
		text, err := jsontext.AppendUnquote(nil, n.raw)
		if err != nil {
			panic(err)
		}
		n.text = string(text)
	case '[':
		must(d.ReadToken())
		for d.PeekKind() != ']' {
			n.entries = append(n.entries, readNode(must(d.ReadValue())))
		}
	case '{':
		must(d.ReadToken())
		for d.PeekKind() != '}' {
			n.names = append(n.names, readNode(must(d.ReadValue())).text)
			n.members = append(n.members, readNode(must(d.ReadValue())))
		}
	}
	return n
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

// str is the value as the readers give one that should be a string.
func (n *node) str() acp.String {
	if n == nil {
		return acp.String{}
	}
	return acp.String{Value: n.text, Raw: []byte(n.raw), OK: n.is('"')}
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

// shape is which members of an object are read, and the shapes of what is in
// them: of objects, and of the entries of arrays.
type shape struct {
	names    []string
	in, each map[string]*shape
}

var (
	changeShape  = &shape{names: []string{"operation", "path", "oldPath"}}
	contentShape = &shape{names: []string{"type", "path", "oldText", "newText", "changes", "patch"},
		each: map[string]*shape{"changes": changeShape}}
	callShape = &shape{names: []string{"toolCallId", "title", "kind", "status", "locations", "content", "rawInput"},
		in:   map[string]*shape{"content": contentShape},
		each: map[string]*shape{"locations": {names: []string{"path"}}, "content": contentShape}}
	permissionShape = &shape{names: []string{"sessionId", "toolCall", "options", "title", "description", "subject"},
		in: map[string]*shape{"toolCall": callShape, "subject": {
			names: []string{"type", "toolCall", "toolCallId", "command", "cwd"},
			in:    map[string]*shape{"toolCall": callShape}}}}
	optionShape   = &shape{names: []string{"optionId", "name", "kind"}}
	fileShape     = &shape{names: []string{"sessionId", "path"}}
	terminalShape = &shape{names: []string{"sessionId", "command", "args", "cwd"}}
	setupShape    = &shape{names: []string{"sessionId", "cwd", "additionalDirectories"}}
	outcomeShape  = &shape{names: []string{"outcome"},
		in: map[string]*shape{"outcome": {names: []string{"outcome", "optionId"}}}}
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
