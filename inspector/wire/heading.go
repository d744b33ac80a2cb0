package wire

import (
	"strings"

	"bobproxy/acp"
	"bobproxy/acp/check"
	"bobproxy/inspector/lapse"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/journal"
)

// Row is what is shown; nil: nothing.
func (d *Detail) Row() *model.Row { return d.row }

// Heading is who sent what.
func (d *Detail) Heading() string {
	r := d.row
	switch {
	case r == nil:
		return "no frame"
	case r.Type != journal.FrameEvent:
		return firstOf(eventNames[r.Type], head(string(r.Type)))
	}
	word, _ := kind(r)
	sign := " "
	if r.Added {
		sign = "*"
	}
	return arrow(r) + sign + word + " " + method(r, false)
}

var eventNames = map[journal.Type]string{
	journal.OpenedEvent:   "A permission was asked for",
	journal.DecisionEvent: "A permission was answered",
	journal.StartEvent:    "The agent was started",
	journal.ExitEvent:     "The agent ended",
	journal.StderrEvent:   "Words of the agent on its stderr",
	journal.WarningEvent:  "A warning of the proxy",
	journal.FlaggedEvent:  "Something odd passed",
	journal.GapEvent:      "Events that were not told",
}

// Head is the id, when and how large the frame is, how it was answered, and how
// it is shown.
func (d *Detail) Head(c pane.Context) pane.Head {
	if d.row == nil {
		return pane.Head{}
	}
	h := pane.Head{Always: true, Status: d.facts(c), StatusRight: d.mode()}
	if d.row.ID != "" {
		h.Right = append(paint.L(paint.Dim, "id "), paint.Clean(paint.Plain, short(d.row.ID))...)
	}
	return h
}

func (d *Detail) facts(c pane.Context) paint.Line {
	r := d.row
	line := paint.L(paint.Dim, r.Time.In(c.Now.Location()).Format("15:04:05.000"))
	if r.Type == journal.FrameEvent || r.Size > 0 {
		line = append(line, paint.S(paint.Dim, " · "), paint.S(paint.Plain, size(r.Size)))
	}
	if text, role := answer(r, c); text != "" {
		line = append(line, paint.S(paint.Dim, " · "), paint.S(role, text))
	}
	return line
}

// answer says whether and how fast a request was answered.
func answer(r *model.Row, c pane.Context) (string, paint.Role) {
	switch {
	case r.Type != journal.FrameEvent:
		return "", paint.Plain
	case r.Kind == acp.Response || r.Kind == acp.Error:
		if r.Pair == nil && r.Waited == 0 {
			return "", paint.Plain
		}
		return "after " + lapse.Took(r.Waited), speed(r)
	case r.Waiting:
		if left, ok := remaining(r, c.Now); ok {
			return "no answer yet " + lapse.Left(left), paint.Warn
		}
		return "no answer yet", paint.Plain
	case r.Kind == acp.Request && r.Pair != nil && r.Pair.Kind == acp.Error:
		return "error after " + lapse.Took(r.Pair.Waited), paint.Bad
	case r.Kind == acp.Request && r.Pair != nil:
		return "answered after " + lapse.Took(r.Pair.Waited), speed(r.Pair)
	}
	return "", paint.Plain
}

// mode says how the frame is shown.
func (d *Detail) mode() paint.Line {
	switch {
	case d.row.Type != journal.FrameEvent && !d.raw:
		return nil
	case d.raw:
		return paint.L(paint.Strong, "raw")
	case d.long:
		return paint.L(paint.Dim, "tree, cut")
	}
	return paint.L(paint.Dim, "tree")
}

// notes are what was done with a frame instead of forwarding it, what is odd
// about it, what of the protocol it breaks, who made it, and what is not shown of
// it.
func notes(r *model.Row, width int) (lines []paint.Line) {
	if r.Type != journal.FrameEvent {
		return nil
	}
	switch {
	case r.Action != "":
		lines = note(paint.Bad, head(r.Action), r.Reason, width)
	case r.Reason != "" && (r.Kind == acp.Text || r.Kind == acp.Ambiguous):
		lines = note(paint.Bad, "not JSON-RPC", r.Reason, width)
	case r.Reason != "":
		lines = note(paint.Warn, "odd", r.Reason, width)
	}
	for _, f := range r.Findings() {
		if r.Reason != "" && strings.HasPrefix(f.Rule, "transport/") {
			continue // it is said already
		}
		role := paint.Warn
		if f.Severity == check.Error {
			role = paint.Bad
		}
		lines = append(lines, note(role, f.Rule, f.Text, width)...)
	}
	var more paint.Line
	if r.Added {
		more = append(more, paint.S(paint.Dim, "by: "), paint.S(paint.Strong, head(firstOf(r.By, "proxy"))))
	}
	if r.Masked > 0 {
		if more != nil {
			more = append(more, paint.S(paint.Dim, " · "))
		}
		more = append(more, paint.S(paint.Warn, count(r.Masked, "value")+" masked"))
	}
	if more != nil {
		lines = append(lines, more)
	}
	return lines
}

// note is a word and what there is to say about it, in at most three lines.
func note(role paint.Role, word, text string, width int) []paint.Line {
	line := paint.L(role, word)
	if text != "" {
		line = append(append(line, paint.S(role, ": ")), paint.Clean(paint.Plain, head(text))...)
	}
	lines := line.Wrap(max(width, 20))
	return lines[:min(len(lines), 3)]
}

// header paints the notes above the frame, and gives the number of rows that
// took.
func (d *Detail) header(a paint.Area) int {
	lines := notes(d.row, a.W-2)
	lines = lines[:min(len(lines), a.H/3)]
	for y, l := range lines {
		a.Line(1, y, l)
	}
	if len(lines) == 0 || a.H < lowPane {
		return len(lines)
	}
	return len(lines) + 1
}

const lowPane = 15 // rows from which there is a blank one between notes and frame
