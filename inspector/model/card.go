package model

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/control"
)

const (
	maxShown   = 64 << 10 // bytes of an input or content
	maxOptions = 512
	maxTitle   = 4 << 10 // bytes
	maxPaths   = 64
)

// inquiry is what a permission is found by.
type inquiry struct {
	id    string   // raw token of its request
	paths []string // that it names
	grave bool     // it is about what belongs into the ledger

	kept *Subject // what it is about, once that can no longer be read; nil: it can

	supposed bool // nobody said that it was opened; see [Proxy.suppose]
}

// draft is what can be known of a permission from its request and the tool call
// that it is about. There is no verdict and no deadline in it.
func (p *Proxy) draft(r *Row, f *acp.Frame) *Permission {
	said := acp.ReadPermission(f.Params)
	call, _ := p.mem.fold.Call(said.Session.Value, said.Call.ID.Value)
	d := &Permission{
		Call:  clip(said.Call.ID.Value, maxName),
		Title: clip(either(said.Title, call.Title, said.Command), maxTitle),
		Kind:  clip(either(said.Call.Kind.Value, call.Kind), maxName),
	}
	d.paths = pathsOf(&said.Call)
	d.grave = consequence(d.Kind) != "" || len(said.Call.Diffs) > 0 || len(call.Diffs) > 0 || said.Command != ""
	d.Card = &control.Pending{
		Instance: p.Instance, Session: said.Session.Value, ID: json.RawMessage(bytes.Clone(f.ID)),
		Title: d.Title, Kind: d.Kind, Options: options(said.Options),
		Description: clip(said.Description, maxTitle), Command: clip(said.Command, maxShown), Cwd: clip(said.Cwd, maxTitle),
	}
	d.Card.Input, d.Card.Clipped = shown(said.Call.RawInput, call.RawInput, call.RawInputSize)
	d.Card.Content, d.Card.ContentClipped = shown(said.Call.Content, call.Content, call.ContentSize)
	return d
}

func either(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

// shown is what the request says itself, else what is remembered, whose true
// size is size: whole, or the beginning of it.
func shown(said, remembered []byte, size int) (whole json.RawMessage, clipped string) {
	raw := remembered
	if said != nil && string(said) != "null" {
		raw, size = said, len(said)
	}
	switch {
	case len(raw) == 0:
		return nil, ""
	case len(raw) > maxShown || len(raw) < size:
		return nil, string(raw[:min(len(raw), maxShown)])
	}
	return bytes.Clone(raw), ""
}

func options(said []acp.Option) []control.Option {
	all := make([]control.Option, 0, min(len(said), maxOptions))
	for i, o := range said[:min(len(said), maxOptions)] {
		all = append(all, control.Option{
			Number: i + 1, ID: clip(o.ID.Value, maxTitle), Name: clip(o.Name, maxTitle), Kind: clip(o.Kind, maxName), Odd: o.Odd,
		})
	}
	return all
}

// pathsOf are the files that a tool call names.
func pathsOf(c *acp.ToolCall) []string {
	var all []string
	add := func(s acp.String) {
		if s.OK && s.Value != "" && len(all) < maxPaths {
			all = append(all, clip(s.Value, maxTitle))
		}
	}
	for _, l := range c.Locations {
		add(l)
	}
	for _, d := range c.Diffs {
		add(d.Path)
		add(d.OldPath)
	}
	return all
}

// samePath says that two ways to write a path can mean one file: they are equal,
// or one is relative and the other one ends with it.
func samePath(a, b string) bool {
	a, b = plainPath(a), plainPath(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || !path.IsAbs(a) && a != "." && strings.HasSuffix(b, "/"+a)
}

func plainPath(p string) string { return path.Clean(strings.ReplaceAll(p, `\`, "/")) }

// weight is about how many bytes the card of o holds.
func (o *Permission) weight() int {
	c := o.Card
	if c == nil {
		return 0
	}
	n := len(c.Input) + len(c.Clipped) + len(c.Content) + len(c.ContentClipped) + len(c.Description) + len(c.Command)
	for _, option := range c.Options {
		n += 64 + len(option.ID) + len(option.Name)
	}
	for _, path := range c.Verdict.Paths {
		n += 64 + len(path.Path) + len(path.Target)
	}
	return n
}

// strip keeps of the card what a list shows.
func (o *Permission) strip() {
	if o.Card == nil {
		return
	}
	o.kept = o.Subject().keep()
	c := *o.Card
	c.Input, c.Clipped, c.Content, c.ContentClipped, c.Verdict.Paths = nil, "", nil, "", nil
	c.Command = clip(c.Command, maxTitle)
	c.Options = c.Options[:min(len(c.Options), 9)]
	o.Card = &c
}

// alike says that o asks for what the tool call does: it has the same title, or
// the same input.
func (o *Permission) alike(t *session.Tool) bool {
	if o.Title != "" && o.Title == t.Title {
		return true
	}
	if o.Card == nil || len(t.Input) <= len("{}") {
		return false
	}
	return bytes.Equal(o.Card.Input, t.Input) || o.Card.Clipped != "" && strings.HasPrefix(o.Card.Clipped, string(t.Input))
}
