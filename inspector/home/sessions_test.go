package home

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/journal"
)

// ids are the sessions as they are listed, one without an id by its proxy.
func ids(l *Sessions) string {
	var ids []string
	for _, s := range l.shown() {
		id := s.Talk.Session
		if id == "" {
			id = "(" + s.Proxy.Instance + ")"
		}
		ids = append(ids, id)
	}
	return strings.Join(ids, " ")
}

// trio is three sessions that began one after the other: a, b and c.
func trio() (*world, *teller) {
	w := newWorld()
	p := w.proxy("p1", "/src", 7).hello("Zed")
	for _, id := range []string{"a", "b", "c"} {
		w.wait(10 * time.Second)
		p.session(id, "/src/"+id).prompt(id, "do "+id)
	}
	return w, p
}

func TestOrders(t *testing.T) {
	w, p := trio()
	w.wait(time.Minute)
	p.done("b").ask(5, "a", "edit", "Edit x")
	w.wait(time.Minute)
	for _, test := range []struct {
		order order
		want  string
	}{{byAttention, "a c b"}, {byActivity, "b c a"}, {byStart, "a b c"}} {
		l := NewSessions()
		l.order = test.order
		l.take(w.m, w.now)
		if got := ids(l); got != test.want {
			t.Errorf("%s: got %s, want %s", orderNames[test.order], got, test.want)
		}
	}
}

// Whatever the order is: among sessions of one rank the ages that are shown rise,
// or fall, and what has ended stands below what has not.
func TestTheAgesAreInTheOrderOfTheList(t *testing.T) {
	w := newWorld()
	for i, id := range []string{"gone", "idle", "work", "asks", "late", "busy"} {
		w.wait(time.Duration(10+i) * time.Second)
		p := w.proxy(id, "/src", 10+i).hello("Zed").session(id, "/src/"+id).prompt(id, "do "+id)
		switch id {
		case "gone":
			p.exit(journal.Exit{Status: 1}).gone("")
		case "idle", "late":
			p.done(id)
		case "asks":
			p.ask(5, id, "edit", "Edit x")
		}
	}
	w.wait(3 * time.Second)
	for _, p := range w.m.Proxies { // words of a turn are no reason to be elsewhere
		if p.Instance == "work" {
			(&teller{world: w, state: p.State, seq: 100}).say("work", "word")
		}
	}
	for order, want := range map[order]string{
		byAttention: "asks 32s, busy 3s, work 45s, late 18s, idle 57s, gone 1m",
		byActivity:  "busy 3s, late 18s, asks 32s, work 45s, idle 57s, gone 1m",
		byStart:     "gone 1m, idle 57s, work 45s, asks 32s, late 18s, busy 3s",
	} {
		l := NewSessions()
		l.order = order
		l.take(w.m, w.now)
		var got []string
		for _, s := range l.list {
			got = append(got, s.Talk.Session+" "+sinceText(l.row(s, nil, w.now).when, w.now))
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%s: got %s, want %s", orderNames[order], got, want)
		}
	}
}

func TestWhoWaitsFirstOnlyAfterAMoment(t *testing.T) {
	w, p := trio()
	l := NewSessions()
	p.ask(5, "a", "edit", "Edit x")
	for _, test := range []struct {
		after time.Duration
		want  string
	}{{0, "c b a"}, {patience - time.Millisecond, "c b a"}, {patience, "a c b"}} {
		l.take(w.m, w.now.Add(test.after))
		if got := ids(l); got != test.want {
			t.Errorf("after %v: got %s, want %s", test.after, got, test.want)
		}
	}
}

// The session of the oldest open request is on top, whatever began later: it is
// the one that the card shows first.
func TestWhoWaitsLongestIsOnTop(t *testing.T) {
	w, p := trio()
	l := NewSessions()
	for _, step := range []struct {
		name  string
		tell  func()
		order string
		ages  string
	}{
		{"a asks", func() { p.ask(5, "a", "edit", "Edit x") }, "a c b", "10s 10s 20s"},
		{"b asks", func() { p.ask(6, "b", "edit", "Edit y") }, "a b c", "20s 10s 20s"},
		{"b is answered", func() { p.settle(6, "b") }, "a c b", "30s 30s 40s"},
		{"b asks again", func() { p.ask(7, "b", "edit", "Edit z") }, "a b c", "40s 10s 40s"},
		{"c asks", func() { p.ask(8, "c", "edit", "Edit c") }, "a b c", "50s 20s 10s"},
		{"a is answered", func() { p.settle(5, "a") }, "b c a", "30s 20s 1m"},
	} {
		step.tell()
		w.wait(10 * time.Second)
		l.take(w.m, w.now)
		if got := ids(l); got != step.order {
			t.Errorf("%s: got %s, want %s", step.name, got, step.order)
		}
		var ages []string
		for _, s := range l.list {
			ages = append(ages, sinceText(l.row(s, nil, w.now).when, w.now))
		}
		if got := strings.Join(ages, " "); got != step.ages {
			t.Errorf("%s: the ages are %s, want %s", step.name, got, step.ages)
		}
		if first := w.m.Waiting()[0].Session; l.list[0] != first {
			t.Errorf("%s: on top is %s, and the oldest request is of %s", step.name, l.list[0].Talk.Session, first.Talk.Session)
		}
	}
}

// What has ended is as old as its end, and not as the last that it said.
func TestTheAgeOfWhatHasEnded(t *testing.T) {
	for _, test := range []struct {
		name string
		ends func(p *teller)
	}{
		{"it left, and its proxy", func(p *teller) { p.exit(journal.Exit{Status: 143}).gone("") }},
		{"it left", func(p *teller) { p.exit(journal.Exit{Status: 143}) }},
		{"nobody saw it leave", func(p *teller) { p.gone("it does not answer") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld()
			early := w.proxy("early", "/src", 7).hello("Zed").session("early", "/src").prompt("early", "Go").done("early")
			w.wait(10 * time.Second)
			w.proxy("late", "/src", 8).hello("Zed").session("late", "/src").prompt("late", "Go").done("late").exit(journal.Exit{}).gone("")
			w.wait(10 * time.Second)
			test.ends(early)
			w.wait(2 * time.Second)
			l := NewSessions()
			l.take(w.m, w.now)
			if got, want := ids(l), "early late"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if got := sinceText(l.row(l.list[0], nil, w.now).when, w.now); got != "2s" {
				t.Errorf("it ended %s ago, want 2s", got)
			}
		})
	}
}

func TestSessionsThatWorkStayInTheirOrder(t *testing.T) {
	w, p := trio()
	l := NewSessions()
	for _, id := range []string{"a", "c", "b", "a"} {
		w.wait(time.Minute)
		p.say(id, "word")
		l.take(w.m, w.now)
		if got, want := ids(l), "c b a"; got != want {
			t.Errorf("after a word of %s: got %s, want %s", id, got, want)
		}
	}
}

func TestNothingMovesUnderTheCursor(t *testing.T) {
	w, p := trio()
	l := NewSessions()
	l.take(w.m, w.now)
	l.Do(keys.Down, w.context())
	before := ids(l)
	w.wait(settleAfter - 2*time.Second)
	p.done("a")
	w.wait(time.Second)
	p.session("d", "/src/d")
	l.take(w.m, w.now)
	if got, want := ids(l), before+" d"; got != want {
		t.Errorf("just after a key: got %s, want %s", got, want)
	}
	chosen := l.selected
	w.wait(2 * time.Second)
	l.take(w.m, w.now)
	if got, want := ids(l), "c b d a"; got != want {
		t.Errorf("later: got %s, want %s", got, want)
	}
	if l.selected != chosen {
		t.Errorf("the cursor is at %s", l.selected.Talk.Session)
	}
}

func TestWhatIsSelectedAtFirst(t *testing.T) {
	w := newWorld()
	w.proxy("p1", "/src", 7).hello("Zed").exit(journal.Exit{Status: 1}).gone("")
	l := NewSessions()
	if s := l.Selected(w.m, w.now); s == nil || s.Proxy.Instance != "p1" {
		t.Fatalf("with one that has ended: got %v", s)
	}
	p := w.proxy("p2", "/src", 8).hello("Zed")
	if s := l.Selected(w.m, w.now); s.Proxy.Instance != "p2" {
		t.Fatalf("one that lives is not preferred to one that has ended: got %s", s.Proxy.Instance)
	}
	p.session("a", "/src")
	if s := l.Selected(w.m, w.now); s.Talk.Session != "a" {
		t.Fatalf("a session does not take the place of none: got %q", s.Talk.Session)
	}
	w.wait(time.Minute)
	w.proxy("p3", "/src", 9).hello("Zed").session("b", "/src").prompt("b", "x")
	if s := l.Selected(w.m, w.now); s.Talk.Session != "a" {
		t.Errorf("a new session took the cursor: got %q", s.Talk.Session)
	}
	p.exit(journal.Exit{}).gone("")
	l.Select(l.selected)
	if s := l.Selected(w.m, w.now); s.Talk.Session != "a" {
		t.Errorf("the one that was chosen lost the cursor when it ended: got %q", s.Talk.Session)
	}
}

func TestWhatBelongsToNoSessionIsHidden(t *testing.T) {
	w := newWorld()
	p := w.proxy("p1", "/src", 7).hello("Zed")
	l := NewSessions()
	l.take(w.m, w.now)
	if got, want := ids(l), "(p1)"; got != want {
		t.Errorf("before there is a session: got %s, want %s", got, want)
	}
	p.session("a", "/src").client(`{"jsonrpc":"2.0","id":9,"method":"session/list","params":{}}`)
	p.agent(`{"jsonrpc":"2.0","id":8,"method":"terminal/create","params":{"command":"make"}}`)
	l.take(w.m, w.now)
	if got, want := ids(l), "a"; got != want {
		t.Errorf("beside a session: got %s, want %s", got, want)
	}
}

func TestSubagentsFollowWhatTheyBelongTo(t *testing.T) {
	w, p := trio()
	for _, s := range p.m.Proxies[0].Sessions {
		switch s.Talk.Session {
		case "b":
			s.Parent = "a"
		case "c":
			s.Parent = "b"
		}
	}
	l := NewSessions()
	l.take(w.m, w.now)
	if got, want := ids(l), "a b c"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for i, s := range l.list {
		if depth(s) != i {
			t.Errorf("%s is %d deep, want %d", s.Talk.Session, depth(s), i)
		}
	}
	l.list[0].Parent = "c" // all are above each other
	l.take(w.m, w.now)
	if got := len(l.list); got != 3 {
		t.Errorf("in a circle: %d are listed, want 3", got)
	}
	if got := depth(l.list[0]); got != mostDepth {
		t.Errorf("in a circle: %d deep, want %d", got, mostDepth)
	}
}

func TestDrop(t *testing.T) {
	w := newWorld()
	w.proxy("p1", "/src", 7).hello("Zed").exit(journal.Exit{Status: 1}).gone("")
	w.proxy("p2", "/src", 8).hello("Zed")
	l := NewSessions()
	l.take(w.m, w.now)
	l.Select(w.m.Find("p2").Sessions[0])
	if got := l.Do(keys.Drop, w.context()); len(got) != 1 || got[0] != (pane.Say{Text: "only what has ended can be dropped"}) {
		t.Errorf("of one that lives: got %v", got)
	}
	gone := w.m.Find("p1")
	l.Select(gone.Sessions[0])
	if got := l.Do(keys.Drop, w.context()); len(got) != 1 || got[0] != (pane.DropProxy{Proxy: gone}) {
		t.Errorf("of one that has ended: got %v", got)
	}
	w.m.Drop(gone)
	if s := l.Selected(w.m, w.now); s == nil || s.Proxy.Instance != "p2" {
		t.Errorf("after it is dropped %v is selected", s)
	}
}

func TestFind(t *testing.T) {
	w, _ := trio()
	l := NewSessions()
	l.take(w.m, w.now)
	for _, test := range []struct{ text, found, ids string }{
		{"DO B", "1 of 3 sessions", "b"},
		{"src/c", "1 of 3 sessions", "c"},
		{"zed", "3 of 3 sessions", "c b a"},
		{"no such", "not found", ""},
		{"", "3 of 3 sessions", "c b a"},
	} {
		if got := l.Find(test.text, w.context()); got != test.found {
			t.Errorf("%q: got %q, want %q", test.text, got, test.found)
		}
		if got := ids(l); got != test.ids {
			t.Errorf("%q: %s are shown, want %s", test.text, got, test.ids)
		}
	}
	l.Find("do b", w.context())
	if got := l.selected.Talk.Session; got != "b" {
		t.Errorf("the cursor is at %s, which is not shown", got)
	}
	if got := l.Do(keys.Back, w.context()); len(got) != 1 || len(l.shown()) != 3 {
		t.Errorf("Esc: got %v and %d sessions", got, len(l.shown()))
	}
	if got := l.Do(keys.Back, w.context()); got != nil {
		t.Errorf("Esc again: got %v, want it to be left to the panel", got)
	}
}

func TestClick(t *testing.T) {
	for _, test := range []struct {
		name   string
		w, h   int
		y      int
		double bool
		want   string
		opens  bool
	}{
		{"the first row of the second, with air", 50, 20, 3, false, "b", false},
		{"the air below it", 50, 20, 5, false, "b", false},
		{"the third, without air", 33, 20, 5, false, "a", false},
		{"twice", 33, 20, 2, true, "b", true},
		{"below all", 33, 20, 9, true, "c", false},
		{"where only the first is in sight", 33, 2, 2, true, "c", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, p := trio()
			l := NewSessions()
			drawn(l, test.w, test.h, w.context())
			l.Select(l.list[0])
			w.wait(time.Minute)
			p.done("a") // goes to the top, but is not seen there yet
			l.Selected(w.m, w.now)
			got := l.Click(3, test.y, test.double, w.context())
			if l.selected.Talk.Session != test.want {
				t.Errorf("%s is selected, want %s", l.selected.Talk.Session, test.want)
			}
			if opens := len(got) == 1 && got[0] == (pane.Visit{Session: l.selected}); opens != test.opens {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestMoving(t *testing.T) {
	w := newWorld()
	p := w.proxy("p1", "/src", 7).hello("Zed")
	for i := range 50 {
		w.wait(time.Second)
		p.session(fmt.Sprintf("s%02d", 49-i), "/src")
	}
	l := NewSessions()
	drawn(l, 33, 20, w.context())
	l.Select(l.list[0])
	for _, test := range []struct {
		key  keys.Action
		want string
		top  int
	}{
		{keys.Down, "s01", 0}, {keys.PageDown, "s11", 2}, {keys.Up, "s10", 2}, {keys.Bottom, "s49", 40},
		{keys.Down, "s49", 40}, {keys.PageUp, "s39", 39}, {keys.Top, "s00", 0}, {keys.Up, "s00", 0},
	} {
		l.Do(test.key, w.context())
		drawn(l, 33, 20, w.context())
		if got := l.selected.Talk.Session; got != test.want || l.top != test.top {
			t.Errorf("%s: at %s with %d above, want %s with %d", test.key, got, l.top, test.want, test.top)
		}
	}
}

func TestAges(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "now", 0: "now", 1999 * time.Millisecond: "now", 2 * time.Second: "2s", 59 * time.Second: "59s",
		time.Minute: "1m", 59*time.Minute + 59*time.Second: "59m", time.Hour: "1h", 47 * time.Hour: "47h", 48 * time.Hour: "2d", 2400 * time.Hour: "100d",
	} {
		if got := ago(d); got != want {
			t.Errorf("%v: got %s, want %s", d, got, want)
		}
	}
}

// rowText is the two rows of the first session.
func rowText(w *world, width int) string {
	l := NewSessions()
	g := drawn(l, width, 2, w.context())
	return strings.Join(strings.Fields(paint.Text(g)), " ")
}

func TestWhatASessionDoes(t *testing.T) {
	for _, test := range []struct {
		name  string
		tell  func(w *world)
		want  string
		never string
	}{
		{"it never spoke", func(w *world) { w.proxy("p", "/src", 7) }, "no ACP yet", "idle"},
		{"it is asked who it is", func(w *world) {
			w.proxy("p", "/src", 7).client(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`)
		}, "initialize 0:30", "no ACP"},
		{"it has said who it is", func(w *world) { w.proxy("p", "/src", 7).hello("Zed") }, "ready", "no ACP"},
		{"somebody must log in", func(w *world) {
			w.proxy("p", "/src", 7).hello("Zed").client(`{"jsonrpc":"2.0","id":2,"method":"authenticate","params":{"methodId":"sso"}}`)
		}, "authenticate 0:30", "ready"},
		{"it works", func(w *world) { w.proxy("p", "/src", 7).hello("Zed").session("a", "/src").prompt("a", "Go") }, "turn 0:30", "idle"},
		{"it asks", func(w *world) {
			w.proxy("p", "/src", 7).hello("Zed").session("a", "/src").prompt("a", "Go").ask(5, "a", "edit", "Edit x")
		}, "ASK 0:30", "turn"},
		{"it asks for more than one thing", func(w *world) {
			p := w.proxy("p", "/src", 7).hello("Zed").session("a", "/src").prompt("a", "Go").ask(5, "a", "edit", "Edit x")
			w.wait(10 * time.Second)
			p.ask(6, "a", "edit", "Edit y").ask(7, "a", "edit", "Edit z")
		}, "ASK +2 0:20", "turn"},
		{"it asks, and approves by itself", func(w *world) {
			w.proxy("p", "/src", 7).hello("Zed").session("a", "/src").prompt("a", "Go").ask(5, "a", "edit", "Edit x")
			w.m.Proxies[0].AutoApprove = "--yolo"
		}, "!! ASK 0:30", "turn"},
		{"its mode approves by itself", func(w *world) {
			w.proxy("p", "/src", 7).hello("Zed").session("a", "/src").prompt("a", "Go")
			w.m.Proxies[0].Find("a").AutoApprove = "mode yolo"
		}, "!! auto-approves", "turn"},
		{"it did, and has ended", func(w *world) {
			p := w.proxy("p", "/src", 7).hello("Zed").session("a", "/src")
			w.m.Proxies[0].AutoApprove = "--yolo"
			p.exit(journal.Exit{Status: 3}).gone("")
		}, "exit 3", "!!"},
		{"it was killed", func(w *world) {
			w.proxy("p", "/src", 7).hello("Zed").exit(journal.Exit{Status: 137, Signal: "killed"}).gone("")
		}, "SIGKILL", "exit"},
		{"nobody knows how it ended", func(w *world) { w.proxy("p", "/src", 7).hello("Zed").gone("it does not answer") }, "gone", "exit"},
		{"the connection is lost", func(w *world) {
			w.proxy("p", "/src", 7).hello("Zed").session("a", "/src").prompt("a", "Go")
			w.m.Lost(w.now, "p", "broken pipe")
		}, "reconnecting", "turn"},
		{"it was closed", func(w *world) {
			w.proxy("p", "/src", 7).hello("Zed").session("a", "/src").client(`{"jsonrpc":"2.0","id":9,"method":"session/close","params":{"sessionId":"a"}}`).agent(`{"jsonrpc":"2.0","id":9,"result":{}}`)
		}, "closed", "idle"},
		{"it is a recording", func(w *world) {
			w.proxy("p", "/src", 7).hello("Zed").session("a", "/src").prompt("a", "Go")
			w.m.Proxies[0].Link = model.Recorded
		}, "recording", "turn"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld()
			test.tell(w)
			w.wait(30 * time.Second)
			got := rowText(w, 50)
			if !strings.Contains(got, test.want) || strings.Contains(got, test.never) {
				t.Errorf("got %q, want %q in it, and not %q", got, test.want, test.never)
			}
		})
	}
}

func TestEqualNamesAreToldApart(t *testing.T) {
	w := newWorld()
	w.proxy("p1", "/src", 7).hello("Zed").session("one-1", "/src").session("one-2", "/src")
	w.proxy("p2", "/src", 8).hello("Zed").session("one-2", "/src").session("one-3", "/other/src")
	l := NewSessions()
	l.take(w.m, w.now)
	var tags []string
	for _, s := range l.list {
		tags = append(tags, l.row(s, l.names()[nameOf(s)], w.now).tag)
	}
	slices.Sort(tags)
	if got, want := strings.Join(tags, ", "), ", one-1, pid 7, pid 8"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPaths(t *testing.T) {
	for _, test := range []struct {
		path, short, tail string
		lines             string
	}{
		{"/home/me", "~", "~", "~"},
		{"/home/me/src/api", "~/src/api", "~/src/api", "~/src/api"},
		{"/home/mean/x", "/home/mean/x", "…/mean/x", "/home/|mean/x"},
		{"/home/me/a/long/way/down", "~/a/long/way/down", "…/way/down", "~/a/long/|way/down"},
		{"/verylongfoldername", "/verylongfoldername", "verylongfoldername", "/verylongf|oldername"},
		{"", "", "", ""},
	} {
		got := short(test.path, "/home/me")
		if got != test.short {
			t.Errorf("%s: short is %q, want %q", test.path, got, test.short)
		}
		if tail := tailOf(got, 10); tail != test.tail {
			t.Errorf("%s: its tail is %q, want %q", test.path, tail, test.tail)
		}
		var lines []string
		for _, line := range pathLines(paint.Plain, got, 10) {
			lines = append(lines, line.String())
		}
		if all := strings.Join(lines, "|"); all != test.lines {
			t.Errorf("%s: in lines it is %q, want %q", test.path, all, test.lines)
		}
	}
}
