package paint

import (
	"fmt"
	"strings"
)

// What a box glyph draws, from the middle of its cell on.
const (
	left uint8 = 1 << iota
	right
	up
	down
)

var boxes = map[string]uint8{
	"─": left | right, "│": up | down,
	"┌": right | down, "┐": left | down, "└": right | up, "┘": left | up,
	"├": right | up | down, "┤": left | up | down,
	"┬": left | right | down, "┴": left | right | up, "┼": left | right | up | down,
}

// isDrawn says that a glyph is drawn and not written.
func isDrawn(glyph string) bool { return boxes[glyph] != 0 || glyph == "█" || glyph == "░" }

// lines draws the box glyphs of the whole grid, as lines as long as they go.
func (d *drawing) lines() {
	p := paths{by: map[string]*strings.Builder{}}
	for y := range d.grid.H {
		strokes(2*d.grid.W, func(i int) string { return d.half(i/2, y, i, left, right) },
			func(i, n int, color string) {
				p.add(color, "M%g %gh%g", float64(i)*cellWidth/2, (float64(y)+.5)*cellHeight, float64(n)*cellWidth/2)
			})
	}
	for x := range d.grid.W {
		strokes(2*d.grid.H, func(i int) string { return d.half(x, i/2, i, up, down) },
			func(i, n int, color string) {
				p.add(color, "M%g %gv%g", (float64(x)+.5)*cellWidth, float64(i)*cellHeight/2, float64(n)*cellHeight/2)
			})
	}
	for _, color := range p.order {
		d.printf(`<path fill="none" stroke="%s" d="%s"/>`+"\n", color, p.by[color])
	}
}

// half is the colour of the line in the i-th half of a row or column, which lies
// in cell x, y; empty where there is none.
func (d *drawing) half(x, y, i int, first, second uint8) string {
	side := first
	if i%2 == 1 {
		side = second
	}
	if boxes[d.grid.At(x, y).Text]&side == 0 {
		return ""
	}
	fg, _ := d.colors(x, y)
	return fg
}

// strokes calls draw for each run of one colour among n halves.
func strokes(n int, color func(int) string, draw func(start, n int, color string)) {
	for i := 0; i < n; {
		c, end := color(i), i+1
		for end < n && color(end) == c {
			end++
		}
		if c != "" {
			draw(i, end-i, c)
		}
		i = end
	}
}

// paths are lines by colour, in the order of their first.
type paths struct {
	by    map[string]*strings.Builder
	order []string
}

func (p *paths) add(color, format string, args ...any) {
	b := p.by[color]
	if b == nil {
		b = &strings.Builder{}
		p.by[color] = b
		p.order = append(p.order, color)
	}
	fmt.Fprintf(b, format, args...)
}

// blocks draws the bars of row y, a shade as a thinner colour.
func (d *drawing) blocks(y int) {
	for x := 0; x < d.grid.W; {
		glyph, end := d.grid.At(x, y).Text, x+1
		if glyph != "█" && glyph != "░" {
			x = end
			continue
		}
		look := d.look(x, y)
		for end < d.grid.W && d.grid.At(end, y).Text == glyph && d.look(end, y) == look {
			end++
		}
		fg, _ := d.colors(x, y)
		opacity := ""
		if glyph == "░" {
			opacity = ` opacity="0.25"`
		}
		d.printf(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s"%s/>`+"\n",
			x*cellWidth, y*cellHeight+3, (end-x)*cellWidth, cellHeight-6, fg, opacity)
		x = end
	}
}
