package card

import (
	"encoding/json"
	"fmt"
	"strings"

	"bobproxy/inspector/diff"
	"bobproxy/inspector/paint"
)

// change is a file that would be changed.
type change struct {
	path     string
	entry    int  // which of the content's it is, from 0
	isNew    bool // there is no old text
	old, new string
	meta     json.RawMessage
	steps    []diff.Step
	added    int
	removed  int
}

// isChange says that an entry is a change and nothing else.
func isChange(entry json.RawMessage) bool {
	_, ok := readChange(entry)
	return ok
}

// changeOf is the change that an entry shows, line by line.
func changeOf(entry json.RawMessage) (ch change, ok bool) {
	if ch, ok = readChange(entry); !ok {
		return ch, false
	}
	ch.steps = diff.Compare(diff.Lines(ch.old), diff.Lines(ch.new))
	for _, s := range ch.steps {
		switch s.Sign {
		case '+':
			ch.added++
		case '-':
			ch.removed++
		}
	}
	return ch, true
}

func readChange(entry json.RawMessage) (ch change, ok bool) {
	m, ok := exactly(entry, "type", "path", "oldText", "newText", "_meta")
	if !ok || !isString(m["type"], "diff") {
		return ch, false
	}
	if ch.path, ok = stringOf(m["path"]); !ok {
		return ch, false
	}
	if ch.new, ok = stringOf(m["newText"]); !ok {
		return ch, false
	}
	ch.meta = m["_meta"]
	if ch.isNew = isNull(m["oldText"]); !ch.isNew {
		if ch.old, ok = stringOf(m["oldText"]); !ok {
			return ch, false
		}
	}
	return ch, true
}

// sums is how many lines come and go.
func (ch change) sums() paint.Line {
	var l paint.Line
	if ch.isNew {
		return append(l, paint.S(paint.Plain, "new file "), paint.S(paint.Added, "+"+grouped(ch.added)))
	}
	return append(l, paint.S(paint.Added, "+"+grouped(ch.added)), paint.S(paint.Plain, " "), paint.S(paint.Removed, "−"+grouped(ch.removed)))
}

// listFiles tells of several changes which files they are in.
func (b *builder) listFiles(changes []change) {
	if len(changes) < 2 {
		return
	}
	b.begin(part{name: count(len(changes), "file", "files"), ours: true})
	for i, ch := range changes {
		text := paint.L(paint.Dim, fmt.Sprintf("%d/%d  ", i+1, len(changes)))
		text = append(text.With(b.ink.code(paint.Plain, ch.path)), paint.S(paint.Plain, "  "))
		b.add(line{text: text.With(ch.sums())})
	}
}

// change shows what changes, with a few lines around it.
func (b *builder) change(ch change, number int) {
	b.steps(ch, number)
	if !isNull(ch.meta) {
		b.tree("_meta of that", ch.meta)
	}
}

func (b *builder) steps(ch change, number int) {
	b.was = append(b.was, ch.path)
	b.diff += ch.unified()
	b.begin(part{name: ch.path, right: ch.sums(), file: number})
	b.ink.code(paint.Plain, ch.path) // its letters count, too
	if len(ch.steps) == 0 {
		b.say("an empty file")
		return
	}
	if ch.added+ch.removed == 0 {
		b.say("no line changes")
		return
	}
	w := walk{b: b, ch: ch, before: 1, after: 1, gap: true}
	for i := 0; i < len(ch.steps); {
		i += w.step(i)
	}
}

// walk goes through the steps of a change.
type walk struct {
	b             *builder
	ch            change
	before, after int  // numbers of the next lines
	gap           bool // nothing was shown yet, or lines were left out since
	pairs         map[int][]diff.Piece
}

// step shows step i, or leaves it out, and says how many steps that were.
func (w *walk) step(i int) int {
	s := w.ch.steps[i]
	if s.Sign == ' ' && !diff.Near(w.ch.steps, i) {
		w.number(' ')
		w.gap = true
		return 1
	}
	if w.gap {
		w.hunk(i)
	}
	w.gap = false
	run := w.run(i)
	if n := empties(run); n > 0 {
		for range n {
			w.number(s.Sign)
		}
		w.b.add(line{text: emptied(n), sign: s.Sign})
		return n
	}
	if s.Sign == '-' && (i == 0 || w.ch.steps[i-1].Sign != '-') {
		w.pair(i)
	}
	before, after := w.number(s.Sign)
	w.b.add(line{text: w.text(i), sign: s.Sign, before: before, after: after})
	return 1
}

// number counts a line and gives its numbers.
func (w *walk) number(sign byte) (before, after int) {
	if sign != '+' {
		before = w.before
		w.before++
	}
	if sign != '-' {
		after = w.after
		w.after++
	}
	return before, after
}

// hunk says where in the file the next lines are, unless they are its first and
// only ones.
func (w *walk) hunk(i int) {
	end := i
	var before, after int
	for end < len(w.ch.steps) && (w.ch.steps[end].Sign != ' ' || diff.Near(w.ch.steps, end)) {
		if w.ch.steps[end].Sign != '+' {
			before++
		}
		if w.ch.steps[end].Sign != '-' {
			after++
		}
		end++
	}
	if i == 0 && end == len(w.ch.steps) {
		return
	}
	text := fmt.Sprintf("@@ -%d,%d +%d,%d @@", w.before, before, w.after, after)
	w.b.add(line{text: paint.L(paint.Dim, text), label: true, sign: ' '})
}

// run are the lines from i on that have its sign, at most some.
func (w *walk) run(i int) (lines []string) {
	for j := i; j < len(w.ch.steps) && w.ch.steps[j].Sign == w.ch.steps[i].Sign; j++ {
		if s := w.ch.steps[j]; !isEmpty(s.Line) || s.Sign == ' ' && !diff.Near(w.ch.steps, j) {
			break
		}
		lines = append(lines, w.ch.steps[j].Line)
	}
	return lines
}

// pair compares the lines that go, from i on, with those that come for them.
func (w *walk) pair(i int) {
	gone := i
	for gone < len(w.ch.steps) && w.ch.steps[gone].Sign == '-' {
		gone++
	}
	w.pairs = map[int][]diff.Piece{}
	for n := 0; i+n < gone && gone+n < len(w.ch.steps) && w.ch.steps[gone+n].Sign == '+'; n++ {
		was, is, alike := diff.Words(bare(w.ch.steps[i+n].Line), bare(w.ch.steps[gone+n].Line))
		if alike {
			w.pairs[i+n], w.pairs[gone+n] = was, is
		}
	}
}

func bare(line string) string { return strings.TrimSuffix(line, "\n") }

var inSign = map[byte][2]paint.Role{
	' ': {paint.Plain, paint.Plain},
	'-': {paint.Removed, paint.RemovedWord},
	'+': {paint.Added, paint.AddedWord},
}

// text is the line of step i, with what changed in it set apart.
func (w *walk) text(i int) (text paint.Line) {
	s := w.ch.steps[i]
	roles := inSign[s.Sign]
	pieces, ok := w.pairs[i]
	if !ok {
		pieces = []diff.Piece{{Text: bare(s.Line)}}
	}
	for _, p := range pieces {
		role := roles[0]
		if p.Changed {
			role = roles[1]
		}
		text = text.With(w.b.ink.line(role, p.Text))
	}
	if !strings.HasSuffix(s.Line, "\n") && !w.ch.isNew {
		text = append(text, paint.S(paint.Dim, " (no line feed)"))
	}
	return text
}

// patch shows a text that tells a change by the signs its lines begin with.
func (b *builder) patch(name, text string) {
	b.begin(part{name: name, ours: true})
	b.copies("the patch", text)
	lines := splitLines(text)
	for i := 0; i < len(lines); {
		if n := empties(lines[i:]); n > 0 {
			b.add(line{text: emptied(n)})
			i += n
			continue
		}
		b.add(line{text: b.ink.line(patchRole(lines[i]), lines[i])})
		i++
	}
	b.was = append(b.was, text)
}

func patchRole(line string) paint.Role {
	switch {
	case strings.HasPrefix(line, "+"):
		return paint.Added
	case strings.HasPrefix(line, "-"):
		return paint.Removed
	case strings.HasPrefix(line, "@@"):
		return paint.Dim
	}
	return paint.Plain
}
