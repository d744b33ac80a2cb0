package acp_test

import (
	"strconv"

	"bobproxy/acp"
)

// expected is what each reader is to say of a tree, which for the strict ones
// has no oddities.
var expected = map[string]func(n *node) string{
	"file": func(n *node) string {
		return showFile(acp.File{Session: n.get("sessionId").str(), Path: n.get("path").str()})
	},
	"terminal":   func(n *node) string { return showTerminal(expectTerminal(n)) },
	"setup":      func(n *node) string { return showSetup(expectSetup(n)) },
	"permission": func(n *node) string { return showPermission(expectPermission(n)) },
	"update":     func(n *node) string { return showUpdate(expectUpdate(n)) },
	"outcome": func(n *node) string {
		o := n.get("outcome")
		option := o.get("optionId").str()
		return showOutcome(acp.Outcome{Kind: o.get("outcome").str().Value, Option: option.Value, HasOption: option.OK})
	},
	"hello":   func(n *node) string { return showHello(expectHello(n)) },
	"session": expectSession,
	"cancel":  func(n *node) string { return facet("id", string(n.get("requestId").bytes())) },
}

func expectTerminal(n *node) acp.Terminal {
	t := acp.Terminal{Session: n.get("sessionId").str(), Command: n.get("command").str(), Cwd: n.get("cwd").str()}
	for _, arg := range n.get("args").list() {
		if arg.is('"') {
			t.Args = append(t.Args, arg.text)
		}
	}
	return t
}

func expectSetup(n *node) acp.Setup {
	s := acp.Setup{Session: n.get("sessionId").str(), Cwd: n.get("cwd").str()}
	dirs := n.get("additionalDirectories")
	for _, dir := range dirs.list() {
		s.Dirs = append(s.Dirs, dir.str())
	}
	if dirs.there() && !dirs.is('[') {
		s.Dirs = []acp.String{{Raw: dirs.bytes()}}
	}
	return s
}

func expectPermission(n *node) acp.Permission {
	subject := n.get("subject")
	p := acp.Permission{
		Session: n.get("sessionId").str(), Title: n.get("title").shown().Value, Description: n.get("description").shown().Value,
		Subject: subject.get("type").str().Value, Command: subject.get("command").str().Value, Cwd: subject.get("cwd").str().Value,
	}
	first, second := expectCall(n.get("toolCall")), expectCall(subject.get("toolCall"))
	if second.ID.Missing() {
		second.ID = subject.get("toolCallId").str()
	}
	p.Call = acp.ToolCall{
		ID: either(first.ID, second.ID), Title: either(first.Title, second.Title),
		Kind: either(first.Kind, second.Kind), Status: either(first.Status, second.Status),
		Locations: append(first.Locations, second.Locations...), HasLocations: first.HasLocations || second.HasLocations,
		Diffs: append(first.Diffs, second.Diffs...), URIs: append(first.URIs, second.URIs...), HasContent: first.HasContent || second.HasContent,
		Content:  either(acp.String{Raw: first.Content}, acp.String{Raw: second.Content}).Raw,
		RawInput: either(acp.String{Raw: first.RawInput}, acp.String{Raw: second.RawInput}).Raw,
	}
	if p.Title == "" {
		p.Title = p.Call.Title.Value
	}
	p.NoOptions = !n.get("options").is('[')
	for _, o := range n.get("options").list() {
		id := o.get("optionId").str()
		p.Options = append(p.Options, acp.Option{
			ID: id, Name: o.get("name").shown().Value, Kind: o.get("kind").str().Value,
			Odd: !id.OK || len(o.oddities(optionShape)) > 0,
		})
	}
	return p
}

// either is a, unless only b says something, be it null.
func either(a, b acp.String) acp.String {
	if a.Missing() && b.Raw != nil {
		return b
	}
	return a
}

// agrees reports whether the two parts of a permission request can be about
// one call.
func agrees(n *node) bool {
	first, subject := n.get("toolCall"), n.get("subject")
	second := subject.get("toolCall")
	id := second.get("toolCallId")
	if !id.there() {
		id = subject.get("toolCallId")
	}
	same := func(a, b *node) bool { return !a.there() || !b.there() || a.raw == b.raw }
	return same(first.get("toolCallId"), id) && same(first.get("kind"), second.get("kind")) &&
		same(first.get("rawInput"), second.get("rawInput")) && same(first.get("content"), second.get("content"))
}

func expectCall(n *node) acp.ToolCall {
	locations, content := n.get("locations"), n.get("content")
	c := acp.ToolCall{
		ID: n.get("toolCallId").str(), Title: n.get("title").shown(), Kind: n.get("kind").str(), Status: n.get("status").shown(),
		HasLocations: locations.there(), HasContent: content.there(), Content: content.bytes(), RawInput: n.get("rawInput").bytes(),
	}
	for _, l := range locations.list() {
		path := acp.String{Raw: l.bytes()}
		if l.is('{') {
			path = l.get("path").str()
		}
		c.Locations = append(c.Locations, path)
	}
	entries := content.list()
	if content.is('{') {
		entries = []*node{content}
	}
	for _, entry := range entries {
		c.Diffs = append(c.Diffs, expectDiffs(entry)...)
		for _, block := range entry.all("content") {
			for i, name := range block.getNames() {
				found := []*node{block.members[i]}
				switch name {
				case "resource":
					found = block.members[i].all("uri")
				case "uri":
				default:
					continue
				}
				for _, uri := range found {
					if uri.is('"') {
						c.URIs = append(c.URIs, uri.text)
					}
				}
			}
		}
	}
	return c
}

// all are the members of that name, in order.
func (n *node) all(name string) (values []*node) {
	for i, known := range n.getNames() {
		if known == name {
			values = append(values, n.members[i])
		}
	}
	return values
}

func expectDiffs(entry *node) (diffs []acp.Diff) {
	kind, path, changes := entry.get("type").str(), entry.get("path"), entry.get("changes")
	texts := entry.get("oldText") != nil || entry.get("newText") != nil
	switch {
	case kind.OK && kind.Value != "diff", !kind.OK && changes == nil && (path == nil || !texts):
		return nil
	}
	for _, change := range changes.list() {
		d := acp.Diff{Path: acp.String{Raw: change.bytes()}}
		if change.is('{') {
			d = acp.Diff{Path: change.get("path").str(), OldPath: change.get("oldPath").str(), Operation: change.get("operation").str().Value}
		}
		diffs = append(diffs, d)
	}
	if path != nil || changes == nil {
		diffs = append(diffs, acp.Diff{Path: path.str()})
	}
	return diffs
}

func expectUpdate(n *node) acp.Update {
	update := n.get("update")
	u := acp.Update{Session: n.get("sessionId").str(), Kind: update.get("sessionUpdate").str().Value}
	switch u.Kind {
	case "tool_call", "tool_call_update", "tool_call_content_chunk":
		u.Call = expectCall(update)
	case "current_mode_update":
		if u.Mode = update.get("currentModeId").str(); u.Mode.Missing() {
			u.Mode = update.get("modeId").str()
		}
	case "config_option_update":
		u.Mode = expectMode(update.get("configOptions"))
	case "session_info_update":
		u.Title = update.get("title").shown()
	case "subagent_update":
		u.Child = update.get("sessionId").str()
	case "plan_update":
		u.Plan = update.get("plan").get("uri").str()
	case "terminal_update":
		u.Cwd = update.get("cwd").str()
	}
	return u
}

// expectMode is the current value of the option that is the mode.
func expectMode(options *node) acp.String {
	for _, byCategory := range []bool{true, false} {
		for _, o := range options.list() {
			id := o.get("id")
			for i, name := range o.getNames() {
				if name == "id" || name == "configId" {
					id = o.members[i]
				}
			}
			category := o.get("category").str().Value == "mode"
			if value := o.get("currentValue"); value != nil && (byCategory && category || !byCategory && !category && id.str().Value == "mode") {
				return value.str()
			}
		}
	}
	return acp.String{}
}

func (n *node) getNames() []string {
	if n == nil {
		return nil
	}
	return n.names
}

func expectSession(n *node) string {
	chosen := acp.String{}
	if n.get("configId").str().Value == "mode" {
		chosen = n.get("value").str()
	}
	mode := acp.String{}
	for _, mode = range []acp.String{n.get("modeId").str(), n.get("modes").get("currentModeId").str(), expectMode(n.get("configOptions")), chosen} {
		if !mode.Missing() {
			break
		}
	}
	return facet("session", show(n.get("sessionId").str())) + facet("mode", show(mode))
}

func expectHello(n *node) (h acp.Hello) {
	if v := n.get("protocolVersion"); v != nil {
		h.Version, _ = strconv.Atoi(v.raw)
	}
	for i, name := range n.getNames() {
		switch name {
		case "clientInfo", "agentInfo", "info":
			info := n.members[i]
			for j, member := range info.getNames() {
				into := map[string]*string{"name": &h.Name, "title": &h.Title, "version": &h.Release}[member]
				if into != nil && *into == "" {
					*into = info.members[j].text
				}
			}
		}
	}
	return h
}
