package card

import (
	"fmt"
	"strings"
	"time"

	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// plan is all that a card shows of a request, and how it shares its rows out.
type plan struct {
	title, facts, from []paint.Line
	notes              []paint.Line
	options            []optionRows
	note               []paint.Line
	clock, editor      []paint.Line
	sheet              *sheet
	level              int
	view               int // rows for the sheet, edges not counted
}

// optionRows are the rows of one option, or of the step before it is taken.
type optionRows struct {
	number int // 0: no option
	lock   string
	rows   []paint.Line
}

// Levels of how short space is. Each leaves out what the ones before it do.
const (
	roomy    = iota
	modest   // who asks
	packed   // blank rows
	brief    // that the editor can answer; the bar has its text beside it; one row of title and paths
	edgeless // the edges of the box
	levels
)

// comfort is how many rows of the input each level wants to show, if there are
// so many: nothing is scrolled for the sake of blank rows.
var comfort = [levels]int{16, 16, 5, 3, 3}

// drawRequest paints a request, with what there is room for.
func (c *Card) drawRequest(a paint.Area, ctx pane.Context) {
	if !c.split || c.content.files == 0 {
		a = a.Sub(0, 0, min(a.W, widest), a.H)
	}
	for level := range levels {
		if a.W < narrowest {
			break
		}
		p := c.plan(a, ctx, level)
		if p.view >= min(len(p.sheet.rows), comfort[level]) {
			c.paint(a, ctx, p)
			return
		}
	}
	c.drawFlat(a, ctx)
}

// plan measures a request at a level.
func (c *Card) plan(a paint.Area, ctx pane.Context, level int) *plan {
	p := &plan{level: level}
	most := 3
	if level >= brief {
		most = 1
	}
	var more []line
	inner := c.inner(a.W, level)
	p.title, more = limit(c.title, a.W, inner, most, more)
	facts := func(width int) []paint.Line { return append(c.kind(width), c.where(width, ctx)...) }
	if level < edgeless {
		p.facts = facts(a.W)
	} else {
		more = append(more, proses(facts(inner))...)
	}
	verdict, more := limit(func(width int) []paint.Line { return c.verdict(width, ctx) }, a.W, inner, 2*most, more)
	p.facts = append(p.facts, verdict...)
	if level == roomy {
		p.from = c.from(a.W, ctx)
	}
	for _, n := range c.content.notes {
		p.notes = append(p.notes, indented(n, 1, a.W)...)
	}
	p.sheet = c.sheetFor(a.W, level, most, more, ctx.Now)
	p.view = a.H
	if !c.stage(ctx.Now).over() {
		p.clock = c.clock(a.W, ctx.Now, level)
	}
	if level < brief {
		p.editor = c.editorLines(a.W, ctx.Now)
	}
	c.measure(p, a, ctx)
	return p
}

// measure finds how many rows are left for the sheet. What is locked depends on
// that, and that on how many rows it takes to say so: it is looked at again
// until it agrees.
func (c *Card) measure(p *plan, a paint.Area, ctx pane.Context) {
	for range 3 {
		view := p.view
		c.optionPlan(p, a, c.window(p.sheet, p.view), ctx.Now)
		p.view = a.H - p.rest()
		if p.view == view {
			break
		}
	}
}

// rest is how many rows everything but the rows of the sheet takes.
func (p *plan) rest() int {
	n := len(p.title) + len(p.facts) + len(p.from) + len(p.notes) + len(p.note) + len(p.clock) + len(p.editor)
	for _, o := range p.options {
		n += len(o.rows)
	}
	if p.level < edgeless {
		n += 2
	}
	return n + p.blanks()
}

// blanks is how many empty rows there are: below the title, above and below
// the box, above the clock and above the editor.
func (p *plan) blanks() int {
	if p.level >= packed {
		return 0
	}
	return 4
}

// limit is what lines are at a width, as far as it fits into so many rows. What
// does not is to be read with the input, broken to the width that has.
func limit(lines func(width int) []paint.Line, width, inner, most int, more []line) ([]paint.Line, []line) {
	all := lines(width)
	if len(all) <= most {
		return all, more
	}
	more = append(more, line{text: paint.L(paint.Dim, "from above, in full:"), part: -1, label: true})
	more = append(more, proses(lines(inner))...)
	const rest = " … see below"
	last := all[most-1].Cut(width - len(rest)).With(paint.L(paint.Warn, rest))
	return append(all[:most-1:most-1], last), more
}

// proses are lines to be read with the input, of no part of it.
func proses(lines []paint.Line) (out []line) {
	for _, l := range lines {
		out = append(out, line{text: l, prose: true, part: -1})
	}
	return out
}

// inner is how many cells a sheet has inside of a card.
func (c *Card) inner(width, level int) int {
	if level >= edgeless {
		return width - 3
	}
	return width - 6
}

// Widths of a card, or of its inside, from which on there is room for more.
const (
	narrowest   = 30  // parts beside each other, not one text
	splitWidth  = 120 // old and new text side by side
	widest      = 120 // where they are not, nothing is wider
	lockWidth   = 90  // why an option is locked, in its row
	clockWidth  = 80  // what happens at the end of time, beside the bar
	numberWidth = 54  // inside: numbers of lines of files
)

// sheetFor is what is to be read, broken to a width. more is what of the rest
// did not fit.
func (c *Card) sheetFor(width, level, most int, more []line, now time.Time) *sheet {
	inner := c.inner(width, level)
	m := measure{width: inner, outer: width, level: level, split: c.split && width >= splitWidth, numbers: inner >= numberWidth, heads: len(c.content.parts) > 1, first: !c.fits(inner), most: most}
	if s, ok := c.sheets[m]; ok {
		return s
	}
	for _, ch := range c.choices {
		if _, whole := c.option(ch, "", width, nameRows(level), now); !whole {
			more = append(more, line{text: paint.L(paint.Dim, fmt.Sprintf("option %d: ", ch.Number)).With(ch.name(paint.Plain)), prose: true, part: -1})
		}
	}
	lines := c.content.lines
	if len(more) > 0 {
		lines = append(lines[:len(lines):len(lines)], more...)
	}
	return c.keep(m, newSheet(lines, c.content.parts, m, c.dossier.read[:min(len(c.dossier.read), len(c.content.lines))]))
}

func (c *Card) keep(m measure, s *sheet) *sheet {
	if c.sheets == nil || len(c.sheets) >= mostSheets {
		c.sheets = map[measure]*sheet{}
	}
	c.sheets[m] = s
	return s
}

// mostSheets is how many breakings of one request are kept.
const mostSheets = 12

// fits says that the name of the first part fits into the edge of the box.
func (c *Card) fits(width int) bool {
	return partName(c.content.parts, 0).Width() <= width-besideTitle
}

// setSheet makes s what must be read.
func (c *Card) setSheet(s *sheet, flat bool) {
	c.flat = flat
	if s == c.sheet {
		return
	}
	c.top, c.sheet = c.topIn(s), s
	for i := range s.rows { // lines that were read in another breaking
		if r := s.rows[i]; !s.seen[i] && c.hasRead(r) {
			s.see(i, i+1, func(int) {})
		}
	}
}

// topIn is the first row in view of s: the first line in view stays where it is.
func (c *Card) topIn(s *sheet) int {
	old := c.sheet
	if s == old || old == nil || c.top <= 0 || c.top >= len(old.rows) {
		return c.top
	}
	if id := max(old.rows[c.top].lines[0], old.rows[c.top].lines[1]); id >= 0 && id < len(s.first) && s.first[id] >= 0 {
		return s.first[id]
	}
	return c.top
}

func (c *Card) hasRead(r row) bool {
	for _, id := range r.lines {
		if id >= 0 && (id >= len(c.content.lines) || id >= len(c.dossier.read) || !c.dossier.read[id]) {
			return false
		}
	}
	return true
}

// window is what of s is in view, of so many rows at once.
func (c *Card) window(s *sheet, rows int) window {
	w := window{sheet: s}
	if !c.raw {
		w.from = max(min(c.topIn(s), len(s.rows)-rows), 0)
		w.to = min(w.from+rows, len(s.rows))
	}
	return w
}

// optionPlan makes the rows of the options and the note below them.
func (c *Card) optionPlan(p *plan, a paint.Area, w window, now time.Time) {
	p.options = nil
	for _, ch := range c.listed(a.H) {
		lock := c.locked(ch, w)
		rows, _ := c.option(ch, lock, a.W, nameRows(p.level), now)
		p.options = append(p.options, optionRows{ch.Number, lock, rows})
		if c.confirm != nil && c.confirm.number == ch.Number {
			p.options = append(p.options, optionRows{rows: c.confirmBox(a.W)})
		}
	}
	if hidden := len(c.choices) - len(c.listed(a.H)); hidden > 0 {
		text := fmt.Sprintf("     %s in all: arrows reach the others", count(len(c.choices), "option", "options"))
		p.options = append(p.options, optionRows{rows: []paint.Line{paint.L(paint.Dim, text)}})
	}
	if len(c.choices) == 0 {
		text := paint.L(paint.Dim, "  no options")
		if c.barred() == "" && c.stage(now) == open {
			text = text.With(paint.Line{paint.S(paint.Dim, ": "), paint.S(paint.Key, c.twice()), paint.S(paint.Dim, " answers that it is cancelled")})
		}
		p.options = append(p.options, optionRows{rows: []paint.Line{text}})
	}
	p.note = c.noteRows(p, a.W, now)
}

// listed are the options in view: all of them, or those around the selection.
func (c *Card) listed(height int) []choice {
	most := max(9, height/3)
	if len(c.choices) <= most {
		return c.choices
	}
	at := max(min(c.selected-1-most/2, len(c.choices)-most), 0)
	return c.choices[at : at+most]
}

func (c *Card) confirmBox(width int) []paint.Line {
	rows := c.confirming(width - 6)
	edge := func(l, r string) paint.Line {
		return paint.L(paint.Border, " "+l+strings.Repeat("─", max(width-4, 0))+r)
	}
	box := []paint.Line{edge("┌", "┐")}
	for _, r := range rows {
		gap := strings.Repeat(" ", max(width-6-r.Width(), 0))
		box = append(box, paint.L(paint.Border, " │ ").With(r).With(paint.Line{paint.S(paint.Plain, gap), paint.S(paint.Border, " │")}))
	}
	return append(box, edge("└", "┘"))
}

// mostNoteRows bounds what is said below the options.
const mostNoteRows = 4

// noteRows say what became of the last key or answer, or else why nothing can be
// answered, or not yet. There is always one row.
func (c *Card) noteRows(p *plan, width int, now time.Time) []paint.Line {
	l := c.noteLine(p, width, now)
	rows := l.Wrap(width - 2)
	if len(rows) > mostNoteRows {
		rows = rows[:mostNoteRows]
	}
	for i := range rows {
		rows[i] = paint.L(paint.Plain, " ").With(rows[i])
	}
	return rows
}

func (c *Card) noteLine(p *plan, width int, now time.Time) paint.Line {
	switch s := c.stage(now); {
	case s != open:
		return c.sentLine(s, now)
	case c.saying(now) != "":
		return paint.Clean(paint.Warn, c.saying(now))
	case c.barred() != "":
		return paint.Clean(paint.Warn, c.barred())
	case c.told != nil && c.told.Unanswerable != "":
		return paint.Clean(paint.Warn, "! "+c.told.Unanswerable)
	case c.dossier.doubt != nil:
		return paint.Clean(paint.Warn, fmt.Sprintf("! NOT CONFIRMED  %s: no connection; it may have counted. You can answer again", c.dossier.doubt))
	case c.confirm != nil:
		return nil
	case !c.painted.drawn:
		return paint.Line{paint.S(paint.Key, string(c.options.Look)), paint.S(paint.Dim, " comes here, to answer")}
	}
	free, lock := c.allows(p)
	switch {
	case free && !c.arming.over(now):
		return paint.L(paint.Dim, c.arming.why+": allow keys open when you stop typing")
	case width >= lockWidth:
		return nil // the rows of the options say it
	}
	return paint.Clean(paint.Dim, lock)
}

// allows says whether an option that allows is free to be chosen, and why the
// first one that is not is locked.
func (c *Card) allows(p *plan) (free bool, lock string) {
	for _, o := range p.options {
		ch, ok := numbered(c.choices, o.number)
		switch {
		case !ok || ch.Odd || ch.means.rejects():
		case o.lock == "":
			free = true
		case lock == "":
			lock = o.lock
			if ch.means.lasts() && c.options.HideAlways {
				lock = fmt.Sprintf("%d: %s", ch.Number, lock)
			}
		}
	}
	return free, lock
}

// String is an answer in a few words.
func (s *sent) String() string {
	if s.number == 0 {
		return "cancelled"
	}
	return fmt.Sprintf("%d %s", s.number, orWords(paint.Cut(s.name, 60), s.means.String()))
}

// sentLine is what became of an answer that was given here.
func (c *Card) sentLine(s stage, now time.Time) paint.Line {
	answer := c.dossier.sent
	if answer == nil {
		answer = c.dossier.doubt
	}
	if answer == nil {
		return nil
	}
	text := paint.Clean(paint.Strong, answer.String())
	since := fmt.Sprintf("%.1fs", max(now.Sub(answer.at), 0).Seconds())
	switch s {
	case counted:
		at := answer.at
		if !c.p.Closed.IsZero() {
			at = c.p.Closed
		}
		return paint.L(paint.Good, "✓ SENT  ").With(text).With(paint.L(paint.Dim, "  ·  "+at.In(now.Location()).Format("15:04:05")))
	case silent:
		return paint.L(paint.Warn, "! NOT CONFIRMED  ").With(text).With(paint.L(paint.Warn, "  ·  "+since+": the proxy has not answered"))
	}
	return paint.L(paint.Strong, "… SENDING  ").With(text).With(paint.L(paint.Dim, "  ·  "+since))
}

// editorLines say what the editor can still do.
func (c *Card) editorLines(width int, now time.Time) []paint.Line {
	if c.stage(now).over() {
		return []paint.Line{paint.L(paint.Dim, " An answer in the editor is dropped now.")}
	}
	if c.told != nil && c.told.Unattributable != "" {
		return indented(paint.Clean(paint.Warn, "! "+c.told.Unattributable), 1, width)
	}
	return []paint.Line{paint.L(paint.Dim, " The editor can answer too. First one counts.")}
}
