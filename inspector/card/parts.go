package card

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"bobproxy/proxy/control"
)

// member is a name and value of an object, in the order they came.
type member struct {
	name  string
	value json.RawMessage
}

const mostMembers = 256

// membersOf are the members of an object; false when value is none, or one that
// readers could understand differently: then it is shown as it is.
func membersOf(value json.RawMessage) (all []member, ok bool) {
	d := json.NewDecoder(bytes.NewReader(value))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		name, isName := t.(string)
		folded := strings.ToLower(name)
		if err != nil || !isName || seen[folded] || len(all) == mostMembers {
			return nil, false
		}
		seen[folded] = true
		var v json.RawMessage
		if d.Decode(&v) != nil {
			return nil, false
		}
		all = append(all, member{name, v})
	}
	return all, true
}

// input takes from the raw input what can be told in a better way than as a
// tree: a command, a patch, a text.
func (b *builder) input(o *control.Pending) {
	if isNull(o.Input) {
		return
	}
	b.c.raw = tree(o.Input, &ink{})
	members, ok := membersOf(o.Input)
	if text, isText := stringOf(o.Input); isText {
		b.text("input", text)
		return
	}
	if !ok {
		b.tree("input", o.Input)
		return
	}
	for _, m := range members {
		if !b.member(m, o) {
			b.left = append(b.left, m)
		}
	}
}

// member shows m in a way of its own, if there is one.
func (b *builder) member(m member, o *control.Pending) bool {
	text, isText := stringOf(m.value)
	args, isArgs := stringsOf(m.value)
	switch m.name {
	case "command", "cmd":
		switch {
		case isText && text == o.Command && o.Command != "":
		case isText && text != "":
			b.command(text)
		case isArgs && len(args) > 0:
			b.arguments(args)
		default:
			return false
		}
		return true
	case "diff", "patch":
		if isText && text != "" && len(b.changes) == 0 {
			b.patch(m.name, text)
			return true
		}
	}
	return false
}

// rest shows what of the raw input is shown nowhere else. What a diff shows in a
// better way is left out, and i shows it.
func (b *builder) rest() {
	t := twice{changes: b.changes}
	all := len(b.left)
	b.left = slices.DeleteFunc(b.left, func(m member) bool { return t.told(m.name, m.value) })
	b.c.more = len(b.left) < all
	b.left = slices.DeleteFunc(b.left, b.aside)
	if len(b.left) == 0 {
		return
	}
	name := "input"
	if len(b.c.lines) > 0 {
		name = "other input"
	}
	b.tree(name, object(b.left))
}

// aside shows of a command's input, in a way of its own, where it runs and what it
// is for.
func (b *builder) aside(m member) bool {
	text, isText := stringOf(m.value)
	if !isText || text == "" || !b.c.command {
		return false
	}
	switch m.name {
	case "cwd":
		if b.folder != "" {
			return text == b.folder
		}
		b.c.cwd = text
		return true
	case "description":
		if !slices.Contains(b.was, text) {
			b.text("description", text)
		}
		return true
	}
	return false
}

func (b *builder) tree(name string, value json.RawMessage) {
	b.begin(part{name: name, ours: true})
	for _, l := range tree(value, &b.ink) {
		b.add(l)
	}
}

func object(members []member) json.RawMessage {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			name = []byte(`"?"`)
		}
		fmt.Fprintf(&out, "%s:%s", name, m.value)
	}
	out.WriteByte('}')
	return out.Bytes()
}

// shown takes what the tool call shows: diffs, texts, terminals.
func (b *builder) shown(o *control.Pending) {
	if isNull(o.Content) {
		return
	}
	var entries []json.RawMessage
	if json.Unmarshal(o.Content, &entries) != nil {
		b.tree("content", o.Content)
		return
	}
	b.listFiles(b.changes)
	next := 0
	for _, entry := range entries {
		if isChange(entry) && next < len(b.changes) {
			b.change(b.changes[next], next+1)
			next++
			continue
		}
		b.entry(entry)
	}
}

// changesOf are the changes that a request shows.
func changesOf(o *control.Pending) (all []change) {
	var entries []json.RawMessage
	if o == nil || json.Unmarshal(o.Content, &entries) != nil {
		return nil
	}
	for i, entry := range entries {
		if ch, ok := changeOf(entry); ok {
			ch.entry = i
			all = append(all, ch)
		}
	}
	return all
}

// entry is another thing that the tool call shows.
func (b *builder) entry(entry json.RawMessage) {
	if text, ok := textOf(entry); ok {
		b.text("the agent adds", text)
		return
	}
	if p, ok := patchOf(entry); ok {
		if !isNull(p.changes) {
			b.tree("files", p.changes)
		}
		b.patch(p.name, p.text)
		return
	}
	b.tree("content", entry)
}

// textOf is the text of an entry that is nothing but text.
func textOf(entry json.RawMessage) (string, bool) {
	outer, ok := exactly(entry, "type", "content")
	if !ok || !isString(outer["type"], "content") {
		return "", false
	}
	inner, ok := exactly(outer["content"], "type", "text")
	if !ok || !isString(inner["type"], "text") {
		return "", false
	}
	return stringOf(inner["text"])
}

// patch is what an entry of version 2 that changes files shows.
type patch struct {
	name, text string
	changes    json.RawMessage // which files, and how: a patch need not tell of them
}

func patchOf(entry json.RawMessage) (p patch, ok bool) {
	outer, ok := exactly(entry, "type", "changes", "patch")
	if !ok || !isString(outer["type"], "diff") {
		return p, false
	}
	inner, ok := exactly(outer["patch"], "format", "text")
	if !ok {
		return p, false
	}
	format, _ := stringOf(inner["format"])
	p.text, ok = stringOf(inner["text"])
	p.name, p.changes = strings.ReplaceAll(format, "_", " "), outer["changes"]
	return p, ok
}

// exactly is an object by its names, all of which, and no others, it may have.
func exactly(value json.RawMessage, names ...string) (map[string]json.RawMessage, bool) {
	members, ok := membersOf(value)
	if !ok {
		return nil, false
	}
	out := map[string]json.RawMessage{}
	for _, m := range members {
		known := false
		for _, name := range names {
			known = known || m.name == name
		}
		if !known {
			return nil, false
		}
		out[m.name] = m.value
	}
	return out, true
}

func isString(value json.RawMessage, want string) bool {
	got, ok := stringOf(value)
	return ok && got == want
}

func stringOf(value json.RawMessage) (text string, ok bool) {
	if v := bytes.TrimLeft(value, " \t\r\n"); len(v) == 0 || v[0] != '"' {
		return "", false
	}
	return text, json.Unmarshal(value, &text) == nil
}

func stringsOf(value json.RawMessage) (texts []string, ok bool) {
	if v := bytes.TrimLeft(value, " \t\r\n"); len(v) == 0 || v[0] != '[' {
		return nil, false
	}
	var items []json.RawMessage
	if json.Unmarshal(value, &items) != nil {
		return nil, false
	}
	for _, item := range items {
		text, ok := stringOf(item)
		if !ok {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, true
}
