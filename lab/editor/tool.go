package editor

import (
	"fmt"
	"path/filepath"
	"strings"

	"bobproxy/acp/clean"
	"bobproxy/lab/wire"
)

// maxTools bounds how many tool calls are remembered; what comes after is shown
// by what it says itself.
const maxTools = 4096

// merge joins what is known of a tool call with what is new and reports whether
// that changed its status. The caller holds mu.
func (s *screen) merge(call wire.ToolCall) (*wire.ToolCall, bool) {
	known := s.tools[call.ToolCallID]
	if known == nil {
		known = &wire.ToolCall{ToolCallID: call.ToolCallID}
		if len(s.tools) < maxTools {
			s.tools[call.ToolCallID] = known
		}
	}
	known.Title = or(call.Title, known.Title)
	known.Kind = or(call.Kind, known.Kind)
	if call.Content != nil {
		known.Content = call.Content
	}
	if call.Locations != nil {
		known.Locations = call.Locations
	}
	if call.RawInput != nil {
		known.RawInput = call.RawInput
	}
	status := or(call.Status, or(known.Status, wire.Pending))
	changed := status != known.Status
	known.Status = status
	return known, changed
}

// toolCall prints a tool call whenever its status changes, and what it brought
// when it has ended.
func (s *screen) toolCall(update wire.ToolCall, sh *shells) {
	call, changed := s.merge(update)
	if !changed {
		return
	}
	lines := []string{s.headline(call) + " · " + clean.Line(call.Status)}
	if call.Status == wire.Completed || call.Status == wire.Failed {
		lines = append(lines, quoted(clip(bodyText(update.Content, sh), bodyLines))...)
	}
	s.line("tool", lines...)
}

// headline is what a call is, in a few words.
func (s *screen) headline(call *wire.ToolCall) string {
	text := clean.Line(or(call.Title, "tool call "+call.ToolCallID))
	if call.Kind != "" {
		text += " (" + clean.Line(call.Kind) + ")"
	}
	for _, at := range call.Locations {
		path := s.short(at.Path)
		if strings.Contains(text, path) {
			continue
		}
		if text += " " + path; at.Line > 0 {
			text += fmt.Sprintf(":%d", at.Line)
		}
	}
	return text
}

// short gives a path as seen from the session's directory, if it lies there.
func (s *screen) short(path string) string {
	if rel, err := filepath.Rel(s.dir, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return clean.Line(path)
}

// bodyText is the text among the content of a call, terminals included. Diffs
// are shown where a person decides about them.
func bodyText(content []wire.ToolContent, sh *shells) []string {
	var lines []string
	for _, c := range content {
		switch {
		case c.Content != nil && c.Content.Text != "":
			lines = append(lines, cleanLines(c.Content.Text)...)
		case c.Type == "terminal":
			if text := sh.shown(c.TerminalID); text != "" {
				lines = append(lines, cleanLines(text)...)
			}
		}
	}
	return lines
}

func quoted(lines []string) []string {
	for i, line := range lines {
		lines[i] = "  " + line
	}
	return lines
}

// permission prints a request with everything a person needs to decide.
func (s *screen) permission(p wire.PermissionParams) {
	s.mu.Lock()
	defer s.mu.Unlock()
	call, _ := s.merge(p.ToolCall)
	lines := []string{s.headline(call)}
	for _, c := range call.Content {
		switch {
		case c.Type == "diff" && c.NewText != nil:
			before := ""
			if c.OldText != nil {
				before = *c.OldText
			}
			lines = append(lines, quoted(append([]string{s.short(c.Path)}, clip(diff(before, *c.NewText), diffLines)...))...)
		case c.Content != nil:
			lines = append(lines, quoted(clip(cleanLines(c.Content.Text), bodyLines))...)
		}
	}
	for i, option := range p.Options {
		lines = append(lines, fmt.Sprintf("%d  %s", i+1, clean.Line(option.Name)))
	}
	s.line("ask", lines...)
}

// decision prints how a permission request ended for this editor.
func (s *screen) decision(name, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line("", "→ "+clean.Line(name)+" ("+why+")")
}

// question says what a person may type.
func (s *screen) question(options int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line("", fmt.Sprintf("? type 1 to %d, or x to reject", options))
}
