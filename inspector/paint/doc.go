// Package paint is the paper that the panel is drawn on: a grid of cells with
// styles by meaning, text that is cut and wrapped by cells, boxes and bars.
//
// It knows no terminal. A [Theme] says later what a [Role] looks like; package
// terminal copies a grid to a screen, [SVG] to a picture and [Text] to a file,
// so that pictures, tests and the panel cannot differ. [Looks] are what a person
// wants to look otherwise on a screen; they never make a warning look like what is
// none.
//
// Whatever reaches a grid is cleaned on the way (package acp/clean), so no view
// can forget to. Text that does not fit is cut with a "…"; nothing is ever
// painted beyond the edge of its [Area], and of a wide character of which half
// is painted over or cut off only a blank is left.
//
// A span is cleaned by itself: an accent at its start is shown by a sign, since
// it has nothing to stand on there. So cut text between characters, not between
// runes; what [Line.Cut], [Line.Wrap] and [Line.Break] give is cut well.
//
// # Widths
//
// A cell holds one grapheme cluster, or as much of one as takes two cells, and
// is as wide as tcell counts it: each cell's text by itself, from the tables of
// rivo/uniseg. Lines, blocks and marks, whose width Unicode calls ambiguous, take
// one cell. tcell makes that two, for all of a program, when RUNEWIDTH_EASTASIAN
// says so before it starts. A text that tcell would count as nothing is never in
// a cell: clean text has no such cluster.
package paint
