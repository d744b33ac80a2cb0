package report

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/clean"
	"bobproxy/inspector/paint"
)

// Look is how a report is printed.
type Look struct {
	Width int            // cells; at least 60
	ASCII bool           // only ASCII glyphs
	Zone  *time.Location // of what is told of times; nil: UTC
}

// Bounds of what is printed; [Report.JSON] has all of it.
const (
	shownFlows = 12
	shownTurns = 20 // the last ones
)

// writer prints a report.
type writer struct {
	strings.Builder
	*Report
	Look
}

// Text is the report for people, under name.
func (r *Report) Text(name string, look Look, verdicts []Verdict) string {
	look.Width = max(look.Width, 60)
	if look.Zone == nil {
		look.Zone = time.UTC
	}
	w := &writer{Report: r, Look: look}
	w.head(name)
	w.durations()
	w.wire()
	w.slowest()
	w.turns()
	w.counts()
	w.verdicts(verdicts)
	if look.ASCII {
		return paint.InASCII(w.String())
	}
	return w.String()
}

// head says what was read.
func (w *writer) head(name string) {
	parts := []string{many(w.Frames[acp.Client]+w.Frames[acp.Agent], "frame")}
	if w.Session == "" {
		parts = append(parts, many(w.Sessions, "session"))
	}
	parts = append(parts, many(w.AllTurns, "turn"))
	if w.Timed {
		parts = append(parts, lasting(int64(w.Last.Sub(w.First))))
	}
	if w.Session != "" {
		name += ", session " + w.Session
	}
	facts := strings.Join(parts, ", ")
	if name = cut(name, w.Width); paint.Width(name)+2+len(facts) > w.Width {
		w.line(name)
		w.line(facts)
		return
	}
	w.line(name + ": " + facts)
}

func (w *writer) line(text string) { w.WriteString(strings.TrimRight(text, " ") + "\n") }

// Cells of the columns.
const (
	valueCells = 9
	sizeCells  = 11
	countCells = 7
)

// durations is the table of what was measured in time.
func (w *writer) durations() {
	if !w.Timed {
		w.line("\nIt does not say when its frames came, so nothing is told of time.")
		return
	}
	first, short := true, 0
	for _, m := range w.order() {
		if first {
			w.row("", "count", "min", "p50", "p90", "p99", "max")
			first = false
		}
		s := w.series[m]
		w.row(label(m), fmt.Sprint(s.Count), m.inUnits(s.Min), m.inUnits(s.Percentile(50)), m.inUnits(s.Percentile(90)), m.inUnits(s.Percentile(99)), m.inUnits(s.Max))
		if s.Kept() < s.Count {
			short++
		}
	}
	if short > 0 {
		w.line(fmt.Sprintf("\nPercentiles of %s are of the first values only, at most %d.", many(short, "row"), MaxValues))
	}
}

// row is a line of the table of times, under a blank one when it is its head.
func (w *writer) row(name, count string, values ...string) {
	if name == "" {
		w.WriteString("\n")
	}
	room := w.Width - countCells - valueCells*len(values)
	line := pad(cut(name, room-1), room) + fmt.Sprintf("%*s", countCells, count)
	for _, v := range values {
		line += fmt.Sprintf("%*s", valueCells, v)
	}
	w.line(line)
}

// order is that of the table: what people feel comes first, then the methods.
func (w *writer) order() (all []Measure) {
	var methods []Measure
	for _, m := range w.Measures() {
		switch m.Of {
		case Bytes:
		case Answer:
			methods = append(methods, m)
		default:
			all = append(all, m)
		}
	}
	return append(all, methods...)
}

// label names a measure in the table.
func label(m Measure) string {
	switch {
	case m.Of == FirstToken:
		return "first token"
	case m.Of == Gap:
		return "gap between chunks"
	case m.Of == Tool && m.Name == "":
		return "tool call"
	case m.Of == Permission && m.Name != "":
		return "  by " + m.Name
	case m.Of == Tool:
		return "  " + m.Name
	}
	return m.String()
}

// wire is what crossed it, by method.
func (w *writer) wire() {
	flows := w.Flows()
	if len(flows) == 0 {
		return
	}
	const columns = 2 * (countCells + sizeCells)
	room := min(28, w.Width-columns-4)
	bars := w.Width - columns - room - 2
	w.line(fmt.Sprintf("\n%*s%*s", room+countCells+sizeCells, "from client", countCells+sizeCells, "from agent"))
	for _, f := range flows[:min(len(flows), shownFlows)] {
		line := pad(cut(f.Method, room-1), room)
		for _, from := range []acp.Direction{acp.Client, acp.Agent} {
			line += w.share(f, from)
		}
		w.line(line + "  " + bar(f.All(), flows[0].All(), bars))
	}
	if n := len(flows) - shownFlows; n > 0 {
		w.line(fmt.Sprintf("and %s, with --json", many(n, "method")))
	}
}

// share is what one side sent of a method; blank for nothing.
func (w *writer) share(f *Flow, from acp.Direction) string {
	if f.Frames[from] == 0 {
		return strings.Repeat(" ", countCells+sizeCells)
	}
	return fmt.Sprintf("%*d%*s", countCells, f.Frames[from], sizeCells, sized(f.Bytes[from]))
}

func (w *writer) slowest() {
	if len(w.Slowest) == 0 {
		return
	}
	w.line("\nslowest answers")
	for _, p := range w.Slowest {
		w.line(fmt.Sprintf("%*s  %s", valueCells, lasting(int64(p.Waited)),
			cut(fmt.Sprintf("%s, by the %s, #%d → #%d", p.Method, p.By, p.Asked, p.Frame), w.Width-valueCells-2)))
	}
}

// turns are the last ones, with a bar for how long each took.
func (w *writer) turns() {
	if len(w.Turns) == 0 || !w.Timed {
		return
	}
	list := w.Turns[max(0, len(w.Turns)-shownTurns):]
	longest := int64(0)
	for _, t := range list {
		longest = max(longest, int64(t.Took))
	}
	w.line("\nturns" + w.omitted(len(list)))
	for _, t := range list {
		w.line(w.oneTurn(t, longest))
	}
}

func (w *writer) omitted(shown int) string {
	if shown == w.AllTurns {
		return ""
	}
	return fmt.Sprintf(" (%d of %d)", shown, w.AllTurns)
}

func (w *writer) oneTurn(t OneTurn, longest int64) string {
	const bars = 12
	took, stop := lasting(int64(t.Took)), cmp.Or(t.Stop, "no stop reason")
	if t.End == 0 {
		took, stop = "-", "did not end"
	}
	line := fmt.Sprintf("%*s  %s  %*s  %s  ", countCells, fmt.Sprintf("#%d", t.Frame), t.Start.In(w.Zone).Format("15:04:05"),
		valueCells, took, pad(bar(int64(t.Took), longest, bars), bars))
	parts := []string{stop}
	if t.Tools > 0 {
		parts = append(parts, many(t.Tools, "tool"))
	}
	if t.Asked > 0 {
		parts = append(parts, "asked "+lasting(int64(t.Asked)))
	}
	return line + cut(strings.Join(parts, ", "), w.Width-paint.Width(line))
}

// counts is the last line: what else there was.
func (w *writer) counts() {
	var parts []string
	for _, c := range []struct {
		n     int
		thing string
	}{
		{w.Counts.Stderr, "line of stderr|lines of stderr"}, {w.Counts.Flagged, "flag|flags"}, {w.Counts.Warnings, "warning|warnings"},
		{w.Counts.Open, "request without an answer|requests without an answer"}, {w.Counts.Errors, "error|errors"},
		{w.Counts.Late, "answer that came too late|answers that came too late"},
		{w.Counts.Closed, "dialog closed by the editor, as asked|dialogs closed by the editor, as asked"},
		{w.Counts.Stray, "answer that nobody waited for|answers that nobody waited for"},
		{w.Counts.Stopped, "frame stopped by the proxy|frames stopped by the proxy"}, {w.Counts.Odd, "odd frame|odd frames"},
		{w.Counts.Added, "frame added by the proxy|frames added by the proxy"}, {w.Counts.Masked, "masked value|masked values"},
		{w.Counts.Unasked, "call that ran unasked|calls that ran unasked"},
		{w.Counts.Forbidden, "call that ran although that was not allowed|calls that ran although that was not allowed"}, {int(min(w.Counts.Missing, 1<<40)), "record missing|records missing"},
		{w.Counts.Damaged, "line that cannot be read|lines that cannot be read"},
	} {
		one, more, _ := strings.Cut(c.thing, "|")
		switch {
		case c.n == 1:
			parts = append(parts, "1 "+one)
		case c.n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", c.n, more))
		}
	}
	if len(parts) > 0 {
		w.WriteString("\n")
		w.wrapped(parts)
	}
}

// wrapped is a list in lines.
func (w *writer) wrapped(parts []string) {
	line := ""
	for i, part := range parts {
		if i < len(parts)-1 {
			part += ","
		}
		if line != "" && len(line)+1+len(part) > w.Width {
			w.line(line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + part)
	}
	w.line(line)
}

func (w *writer) verdicts(verdicts []Verdict) {
	if len(verdicts) > 0 {
		w.WriteString("\n")
	}
	for _, v := range verdicts {
		w.line(cut(v.String(), w.Width))
	}
}

// String says whether the assertion holds, and what was measured.
func (v Verdict) String() string {
	mark, got := "holds", ""
	if !v.Holds {
		mark = "fails"
	}
	switch {
	case !v.Measured:
		got = "was never measured"
	case v.Stat == "count":
		got = fmt.Sprint(v.Value)
	default:
		got = v.Measure.inUnits(v.Value)
	}
	return fmt.Sprintf("%s  %s: %s", mark, v.Text, got)
}

// cut is text from anywhere, made clean, in at most so many cells.
func cut(text string, cells int) string { return paint.Cut(clean.Line(text), cells) }

func pad(text string, cells int) string {
	return text + strings.Repeat(" ", max(0, cells-paint.Width(text)))
}

// bar shows v of most in at most so many cells; what is not nothing has one.
func bar(v, most int64, cells int) string {
	if v <= 0 || most <= 0 || cells <= 0 {
		return ""
	}
	return strings.Repeat("█", max(1, int(float64(v)/float64(most)*float64(cells)+0.5)))
}
