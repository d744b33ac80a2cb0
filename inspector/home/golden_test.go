package home

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/feed"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/journal"
)

var update = flag.Bool("update", false, "rewrite the golden drawings")

func drawn(p pane.Pane, w, h int, c pane.Context) *paint.Grid {
	g := paint.NewGrid(w, h)
	p.Draw(g.All(), c)
	return g
}

func theCrowd(w *world) (pane.Pane, pane.Context) {
	l := NewSessions()
	l.take(w.m, w.now)
	l.Select(w.m.Find("api1").Sessions[0])
	return l, w.context()
}

func scenes() map[string]func() (pane.Pane, pane.Context) {
	machine := Machine{Self: "/home/me/.local/bin/bobproxy", Bob: "/home/me/.npm/bin/bob", Findings: []Finding{
		{"✓", "bob", "/home/me/.npm/bin/bob"}, {"!", "Zed", "set up, but not through bobproxy"}, {"·", "JetBrains", "/home/me/.jetbrains/acp.json is not there"}}}
	return map[string]func() (pane.Pane, pane.Context){
		"sessions": func() (pane.Pane, pane.Context) { return theCrowd(crowd()) },
		"many": func() (pane.Pane, pane.Context) {
			w := newWorld()
			for i := range 50 {
				w.wait(time.Second)
				id := fmt.Sprintf("s%02d", i)
				w.proxy("p"+id, "/home/me/src/api", 40000+i).hello("Zed").session(id, "/home/me/src/api").prompt(id, fmt.Sprintf("Job %d", i)).done(id)
			}
			l := NewSessions()
			l.take(w.m, w.now)
			l.move(keys.Bottom, w.now)
			l.move(keys.Up, w.now)
			return l, w.context()
		},
		"found nothing": func() (pane.Pane, pane.Context) {
			l, c := theCrowd(crowd())
			l.(*Sessions).Find("nothing like that", c)
			return l, c
		},
		"gone": func() (pane.Pane, pane.Context) {
			w := newWorld()
			p := w.proxy("7f3a", "/home/me/src/cli", 50100).hello("nvim").session("s1", "/home/me/src/cli").prompt("s1", "Go on")
			p.ask(5, "s1", "edit", "Edit src/auth/token.go").ask(6, "s1", "execute", "make all")
			p.stderr("Error: session token \x1b[31mexpired\x1b[0m\n").stderr("run `bob login` and start again, or look into the long manual of it\n")
			w.wait(time.Second)
			p.exit(journal.Exit{Status: 1}).gone("the proxy has ended")
			return goneOf(w), w.context()
		},
		"gone without a word": func() (pane.Pane, pane.Context) {
			w := newWorld()
			w.proxy("7f3b", "/home/me/src/cli", 50101).gone("the proxy does not answer any more; it may have been killed")
			w.wait(30 * time.Hour)
			return goneOf(w), w.context()
		},
		"empty": func() (pane.Pane, pane.Context) {
			e := NewEmpty(machine)
			e.Places(feed.Places{Dirs: []string{"/run/user/1000/bobproxy"}})
			e.Refused("/run/user/1000/bobproxy/p-7f3a.sock", "it belongs to somebody else")
			return e, newWorld().context()
		},
		"snippet": func() (pane.Pane, pane.Context) {
			e := NewEmpty(machine)
			e.Do(keys.SnippetPrefix+"neovim", newWorld().context())
			return e, newWorld().context()
		},
		"starting": func() (pane.Pane, pane.Context) {
			e := NewEmpty(machine)
			e.Starting("the demo")
			return e, newWorld().context()
		},
	}
}

func goneOf(w *world) *Gone {
	g := NewGone()
	g.Show(w.m.Proxies[0].Sessions[0])
	return g
}

func TestDrawings(t *testing.T) {
	for name, make := range scenes() {
		for _, size := range [][2]int{{33, 12}, {40, 8}, {50, 34}, {98, 26}} {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				p, c := make()
				g := drawn(p, size[0], size[1], c)
				golden(t, fmt.Sprintf("%s-%dx%d.txt", strings.ReplaceAll(name, " ", "-"), size[0], size[1]), []byte(paint.Text(g)+"\n"+paint.Styles(g)))
			})
		}
	}
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
		t.Errorf("%s is not what is drawn; if that is right: go test ./inspector/home -update\n%s", name, got)
	}
}

func TestAnySize(t *testing.T) {
	for name, make := range scenes() {
		for _, size := range [][2]int{{0, 0}, {1, 1}, {5, 3}, {12, 1}, {200, 2}} {
			p, c := make()
			if g := drawn(p, size[0], size[1], c); g == nil {
				t.Errorf("%s at %v: nothing was drawn", name, size)
			}
		}
	}
}
