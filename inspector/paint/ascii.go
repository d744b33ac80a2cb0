package paint

import "strings"

// ASCII is a glyph of the panel as one ASCII character that takes one cell, for
// terminals that do not know UTF-8; what is no glyph of the panel stays as it is.
//
// No two glyphs become the same character but the joints of lines, the dashes,
// and those pictures of control characters that are rare, which are all a %.
// None becomes a letter or a digit, which could be taken for a part of a text,
// but for the marks o, x, v and V. A picture takes one cell, not the two of ^[,
// since lines are laid out, cut and wrapped before anybody asks what the terminal
// knows.
func ASCII(cluster string) string {
	if a, ok := glyphs[cluster]; ok {
		return a
	}
	if cluster >= "␀" && cluster <= "␡" {
		return "%"
	}
	return cluster
}

// ToASCII replaces the glyphs of the panel in all cells.
func (g *Grid) ToASCII() {
	for i := range g.Cells {
		c := &g.Cells[i]
		if c.Text == "" || c.Text[0] < 0x80 {
			continue
		}
		if c.Text == "…" && (i+1)%g.W != 0 && g.Cells[i+1].Text == "/" {
			c.Text = elided
			continue
		}
		c.Text = ASCII(c.Text)
	}
}

// InASCII replaces the glyphs of the panel in a text.
func InASCII(text string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(text, "…/", elided+"/") {
		b.WriteString(ASCII(string(r)))
	}
	return b.String()
}

// elided is a … in front of a path, where a tilde is the home folder.
const elided = "*"

var glyphs = map[string]string{
	"→": ">", "←": "<", "►": "}", "▼": "V", "·": ".", "…": "~",
	"│": "|", "─": "-",
	"┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+",
	"█": "#", "░": ":", "●": "*", "○": "o", "×": "x", "✓": "v",
	"↵": "$", "‹": "[", "›": "]", "−": "-", "–": "-",
	"␀": "@", "␇": "&", "␈": "`", "␍": "\\", "␛": "^", "␡": "?",
}
