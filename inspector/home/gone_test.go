package home

import (
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

func goneText(w *world) string { return paint.Text(drawn(goneOf(w), 60, 40, w.context())) }

func TestHowItEnded(t *testing.T) {
	for _, test := range []struct {
		name string
		exit *journal.Exit
		want string
	}{
		{"by itself", &journal.Exit{}, "Bob left with exit 0"},
		{"with an error", &journal.Exit{Status: 7}, "Bob left with exit 7"},
		{"killed", &journal.Exit{Status: 143, Signal: "terminated"}, "Bob was ended by SIGTERM"},
		{"nobody knows", nil, "how Bob ended is not known"},
	} {
		w := newWorld()
		p := w.proxy("p", "/src", 7).hello("Zed")
		if test.exit != nil {
			p.exit(*test.exit)
		}
		p.gone("it does not answer any more")
		got := goneText(w)
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: got %s\nwant in it: %s", test.name, got, test.want)
		}
		if told := strings.Contains(got, "does not answer"); told != (test.exit == nil) {
			t.Errorf("%s: why we think that it is gone is told: %v", test.name, told)
		}
	}
}

func TestStderrHasNoBreaksOfItsOwn(t *testing.T) {
	w := newWorld()
	w.proxy("p", "/src", 7).stderr("one\n").stderr("two\r\n").stderr("thr\x07ee").gone("")
	if got := goneText(w); strings.Contains(got, "↵") || !strings.Contains(got, "one") || !strings.Contains(got, "two\n") {
		t.Errorf("got %s", got)
	}
}

func TestManyDeadPermissions(t *testing.T) {
	w := newWorld()
	p := w.proxy("p", "/src", 7).hello("Zed").session("a", "/src").prompt("a", "Go")
	for i := range mostDead + 3 {
		p.ask(i, "a", "edit", "Edit x")
	}
	p.gone("")
	if got := goneText(w); !strings.Contains(got, "8 permission requests were open") || !strings.Contains(got, "and 3 more") {
		t.Errorf("got %s", got)
	}
}

func TestGoneWishes(t *testing.T) {
	w := newWorld()
	w.proxy("p", "/src", 7).hello("Zed").gone("")
	s := w.m.Proxies[0].Sessions[0]
	g := NewGone()
	if got := g.Do(keys.ToWire, w.context()); got != nil {
		t.Errorf("before anything is shown: got %v", got)
	}
	g.Show(s)
	for do, want := range map[keys.Action]pane.Wish{
		keys.ToTimeline: pane.Visit{Session: s, Tab: keys.Timeline},
		keys.ToWire:     pane.Visit{Session: s, Tab: keys.Wire},
		keys.Drop:       pane.DropProxy{Proxy: s.Proxy},
	} {
		if got := g.Do(do, w.context()); len(got) != 1 || got[0] != want {
			t.Errorf("%s: got %v, want %v", do, got, want)
		}
	}
	got := g.Do(keys.Save, w.context())
	file, ok := got[0].(pane.Saved)
	if !ok || file.Name != "p.jsonl" || strings.Count(string(file.Data), "\n") != 2 || !strings.HasPrefix(string(file.Data), `{"jsonrpc":"2.0","id":1,"method":"initialize"`) {
		t.Errorf("save: got %v", got)
	}
}

func TestSubjects(t *testing.T) {
	command := &control.Pending{Command: "rm -r x"}
	for _, test := range []struct {
		kind, title string
		card        *control.Pending
		want        string
	}{
		{"", "", nil, "a permission without a title"}, {"edit", "", nil, "edit"}, {"", "Go", nil, "Go"}, {"edit", "Edit x", nil, "Edit x"}, {"execute", "make", nil, "execute  make"},
		{"execute", "Tidy up the place", command, "execute  rm -r x  Tidy up the place"}, {"", "Tidy up the place", command, "rm -r x  Tidy up the place"},
	} {
		if got := subject(&model.Permission{Kind: test.kind, Title: test.title, Card: test.card}, 60, ""); got.String() != test.want {
			t.Errorf("%q %q: got %q, want %q", test.kind, test.title, got, test.want)
		}
	}
}

func TestPagesScroll(t *testing.T) {
	s := &scroll{}
	g := paint.NewGrid(20, 5)
	page := make([]paint.Line, 12)
	s.draw(g.All(), 1, page)
	for _, test := range []struct {
		do   keys.Action
		want int
	}{{keys.Up, 0}, {keys.Down, 1}, {keys.PageDown, 4}, {keys.HalfDown, 6}, {keys.Bottom, 7}, {keys.Down, 7}, {keys.PageUp, 4}, {keys.HalfUp, 2}, {keys.Top, 0}} {
		s.do(test.do)
		if s.top != test.want {
			t.Errorf("%s: %d above, want %d", test.do, s.top, test.want)
		}
	}
}

func TestSnippetPages(t *testing.T) {
	e := NewEmpty(Machine{Self: "/opt/bobproxy"})
	c := pane.Context{Now: time.Unix(0, 0), Model: model.New()}
	got := e.Do(keys.SnippetPrefix+"zed", c)
	copied, ok := got[0].(pane.Copied)
	if !ok || !strings.Contains(copied.Text, `"command": "/opt/bobproxy"`) {
		t.Fatalf("got %v", got)
	}
	if again := e.Do(keys.Copy, c); len(again) != 1 || again[0] != got[0] {
		t.Errorf("y copies %v", again)
	}
	if back := e.Do(keys.Back, c); back == nil || e.editor != nil {
		t.Errorf("Esc: got %v", back)
	}
	if got := e.Do(keys.SnippetPrefix+"ed", c); got != nil {
		t.Errorf("of no editor: got %v", got)
	}
	if back := e.Do(keys.Back, c); back != nil {
		t.Errorf("Esc again: got %v, want it to be left to the panel", back)
	}
}
