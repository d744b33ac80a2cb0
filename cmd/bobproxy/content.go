package main

import (
	"encoding/json"
	"fmt"
	"strings"

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
		return fieldLines(text.Content.Text)
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

const around = 3 // equal lines shown before and behind a change

// lines tell a change by the lines that differ: everything between the first
// and the last of them.
func (d shownDiff) lines() []string {
	if d.OldText == nil {
		return append([]string{"new file " + quotation(d.Path)}, signed("+ ", textLines(*d.NewText))...)
	}
	before, after := textLines(*d.OldText), textLines(*d.NewText)
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	lines := []string{"change of " + quotation(d.Path)}
	if head > around {
		lines = append(lines, fmt.Sprintf("  (%s as before)", howMany(head-around, "line")))
	}
	lines = append(lines, signed("  ", before[max(0, head-around):head])...)
	lines = append(lines, signed("- ", before[head:len(before)-tail])...)
	lines = append(lines, signed("+ ", after[head:len(after)-tail])...)
	end := before[len(before)-tail:]
	lines = append(lines, signed("  ", end[:min(tail, around)])...)
	if tail > around {
		lines = append(lines, fmt.Sprintf("  (%s as before)", howMany(tail-around, "line")))
	}
	return lines
}

// textLines are the lines of a file. That the last one has no line feed is a
// difference, too.
func textLines(text string) []string {
	if text == "" {
		return nil
	}
	body, whole := strings.CutSuffix(text, "\n")
	lines := strings.Split(body, "\n")
	if !whole {
		lines[len(lines)-1] += "\\ (no line feed)"
	}
	return lines
}

func signed(sign string, lines []string) []string {
	shown := make([]string, 0, len(lines))
	for _, line := range lines {
		shown = append(shown, sign+field(line))
	}
	return shown
}
