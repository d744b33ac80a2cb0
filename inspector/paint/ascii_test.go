package paint

import (
	"strings"
	"testing"
)

func TestASCII(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"arrows", "→←►▼", "><}V"},
		{"dots", "·…", ".~"},
		{"a text that is cut", "pl…", "pl~"},
		{"what is followed", "FOLLOW ●", "FOLLOW *"},
		{"the end of a path", "…/src/a.go, ~/b", "*/src/a.go, ~/b"},
		{"a slash that does not follow", "… /", "~ /"},
		{"lines", "│─┌┐└┘├┤┬┴┼", "|-+++++++++"},
		{"blocks", "█░", "#:"},
		{"marks", "●○×✓", "*oxv"},
		{"signs", "␛↵‹RLO›−", "^$[RLO]-"},
		{"escape and bell", "\x1b[31m \x1b]0;evil\x07", "^[31m ^]0;evil&"},
		{"control characters", "␀␇␈␍␉␟␡", "@&`\\%%?"},
		{"text", "größe 漢", "größe 漢"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := NewGrid(Width(c.in), 1)
			g.All().Put(0, 0, Style{}, c.in)
			g.ToASCII()
			if got := Text(g); got != c.want+"\n" {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if c.name == "escape and bell" {
				return // a text is clean when it gets here
			}
			if got := InASCII(c.in); got != c.want {
				t.Errorf("as a text: got %q, want %q", got, c.want)
			}
		})
	}
}

// allowed are the glyphs of the panel.
const allowed = "→←►▼·…│─┌┐└┘├┤┬┴┼█░●○×✓␛↵‹›−–␀␇␈␍␡"

func TestGlyphsAreToldApartInASCII(t *testing.T) {
	family := map[string]string{} // those that may be the same
	for _, same := range []string{"┌┐└┘├┤┬┴┼", "─−–"} {
		for _, r := range same {
			family[string(r)] = same
		}
	}
	seen := map[string]string{}
	for _, r := range allowed {
		glyph := string(r)
		a := ASCII(glyph)
		if len(a) != 1 || a[0] <= ' ' || a[0] > '~' || strings.ContainsAny(a, "%") {
			t.Errorf("%s is %q, want a character of its own", glyph, a)
		}
		if before, ok := seen[a]; ok && (family[glyph] == "" || family[glyph] != family[before]) {
			t.Errorf("%s and %s are both %s", before, glyph, a)
		}
		seen[a] = glyph
	}
	for glyph := range glyphs {
		if !strings.Contains(allowed, glyph) {
			t.Errorf("%s is not looked at", glyph)
		}
	}
	for r := '␀'; r <= '␡'; r++ {
		if a := ASCII(string(r)); len(a) != 1 || a[0] <= ' ' || a[0] > '~' {
			t.Errorf("%c is %q", r, a)
		}
	}
}
