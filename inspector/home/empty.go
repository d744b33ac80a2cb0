package home

import (
	"strings"

	"bobproxy/inspector/feed"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/inspector/setup"
)

// Machine is what there is to know of this machine while no proxy runs.
type Machine struct {
	Self     string // path of this program
	Bob      string // path of the bob that would be started; empty: none was found
	Findings []Finding
}

// Finding is something that was looked for.
type Finding struct {
	Mark string // ✓, !, × or ·
	Name string
	Text string
}

// Empty is the screen while no proxy runs: what to do, with a snippet for each
// editor.
type Empty struct {
	machine Machine
	editor  *setup.Editor // whose snippet is shown
	places  feed.Places
	refused []Finding
	scroll  scroll
	soon    string // what is being started; empty: nothing
}

// NewEmpty is that of a machine.
func NewEmpty(m Machine) *Empty { return &Empty{machine: m} }

const mostRefused = 4

// Refused tells of a socket that nobody could be talked to at.
func (e *Empty) Refused(path, why string) {
	for _, f := range e.refused {
		if f.Name == path {
			return
		}
	}
	if len(e.refused) < mostRefused {
		e.refused = append(e.refused, Finding{"!", path, why})
	}
}

// Places tells where proxies are looked for.
func (e *Empty) Places(p feed.Places) { e.places = p }

// Starting tells that something is being started, so that there is nothing to do
// but wait for it.
func (e *Empty) Starting(what string) { e.soon = what }

// Place implements [pane.Pane].
func (e *Empty) Place() keys.Place { return keys.Empty }

// Draw implements [pane.Pane].
func (e *Empty) Draw(a paint.Area, c pane.Context) {
	width, left := a.W-2, 1
	if a.W > 80 {
		width, left = 74, (a.W-76)/2
	}
	e.scroll.draw(a, left, e.page(width, c))
}

func (e *Empty) page(width int, c pane.Context) []paint.Line {
	switch {
	case e.editor != nil:
		return e.snippet(width)
	case e.soon != "":
		return []paint.Line{nil, paint.L(paint.Heading, "Starting "+e.soon+" …")}
	}
	return e.lines(width, c)
}

func (e *Empty) lines(width int, c pane.Context) []paint.Line {
	b := &page{width: width}
	b.title("Waiting for an editor to start an agent.")
	b.words(paint.Plain, "bobproxy stands between the editor and Bob. Point the editor here instead of at bob:")
	b.path("  command  ", e.machine.Self)
	b.add(paint.Line{paint.S(paint.Dim, "  args     "), paint.S(paint.Strong, "acp")})
	b.gap()
	b.words(paint.Plain, "Press a key for a ready-made snippet:")
	b.editors()
	if len(e.machine.Findings) > 0 {
		b.line(paint.L(paint.Heading, "On this machine"))
		for _, f := range e.machine.Findings {
			b.finding(f, c.Home)
		}
		b.gap()
	}
	b.words(paint.Plain, "Set up already? Start a chat in the editor. It appears here by itself; leave this open.")
	e.listening(b, c)
	b.words(paint.Plain, "No editor at hand? D plays a demo: a scripted Bob repairs a small program, and asks you.")
	return b.lines
}

func (e *Empty) listening(b *page, c pane.Context) {
	if len(e.places.Dirs) == 0 {
		return
	}
	b.add(paint.L(paint.Dim, "Listening in"))
	for _, dir := range e.places.Dirs {
		b.add(paint.Clean(paint.Dim, "  "+short(dir, c.Home)))
	}
	for _, p := range e.places.Problems {
		b.finding(Finding{"!", p.Path, p.Err.Error()}, c.Home)
	}
	for _, f := range e.refused {
		b.finding(f, c.Home)
	}
	b.gap()
}

// snippet is the page of one editor.
func (e *Empty) snippet(width int) []paint.Line {
	b := &page{width: width}
	b.line(paint.L(paint.Heading, e.editor.Title))
	b.words(paint.Plain, "Put this into "+e.editor.File+":")
	for _, line := range strings.Split(strings.TrimSuffix(e.text(), "\n"), "\n") {
		for _, part := range paint.Clean(paint.Strong, line).Break(width) {
			b.add(part)
		}
	}
	b.gap()
	if e.editor.Then != "" {
		b.words(paint.Plain, "Then "+e.editor.Then+".")
	}
	b.words(paint.Dim, "It is in the clipboard as well, if your terminal allows that. y copies it again, Esc goes back.")
	return b.lines
}

func (e *Empty) text() string { return e.editor.Snippet(e.machine.Self, e.machine.Bob) }

// Do implements [pane.Pane].
func (e *Empty) Do(action keys.Action, _ pane.Context) []pane.Wish {
	if name, ok := strings.CutPrefix(string(action), keys.SnippetPrefix); ok {
		if editor, ok := setup.Named(name); ok {
			e.editor, e.scroll = &editor, scroll{}
			return []pane.Wish{pane.Copied{What: "the snippet for " + editor.Title, Text: e.text()}}
		}
	}
	switch action {
	case keys.Copy:
		if e.editor != nil {
			return []pane.Wish{pane.Copied{What: "the snippet for " + e.editor.Title, Text: e.text()}}
		}
	case keys.Back:
		if e.editor != nil {
			e.editor, e.scroll = nil, scroll{}
			return []pane.Wish{}
		}
	default:
		e.scroll.do(action)
	}
	return nil
}

// Hints implements [pane.Pane].
func (e *Empty) Hints(pane.Context) []keys.Action {
	switch {
	case e.editor != nil:
		return []keys.Action{keys.Copy, keys.Back}
	case e.soon != "":
		return nil
	}
	return []keys.Action{keys.Demo}
}

// Keys are the hints that stand for several keys.
func (e *Empty) Keys() []keys.Hint {
	if e.editor != nil || e.soon != "" {
		return nil
	}
	return []keys.Hint{{Key: "z j n v e x", Text: "snippet"}}
}
