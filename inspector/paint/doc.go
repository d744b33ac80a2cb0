// Package paint is the paper that the panel is drawn on: a grid of cells with
// styles by meaning, text that is cut and wrapped by cells, boxes and bars.
//
// It knows no terminal. A [Theme] says later what a [Role] looks like; package
// terminal copies a grid to a screen, [SVG] to a picture and [Text] to a file,
// so that pictures, tests and the panel cannot differ.
//
// Whatever reaches a grid is cleaned on the way (package acp/clean), so no view
// can forget to. Widths are those of the grapheme clusters as the terminal
// library counts them. Text that does not fit is cut with a "…"; nothing is
// ever painted beyond the edge of its [Area].
package paint
