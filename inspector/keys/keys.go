// Package keys is what the keys of the panel do, as data: one table that the
// panel obeys, that the bar at the bottom and the help are made from, and that a
// config file can change.
package keys

// Key is a key as the table and the config file write it: a character as it is
// ("j", "G", "?", "%"), or a name: Enter Esc Tab Shift-Tab Space Up Down Left
// Right Home End PgUp PgDn Backspace Delete F1…F12 Ctrl-A…Ctrl-Z.
type Key string

// Action is what a key does, by name.
type Action string

// Place is where a key does it. A key that is not in a place's own rows does
// what Everywhere says.
type Place string

const (
	Everywhere Place = "everywhere"
	List       Place = "list" // moving, in every list and text
	Sessions   Place = "sessions"
	Timeline   Place = "timeline"
	Wire       Place = "wire"
	Info       Place = "info"
	Detail     Place = "detail"
	Card       Place = "card"
	Gone       Place = "gone"
	Empty      Place = "empty"
)

// Moving, understood by every pane that has a list or a text.
const (
	Down     Action = "down"
	Up       Action = "up"
	PageDown Action = "page-down"
	PageUp   Action = "page-up"
	HalfDown Action = "half-down"
	HalfUp   Action = "half-up"
	Top      Action = "top"
	Bottom   Action = "bottom"
	Open     Action = "open" // Enter
	Back     Action = "back" // Esc
)

// Of all places.
const (
	Help       Action = "help"
	Command    Action = "command-line"
	Find       Action = "filter" // /: filter a list, find in a text
	Pending    Action = "pending"
	NextPane   Action = "next-pane"
	PrevPane   Action = "previous-pane"
	NextTab    Action = "next-tab"
	PrevTab    Action = "previous-tab"
	Layout     Action = "layout"
	Zoom       Action = "zoom"
	Mouse      Action = "mouse"
	HideBar    Action = "hide-bar"
	Redraw     Action = "redraw"
	Suspend    Action = "suspend"
	Leave      Action = "leave" // q: back, quit at the root
	Quit       Action = "quit"
	Follow     Action = "follow"
	Copy       Action = "copy"
	CopyAll    Action = "copy-frame"
	Sort       Action = "sort"
	Drop       Action = "drop"
	Stderr     Action = "stderr"
	Thoughts   Action = "thoughts"
	Frames     Action = "frames" // its frames on the wire
	Pair       Action = "pair"
	OnlyThis   Action = "only-this" // filter on the value
	NotThis    Action = "not-this"
	Raw        Action = "raw"
	Save       Action = "save"
	Mark       Action = "mark"
	NextMark   Action = "next-mark"
	Columns    Action = "columns"
	Fold       Action = "fold"   // h, Left
	Unfold     Action = "unfold" // l, Right
	FoldAll    Action = "fold-all"
	UnfoldAll  Action = "unfold-all"
	Wrap       Action = "wrap"
	NextFrame  Action = "next-frame"
	PrevFrame  Action = "previous-frame"
	NextMatch  Action = "next-match"
	PrevMatch  Action = "previous-match"
	Reject     Action = "reject"
	NextCard   Action = "next-card"
	PrevCard   Action = "previous-card"
	RawInput   Action = "raw-input"
	DiffStyle  Action = "diff-style"
	ToTimeline Action = "to-timeline"
	ToWire     Action = "to-wire"
	Demo       Action = "demo"
)

// SnippetPrefix and the name of an editor are the action of showing how it is
// set up.
const SnippetPrefix = "snippet-"

// Binding is one row of the table.
type Binding struct {
	In   Place
	Keys []Key // the first one is shown
	Do   Action
	Bar  string // in the bar, a word or two; empty: only in the help
	Help string // in the help, a phrase
}

// Hint is a key and what it does now, for the bar.
type Hint struct {
	Key  string
	Text string
}
