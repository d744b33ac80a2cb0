package home

import (
	"fmt"
	"strings"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/setup"
)

// page is text being set, in lines of a width.
type page struct {
	width int
	lines []paint.Line
}

func (b *page) add(l paint.Line) { b.lines = append(b.lines, l) }
func (b *page) gap()             { b.add(nil) }

func (b *page) line(l paint.Line) {
	b.add(l)
	b.gap()
}

// title is a heading, in as many lines as it needs.
func (b *page) title(text string) {
	b.lines = append(b.lines, paint.L(paint.Heading, text).Wrap(b.width)...)
	b.gap()
}

func (b *page) words(role paint.Role, text string) {
	b.lines = append(b.lines, paint.L(role, text).Wrap(b.width)...)
	b.gap()
}

// under is a sentence under a title.
func (b *page) under(role paint.Role, text string) {
	for _, line := range paint.Clean(role, text).Wrap(max(b.width-2, 10)) {
		b.add(paint.L(paint.Plain, "  ").With(line))
	}
}

// path is a path behind its name, whole.
func (b *page) path(name, path string) {
	for _, line := range pathLines(paint.Strong, path, max(b.width-paint.Width(name), 10)) {
		b.add(paint.L(paint.Dim, name).With(line))
		name = strings.Repeat(" ", paint.Width(name))
	}
}

// choices are keys and what they do, in two columns where there is room.
func (b *page) choices(all []keys.Hint) {
	const column, two = 20, 46
	var line paint.Line
	for i, h := range all {
		if i%2 == 1 && b.width >= two {
			line = append(line, paint.S(paint.Plain, strings.Repeat(" ", max(column-paint.Width(all[i-1].Text), 1))))
		} else if i > 0 {
			b.add(line)
			line = nil
		}
		line = append(line, paint.S(paint.Plain, "  "), paint.S(paint.Key, h.Key), paint.S(paint.Plain, "  "+h.Text))
	}
	b.add(line)
}

// editors are two columns of keys and names.
func (b *page) editors() {
	for i := 0; i < len(snippetKeys); i += 2 {
		line := paint.L(paint.Plain, "  ")
		for _, k := range snippetKeys[i:min(i+2, len(snippetKeys))] {
			e, _ := setup.Named(k.name)
			line = append(line, paint.S(paint.Key, k.key), paint.S(paint.Plain, fmt.Sprintf("  %-16s", e.Title)))
		}
		b.add(line)
	}
	b.gap()
}

var snippetKeys = [...]struct{ key, name string }{{"z", "zed"}, {"j", "jetbrains"}, {"n", "neovim"}, {"v", "vscode"}, {"e", "emacs"}, {"x", "acpx"}}

func (b *page) finding(f Finding, home string) {
	role := paint.Dim
	switch f.Mark {
	case "✓":
		role = paint.Good
	case "!", "×":
		role = paint.Warn
	}
	first := paint.Line{paint.S(paint.Plain, "  "), paint.S(role, f.Mark+" ")}.With(paint.Clean(paint.Plain, short(f.Name, home)))
	text := first.With(paint.L(paint.Plain, "  ")).With(paint.Clean(paint.Dim, short(f.Text, home)))
	if text.Width() <= b.width {
		b.add(text)
		return
	}
	b.add(first)
	for _, line := range paint.Clean(paint.Dim, short(f.Text, home)).Wrap(max(b.width-4, 10)) {
		b.add(paint.L(paint.Plain, "    ").With(line))
	}
}
