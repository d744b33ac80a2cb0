package keys

import "slices"

// Default is the table as it comes. The order within a place is that of the
// help; where a pane says nothing else, also of the bar.
func Default() Table { return slices.Clone(defaults) }

// Table is all bindings.
type Table []Binding

var defaults = Table{
	{List, []Key{"j", "Down"}, Down, "", "down"},
	{List, []Key{"k", "Up"}, Up, "", "up"},
	{List, []Key{"PgDn", "Ctrl-F", "Space"}, PageDown, "", "a page down"},
	{List, []Key{"PgUp", "Ctrl-B"}, PageUp, "", "a page up"},
	{List, []Key{"Ctrl-D"}, HalfDown, "", "half a page down"},
	{List, []Key{"Ctrl-U"}, HalfUp, "", "half a page up"},
	{List, []Key{"g", "Home"}, Top, "", "to the top"},
	{List, []Key{"G", "End"}, Bottom, "", "to the bottom"},
	{List, []Key{"Enter"}, Open, "open", "open what is selected"},
	{List, []Key{"Esc"}, Back, "back", "back; takes off the filter first"},

	{Sessions, []Key{"o"}, Sort, "sort", "sort: who waits first, newest first, oldest first"},
	{Sessions, []Key{"d"}, Drop, "drop", "take a proxy that has ended off the list"},
	{Sessions, []Key{"D"}, Demo, "demo", "play the built-in demo"},

	{Timeline, []Key{"f"}, Follow, "follow", "follow what comes, or stop following"},
	{Timeline, []Key{"t"}, Thoughts, "thoughts", "show thoughts: folded, whole, not at all"},
	{Timeline, []Key{"w"}, Frames, "frames", "its frames on the wire"},
	{Timeline, []Key{"y"}, Copy, "copy", "copy the text"},
	{Timeline, []Key{"n"}, NextMatch, "", "next match"},
	{Timeline, []Key{"N"}, PrevMatch, "", "previous match"},

	{Wire, []Key{"%"}, Pair, "pair", "from a request to its response and back"},
	{Wire, []Key{"f"}, Follow, "follow", "follow what comes, or stop following"},
	{Wire, []Key{"e"}, OnlyThis, "only", "only frames of this method"},
	{Wire, []Key{"x"}, NotThis, "without", "no frames of this method"},
	{Wire, []Key{"y"}, Copy, "", "copy the line"},
	{Wire, []Key{"Y"}, CopyAll, "copy", "copy the frame as it was on the wire"},
	{Wire, []Key{"M"}, Mark, "", "mark, or take the mark off"},
	{Wire, []Key{"'"}, NextMark, "", "to the next mark"},
	{Wire, []Key{"s"}, Save, "save", "save the frames that are shown to a file"},
	{Wire, []Key{"c"}, Columns, "", "more or fewer columns"},

	{Info, []Key{"y"}, Copy, "copy", "copy the line"},

	{Detail, []Key{"h", "Left"}, Fold, "fold", "fold, or go to what it is in"},
	{Detail, []Key{"l", "Right"}, Unfold, "unfold", "unfold"},
	{Detail, []Key{"-"}, FoldAll, "", "fold all"},
	{Detail, []Key{"="}, UnfoldAll, "", "unfold all"},
	{Detail, []Key{"r"}, Raw, "raw", "the line as it was on the wire, or the tree"},
	{Detail, []Key{"w"}, Wrap, "", "wrap long lines, or not"},
	{Detail, []Key{"e"}, OnlyThis, "filter", "only frames that have this value here"},
	{Detail, []Key{"x"}, NotThis, "", "no frames that have this value here"},
	{Detail, []Key{"y"}, Copy, "value", "copy the value"},
	{Detail, []Key{"Y"}, CopyAll, "frame", "copy the frame as it was on the wire"},
	{Detail, []Key{"J"}, NextFrame, "next", "the next frame"},
	{Detail, []Key{"K"}, PrevFrame, "", "the previous frame"},
	{Detail, []Key{"%"}, Pair, "pair", "the request of this response, or its response"},
	{Detail, []Key{"n"}, NextMatch, "", "next match"},
	{Detail, []Key{"N"}, PrevMatch, "", "previous match"},
	{Detail, []Key{"s"}, Save, "save", "save the frame to a file"},

	{Card, []Key{"x"}, Reject, "reject", "answer with the option to reject once"},
	{Card, []Key{"]"}, NextCard, "other card", "the next card, without answering"},
	{Card, []Key{"["}, PrevCard, "", "the card before, without answering"},
	{Card, []Key{"i"}, RawInput, "raw input", "the tool's raw input, or what it means"},
	{Card, []Key{"d"}, DiffStyle, "diff", "diff side by side, where there is room, or not"},
	{Card, []Key{"c"}, Copy, "copy", "copy the command, or the diff"},
	{Card, []Key{"t"}, ToTimeline, "timeline", "the talk that led to it"},

	{Gone, []Key{"t"}, ToTimeline, "timeline", "what was said"},
	{Gone, []Key{"w"}, ToWire, "wire", "what crossed the wire"},
	{Gone, []Key{"s"}, Save, "save", "save what is known as a file"},
	{Gone, []Key{"d"}, Drop, "drop", "take it off the list"},

	{Empty, []Key{"z"}, SnippetPrefix + "zed", "", "how Zed is set up"},
	{Empty, []Key{"j"}, SnippetPrefix + "jetbrains", "", "how JetBrains is set up"},
	{Empty, []Key{"n"}, SnippetPrefix + "neovim", "", "how Neovim is set up"},
	{Empty, []Key{"v"}, SnippetPrefix + "vscode", "", "how VS Code is set up"},
	{Empty, []Key{"e"}, SnippetPrefix + "emacs", "", "how Emacs is set up"},
	{Empty, []Key{"x"}, SnippetPrefix + "acpx", "", "how acpx is set up"},
	{Empty, []Key{"y"}, Copy, "copy", "copy the snippet"},
	{Empty, []Key{"Esc"}, Back, "back", "back"},
	{Empty, []Key{"Down"}, Down, "", "down"},
	{Empty, []Key{"Up"}, Up, "", "up"},
	{Empty, []Key{"PgDn", "Ctrl-F", "Space"}, PageDown, "", "a page down"},
	{Empty, []Key{"PgUp", "Ctrl-B"}, PageUp, "", "a page up"},
	{Empty, []Key{"Ctrl-D"}, HalfDown, "", "half a page down"},
	{Empty, []Key{"Ctrl-U"}, HalfUp, "", "half a page up"},
	{Empty, []Key{"g", "Home"}, Top, "", "to the top"},
	{Empty, []Key{"G", "End"}, Bottom, "", "to the bottom"},
	{Empty, []Key{"D"}, Demo, "demo", "play the built-in demo"},

	{Everywhere, []Key{"p"}, Pending, "permissions", "the permissions that wait"},
	{Everywhere, []Key{"/"}, Find, "filter", "filter a list, or find in a text"},
	{Everywhere, []Key{"Tab"}, NextPane, "pane", "the next pane"},
	{Everywhere, []Key{"Shift-Tab"}, PrevPane, "", "the pane before"},
	{Everywhere, []Key{"]"}, NextTab, "tab", "the next tab"},
	{Everywhere, []Key{"["}, PrevTab, "", "the tab before"},
	{Everywhere, []Key{"E"}, Stderr, "stderr", "what the agent wrote to stderr"},
	{Everywhere, []Key{"z"}, Zoom, "full", "this pane over the whole screen, or not"},
	{Everywhere, []Key{"L"}, Layout, "", "another layout"},
	{Everywhere, []Key{"m"}, Mouse, "", "mouse on or off (off: the terminal selects text)"},
	{Everywhere, []Key{"H"}, HideBar, "", "hide this bar, or show it"},
	{Everywhere, []Key{"Ctrl-L"}, Redraw, "", "draw anew"},
	{Everywhere, []Key{"Ctrl-Z"}, Suspend, "", "stop, as any program"},
	{Everywhere, []Key{":"}, Command, "command", "type a command"},
	{Everywhere, []Key{"?"}, Help, "help", "this page"},
	{Everywhere, []Key{"q"}, Leave, "quit", "back, and at the sessions: quit"},
	{Everywhere, []Key{"Q", "Ctrl-C"}, Quit, "", "quit at once; nothing is answered"},
}

// places are where a key of a place is looked for, in order.
func places(p Place) []Place {
	switch p {
	case Everywhere:
		return []Place{Everywhere}
	case Empty:
		return []Place{p, Everywhere}
	}
	return []Place{p, List, Everywhere}
}

// Find gives what key does in a place.
func (t Table) Find(in Place, key Key) (Action, bool) {
	for _, p := range places(in) {
		for _, b := range t {
			if b.In == p && slices.Contains(b.Keys, key) {
				return b.Do, true
			}
		}
	}
	return "", false
}

// Of gives the binding of an action in a place.
func (t Table) Of(in Place, do Action) (Binding, bool) {
	for _, p := range places(in) {
		for _, b := range t {
			if b.In == p && b.Do == do && len(b.Keys) > 0 && t.reaches(in, b) {
				return b, true
			}
		}
	}
	return Binding{}, false
}

// reaches says that the first key of b does what b says in a place, and not
// something that the place says itself.
func (t Table) reaches(in Place, b Binding) bool {
	do, ok := t.Find(in, b.Keys[0])
	return ok && do == b.Do
}

// Hints are the bar's text for actions, those without a word left out.
func (t Table) Hints(in Place, actions []Action) []Hint {
	var hints []Hint
	for _, a := range actions {
		if b, ok := t.Of(in, a); ok && b.Bar != "" {
			hints = append(hints, Hint{string(b.Keys[0]), b.Bar})
		}
	}
	return hints
}

// Lines are the rows of the help for a place: its own, then those of lists,
// then those of everywhere, each with the keys that do it there.
func (t Table) Lines(in Place) []Binding {
	var lines []Binding
	for _, p := range places(in) {
		for _, b := range t {
			if b.In != p {
				continue
			}
			b.Keys = t.doing(in, b)
			if len(b.Keys) > 0 {
				lines = append(lines, b)
			}
		}
	}
	return lines
}

// taken are keys that a pane takes itself, whatever the table says.
var taken = map[Place][]Key{Card: {"Up", "Down", "Enter"}}

// doing are those keys of b that do what it says in a place.
func (t Table) doing(in Place, b Binding) []Key {
	return slices.DeleteFunc(slices.Clone(b.Keys), func(k Key) bool {
		do, _ := t.Find(in, k)
		return do != b.Do || slices.Contains(taken[in], k)
	})
}
