package talk

import (
	"path"
	"strings"

	"bobproxy/acp/session"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
)

// state is where a tool call is, in one word or sign.
type state uint8

const (
	waiting state = iota
	running
	done
	failed
	cancelled
	notRun
	asks
	other
)

func stateOf(tool *session.Tool, asked []*model.Permission) state {
	for _, p := range asked {
		if open(p) {
			return asks
		}
	}
	switch {
	case tool.Status == "completed":
		return done
	case tool.Status == "failed":
		return failed
	case tool.Status == "cancelled":
		return cancelled
	case tool.NotRun:
		return notRun
	case tool.Status == "in_progress":
		return running
	case tool.Status == "pending" || tool.Status == "":
		return waiting
	}
	return other
}

var signs = [...]paint.Span{
	waiting:   paint.S(paint.Dim, "wait"),
	running:   paint.S(paint.Strong, "run"),
	done:      paint.S(paint.Good, "✓"),
	failed:    paint.S(paint.Bad, "×"),
	cancelled: paint.S(paint.Warn, "×"),
	notRun:    paint.S(paint.Dim, "−"),
	asks:      {Text: "ASK", Style: paint.Style{Role: paint.Warn, Bold: true}},
	other:     paint.S(paint.Warn, "?"),
}

// tool is a tool call: one row that changes in place, and what belongs to it
// below.
func (s *scene) tool(i int) []line {
	it := &s.items[i]
	st := stateOf(it.entry.Tool, it.asked)
	lines := []line{s.toolRow(it, st)}
	for _, p := range it.asked {
		lines = append(lines, s.asked(p)...)
	}
	switch d := s.deed(it.entry); {
	case trespass(d) != "":
		lines = append(lines, line{at: s.sub, left: paint.L(paint.Danger, "! "+trespass(d))})
	case claimed(d):
		lines = append(lines, line{at: s.sub, left: paint.L(paint.Warn, "! called completed all the same")})
	}
	if s.opened(it) {
		return s.inside(i, lines)
	}
	if sum := summary(it.entry.Tool, st); sum != "" {
		lines = append(lines, s.under(paint.Clean(paint.Dim, sum), nil)...)
	}
	last := len(lines) - 1
	lines[last] = s.hinted(i, lines[last])
	return lines
}

// toolRow is the row itself: status, kind, what it is about, what it changes,
// and how long it took.
func (s *scene) toolRow(it *item, st state) line {
	tool := it.entry.Tool
	lead := s.lead(signs[st], tool.Kind)
	right := s.elapsed(tool, st)
	changes := changed(tool.Added, tool.Removed)
	room := s.width - 1 - s.label - lead.Width() - changes.Width()
	if len(right) > 0 {
		room -= right.Width() + 2
	}
	if len(changes) > 0 {
		room -= 2
	}
	left := lead.With(s.about(tool, max(room, 4)))
	if len(changes) > 0 {
		left = left.With(paint.L(paint.Plain, "  ")).With(changes)
	}
	if it.replay {
		left = dimmed(left)
	}
	return s.first(it.entry.At, left, right)
}

// aboutAt is how far behind the label what a tool is about begins, at least.
const aboutAt = 11

// lead is the sign and the kind, as wide as they need to be for what follows to
// be in a column.
func (s *scene) lead(sign paint.Span, kind string) paint.Line {
	if kind == "" {
		kind = "tool"
	}
	lead := paint.Line{sign, paint.S(paint.Plain, " ")}.With(paint.Clean(paint.Plain, paint.Cut(head(kind, 64), 12)))
	return lead.With(paint.L(paint.Plain, strings.Repeat(" ", max(aboutAt-lead.Width(), 2))))
}

// elapsed is how long it took or goes on, or why there is no such time.
func (s *scene) elapsed(tool *session.Tool, st state) paint.Line {
	switch st {
	case running:
		if !tool.Started.IsZero() {
			return paint.L(paint.Strong, seconds(s.c.Now.Sub(tool.Started)))
		}
	case notRun:
		return paint.L(paint.Dim, "not run")
	case cancelled:
		return paint.L(paint.Warn, "cancelled")
	case other:
		return paint.Clean(paint.Warn, paint.Cut(head(tool.Status, 64), 16))
	case done, failed:
		if !tool.Ended.IsZero() && !tool.Started.IsZero() && !tool.Replay {
			return paint.L(paint.Dim, took(tool.Ended.Sub(tool.Started)))
		}
	}
	return nil
}

// about is what a tool works on: the path, for what is done to files; its title
// for all else.
func (s *scene) about(tool *session.Tool, room int) paint.Line {
	if len(tool.Paths) == 0 || !ofFiles(tool.Kind) {
		return titled(tool).Cut(room)
	}
	more := ""
	if n := len(tool.Paths) - 1; n > 0 {
		more = " +" + count(n)
	}
	name := paint.Clean(paint.Plain, cutPath(near(tool.Paths[0], s.session, s.c.Home), room-len(more)))
	l := name.With(paint.L(paint.Dim, more))
	if free := room - l.Width() - 2; free >= 12 && !strings.Contains(tool.Title, path.Base(tool.Paths[0])) && tool.Title != "" {
		l = l.With(paint.L(paint.Plain, "  ")).With(paint.Clean(paint.Dim, head(tool.Title, 512)).Cut(free))
	}
	return l
}

func titled(tool *session.Tool) paint.Line {
	switch {
	case tool.Title != "":
		return paint.Clean(paint.Plain, head(tool.Title, 1024))
	case tool.Name != "":
		return paint.Clean(paint.Plain, head(tool.Name, 1024))
	}
	return paint.L(paint.Dim, "no title")
}

func ofFiles(kind string) bool {
	switch kind {
	case "read", "edit", "delete", "move":
		return true
	}
	return false
}

// cutPath is a path in at most width cells; what is left out of a long one is
// its beginning.
func cutPath(name string, width int) string {
	name = tail(name, 4096)
	if paint.Width(name) <= width {
		return name
	}
	for rest := name; ; {
		i := strings.IndexByte(rest[min(1, len(rest)):], '/')
		if i < 0 {
			return paint.Cut("…"+rest, width)
		}
		if rest = rest[i+1:]; paint.Width(rest) < width {
			return "…" + rest
		}
	}
}

// changed is how many lines are added and removed.
func changed(added, removed int) paint.Line {
	if added == 0 && removed == 0 {
		return nil
	}
	return paint.Line{paint.S(paint.Added, "+"+count(added)), paint.S(paint.Plain, " "), paint.S(paint.Removed, "−"+count(removed))}
}

// summary is what a tool call came to, in a few words: only where that is more
// than its sign tells. What failed without an exit status says itself why.
func summary(tool *session.Tool, st state) string {
	switch {
	case st == failed && tool.Exit == "" && tool.Output != "":
		if n := lineCount(tool.Output); n > 1 {
			return head(firstLine(tool.Output), 160) + " · " + outputSize(tool)
		}
		return head(firstLine(tool.Output), 160)
	case tool.Exit == "" && (tool.Kind != "execute" || st != done && st != running):
		return ""
	}
	words := exitWords(tool.Exit)
	if tool.Output != "" {
		words += between(words, " · ") + outputSize(tool)
	}
	return words
}

// between is what joins more to the words before; nothing when there are none.
func between(before, join string) string {
	if before == "" {
		return ""
	}
	return join
}

// exitWords is an exit status as the words of a shell: exit 1, or a signal.
func exitWords(exit string) string {
	exit = head(exit, 64)
	if exit != "" && strings.Trim(exit, "0123456789-") == "" {
		return "exit " + exit
	}
	return exit
}

func outputSize(tool *session.Tool) string {
	if tool.OutputSize > len(tool.Output) {
		return size(tool.OutputSize) + " of output"
	}
	return plural(lineCount(tool.Output), "line")
}

func lineCount(s string) int { return strings.Count(strings.TrimRight(s, "\r\n"), "\n") + 1 }

// deed is what the ledger says of an entry; nil: nothing.
func (s *scene) deed(e *session.Entry) *model.Deed {
	deeds := s.session.Deeds
	for i := len(deeds) - 1; i >= 0; i-- {
		if deeds[i].Entry == e {
			return deeds[i]
		}
	}
	return nil
}

// trespass is what of a deed must not go unseen; empty: nothing.
func trespass(d *model.Deed) string {
	switch {
	case d == nil:
		return ""
	case d.Despite:
		return "ran although that was not allowed"
	case d.Verdict == model.Unasked:
		return "ran without asking"
	}
	return ""
}

// claimed says that the agent calls completed what was not allowed, and that
// nothing else tells whether it ran.
func claimed(d *model.Deed) bool {
	if d == nil || d.Despite || d.Entry == nil || d.Entry.Tool.Status != "completed" {
		return false
	}
	return d.Verdict == model.Refused || d.Verdict == model.TimedOut || d.Verdict == model.Withdrawn
}

func dimmed(l paint.Line) paint.Line {
	out := make(paint.Line, len(l))
	for i, span := range l {
		out[i] = span
		if span.Style.Role != paint.Odd {
			out[i].Style = paint.Style{Role: paint.Dim}
		}
	}
	return out
}

// tail is the end of s, at most n bytes of it.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[len(s)-n:], "")
}
