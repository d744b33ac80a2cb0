package panel

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/card"
	"bobproxy/inspector/home"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/terminal"
	"bobproxy/proxy/broker"
)

var update = flag.Bool("update", false, "rewrite the golden screens and their pictures")

// show is a panel in a scene, and what was pressed in it.
type show struct {
	*Panel
	w, h int
	now  time.Time
	grid *paint.Grid

	ruling broker.Ruling // on what is answered
}

func newShow(w, h int, scene func(*Panel)) *show {
	p := New(Options{
		Card: card.Careful(), Home: "/home/me", Mouse: true, Theme: "dark",
		Machine: home.Machine{Self: "/home/me/.local/bin/bobproxy", Bob: "/home/me/.npm/bin/bob", Findings: []home.Finding{
			{Mark: "✓", Name: "bob", Text: "/home/me/.npm/bin/bob"}}},
	})
	s := &show{Panel: p, w: w, h: h, grid: paint.NewGrid(w, h)}
	s.now = dawn.Add(34 * time.Second)
	if scene != nil {
		scene(p)
	}
	return s.look()
}

// look draws, and tells the panel that it was seen.
func (s *show) look() *show {
	s.grid.Clear(s.w, s.h)
	s.Draw(s.grid, s.now)
	s.Shown(s.now)
	return s
}

// press presses keys, one after the other, each seen before the next.
func (s *show) press(names ...keys.Key) *show {
	for _, k := range names {
		s.Input(terminal.Key{Key: k}, s.now)
		s.look()
	}
	return s
}

// wait lets time pass, and looks whenever there is something to see.
func (s *show) wait(d time.Duration) *show {
	end := s.now.Add(d)
	for next := s.Next(s.now); next.After(s.now) && next.Before(end); next = s.Next(s.now) {
		s.now = next
		s.look()
	}
	s.now = end
	return s.look()
}

func busy(p *Panel) {
	leaving().gone(p)
	rebuilding().play(p)
	repairing().play(p)
}

func waiting(p *Panel) { repairing().play(p) }

// scene is what there is a picture of in some sizes.
type scene struct {
	name  string
	sizes string
	make  func(w, h int) *show
}

// scenes are the places of the panel.
var scenes = []scene{
	{"empty", "50x40 80x24 160x45 40x12", func(w, h int) *show { return newShow(w, h, nil) }},
	{"snippet", "50x40", func(w, h int) *show { return newShow(w, h, nil).press("z") }},
	{"sessions", "50x40 80x24 100x30 40x12", func(w, h int) *show { return newShow(w, h, busy).press("k") }},
	{"timeline", "50x40 80x24 100x30 160x45", func(w, h int) *show { return newShow(w, h, waiting).press("Enter") }},
	{"wire", "50x40 80x24 100x30 160x45", func(w, h int) *show { return newShow(w, h, waiting).press("Enter", "]") }},
	{"detail", "50x40 80x24 100x30 160x45", func(w, h int) *show { return newShow(w, h, waiting).press("Enter", "]", "G", "k", "Enter") }},
	{"info", "50x40 100x30 160x45", func(w, h int) *show { return newShow(w, h, waiting).press("Enter", "]", "]") }},
	{"card", "50x40 80x24 100x30 160x45", func(w, h int) *show { return newShow(w, h, busy).press("p").wait(time.Second) }},
	{"command", "50x40 80x24 100x30 160x45 40x12 39x11", func(w, h int) *show { return newShow(w, h, busy).press("p", "]").wait(time.Second) }},
	{"wide", "160x45", func(w, h int) *show { return newShow(w, h, busy).press("k") }},
	{"gone", "50x40 100x30", func(w, h int) *show { return newShow(w, h, leaving().gone).press("Enter") }},
	{"help", "50x40 100x30", func(w, h int) *show { return newShow(w, h, waiting).press("Enter", "?") }},
	{"filter", "50x40 100x30", func(w, h int) *show {
		s := newShow(w, h, waiting).press("Enter", "]", "/")
		for _, c := range "slow>x" {
			s.press(keys.Key(string(c)))
		}
		return s
	}},
	{"settings", "50x40 100x30", func(w, h int) *show {
		s := setting(w, h)
		s.enter("set layout wide")
		s.enter("set arm 2s")
		s.enter("set notify bell")
		s.enter("set")
		return s
	}},
	{"setting", "50x40 100x30", func(w, h int) *show {
		s := setting(w, h)
		s.enter("set arm 2s")
		s.enter("set arm")
		return s
	}},
	{"completion", "50x40 100x30", func(w, h int) *show { return setting(w, h).press(":").typing("set open-card").press("Tab") }},
	{"tiny", "39x11", func(w, h int) *show { return newShow(w, h, waiting) }},
}

func TestScreens(t *testing.T) {
	for _, scene := range slices.Concat(scenes, states) {
		for size := range strings.FieldsSeq(scene.sizes) {
			name := scene.name + "-" + size
			t.Run(name, func(t *testing.T) {
				var w, h int
				if _, err := fmt.Sscanf(size, "%dx%d", &w, &h); err != nil {
					t.Fatal(err)
				}
				s := scene.make(w, h)
				golden(t, name+".txt", []byte(paint.Text(s.grid)+"\n"+paint.Styles(s.grid)))
				golden(t, name+".svg", picture(t, s.grid, "dark", scene.name))
			})
		}
	}
}

func picture(t *testing.T, g *paint.Grid, theme, name string) []byte {
	t.Helper()
	look, ok := paint.ThemeNamed(theme)
	if !ok {
		t.Fatalf("no theme %s", theme)
	}
	return paint.SVG(g, look, "bobproxy panel: "+name, strings.TrimSpace(paint.Text(g)))
}

func TestThemes(t *testing.T) {
	for _, theme := range []string{"light", "mono"} {
		s := newShow(100, 30, busy).press("p", "]").wait(time.Second)
		golden(t, "card-"+theme+".svg", picture(t, s.grid, theme, "card"))
	}
}

func TestASCII(t *testing.T) {
	s := newShow(80, 24, busy).press("p", "]").wait(time.Second)
	s.grid.ToASCII()
	golden(t, "card-ascii.txt", []byte(paint.Text(s.grid)))
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what is drawn; if that is right: go test ./inspector/panel -update\n%s", name, got)
	}
}
