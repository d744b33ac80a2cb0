package talk_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/inspector/talk"
	"bobproxy/proxy/journal"
)

// rows are the rows of a pane as text.
func rows(p pane.Pane, w, h int, c pane.Context) []string {
	g := screen(w, h, func(a paint.Area) { p.Draw(a, c) })
	return strings.Split(strings.TrimSuffix(paint.Text(g), "\n"), "\n")
}

// selected is the row that is marked, and its text; -1: none.
func selected(rows []string) (int, string) {
	for y, r := range rows {
		if strings.HasPrefix(r, "►") {
			return y, r
		}
	}
	return -1, ""
}

// bare is a row without what only tells where the selection is.
func bare(row string) string {
	for _, hint := range []string{"Enter opens", "Enter closes"} {
		row = strings.TrimSuffix(row, hint)
	}
	return strings.Trim(row, "►│┌└ ")
}

func below(t *testing.T, rows []string, text string) string {
	t.Helper()
	for y, r := range rows {
		if strings.Contains(r, text) && y+1 < len(rows) {
			return bare(rows[y+1])
		}
	}
	t.Fatalf("no row has %q:\n%s", text, strings.Join(rows, "\n"))
	return ""
}

func TestPermissionLines(t *testing.T) {
	tests := []struct {
		name string
		make func(b *builder, e *session.Entry)
		want string
	}{
		{"here", func(b *builder, e *session.Entry) {
			b.settle(b.ask(e, 1, 0), "panel", 1, 4*time.Second).Decision.Peer = &journal.Peer{PID: self}
		}, "allowed in this panel: 1 Yes, run once 4.00s"},
		{"another panel", func(b *builder, e *session.Entry) {
			b.settle(b.ask(e, 1, 0), "panel", 3, 4*time.Second).Decision.Peer = &journal.Peer{PID: 1, TTY: "/dev/pts/4"}
		}, "refused in another panel (pts/4): 3 No, tell Bob what to do 4.00s"},
		{"editor", func(b *builder, e *session.Entry) { b.settle(b.ask(e, 1, 0), "editor", 2, 70*time.Second) },
			"allowed always in the editor: 2 Yes, and don't ask again 1:10"},
		{"command", func(b *builder, e *session.Entry) { b.settle(b.ask(e, 1, 0), "command", 1, 0) },
			"allowed by a command: 1 Yes, run once 0ms"},
		{"bounds", func(b *builder, e *session.Entry) { b.settle(b.ask(e, 1, 0), "bounds", 3, 0) },
			"refused by the workspace bounds"},
		{"time-out", func(b *builder, e *session.Entry) { b.settle(b.ask(e, 1, 0), "timeout", 0, 2*time.Minute) },
			"nobody answered in 2m0s"},
		{"cancelled turn", func(b *builder, e *session.Entry) { b.settle(b.ask(e, 1, 0), "cancel", 0, time.Second) },
			"withdrawn: the turn was cancelled 1.00s"},
		{"agent", func(b *builder, e *session.Entry) { b.settle(b.ask(e, 1, 0), "agent", 0, time.Second) },
			"withdrawn by the agent 1.00s"},
		{"editor cancels", func(b *builder, e *session.Entry) { b.settle(b.ask(e, 1, 0), "editor", 0, time.Second) },
			"cancelled in the editor 1.00s"},
		{"ended", func(b *builder, e *session.Entry) { b.ask(e, 1, 0).Ended = true },
			"never answered: the proxy ended"},
		{"not known", func(b *builder, e *session.Entry) { b.ask(e, 1, 0).Unknown = true },
			"answered, and nobody could tell us how"},
		{"open", func(b *builder, e *session.Entry) { b.ask(e, 1, 60*time.Second) },
			"waiting for you or the editor 0:51 left"},
		{"open without end", func(b *builder, e *session.Entry) { b.ask(e, 1, 0) },
			"waiting for you or the editor for 0:09"},
		{"only the editor", func(b *builder, e *session.Entry) { b.ask(e, 1, 0).Card.Unanswerable = "odd id" },
			"waiting for the editor, or a no from you for 0:09"},
		{"second", func(b *builder, e *session.Entry) {
			b.ask(nil, 0, 0)
			b.ask(e, 1, 0)
		}, "waiting, second in the queue for 0:09"},
		{"late, and another", func(b *builder, e *session.Entry) {
			p := b.settle(b.ask(e, 1, 0), "editor", 3, time.Second)
			p.Late = []journal.Decision{{By: "panel", OptionKind: "allow_once", OptionID: "once", HasOption: true}}
		}, "refused in the editor: 3 No, tell Bob what to do 1.00s ! too late, and dropped: allowed in another panel: 1 Yes, run once"},
		{"late, and the same", func(b *builder, e *session.Entry) {
			p := b.settle(b.ask(e, 1, 0), "command", 1, time.Second)
			p.Late = []journal.Decision{{By: "editor", OptionKind: "allow_once", OptionID: "once", HasOption: true}}
		}, "allowed by a command: 1 Yes, run once 1.00s later allowed in the editor, too"},
		{"late, and only the card taken away", func(b *builder, e *session.Entry) {
			p := b.settle(b.ask(e, 1, 0), "panel", 1, time.Second)
			p.Late = []journal.Decision{{By: "editor", Outcome: "cancelled"}, {By: "editor", Outcome: "error"}}
		}, "allowed in another panel: 1 Yes, run once 1.00s"},
		{"option nobody told of", func(b *builder, e *session.Entry) {
			p := b.settle(b.ask(e, 1, 0), "editor", 1, time.Second)
			p.Card = nil
		}, "allowed in the editor: once 1.00s"},
		{"unasked", func(b *builder, e *session.Entry) { b.deed(e, model.Unasked) }, "! ran without asking"},
		{"claimed", func(b *builder, e *session.Entry) { b.deed(e, model.Refused) }, "! called completed all the same"},
		{"despite", func(b *builder, e *session.Entry) { b.deed(e, model.Refused).Despite = true }, "! ran although that was not allowed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBuilder()
			e := b.tool(0, 1, "completed", "edit", "the deed")
			tt.make(b, e)
			all := rows(timelineOf(b), 90, 20, seenBy(b.m, 10))
			got := below(t, all, "the deed")
			if more := bare(all[2]); more != "" && strings.HasPrefix(tt.name, "late") {
				got += " " + more
			}
			if got = strings.Join(strings.Fields(got), " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestToolStatuses(t *testing.T) {
	tests := []struct {
		status string
		notRun bool
		want   string
	}{
		{"", false, "wait edit  title"},
		{"pending", false, "wait edit  title"},
		{"in_progress", false, "run edit   title 0:04"},
		{"completed", false, "✓ edit     title 1.50s"},
		{"failed", false, "× edit     title 1.50s"},
		{"cancelled", false, "× edit     title cancelled"},
		{"pending", true, "− edit     title not run"},
		{"levitating", false, "? edit     title levitating"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			b := newBuilder()
			e := b.tool(0, 1.5, tt.status, "edit", "title")
			e.Tool.NotRun = tt.notRun
			got := bare(rows(timelineOf(b), 66, 4, seenBy(b.m, 4.2))[0])
			got = strings.TrimPrefix(got, "12:04:15  ")
			if at := strings.LastIndex(got, "  "); at > 14 {
				got = strings.TrimRight(got[:at], " ") + " " + strings.TrimLeft(got[at:], " ")
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestATurnThatEndsByItselfIsQuiet(t *testing.T) {
	for name, want := range map[string]paint.Role{"end_turn": paint.Dim, "max_tokens": paint.Warn, "refusal": paint.Bad, "cancelled": paint.Warn, "error": paint.Bad, "something new": paint.Warn} {
		t.Run(name, func(t *testing.T) {
			b := newBuilder()
			b.named(session.TurnEnd, 0, name, "")
			g := screen(66, 2, func(a paint.Area) { timelineOf(b).Draw(a, seenBy(b.m, 1)) })
			if got := g.At(13, 0).Style.Role; got != want {
				t.Errorf("it is %v, want %v: %s", got, want, paint.Text(g))
			}
		})
	}
}

func TestAToolChangesInPlace(t *testing.T) {
	b := newBuilder()
	b.say(session.UserMessage, 0, "Go on")
	e := b.tool(1, 0, "pending", "execute", "make")
	b.say(session.AgentMessage, 2, "While that runs")
	tl := timelineOf(b)
	for _, want := range []string{"wait", "ASK", "run", "✓"} {
		switch want {
		case "ASK":
			b.ask(e, 2, 0)
		case "run":
			b.settle(b.p.Pending[0], "editor", 1, time.Second)
			e.Tool.Status = "in_progress"
		case "✓":
			e.Tool.Status, e.Tool.Ended = "completed", at(3)
		}
		got := rows(tl, 66, 10, seenBy(b.m, 4))
		n := 0
		for y, r := range got {
			if strings.Contains(r, "make") {
				n++
				if y != 1 || !strings.Contains(r, want) {
					t.Errorf("row %d is %q, want %s in row 1", y, r, want)
				}
			}
		}
		if n != 1 {
			t.Errorf("%d rows for one call, want 1", n)
		}
	}
}

func TestFollowing(t *testing.T) {
	b := newBuilder()
	for i := range 30 {
		b.say(session.AgentMessage, float64(i), fmt.Sprintf("entry %d.", i))
	}
	tl := timelineOf(b)
	c := seenBy(b.m, 60)
	got := rows(tl, 66, 10, c)
	if y, _ := selected(got); y >= 0 {
		t.Error("something is selected while it follows")
	}
	if !strings.Contains(got[9], "entry 29.") || !strings.Contains(tl.Head(c).Right.String(), "FOLLOW") {
		t.Errorf("it does not show the end: %q, %q", got[9], tl.Head(c).Right)
	}
	tl.Do(keys.Up, c)
	b.say(session.AgentMessage, 31, "entry 30.")
	b.say(session.AgentMessage, 32, "entry 31.")
	got = rows(tl, 66, 10, c)
	if y, text := selected(got); y != 9 || !strings.Contains(text, "entry 29.") {
		t.Errorf("row %d %q is selected, want entry 29 in row 9", y, text)
	}
	if head := tl.Head(c).Right.String(); head != "PAUSED  2 new ▼" {
		t.Errorf("head %q", head)
	}
	tl.Do(keys.Bottom, c)
	if got = rows(tl, 66, 10, c); !strings.Contains(got[9], "entry 31.") {
		t.Errorf("G does not follow again: %q", got[9])
	}
	tl.Do(keys.Follow, c)
	if head := tl.Head(c).Right.String(); head != "PAUSED" {
		t.Errorf("head after f: %q", head)
	}
	tl.Do(keys.Follow, c)
	if head := tl.Head(c).Right.String(); !strings.Contains(head, "FOLLOW") {
		t.Errorf("head after f f: %q", head)
	}
}

// Whatever comes, grows, changes its height or is forgotten, the entry that is
// selected stays selected, and in its row where the talk is longer than the
// screen.
func TestNothingMovesUnderTheSelection(t *testing.T) {
	for seed := range uint64(40) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		b := newBuilder()
		for i := range 60 {
			grow(b, rnd, i)
		}
		tl := timelineOf(b)
		c := seenBy(b.m, 100)
		w, h := 40+rnd.IntN(60), 8+rnd.IntN(30)
		rows(tl, w, h, c)
		for range rnd.IntN(25) {
			tl.Do([]keys.Action{keys.Up, keys.PageUp, keys.HalfUp, keys.Down}[rnd.IntN(4)], c)
		}
		tl.Do(keys.Up, c)
		was, text := selected(rows(tl, w, h, c))
		if was < 0 {
			continue // the beginning of what is selected is above the screen
		}
		for i := range 80 {
			grow(b, rnd, 100+i)
			if rnd.IntN(20) == 0 && len(b.s.Talk.Entries) > 70 {
				b.s.Talk.Entries = b.s.Talk.Entries[1:]
				b.s.Talk.Dropped++
			}
			got, now := selected(rows(tl, w, h, c))
			if !gone(b, text) && (got != was || name(now) != name(text)) {
				t.Fatalf("seed %d: row %d %q is selected, want row %d %q", seed, got, now, was, text)
			}
		}
	}
}

// grow adds an entry, or more of the last one, or changes an older tool call.
func grow(b *builder, rnd *rand.Rand, i int) {
	entries := b.s.Talk.Entries
	switch rnd.IntN(5) {
	case 0:
		b.tool(float64(i), 0, "pending", "execute", fmt.Sprintf("#%d#", i))
	case 1:
		b.say(session.AgentMessage, float64(i), fmt.Sprintf("#%d# ", i)+strings.Repeat("words and words ", rnd.IntN(40)))
	case 2:
		b.stderr(float64(i), "noise")
	case 3:
		if len(entries) > 0 && entries[len(entries)-1].Kind == session.AgentMessage {
			e := entries[len(entries)-1]
			e.Text, e.Frames = e.Text+" more\nand more", e.Frames+1
		}
	case 4:
		for _, e := range entries {
			if e.Tool != nil && e.Tool.Status == "pending" {
				e.Tool.Status = "failed"
				b.settle(b.ask(e, float64(i), 0), "editor", 3, time.Second)
				return
			}
		}
	}
}

// name is what tells an entry from others in its row.
func name(row string) string {
	if _, rest, ok := strings.Cut(row, "#"); ok {
		n, _, _ := strings.Cut(rest, "#")
		return n
	}
	return row
}

// gone says that the entry of a row was forgotten, or has no name to tell it by.
func gone(b *builder, row string) bool {
	if !strings.Contains(row, "#") {
		return true
	}
	for _, e := range b.s.Talk.Entries {
		text := e.Text
		if e.Tool != nil {
			text = e.Tool.Title
		}
		if strings.Contains(text, "#"+name(row)+"#") {
			return false
		}
	}
	return true
}

// Every line of everything can be reached with the down key, and back with up.
func TestEveryLineCanBeReached(t *testing.T) {
	b := longDay()
	b.say(session.AgentMessage, 50, strings.Repeat("A very long text goes on and on. ", 60)+"The end.")
	c := seenBy(b.m, 100)
	for _, h := range []int{1, 2, 5, 11} {
		tl := timelineOf(b)
		rows(tl, 50, h, c)
		seen := map[string]bool{}
		want := rows(timelineOf(b), 50, 400, c)
		look := func(a keys.Action) {
			for range 500 {
				for _, r := range rows(tl, 50, h, c) {
					seen[bare(r)] = true
				}
				tl.Do(a, c)
			}
		}
		tl.Do(keys.Top, c)
		for _, a := range []keys.Action{keys.Down, keys.Up} {
			clear(seen)
			look(a)
			for _, r := range want {
				if r = bare(r); !seen[r] {
					t.Errorf("height %d: %q was never on the screen while going %s", h, r, a)
				}
			}
		}
	}
}

func TestPages(t *testing.T) {
	b := newBuilder()
	for i := range 40 {
		b.say(session.AgentMessage, float64(i), fmt.Sprintf("entry %d.", i))
	}
	tl := timelineOf(b)
	c := seenBy(b.m, 60)
	rows(tl, 66, 10, c)
	steps := []struct {
		do   keys.Action
		want string
	}{
		{keys.Top, "entry 0."}, {keys.PageDown, "entry 9."}, {keys.HalfDown, "entry 14."}, {keys.HalfUp, "entry 9."},
		{keys.PageUp, "entry 0."}, {keys.PageUp, "entry 0."}, {keys.PageDown, "entry 9."}, {keys.PageDown, "entry 18."},
		{keys.PageDown, "entry 27."}, {keys.PageDown, "entry 39."}, {keys.PageDown, "entry 39."},
	}
	for i, step := range steps {
		tl.Do(step.do, c)
		if _, got := selected(rows(tl, 66, 10, c)); !strings.HasSuffix(got, step.want) {
			t.Errorf("step %d, %s: %q is selected, want %s", i, step.do, got, step.want)
		}
	}
}

func TestWishes(t *testing.T) {
	b := nilToken()
	tl := timelineOf(b)
	c := seenBy(b.m, 20)
	rows(tl, 66, 24, c)
	wish := func(do ...keys.Action) any {
		t.Helper()
		var w []pane.Wish
		for _, k := range do {
			w = tl.Do(k, c)
			rows(tl, 66, 24, c)
		}
		if len(w) != 1 {
			t.Fatalf("%v wishes %v, want one", do, w)
		}
		return w[0]
	}
	if w, ok := wish(keys.Open).(pane.Look); !ok || w.Permission != b.p.Pending[0] {
		t.Errorf("Enter on what waits: %v", w)
	}
	tools := b.s.Talk.Entries
	if w, ok := wish(keys.Up, keys.Frames).(pane.Visit); !ok || w.Tab != keys.Wire || w.Filter != "call:"+tools[len(tools)-1].Tool.ID {
		t.Errorf("w on a tool: %+v", w)
	}
	if w, ok := wish(keys.Up, keys.Copy).(pane.Copied); !ok || !strings.HasPrefix(w.Text, "The panic comes from") {
		t.Errorf("y on a message: %+v", w)
	}
	if w, ok := wish(keys.Frames).(pane.Visit); !ok || w.Filter != "" || w.Seq != tools[len(tools)-2].Seq {
		t.Errorf("w on a message: %+v", w)
	}
	if w, ok := wish(keys.Up, keys.Up, keys.Copy).(pane.Copied); !ok || !strings.Contains(w.Text, "FAIL  api/auth") {
		t.Errorf("y on a tool: %+v", w)
	}
}

func TestSelectFindsAnEntry(t *testing.T) {
	b := nilToken()
	tl := timelineOf(b)
	e := b.s.Talk.Entries[4]
	tl.Select(e.Seq + 1)
	if _, got := selected(rows(tl, 66, 10, seenBy(b.m, 20))); !strings.Contains(got, e.Tool.Title) {
		t.Errorf("%q is selected, want %q", got, e.Tool.Title)
	}
}

// TestSelectingTheLastFollows goes to what came last: nothing is paused by that.
func TestSelectingTheLastFollows(t *testing.T) {
	b := nilToken()
	tl := timelineOf(b)
	c := seenBy(b.m, 20)
	tl.Select(b.seq)
	rows(tl, 66, 40, c)
	if got := tl.Head(c).Right.String(); !strings.Contains(got, "FOLLOW") {
		t.Errorf("the head is %q", got)
	}
	tl.Do(keys.Up, c)
	tl.Do(keys.Up, c)
	b.say(session.AgentMessage, 21, "More.")
	rows(tl, 66, 60, c)
	if got := tl.Head(c).Right.String(); got != "PAUSED" {
		t.Errorf("the head calls new what is on the screen: %q", got)
	}
}

// TestFindOpensWhatHidesIt looks for a word in the output of a tool call.
func TestFindOpensWhatHidesIt(t *testing.T) {
	b := newBuilder()
	b.say(session.AgentMessage, 0, "Here we go.")
	e := b.tool(1, 2, "completed", "execute", "make")
	e.Tool.Output = "one\ntwo needles\nthree"
	b.say(session.AgentMessage, 3, "Done.")
	tl := timelineOf(b)
	c := seenBy(b.m, 20)
	rows(tl, 66, 20, c)
	if got := tl.Find("needles", c); got != "1 of 1" {
		t.Fatalf("found %q", got)
	}
	if got := strings.Join(rows(tl, 66, 20, c), "\n"); !strings.Contains(got, "two needles") {
		t.Errorf("what was found is not on the screen:\n%s", got)
	}
}

func TestFollowingIsNotOfferedWhereNothingComes(t *testing.T) {
	for _, link := range []model.Link{model.Live, model.Gone, model.Recorded} {
		b := nilToken()
		b.p.Link = link
		got := slices.Contains(timelineOf(b).Hints(seenBy(b.m, 20)), keys.Follow)
		if want := link == model.Live; got != want {
			t.Errorf("link %d: follow is offered: %v, want %v", link, got, want)
		}
	}
}

func TestEachSessionKeepsItsPlace(t *testing.T) {
	b, other := nilToken(), longDay()
	other.s.Talk.Session = "sess_other"
	tl := timelineOf(b)
	c := seenBy(b.m, 20)
	rows(tl, 66, 24, c)
	tl.Do(keys.Top, c)
	tl.Show(other.s)
	if y, _ := selected(rows(tl, 66, 24, c)); y >= 0 {
		t.Error("the other session does not follow")
	}
	tl.Show(b.s)
	if y, text := selected(rows(tl, 66, 24, c)); y != 0 || !strings.Contains(text, "The login crashes") {
		t.Errorf("row %d %q is selected, want the first", y, text)
	}
}

func TestClick(t *testing.T) {
	b := nilToken()
	tl := timelineOf(b)
	c := seenBy(b.m, 20)
	rows(tl, 66, 24, c)
	tl.Click(20, 7, false, c) // below the call that ran the tests
	if y, text := selected(rows(tl, 66, 24, c)); y != 5 || !strings.Contains(text, "go test ./auth") {
		t.Errorf("row %d %q is selected", y, text)
	}
	if w := tl.Click(20, 5, true, c); len(w) != 0 {
		t.Errorf("a double click wishes %v", w)
	}
	if got := strings.Join(rows(tl, 66, 40, c), "\n"); !strings.Contains(got, "output, last 12 of 14") {
		t.Errorf("a double click opens nothing:\n%s", got)
	}
}

func TestThoughtsAreTurned(t *testing.T) {
	b := nilToken()
	tl := timelineOf(b)
	c := seenBy(b.m, 20)
	for i, want := range []struct{ label, text bool }{{true, false}, {true, true}, {false, false}, {true, false}} {
		if i > 0 {
			tl.Do(keys.Thoughts, c)
		}
		got := strings.Join(rows(tl, 66, 40, c), "\n")
		if strings.Contains(got, "THOUGHT") != want.label || strings.Contains(got, "how tokens are parsed") != want.text {
			t.Errorf("step %d, want label %v, text %v:\n%s", i, want.label, want.text, got)
		}
	}
}

func TestFind(t *testing.T) {
	b := nilToken()
	tl := timelineOf(b)
	c := seenBy(b.m, 20)
	rows(tl, 66, 12, c)
	if got := tl.Find("TOKEN", c); got != "7 of 7" {
		t.Errorf("found %q", got)
	}
	steps := []struct {
		do   keys.Action
		want string
	}{{keys.NextMatch, "1 of 7"}, {keys.NextMatch, "2 of 7"}, {keys.PrevMatch, "1 of 7"}, {keys.PrevMatch, "7 of 7"}}
	for _, step := range steps {
		w := tl.Do(step.do, c)
		if len(w) != 1 || w[0] != (pane.Say{Text: step.want}) {
			t.Errorf("%s: %v, want %s", step.do, w, step.want)
		}
	}
	g := screen(66, 12, func(a paint.Area) { tl.Draw(a, c) })
	under := 0
	for _, cell := range g.Cells {
		if cell.Style.Under {
			under++
		}
	}
	if under == 0 || under%len("token") != 0 {
		t.Errorf("%d cells are underlined", under)
	}
	if got := tl.Find("no such words", c); got != "not found" {
		t.Errorf("found %q", got)
	}
	if got := tl.Find("", c); got != "" {
		t.Errorf("the end of a search says %q", got)
	}
}

func TestNothingWasSaid(t *testing.T) {
	tests := []struct {
		name string
		make func(b *builder)
		want string
	}{
		{"no prompt", func(b *builder) {}, "No prompt yet."},
		{"no session", func(b *builder) { b.s.Talk.Session = "" }, "no session was opened yet"},
		{"silent agent", func(b *builder) { b.p.Frames[acp.Agent] = 0; b.p.Last[acp.Client] = at(2) }, "The agent has said nothing yet."},
		{"silent editor", func(b *builder) { b.p.Frames = [3]int{} }, "The editor has said nothing yet."},
		{"not ACP", func(b *builder) {
			b.p.Protocol, b.p.Agent.Name = 0, ""
			b.row(&model.Row{Type: journal.FrameEvent, From: acp.Agent, Kind: acp.Text})
		}, "nothing that is ACP"},
		{"sign in", func(b *builder) {
			b.p.Open = []*model.Row{b.row(&model.Row{Time: at(-60), From: acp.Client, Method: acp.MethodAuthenticate})}
		}, "Waiting for `authenticate` since 1:10."},
		{"not greeted", func(b *builder) {
			b.p.Open = []*model.Row{b.row(&model.Row{Time: at(-60), From: acp.Client, Method: acp.MethodInitialize})}
			b.s.Talk.Session = ""
		}, "Waiting for the agent's answer to `initialize` since 1:10."},
		{"connecting", func(b *builder) { b.p.Link = model.Connecting }, "Connecting to the proxy."},
		{"gone", func(b *builder) { b.p.Link = model.Gone }, "before the proxy ended"},
		{"lost", func(b *builder) { b.p.Link = model.Lost }, "is lost"},
		{"recorded", func(b *builder) { b.p.Link = model.Recorded }, "The recording has no talk"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBuilder()
			tt.make(b)
			if got := strings.Join(rows(timelineOf(b), 90, 10, seenBy(b.m, 10)), "\n"); !strings.Contains(got, tt.want) {
				t.Errorf("want %q in\n%s", tt.want, got)
			}
		})
	}
	tl := talk.NewTimeline()
	if got := rows(tl, 50, 4, pane.Context{}); !strings.Contains(got[1], "No session.") {
		t.Errorf("without a session: %q", got)
	}
}

func TestSigningInShowsBelowATalk(t *testing.T) {
	b := nilToken()
	b.p.Open = append(b.p.Open, b.row(&model.Row{Time: at(20), From: acp.Client, Method: acp.MethodAuthenticate}))
	got := strings.Join(rows(timelineOf(b), 66, 30, seenBy(b.m, 95)), "\n")
	if !strings.Contains(got, "waiting for `authenticate`") || !strings.Contains(got, "1:15") {
		t.Errorf("no word about authenticate:\n%s", got)
	}
}
