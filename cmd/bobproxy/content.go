package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"bobproxy/inspector/diff"
	"bobproxy/proxy/control"
)

// run is what a request of version 2 would run, and what it is said to be for.
func (p *page) run(o control.Pending) {
	if o.Description != "" {
		p.theirs("about", fieldLines(o.Description))
	}
	if o.Command != "" {
		p.theirs("command", fieldLines(o.Command))
	}
	if o.Cwd != "" {
		p.row("cwd", quotation(o.Cwd))
	}
}

// content is what the tool call shows: some agents put the change or the
// command there and nowhere else.
func (p *page) content(o control.Pending) {
	switch {
	case o.ContentClipped != "":
		p.theirs("shows", fieldLines(o.ContentClipped))
		p.row("", "! THIS IS ONLY ITS BEGINNING ! The whole is in the editor and in the recording.")
	case len(o.Content) > 0 && string(o.Content) != "null":
		var entries []json.RawMessage
		if json.Unmarshal(o.Content, &entries) != nil {
			entries = []json.RawMessage{o.Content}
		}
		label := "shows"
		for _, entry := range entries {
			p.theirs(label, entryLines(entry))
			label = ""
		}
	}
}

// shownDiff and shownText are the entries that are told in a better way than as
// JSON; they are for display, and whatever is not exactly one of them is spread
// out as it is.
type shownDiff struct {
	Type, Path       string
	OldText, NewText *string
}

type shownText struct {
	Type    string
	Content struct{ Type, Text string }
}

func entryLines(entry json.RawMessage) []string {
	var members map[string]json.RawMessage
	var diff shownDiff
	var text shownText
	switch json.Unmarshal(entry, &members); {
	case only(members, "type", "path", "oldText", "newText", "_meta") && json.Unmarshal(entry, &diff) == nil && diff.Type == "diff" && diff.NewText != nil:
		return diff.lines()
	case only(members, "type", "content") && only(object(members["content"]), "type", "text") && json.Unmarshal(entry, &text) == nil && text.Content.Type == "text":
		return fieldLines(strings.ReplaceAll(text.Content.Text, "\t", "→   "))
	}
	return spread(entry)
}

func object(value json.RawMessage) (members map[string]json.RawMessage) {
	json.Unmarshal(value, &members)
	return members
}

// only says that there are members, and none but these.
func only(members map[string]json.RawMessage, names ...string) bool {
	found := 0
	for _, name := range names {
		if _, ok := members[name]; ok {
			found++
		}
	}
	return found > 0 && found == len(members)
}

// lines tell what changes, with a few lines around it.
func (d shownDiff) lines() []string {
	if d.OldText == nil {
		shown := []string{"new file " + quotation(d.Path)}
		for _, line := range diff.Lines(*d.NewText) {
			shown = append(shown, "+ "+codeLine(line))
		}
		return shown
	}
	shown := []string{"change of " + quotation(d.Path)}
	skipped := 0
	skip := func() {
		if skipped > 0 {
			shown = append(shown, fmt.Sprintf("  (%s as before)", howMany(skipped, "line")))
		}
		skipped = 0
	}
	steps := diff.Compare(diff.Lines(*d.OldText), diff.Lines(*d.NewText))
	for i, s := range steps {
		if s.Sign == ' ' && !diff.Near(steps, i) {
			skipped++
			continue
		}
		skip()
		shown = append(shown, string(s.Sign)+" "+codeLine(s.Line))
	}
	skip()
	return shown
}

// codeLine is a line of a file, clean. Tabs, of which code is full, are arrows.
// That the last line has no line feed is a difference, too.
func codeLine(line string) string {
	line, whole := strings.CutSuffix(line, "\n")
	if !whole {
		line += " (no line feed)"
	}
	return field(strings.ReplaceAll(line, "\t", "→   "))
}
