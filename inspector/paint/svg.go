package paint

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"bobproxy/acp/clean"
)

// Sizes of a picture, in its own units. A cell is as wide as a character of
// most monospace fonts at this size.
const (
	cellWidth  = 9
	cellHeight = 19
	fontSize   = 15
	baseline   = 14
	margin     = 14
)

const fonts = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"

// SVG is a picture of a grid as a theme shows it, which needs nothing from
// elsewhere: its text can be selected, and title and description are read to
// those who cannot see it. Lines and blocks are drawn, so that they meet
// whatever the font. The same grid makes the same bytes.
func SVG(g *Grid, t *Theme, title, description string) []byte {
	d := drawing{grid: g, theme: t, ink: inkOf(t), mixed: map[Look][2]string{}}
	d.open(escapes.Replace(clean.Line(title)), escapes.Replace(clean.Line(description)))
	for y := range g.H {
		d.grounds(y)
		d.blocks(y)
	}
	d.lines()
	for y := range g.H {
		d.texts(y)
	}
	d.printf("</g>\n</svg>\n")
	return []byte(d.String())
}

// drawing is a picture while it is made.
type drawing struct {
	strings.Builder
	grid  *Grid
	theme *Theme
	ink   *ink
	mixed map[Look][2]string // the colours of looks met
}

func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(d, format, args...) }

func (d *drawing) open(title, description string) {
	w, h := d.grid.W*cellWidth+2*margin, d.grid.H*cellHeight+2*margin
	sum := fnv.New32a()
	sum.Write([]byte(title + "\x00" + description))
	id := strconv.FormatUint(uint64(sum.Sum32()), 36) // several pictures may stand in one page
	d.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-labelledby="t%s d%s">`+"\n",
		w, h, w, h, id, id)
	d.printf("<title id=\"t%s\">%s</title>\n<desc id=\"d%s\">%s</desc>\n", id, title, id, description)
	d.printf(`<rect width="%d" height="%d" rx="8" fill="%s"/>`+"\n", w, h, d.ink.bg)
	d.printf(`<g transform="translate(%d %d)" font-family="%s" font-size="%d" fill="%s">`+"\n",
		margin, margin, fonts, fontSize, d.ink.fg)
}

// grounds paints what of row y has another background than the picture.
func (d *drawing) grounds(y int) {
	for x := 0; x < d.grid.W; {
		_, bg := d.colors(x, y)
		end := x + 1
		for ; end < d.grid.W; end++ {
			if _, next := d.colors(end, y); next != bg {
				break
			}
		}
		if bg != d.ink.bg {
			d.printf(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n",
				x*cellWidth, y*cellHeight, (end-x)*cellWidth, cellHeight, bg)
		}
		x = end
	}
}

func (d *drawing) colors(x, y int) (fg, bg string) {
	look := d.look(x, y)
	c, ok := d.mixed[look]
	if !ok {
		c[0], c[1] = d.ink.colors(look)
		d.mixed[look] = c
	}
	return c[0], c[1]
}

// texts writes row y, a run of cells of one look at a time.
func (d *drawing) texts(y int) {
	for x := 0; x < d.grid.W; {
		end, text := d.run(x, y)
		d.text(x, y, end-x, text)
		x = end
	}
}

// run is how far the run that starts at x goes, and its text. Wide clusters are
// runs of their own, since they seldom are as wide as two cells in a font.
func (d *drawing) run(x, y int) (end int, text string) {
	if d.grid.At(x, y).Wide {
		return min(x+2, d.grid.W), d.grid.At(x, y).Text
	}
	var b strings.Builder
	look, drawn := d.look(x, y), isDrawn(d.grid.At(x, y).Text)
	for end = x; end < d.grid.W; end++ {
		c := d.grid.At(end, y)
		if c.Wide || d.look(end, y) != look || isDrawn(c.Text) != drawn {
			break
		}
		if c.Text == "" || c.Text == " " {
			b.WriteString(nbsp)
		} else {
			b.WriteString(c.Text)
		}
	}
	return end, b.String()
}

const nbsp = "\u00a0"

func (d *drawing) look(x, y int) Look { return d.theme.Look(d.grid.At(x, y).Style) }

func (d *drawing) text(x, y, cells int, text string) {
	if !d.look(x, y).Under {
		n := len(text)
		text = strings.TrimLeft(text, nbsp)
		skip := (n - len(text)) / len(nbsp)
		n = len(text)
		text = strings.TrimRight(text, nbsp)
		x, cells = x+skip, cells-skip-(n-len(text))/len(nbsp)
	}
	if text == "" {
		return
	}
	d.printf(`<text x="%d" y="%d" textLength="%d" lengthAdjust="spacingAndGlyphs"`,
		x*cellWidth, y*cellHeight+baseline, cells*cellWidth)
	look := d.look(x, y)
	if fg, _ := d.colors(x, y); fg != d.ink.fg {
		d.printf(` fill="%s"`, fg)
	}
	if isDrawn(d.grid.At(x, y).Text) {
		d.printf(` fill-opacity="0"`) // there to be selected, the shape is drawn
	}
	if look.Bold {
		d.printf(` font-weight="bold"`)
	}
	if look.Under {
		d.printf(` text-decoration="underline"`)
	}
	d.printf(">%s</text>\n", escapes.Replace(text))
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")
