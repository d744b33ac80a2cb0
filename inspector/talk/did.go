package talk

import (
	"strings"

	"bobproxy/acp/session"
	"bobproxy/inspector/lapse"
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
	cutOff // it ran when everything ended
	asks
	other
)

// stateOf is the state of a tool call. Where all is over, nothing runs and nothing
// waits any more; and what was asked for and not allowed does not wait to run.
func stateOf(tool *session.Tool, asked []*model.Permission, over bool) state {
	for _, p := range asked {
		if open(p) {
			return asks
		}
	}
	st := saidOf(tool)
	switch {
	case st == waiting && (over || denied(asked)):
		return notRun
	case st == running && over:
		return cutOff
	}
	return st
}

// denied says that the last answer was none that allows it.
func denied(asked []*model.Permission) bool {
	if len(asked) == 0 {
		return false
	}
	p := asked[len(asked)-1]
	return !p.Unknown && !p.Allowed()
}

// saidOf is the state of a tool call as the agent tells it.
func saidOf(tool *session.Tool) state {
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
	cutOff:    paint.S(paint.Warn, "×"),
	asks:      {Text: "ASK", Style: paint.Style{Role: paint.Warn, Bold: true}},
	other:     paint.S(paint.Warn, "?"),
}

// tool is a tool call: one row that changes in place, and what belongs to it
// below.
func (s *scene) tool(i int) []line {
	it := &s.items[i]
	st := stateOf(it.entry.Tool, it.asked, s.over)
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
	about := s.place().Line(model.SubjectOf(tool, it.asked), max(room, 4))
	if len(about) == 0 {
		about = paint.L(paint.Dim, "no title").Cut(max(room, 4))
	}
	left := lead.With(about)
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
			return paint.L(paint.Strong, lapse.Clock(s.c.Now.Sub(tool.Started)))
		}
	case notRun:
		return paint.L(paint.Dim, "not run")
	case cutOff:
		if ran := s.c.Now.Sub(tool.Started); !tool.Started.IsZero() {
			return paint.L(paint.Warn, "unfinished").With(paint.L(paint.Dim, " "+lapse.Took(ran)))
		}
		return paint.L(paint.Warn, "unfinished")
	case cancelled:
		return paint.L(paint.Warn, "cancelled")
	case other:
		return paint.Clean(paint.Warn, paint.Cut(head(tool.Status, 64), 16))
	case done, failed:
		if !tool.Ended.IsZero() && !tool.Started.IsZero() && !tool.Replay {
			return paint.L(paint.Dim, lapse.Took(tool.Ended.Sub(tool.Started)))
		}
	}
	return nil
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
	case tool.Exit == "" && (tool.Kind != "execute" || st != done && st != running && st != cutOff):
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
	case d.Verdict == model.Unasked && d.Cover == nil:
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
