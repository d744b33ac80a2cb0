package paint

import (
	"strings"

	"bobproxy/acp/clean"
)

// Cell is one cell of a grid. The right half of a wide cluster has no text.
type Cell struct {
	Text  string // one grapheme cluster, clean; empty: blank
	Wide  bool   // takes two cells
	Style Style
}

// Grid is a rectangle of cells. It is not safe for use by several goroutines.
type Grid struct {
	W, H  int
	Cells []Cell // row by row
}

// NewGrid is an empty grid.
func NewGrid(w, h int) *Grid { return &Grid{W: w, H: h, Cells: make([]Cell, w*h)} }

// Clear makes it empty, and w by h.
func (g *Grid) Clear(w, h int) {
	g.W, g.H = w, h
	if cap(g.Cells) < w*h {
		g.Cells = make([]Cell, w*h)
		return
	}
	g.Cells = g.Cells[:w*h]
	clear(g.Cells)
}

// At is the cell at x, y.
func (g *Grid) At(x, y int) *Cell { return &g.Cells[y*g.W+x] }

// All is the whole grid.
func (g *Grid) All() Area { return Area{g, 0, 0, g.W, g.H} }

// Area is a rectangle of a grid, with coordinates of its own. What would be
// painted outside of it is not.
type Area struct {
	grid       *Grid
	x, y, W, H int
}

// Sub is the part of a that starts at x, y and is w by h, as far as it lies in a.
func (a Area) Sub(x, y, w, h int) Area {
	x0, y0 := min(max(x, 0), a.W), min(max(y, 0), a.H)
	w, h = min(x+w, a.W)-x0, min(y+h, a.H)-y0
	return Area{a.grid, a.x + x0, a.y + y0, max(w, 0), max(h, 0)}
}

// Rows is the part of a from row y on that is h high.
func (a Area) Rows(y, h int) Area { return a.Sub(0, y, a.W, h) }

// In is a without n columns at the left and m at the right.
func (a Area) In(n, m int) Area { return a.Sub(n, 0, a.W-n-m, a.H) }

// Put paints text from x on, cut hard at the edge, and gives the column after
// it, which lies beyond the edge when something was cut.
func (a Area) Put(x, y int, style Style, text string) int {
	if y < 0 || y >= a.H || x >= a.W {
		return x
	}
	text = head(text, a.W-x)
	if !clean.Is(text) {
		for _, s := range clean.Spans(nil, text) {
			st := style
			if s.Odd {
				st.Role = Odd
			}
			x = a.put(x, y, st, s.Text)
		}
		return x
	}
	return a.put(x, y, style, text)
}

func (a Area) put(x, y int, style Style, text string) int {
	for text != "" && x < a.W {
		var cluster string
		var w int
		cluster, w, text = next(text)
		for w > 2 {
			var head string
			var n int
			head, n, cluster = cellful(cluster)
			a.place(x, y, head, n, style)
			x, w = x+n, w-n
		}
		a.place(x, y, cluster, w, style)
		x += w
	}
	return x
}

// place paints one cluster, and blanks for what of a wide one is in sight when
// its other half is not.
func (a Area) place(x, y int, cluster string, w int, style Style) {
	if x >= 0 && x+w <= a.W {
		a.set(x, y, Cell{cluster, w > 1, style})
		return
	}
	for i := max(x, 0); i < min(x+w, a.W); i++ {
		a.set(i, y, Cell{Style: style})
	}
}

// set paints one cell. The half that is left of a wide cluster becomes blank.
func (a Area) set(x, y int, c Cell) {
	gx, gy := a.x+x, a.y+y
	if gx > 0 && a.grid.At(gx-1, gy).Wide {
		before := a.grid.At(gx-1, gy)
		*before = Cell{Style: before.Style}
	}
	at := a.grid.At(gx, gy)
	*at = c
	if c.Wide {
		*a.grid.At(gx+1, gy) = Cell{Style: c.Style}
	}
}

// Line paints a line from column x of row y on, cut with a … at the edge, and
// gives the column after it.
func (a Area) Line(x, y int, l Line) int {
	for _, s := range l.Cut(a.W - x) {
		x = a.Put(x, y, s.Style, s.Text)
	}
	return x
}

// Right paints a line so that it ends at the right edge of row y, and gives the
// column where it starts.
func (a Area) Right(y int, l Line) int {
	l = l.Cut(a.W)
	x := a.W - l.Width()
	a.Line(x, y, l)
	return x
}

// Both paints left at the left of row y and right at its right; left is cut so
// that there is a blank between them.
func (a Area) Both(y int, left, right Line) {
	x := a.Right(y, right)
	if len(right) > 0 {
		x--
	}
	a.Sub(0, y, x, 1).Line(0, 0, left)
}

// Fill gives the whole area a style and no text.
func (a Area) Fill(style Style) {
	for y := range a.H {
		for x := range a.W {
			a.set(x, y, Cell{Style: style})
		}
	}
}

// Select puts the whole row y in reverse.
func (a Area) Select(y int) {
	if y < 0 || y >= a.H {
		return
	}
	for x := range a.W {
		a.grid.At(a.x+x, a.y+y).Style.Selected = true
	}
}

// Rule paints a line across row y.
func (a Area) Rule(y int) { a.Put(0, y, Style{Role: Border}, strings.Repeat("─", max(a.W, 0))) }

// Column paints a line down column x.
func (a Area) Column(x int) {
	for y := range a.H {
		a.Put(x, y, Style{Role: Border}, "│")
	}
}

// Box paints a frame around the area, with a title and what stands at the right
// above, and left and right below. It gives the inside: one row and two
// columns less on each side.
func (a Area) Box(title, above, below, belowRight Line) Area {
	if a.W < 4 || a.H < 2 {
		return a.Sub(0, 0, 0, 0)
	}
	a.edge(0, "┌", "┐", title, above)
	a.edge(a.H-1, "└", "┘", below, belowRight)
	for y := 1; y < a.H-1; y++ {
		a.Put(0, y, Style{Role: Border}, "│")
		a.Put(a.W-1, y, Style{Role: Border}, "│")
	}
	return a.Sub(2, 1, a.W-4, a.H-2)
}

func (a Area) edge(y int, left, right string, title, end Line) {
	a.Put(0, y, Style{Role: Border}, left+strings.Repeat("─", a.W-2)+right)
	x := a.W - 2
	if len(end) > 0 {
		end = append(append(L(Plain, " "), end...), S(Plain, " ")).Cut(a.W - 4)
		x -= end.Width()
		a.Line(x, y, end)
	}
	if len(title) > 0 {
		a.Sub(0, y, x, 1).Line(1, 0, append(append(L(Plain, " "), title...), S(Plain, " ")))
	}
}

// Locate gives a cell of the grid in the area's own coordinates, if it lies in
// it.
func (a Area) Locate(x, y int) (ax, ay int, ok bool) {
	ax, ay = x-a.x, y-a.y
	return ax, ay, ax >= 0 && ax < a.W && ay >= 0 && ay < a.H
}

// Joint paints a glyph of lines that meet, in column x of the row above the area
// (-1), in it, or below it (H).
func (a Area) Joint(x, y int, glyph string) {
	a.grid.All().Put(a.x+x, a.y+y, Style{Role: Border}, glyph)
}

// Joints makes the rules that end at the line down column x meet it.
func (a Area) Joints(x int) {
	for y := range a.H {
		switch left, right := a.ruled(x-1, y), a.ruled(x+1, y); {
		case left && right:
			a.Joint(x, y, "┼")
		case left:
			a.Joint(x, y, "┤")
		case right:
			a.Joint(x, y, "├")
		}
	}
}

// ruled says whether a rule passes through a cell, which may lie outside.
func (a Area) ruled(x, y int) bool {
	gx, gy := a.x+x, a.y+y
	if gx < 0 || gx >= a.grid.W || gy < 0 || gy >= a.grid.H {
		return false
	}
	c := a.grid.At(gx, gy)
	return c.Text == "─" && c.Style.Role == Border
}
