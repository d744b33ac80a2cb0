package paint

import "testing"

func TestANSI(t *testing.T) {
	g := NewGrid(12, 1)
	x := g.All().Put(0, 0, Style{Role: Bad}, "no")
	x = g.All().Put(x+1, 0, Style{Role: Bad, Bold: true}, "日")
	g.All().Put(x, 0, Style{}, "\x1b[2J")
	dark, _ := ThemeNamed("dark")
	for _, c := range []struct {
		name  string
		theme *Theme
		want  string
	}{
		{"plain", nil, "no 日␛[2J"},
		{"dark", dark, "\x1b[31mno\x1b[0m \x1b[1;31m日\x1b[0;7m␛\x1b[0m[2J"},
	} {
		if got := ANSI(g, 0, c.theme); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if got := ANSI(NewGrid(5, 1), 0, dark); got != "" {
		t.Errorf("an empty row is %q", got)
	}
	bar := NewGrid(2, 1)
	bar.All().Put(0, 0, Style{Role: Bar}, "  ")
	if got, want := ANSI(bar, 0, dark), "\x1b[97;100m  \x1b[0m"; got != want {
		t.Errorf("a bar is %q, want %q", got, want)
	}
}
