package wire

import (
	"strconv"

	"bobproxy/acp"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/journal"
)

const lowPane = 15 // rows below which the heading is one row

// heading paints what the frame is, and gives the number of rows that took.
func (d *Detail) heading(a paint.Area, c pane.Context) int {
	r := d.row
	lines := notes(r, a.W-2)
	if a.H < lowPane {
		a.In(1, 1).Both(0, append(title(r), append(paint.L(paint.Dim, " · "), facet(r, c)...)...), d.mode())
		lines = lines[:min(len(lines), 1)]
	} else {
		a.In(1, 1).Both(0, title(r), number(r))
		a.In(1, 1).Both(1, append(paint.L(paint.Dim, moment(r, c)+" · "), facet(r, c)...), d.mode())
	}
	y := 1
	if a.H >= lowPane {
		y = 2
	}
	for _, l := range lines {
		a.Line(1, y, l)
		y++
	}
	if a.H >= lowPane {
		a.Rule(y)
		y++
	}
	return min(y, a.H)
}

// title is who sent what.
func title(r *model.Row) paint.Line {
	word, role := kind(r)
	if r.Type != journal.FrameEvent {
		return paint.Line{paint.S(role, eventNames[r.Type])}
	}
	line := paint.L(paint.Out, "→")
	if r.From == acp.Agent {
		line = paint.L(paint.In, "←")
	}
	if r.Added {
		line = append(line, paint.S(paint.Strong, "*"))
	}
	line = append(line, paint.S(role, " "+word+" "))
	return append(line, paint.Clean(paint.Strong, method(r, false))...)
}

var eventNames = map[journal.Type]string{
	journal.OpenedEvent:   "A permission waits for an answer",
	journal.DecisionEvent: "A permission was answered",
	journal.StartEvent:    "The agent was started",
	journal.ExitEvent:     "The agent ended",
	journal.StderrEvent:   "Words of the agent on its stderr",
	journal.WarningEvent:  "A warning of the proxy",
	journal.FlaggedEvent:  "Something odd passed",
	journal.GapEvent:      "Events that were not told",
}

func number(r *model.Row) paint.Line {
	if r.ID == "" {
		return nil
	}
	return append(paint.L(paint.Dim, "id "), paint.Clean(paint.Plain, short(r.ID))...)
}

func moment(r *model.Row, c pane.Context) string {
	return r.Time.In(c.Now.Location()).Format("15:04:05.000")
}

// facet is how large a frame is, and how it was answered.
func facet(r *model.Row, c pane.Context) paint.Line {
	var l paint.Line
	add := func(role paint.Role, text string) {
		if text == "" {
			return
		}
		if len(l) > 0 {
			l = append(l, paint.S(paint.Dim, " · "))
		}
		l = append(l, paint.Clean(role, text)...)
	}
	if r.Type == journal.FrameEvent || r.Size > 0 {
		add(paint.Plain, size(r.Size))
	}
	text, role := answer(r, c)
	add(role, text)
	if r.Masked > 0 {
		add(paint.Warn, "masked "+strconv.Itoa(r.Masked))
	}
	if r.Added {
		add(paint.Strong, "by: "+head(firstOf(r.By, "proxy")))
	}
	return l
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
		return "after " + span(r.Waited), speed(r)
	case r.Waiting:
		if left, ok := remaining(r, c.Now); ok {
			return "answer: none yet, " + clock(left) + " left", paint.Warn
		}
		return "answer: none yet", paint.Plain
	case r.Kind == acp.Request && r.Pair != nil && r.Pair.Kind == acp.Error:
		return "error after " + span(r.Pair.Waited), paint.Bad
	case r.Kind == acp.Request && r.Pair != nil:
		return "answer after " + span(r.Pair.Waited), speed(r.Pair)
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

// notes are what was done with a frame instead of forwarding it, and what is
// odd about it, in at most three lines.
func notes(r *model.Row, width int) []paint.Line {
	if r.Type != journal.FrameEvent || r.Action == "" && r.Reason == "" {
		return nil
	}
	label, role := "odd: ", paint.Warn
	if r.Action != "" {
		label, role = r.Action, paint.Bad
		if r.Reason != "" {
			label += ": "
		}
	}
	lines := append(paint.L(role, head(label)), paint.Clean(paint.Plain, head(r.Reason))...).Wrap(max(width, 20))
	return lines[:min(len(lines), 3)]
}
