// Package panel is the screen as a whole: which panes there are, where they
// stand, where the keys go, and what the panes' wishes become.
//
// It is a [terminal.App] and does nothing to the world by itself: it returns
// effects. Time is what it is told, so that all of it can be tested without a
// clock or a terminal.
//
// # Where the keys go
//
// An open prompt (/ or :) has all keys. A card that has the focus gets each key
// first, because it must know of every one (see package card); what it leaves,
// and every key elsewhere, is looked up in the table of package keys: first for
// the pane with the focus, then for lists, then for the whole panel. Text that is
// pasted goes to the prompt, or nowhere.
//
// # Settings and history
//
// :set changes settings for as long as the panel runs. Those that keep a person
// from approving by accident are compared with what the panel was made with, and
// are never laxer. What is entered at the prompts is a [History]: the panel gets
// one at its start, and gives each entry to Options.Remember.
//
// # The screen
//
// The last rows are always the strip, which says who waits for an answer, and
// the bar. A permission never opens its card over something else: the strip
// tells of it, and p shows it.
package panel
