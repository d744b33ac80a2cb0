package terminal

import (
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"bobproxy/inspector/paint"
)

// frames are painted one after another on the same screen.
var frames = []struct {
	name string
	rows []string
}{
	{"plain", []string{"hello", "world", "", "x"}},
	{"wide", []string{"世界a", "a世界", "世世世世世世世世世世"}},
	{"wide cells a column further", []string{"a世界", "世界a", "a世世世世世世世世世b"}},
	{"narrow where it was wide", []string{"abcdef", "abcdef", "abcdefghijklmnopqrst"}},
	{"combining", []string{"e\u0301a\u0308o", "n\u0303" + strings.Repeat("\u0301", 200) + "z", "한국어"}},
	{"emoji", []string{"👍🏽 ok", "🇩🇪🇫🇷", "👨‍👩‍👧 family", "❤️ heart", "☺ ☺️"}},
	{"at the edge", []string{strings.Repeat("x", 19) + "世", strings.Repeat("x", 18) + "世", strings.Repeat("─", 25)}},
	{"ambiguous", []string{"→←►▼·…│█░●○×✓↵‹›−", "ⅷ①¡§°±"}},
	{"hostile", []string{"a\x1b[2Jb", "\u202eabc\u200b", "\x9b\xff", "\t\r\n\x00"}},
	{"nothing", nil},
}

func TestTheScreenIsTheGrid(t *testing.T) {
	sim := &simulation{SimulationScreen: tcell.NewSimulationScreen("UTF-8"), w: 20, h: 5}
	s := open(t, sim)
	for i, f := range frames {
		s.cells.Clear(sim.w, sim.h)
		for y, row := range f.rows {
			s.cells.All().Put(0, y, paint.Style{Role: paint.Role(i+y) % paint.Roles, Selected: y%2 == 1}, row)
		}
		s.send()
		equal(t, f.name, s, sim)
	}
}

func open(t *testing.T, sim *simulation) *Screen {
	t.Helper()
	s, err := Open(Options{Screen: sim, Theme: "dark", Env: func(string) (string, bool) { return "", false }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// equal compares what is on the screen with the grid that was sent.
func equal(t *testing.T, name string, s *Screen, sim *simulation) {
	t.Helper()
	cells, w, h := sim.GetContents()
	if w != s.shown.W || h != s.shown.H {
		t.Fatalf("%s: %d×%d on the screen, %d×%d in the grid", name, w, h, s.shown.W, s.shown.H)
	}
	for y := range h {
		for x := 0; x < w; x++ {
			want, got := *s.shown.At(x, y), cells[y*w+x]
			if string(got.Runes) != text(want) || got.Style != s.style(want.Style) {
				t.Errorf("%s: at %d,%d %q %v on the screen, want %q %v", name, x, y, string(got.Runes), got.Style, text(want), s.style(want.Style))
			}
			if want.Wide {
				x++ // the right half is not drawn
			}
		}
	}
}

func TestNoCellIsTooLongForTheLibrary(t *testing.T) {
	got := text(paint.Cell{Text: "n" + strings.Repeat("\u0301", 200)})
	if len(got) > maxCluster || !strings.HasPrefix(got, "n\u0301\u0301") || strings.Contains(got, "\uFFFD") {
		t.Errorf("got %q", got)
	}
}

func TestLooks(t *testing.T) {
	sim := &simulation{SimulationScreen: tcell.NewSimulationScreen("UTF-8"), w: 20, h: 5}
	s := open(t, sim)
	s.options.Looks = paint.Looks{paint.Alert: {FG: paint.Black, BG: paint.BrightYellow}}
	for name, c := range map[string]struct {
		theme   string
		colours int
		look    paint.Style
		want    tcell.Style
	}{
		"a colour":            {"dark", 256, paint.Style{Role: paint.Good}, tcell.StyleDefault.Foreground(tcell.PaletteColor(2))},
		"selected":            {"dark", 256, paint.Style{Role: paint.Good, Selected: true}, tcell.StyleDefault.Reverse(true)},
		"the bar, 16 colours": {"dark", 16, paint.Style{Role: paint.Bar}, tcell.StyleDefault.Foreground(tcell.PaletteColor(15)).Background(tcell.PaletteColor(8))},
		"the bar, 8 colours":  {"dark", 8, paint.Style{Role: paint.Bar}, tcell.StyleDefault.Reverse(true)},
		"the bar, no colours": {"mono", 0, paint.Style{Role: paint.Bar}, tcell.StyleDefault.Reverse(true)},
		"filled, 8 colours":   {"dark", 8, paint.Style{Role: paint.Alert}, tcell.StyleDefault.Foreground(tcell.PaletteColor(0)).Background(tcell.PaletteColor(3))},
		"no colours":          {"mono", 0, paint.Style{Role: paint.Added}, tcell.StyleDefault.Bold(true)},
		"a role nobody knows": {"dark", 256, paint.Style{Role: 255, Under: true}, tcell.StyleDefault.Underline(true)},
	} {
		t.Run(name, func(t *testing.T) {
			s.colours = c.colours
			s.theme = s.pick(c.theme)
			if got := s.style(c.look); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
