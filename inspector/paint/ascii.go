package paint

// ASCII is a glyph of the panel as one ASCII character that takes one cell, for
// terminals that do not know UTF-8. Every picture of a control character becomes
// a ^; what is no glyph of the panel stays as it is.
func ASCII(cluster string) string {
	if a, ok := glyphs[cluster]; ok {
		return a
	}
	if cluster >= "␀" && cluster <= "␡" {
		return "^"
	}
	return cluster
}

// ToASCII replaces the glyphs of the panel in all cells.
func (g *Grid) ToASCII() {
	for i := range g.Cells {
		if c := &g.Cells[i]; c.Text != "" && c.Text[0] >= 0x80 {
			c.Text = ASCII(c.Text)
		}
	}
}

// A … is a star and no tilde, which in front of a path is the home folder.
var glyphs = map[string]string{
	"→": ">", "←": "<", "►": ">", "▼": "v", "·": ".", "…": "*",
	"│": "|", "─": "-",
	"┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+",
	"█": "#", "░": ".", "●": "*", "○": "o", "×": "x", "✓": "v",
	"↵": "$", "‹": "<", "›": ">", "−": "-", "–": "-",
}
