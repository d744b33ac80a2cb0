package paint

import (
	"strings"
	"testing"
)

func TestPut(t *testing.T) {
	for _, c := range []struct {
		name  string
		paint func(a Area)
		want  string
	}{
		{"text", func(a Area) { a.Put(1, 0, Style{}, "abc") }, ".abc..."},
		{"beyond the edge", func(a Area) { a.Put(5, 0, Style{}, "abc") }, ".....ab"},
		{"before the edge", func(a Area) { a.Put(-2, 0, Style{}, "abc") }, "c......"},
		{"row above", func(a Area) { a.Put(0, -1, Style{}, "abc") }, "......."},
		{"row below", func(a Area) { a.Put(0, 1, Style{}, "abc") }, "......."},
		{"wide at the edge", func(a Area) { a.Put(0, 0, Style{}, "xxxxxxx"); a.Put(4, 0, Style{}, "漢漢") }, "xxxx漢."},
		{"wide before the edge", func(a Area) { a.Put(0, 0, Style{}, "xxxxxxx"); a.Put(-1, 0, Style{}, "漢") }, ".xxxxxx"},
		{"over a right half", func(a Area) { a.Put(0, 0, Style{}, "漢x"); a.Put(1, 0, Style{}, "y") }, ".yx...."},
		{"over a left half", func(a Area) { a.Put(0, 0, Style{}, "漢x"); a.Put(0, 0, Style{}, "y") }, "y.x...."},
		{"wide over two halves", func(a Area) { a.Put(0, 0, Style{}, "漢漢x"); a.Put(1, 0, Style{}, "字") }, ".字.x.."},
		{"beside a wide one of another area", func(a Area) { a.Put(0, 0, Style{}, "漢x"); a.Sub(1, 0, 1, 1).Put(0, 0, Style{}, "y") }, ".yx...."},
		{"accent at the start", func(a Area) { a.Put(0, 0, Style{}, "\u0301") }, "‹U+030"},
		{"area", func(a Area) { a.Sub(2, 0, 2, 1).Put(0, 0, Style{}, "abc") }, "..ab..."},
		{"no area", func(a Area) { a.Sub(9, 0, 2, 1).Put(0, 0, Style{}, "abc") }, "......."},
		{"cut line", func(a Area) { a.Line(2, 0, L(Plain, "abcdefgh")) }, "..abcd…"},
		{"both", func(a Area) { a.Both(0, L(Plain, "abcdefgh"), L(Plain, "xy")) }, "abc….xy"},
		{"both, no room", func(a Area) { a.Both(0, L(Plain, "abc"), L(Plain, "0123456789")) }, "012345…"},
		{"hostile", func(a Area) { a.Put(0, 0, Style{}, strings.Repeat("\x1b\u202e", 1<<16)) }, "␛‹RLO›␛"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := NewGrid(7, 1)
			c.paint(g.All())
			want := strings.ReplaceAll(strings.TrimRight(c.want, "."), ".", " ") + "\n"
			if c.name == "accent at the start" {
				want = "‹U+0301\n"
			}
			if got := Text(g); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestSelectedRowIsOneBar(t *testing.T) {
	g := NewGrid(3, 1)
	g.All().Line(0, 0, Line{S(Bad, "a"), S(Plain, "b")})
	g.All().Select(0)
	for _, name := range []string{"dark", "light", "mono"} {
		theme, _ := ThemeNamed(name)
		for x := range 3 {
			l := theme.Look(g.At(x, 0).Style)
			if !l.Reverse || l.FG != Default || l.BG != Default {
				t.Errorf("%s, cell %d: %+v", name, x, l)
			}
		}
	}
}

func BenchmarkFullGrid(b *testing.B) {
	g := NewGrid(160, 45)
	l := Line{S(Out, "► "), S(Plain, strings.Repeat("session/update · tool_call ", 3)), S(Dim, strings.Repeat("größe ─ 漢字 ", 8))}
	for b.Loop() {
		g.Clear(160, 45)
		for y := range g.H {
			g.All().Line(0, y, l)
		}
	}
}

func BenchmarkSVG(b *testing.B) {
	theme, _ := ThemeNamed("dark")
	g := scene()
	for b.Loop() {
		SVG(g, theme, "", "")
	}
}

func TestJoints(t *testing.T) {
	g := NewGrid(5, 6)
	a := g.All()
	a.Sub(0, 0, 2, 1).Rule(0)
	a.Sub(3, 1, 2, 1).Rule(0)
	a.Rule(2)
	a.Line(0, 3, L(Plain, "──")) // text, no rule
	a.Column(2)
	a.Joints(2)
	want := "──┤\n  ├──\n──┼──\n──│\n  │\n  │\n"
	if got := Text(g); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	g.All().Sub(0, 0, 1, 6).Joints(0)
	g.All().Sub(4, 0, 1, 6).Joints(0)
}
