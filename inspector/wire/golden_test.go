package wire

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name string, p pane.Pane, w, h int, c pane.Context) {
	t.Helper()
	g := paint.NewGrid(w, h)
	all := g.All()
	top := 0
	if d, ok := p.(*Detail); ok {
		top = headRows(all, d, c)
	}
	p.Draw(all.Rows(top, h-top), c)
	goldenText(t, name, paint.Text(g)+"\n"+paint.Styles(g))
}

func goldenText(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s", path, got)
	}
}

func TestListDrawings(t *testing.T) {
	for _, tt := range []struct {
		name string
		w, h int
		do   []keys.Action
	}{
		{"list-50", 50, 34, nil},
		{"list-66", 66, 24, nil},
		{"list-100", 100, 26, nil},
		{"list-160", 160, 30, nil},
		{"list-38", 38, 12, nil},
		{"waiting-50", 50, 6, nil},
		{"waiting-100", 100, 6, nil},
		{"unfolded-50", 50, 34, []keys.Action{keys.Top, keys.HalfDown, keys.Up, keys.Up, keys.Up, keys.Up, keys.Up, keys.Up, keys.Up, keys.Up, keys.Open}},
		{"words-50", 50, 30, []keys.Action{keys.Columns}},
		{"figures-66", 66, 30, []keys.Action{keys.Columns, keys.Columns}},
		{"paused-100", 100, 12, []keys.Action{keys.Up, keys.Up, keys.Up, keys.Mark}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := talk()
			if !strings.HasPrefix(tt.name, "waiting") {
				s.settle()
			}
			w := NewWire()
			w.Show(s.session, s.proxy)
			w.Draw(paint.NewGrid(tt.w, tt.h).All(), s.context())
			for _, a := range tt.do {
				w.Do(a, s.context())
			}
			golden(t, tt.name, w, tt.w, tt.h, s.context())
		})
	}
}

func TestDetailDrawings(t *testing.T) {
	for _, tt := range []struct {
		name string
		w, h int
		row  func(*story) int
		do   []keys.Action
	}{
		{"detail-50", 50, 34, asking, nil},
		{"detail-100", 100, 12, asking, nil},
		{"detail-62", 62, 41, asking, []keys.Action{keys.UnfoldAll}},
		{"detail-folded-66", 66, 24, asking, []keys.Action{keys.FoldAll}},
		{"raw-50", 50, 34, asking, []keys.Action{keys.Raw}},
		{"raw-bad-50", 50, 20, kinds("BAD"), nil},
		{"refused-66", 66, 20, refusal, nil},
		{"decision-66", 66, 24, kinds("ANS"), nil},
		{"asked-66", 66, 24, kinds("ASK"), nil},
		{"stderr-50", 50, 20, kinds("STD"), nil},
		{"gap-50", 50, 16, kinds(" … "), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := talk()
			if tt.name != "detail-50" {
				s.settle()
			}
			d := NewDetail()
			d.Show(s.proxy.Rows[tt.row(s)])
			d.Draw(paint.NewGrid(tt.w, tt.h).All(), s.context())
			for _, a := range tt.do {
				d.Do(a, s.context())
			}
			golden(t, tt.name, d, tt.w, tt.h, s.context())
		})
	}
}

// headRows paints what stands above a detail, as the panel does.
func headRows(a paint.Area, d *Detail, c pane.Context) int {
	head := d.Head(c)
	a.In(1, 1).Both(0, paint.L(paint.Heading, d.Heading()), head.Right)
	a.In(1, 1).Both(1, head.Status, head.StatusRight)
	a.Rule(2)
	return 3
}

func asking(s *story) int { return int(s.open["agent5"].Seq) - 1 }

func refusal(s *story) int { return int(s.open["agent7"].Seq) - 1 }

// kinds finds the first row of a kind.
func kinds(word string) func(*story) int {
	return func(s *story) int {
		for i, r := range s.proxy.Rows {
			if got, _ := kind(r); got == word {
				return i
			}
		}
		panic("no " + word)
	}
}
