package card

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"bobproxy/acp/clean"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/proxy/control"
)

// line is one line of what is asked, not yet broken to a width.
type line struct {
	text   paint.Line
	part   int    // of content.parts
	number string // in front of it; empty: none
	sign   byte   // of a change: ' ', '-', '+'; 0: no change
	before int    // number of the line in the old text, and
	after  int    // in the new one; 0: none
	label  bool   // ours, not the agent's
	prose  bool   // to be broken between words
	option int    // number of the option that it is of; 0: none
}

// part is one of the things that a request shows.
type part struct {
	name  string // a path, or what it is; not clean
	ours  bool   // name is our own word
	right paint.Line
	file  int // which of the files it is, from 1; 0: none
}

// content is all that a request asks for, independent of any width.
type content struct {
	parts   []part
	lines   []line
	raw     []line // the raw input as a tree; nil: none
	notes   []paint.Line
	clipped bool   // this is only the beginning
	copied  string // what Copy copies
	what    string // and what that is
	files   int    // how many diffs there are
	entries []int  // which entries of the tool call's content these are
	command bool   // there is one
	cwd     string // where it runs, by the raw input; empty: that says nothing else
	titled  bool   // the title is among the lines
	more    bool   // the raw input has members that are not shown
	said    bool   // nothing in the title goes beyond what is shown
}

// contentOf reads a request.
func contentOf(p *model.Permission) *content {
	b := &builder{changes: changesOf(p.Card)}
	b.c.files = len(b.changes)
	for _, ch := range b.changes {
		b.c.entries = append(b.c.entries, ch.entry)
	}
	o := p.Card
	if o == nil {
		b.c.parts = []part{{name: "input", ours: true}}
		b.say("the proxy has not told what is asked")
		return b.finish(p)
	}
	b.folder = o.Cwd
	if o.Description != "" {
		b.text("description", o.Description)
	}
	if o.Command != "" {
		b.command(o.Command)
	}
	b.input(o)
	b.shown(o)
	b.rest()
	b.clippedParts(o)
	if len(b.c.lines) == 0 || p.Kind == "execute" && !b.c.command {
		b.title(p.Title)
	}
	return b.finish(p)
}

// number is that of the diff that an entry of the tool call's content is, from 1;
// 0: it is none.
func (c *content) number(entry int) int { return slices.Index(c.entries, entry) + 1 }

// builder collects content.
type builder struct {
	c       content
	ink     ink
	changes []change // in what the tool call shows
	left    []member // of the raw input, what no part has shown
	folder  string   // where the request says that it runs
	diff    string   // of all changes, as programs read it
	was     []string // what was shown, to tell whether a title says something else
}

func (b *builder) begin(p part) {
	b.c.parts = append(b.c.parts, p)
}

func (b *builder) add(l line) {
	l.part = len(b.c.parts) - 1
	b.c.lines = append(b.c.lines, l)
}

func (b *builder) say(text string) {
	b.add(line{text: paint.L(paint.Dim, text), label: true})
}

// numbered adds the lines of a command, with their numbers.
func (b *builder) numbered(lines []string) {
	width := len(grouped(len(lines)))
	for i := 0; i < len(lines); {
		if n := empties(lines[i:]); n > 0 {
			b.add(line{text: emptied(n), number: strings.Repeat(" ", width)})
			i += n
			continue
		}
		b.add(line{text: b.ink.code(paint.Plain, lines[i]), number: rightOf(i+1, width)})
		i++
	}
}

func rightOf(n, width int) string {
	s := grouped(n)
	return strings.Repeat(" ", max(width-len(s), 0)) + s
}

func (b *builder) command(text string) {
	b.begin(part{name: "command", ours: true})
	b.numbered(splitLines(text))
	b.c.command = true
	b.copies("the command", text)
	b.was = append(b.was, text)
}

// arguments adds a command that comes as its arguments, each on a line of its
// own.
func (b *builder) arguments(args []string) {
	b.begin(part{name: "command, " + count(len(args), "argument", "arguments"), ours: true})
	width := len(grouped(len(args)))
	for i, arg := range args {
		number := rightOf(i+1, width)
		lines := splitLines(arg)
		for j := 0; j < len(lines); {
			if n := empties(lines[j:]); n > 0 {
				b.add(line{text: emptied(n), number: number})
				j += n
			} else {
				b.add(line{text: b.argument(lines[j], arg == ""), number: number})
				j++
			}
			number = strings.Repeat(" ", width)
		}
	}
	b.c.command = true
	b.copies("the command", strings.Join(args, "\n"))
	b.was = append(b.was, args...)
	b.was = append(b.was, strings.Join(args, " "))
}

func (b *builder) argument(text string, empty bool) paint.Line {
	if empty {
		return paint.L(paint.Dim, "(empty)")
	}
	return b.ink.code(paint.Plain, text)
}

// text adds prose.
func (b *builder) text(name, text string) {
	b.begin(part{name: name, ours: true})
	lines := splitLines(text)
	for i := 0; i < len(lines); {
		if n := empties(lines[i:]); n > 0 {
			b.add(line{text: emptied(n)})
			i += n
			continue
		}
		b.add(line{text: b.ink.line(paint.Plain, lines[i]), prose: len(lines[i]) < longProse})
		i++
	}
	b.was = append(b.was, text)
}

// longProse is how long a line is, in bytes, that is not looked through for words.
const longProse = 4 << 10

// title is the request's title as part of what is asked: nothing else says it.
func (b *builder) title(title string) {
	if title == "" {
		b.begin(part{name: "input", ours: true})
		b.say("nothing: the agent tells neither input nor title")
		return
	}
	b.begin(part{name: "title", ours: true})
	b.numbered(splitLines(title))
	b.c.titled = true
	b.was = append(b.was, title)
}

func (b *builder) copies(what, text string) {
	if b.c.copied == "" {
		b.c.what, b.c.copied = what, text
	}
}

// clippedParts adds what came only in part.
func (b *builder) clippedParts(o *control.Pending) {
	for _, half := range []struct{ name, text string }{
		{"input", o.Clipped}, {"content", o.ContentClipped},
	} {
		if half.text == "" {
			continue
		}
		b.c.clipped = true
		b.text(half.name+", only the beginning", half.text)
		b.add(line{text: paint.L(paint.Danger, "! ONLY THE BEGINNING IS HERE: the whole is in the editor and in the recording"), label: true})
	}
	for _, what := range o.Partial() {
		b.c.clipped = true
		b.begin(part{name: what + ", only the beginning", ours: true})
		b.add(line{text: paint.L(paint.Danger, "! ONLY THE BEGINNING OF THE "+strings.ToUpper(what)+" IS HERE"), label: true})
	}
}

// finish adds what is to be said of it all.
func (b *builder) finish(p *model.Permission) *content {
	c := &b.c
	if b.diff != "" {
		b.copies("the diff", b.diff)
	}
	if c.copied == "" && p.Card != nil {
		c.what, c.copied = "the input", firstFull(string(p.Card.Input), string(p.Card.Content), p.Title)
	}
	k := &ink{}
	k.line(paint.Plain, p.Title)
	for _, o := range options(p) {
		k.line(paint.Plain, o.Name)
	}
	if note := oddNote(b.ink.controls+k.controls, b.ink.hidden+k.hidden); note != "" {
		c.notes = append(c.notes, paint.L(paint.Warn, note))
	}
	c.notes = append(c.notes, letterNotes(b.ink.strange.String())...)
	c.said = c.titled || saidIn(p.Title, b.was)
	return c
}

func options(p *model.Permission) []control.Option {
	if p == nil || p.Card == nil {
		return nil
	}
	return p.Card.Options
}

// saidIn says that title says nothing that is not shown anyway: it is one of
// those, alone or behind a plain word for what is done with it.
func saidIn(title string, shown []string) bool {
	title = strings.Join(strings.Fields(strings.Trim(title, "`\" ")), " ")
	for _, s := range shown {
		s = strings.Join(strings.Fields(s), " ")
		if s == "" {
			continue
		}
		for _, named := range []string{s, path.Base(s)} {
			if verb, ok := strings.CutSuffix(title, named); ok && slices.Contains(verbs, strings.ToLower(strings.TrimRight(verb, " :`\""))) {
				return true
			}
		}
	}
	return false
}

var verbs = []string{"", "edit", "editing", "write", "writing", "writing to", "create", "creating", "update", "updating",
	"delete", "deleting", "read", "reading", "run", "running", "execute", "executing"}

// oddNote tells of characters that are not shown as they are.
func oddNote(controls, hidden int) string {
	switch {
	case controls+hidden == 0:
		return ""
	case hidden == 0:
		return "! " + count(controls, "control character", "control characters") + " shown, not obeyed"
	case controls == 0:
		return "! " + count(hidden, "hidden character", "hidden characters") + " shown, not obeyed"
	}
	return fmt.Sprintf("! %s control and %s hidden characters shown, not obeyed", grouped(controls), grouped(hidden))
}

// mostLetters is how many letters are told of by name.
const mostLetters = 4

// letterNotes tell of letters in commands and paths that may be taken for others,
// and of others that are not ASCII.
func letterNotes(text string) (notes []paint.Line) {
	var alike, others []string
	for _, n := range clean.Letters(text) {
		if n.Alike {
			alike = append(alike, n.String())
		} else {
			others = append(others, n.String())
		}
	}
	if len(alike) > 0 {
		notes = append(notes, paint.L(paint.Warn, "! look-alike letters: "+few(alike)))
	}
	if len(others) > 0 {
		notes = append(notes, paint.L(paint.Dim, "· letters that are not ASCII: "+few(others)))
	}
	return notes
}

func few(texts []string) string {
	if n := len(texts) - mostLetters; n > 0 {
		return strings.Join(texts[:mostLetters], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(texts, ", ")
}

func firstFull(texts ...string) string {
	for _, t := range texts {
		if t != "" && t != "null" {
			return t
		}
	}
	return ""
}

// splitLines are the lines of a text; one line feed at the end makes no line.
func splitLines(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func isNull(value json.RawMessage) bool { return len(value) == 0 || string(value) == "null" }
