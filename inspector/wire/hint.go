package wire

import (
	"path"
	"strconv"
	"strings"
)

// Bounds of what stands beside a folded value.
const (
	hintEntries = 6
	hintBytes   = 60 // of each
)

// name is the key of a member, or the number of an entry.
func (n *node) name() string {
	if n.named {
		return n.key
	}
	return strconv.Itoa(n.index)
}

// hint says in a few words what is in container i.
func (t *tree) hint(i int) string {
	if n := &t.nodes[i]; n.kind == '{' && !n.named {
		if s := t.sketch(i); s != "" {
			return s
		}
	}
	var parts []string
	for c := i + 1; c < t.nodes[i].end && len(parts) < hintEntries; c = t.nodes[c].end {
		if s := t.gist(i, c); s != "" {
			parts = append(parts, s)
		}
	}
	if t.nodes[i].n > len(parts) && len(parts) > 0 {
		parts = append(parts, "…")
	}
	return strings.Join(parts, " · ")
}

// gist is what child c of container i says of it.
func (t *tree) gist(i, c int) string {
	n := &t.nodes[c]
	switch {
	case t.nodes[i].kind == '{':
		return short(n.key)
	case n.kind == '{':
		return t.sketch(c)
	case n.kind == '[':
		return "[" + strconv.Itoa(n.n) + "]"
	}
	return short(n.text)
}

// sketch is what tells object i from others of its kind.
func (t *tree) sketch(i int) string {
	var found [len(telling)]string
	line := ""
	for c := i + 1; c < t.nodes[i].end; c = t.nodes[c].end {
		n := &t.nodes[c]
		for k, name := range telling {
			if n.key == name && n.kind == '"' && found[k] == "" {
				found[k] = n.text
			}
		}
		if n.key == "line" && n.kind == '0' {
			line = ":" + n.text
		}
		if n.key == "content" && n.kind == '{' && found[0] == "" {
			found[0] = t.sketch(c)
		}
	}
	for k, s := range found {
		if s != "" && telling[k] == "path" {
			return short(join(found[len(telling)-1], path.Base(s)+line))
		}
		if s != "" {
			return short(s)
		}
	}
	return ""
}

// telling are the members that tell objects of the protocol from others of
// their kind, the best first.
var telling = [...]string{"content", "text", "kind", "name", "title", "path", "uri", "id", "type"}

func short(s string) string {
	if len(s) <= hintBytes {
		return s
	}
	return s[:cutAt(s, hintBytes)] + "…"
}
