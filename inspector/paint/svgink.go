package paint

import "fmt"

// ink is what the colours of a terminal are in a picture.
type ink struct {
	fg, bg string
	ansi   [16]string
}

func inkOf(t *Theme) *ink {
	if t.Light {
		return &lightInk
	}
	return &darkInk
}

// Every colour but black and white has enough contrast to its background to be
// read, also where it is dim.
var darkInk = ink{"#d7dae0", "#16181d", [16]string{
	"#16181d", "#f47067", "#7bc275", "#e3b341", "#79aef5", "#d79bf0", "#56c2cf", "#b6bcc8",
	"#4a505c", "#ff938a", "#9cdb96", "#f2cc60", "#a5cbff", "#e4b8f7", "#7fdbe6", "#ffffff",
}}

var lightInk = ink{"#23272e", "#fcfcfa", [16]string{
	"#23272e", "#c2261d", "#1d7434", "#f2c53d", "#1f5fbf", "#96318f", "#0b6e80", "#dfe1e6",
	"#6a7280", "#a31810", "#125c26", "#8a6100", "#174a99", "#78246f", "#075765", "#ffffff",
}}

func (k *ink) color(c Color, def string) string {
	if n := c.ANSI(); n >= 0 && n < 16 {
		return k.ansi[n]
	}
	return def
}

// colors are those of a look once dim and reverse are applied.
func (k *ink) colors(l Look) (fg, bg string) {
	fg, bg = k.color(l.FG, k.fg), k.color(l.BG, k.bg)
	if l.Dim {
		fg = mix(fg, bg)
	}
	if l.Reverse {
		return bg, fg
	}
	return fg, bg
}

// mix is a colour three fifths of the way from bg to fg.
func mix(fg, bg string) string {
	var f, b [3]int
	fmt.Sscanf(fg, "#%02x%02x%02x", &f[0], &f[1], &f[2])
	fmt.Sscanf(bg, "#%02x%02x%02x", &b[0], &b[1], &b[2])
	for i := range f {
		f[i] = (3*f[i] + 2*b[i]) / 5
	}
	return fmt.Sprintf("#%02x%02x%02x", f[0], f[1], f[2])
}
