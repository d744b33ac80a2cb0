package wire

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/journal"
)

// list is a list that shows a talk, w by h.
func list(s *story, w, h int) *Wire {
	l := NewWire()
	l.Show(s.session, s.proxy)
	screen(l, s, w, h)
	return l
}

// screen is what a pane paints, line by line.
func screen(p pane.Pane, s *story, w, h int) []string {
	g := paint.NewGrid(w, h)
	p.Draw(g.All(), s.context())
	return strings.Split(strings.TrimRight(paint.Text(g), "\n"), "\n")
}

// cursorRow is the row of the screen where the cursor is.
func cursorRow(lines []string) int {
	for y, l := range lines {
		if strings.HasPrefix(l, "►") {
			return y
		}
	}
	return -1
}

func do(p pane.Pane, s *story, actions ...keys.Action) (wishes []pane.Wish) {
	for _, a := range actions {
		wishes = append(wishes, p.Do(a, s.context())...)
	}
	return wishes
}

// only is a filter on a method.
type only string

func (o only) Match(r *model.Row) bool { return r.Method == string(o) }
func (o only) Unsure(*model.Row) bool  { return false }
func (o only) String() string          { return "method:" + string(o) }

// waiting is a filter on what has no answer.
type waiting struct{}

func (waiting) Match(r *model.Row) bool { return r.Waiting }
func (waiting) Unsure(*model.Row) bool  { return false }
func (waiting) String() string          { return "is:open" }

func seq(t *testing.T, w *Wire) uint64 {
	t.Helper()
	r := w.Selected()
	if r == nil {
		t.Fatal("nothing is selected")
	}
	return r.Seq
}

func TestRunsGrowInPlace(t *testing.T) {
	s := newStory()
	s.request(acp.Client, "session/prompt", "1", 100, "")
	w := list(s, 50, 10)
	for i := range 42 {
		s.update("agent_message_chunk", 100, fmt.Sprint(i), "m1")
		screen(w, s, 50, 10)
	}
	got := screen(w, s, 50, 10)
	if len(w.index.lines) != 2 || !strings.Contains(got[1], "·message ×42") || !strings.Contains(got[1], "4.1K") {
		t.Errorf("got %d lines:\n%s", len(w.index.lines), strings.Join(got, "\n"))
	}
	s.update("agent_message_chunk", 100, "other", "m2")
	if got := screen(w, s, 50, 10); !strings.Contains(got[2], "·message ") || strings.Contains(got[2], "×") {
		t.Errorf("a chunk of another message is in the run: %q", got[2])
	}
}

func TestRunsUnfold(t *testing.T) {
	s := newStory()
	s.request(acp.Client, "session/prompt", "1", 100, "")
	for i := range 3 {
		s.update("agent_message_chunk", 100, fmt.Sprint("w", i), "m1")
	}
	w := list(s, 50, 10)
	if wishes := do(w, s, keys.Open); len(wishes) != 0 || len(w.index.lines) != 5 {
		t.Fatalf("unfolding gave %v and %d lines, want none and 5", wishes, len(w.index.lines))
	}
	s.update("agent_message_chunk", 100, "w3", "m1")
	if got := screen(w, s, 50, 10); !strings.Contains(got[5], "│ w3") || !strings.Contains(got[1], "×4 ▼") {
		t.Errorf("an unfolded run does not grow:\n%s", strings.Join(got, "\n"))
	}
	do(w, s, keys.Down, keys.Down)
	if got := seq(t, w); got != 3 {
		t.Errorf("the second member is row %d, want 3", got)
	}
	if wishes := do(w, s, keys.Open); len(wishes) != 1 || wishes[0].(pane.Detail).Row.Seq != 3 {
		t.Errorf("a member opens as %v", wishes)
	}
	do(w, s, keys.Fold)
	if len(w.index.lines) != 2 || w.cursor.at != 1 {
		t.Errorf("folded there are %d lines, the cursor on %d; want 2 and 1", len(w.index.lines), w.cursor.at)
	}
	do(w, s, keys.Unfold, keys.Up)
	if got := seq(t, w); got != 1 {
		t.Errorf("above the run is row %d, want 1", got)
	}
}

func TestFollow(t *testing.T) {
	s := newStory()
	for range 30 {
		s.update("plan", 10, "", "")
	}
	w := list(s, 50, 10)
	right := func() string { return w.Head(s.context()).Right.String() }
	if got := seq(t, w); got != 30 || right() != "FOLLOW ●" {
		t.Fatalf("at first: row %d, %s", got, right())
	}
	s.update("plan", 10, "", "")
	if got := seq(t, w); got != 31 {
		t.Errorf("it does not follow: row %d, want 31", got)
	}
	do(w, s, keys.Up)
	if right() != "PAUSED" {
		t.Errorf("after going up: %s", right())
	}
	for range 23 {
		s.update("plan", 10, "", "")
	}
	if got := seq(t, w); got != 30 || right() != "PAUSED  23 new ▼" {
		t.Errorf("paused: row %d, %s", got, right())
	}
	for _, back := range []keys.Action{keys.Bottom, keys.Follow} {
		do(w, s, keys.Up, back)
		if got := seq(t, w); got != 54 || right() != "FOLLOW ●" {
			t.Errorf("after %s: row %d, %s", back, got, right())
		}
	}
	do(w, s, keys.Follow)
	if right() != "PAUSED" {
		t.Errorf("after f: %s", right())
	}
	w.Select(7)
	if got := seq(t, w); got != 7 {
		t.Errorf("selected row %d, want 7", got)
	}
}

func TestNothingMovesUnderTheCursor(t *testing.T) {
	s := newStory()
	for i := range 100 {
		s.request(acp.Client, fmt.Sprint("m", i%2), fmt.Sprint(i), 10, "")
	}
	w := list(s, 50, 20)
	w.Select(50)
	before := cursorRow(screen(w, s, 50, 20))
	check := func(what string) {
		t.Helper()
		if y, got := cursorRow(screen(w, s, 50, 20)), seq(t, w); y != before || got != 50 {
			t.Errorf("%s: row %d in line %d, want 50 in %d", what, got, y, before)
		}
	}
	s.update("plan", 1, "", "")
	check("a row came")
	s.proxy.Rows = s.proxy.Rows[20:]
	check("rows were dropped in front")
	w.Filter(only("m1"))
	check("it was filtered")
	w.Filter(nil)
	check("the filter was taken off")
	s.update("plan", 1, "", "")
	s.proxy.Rows = append([]*model.Row(nil), s.proxy.Rows[5:]...)
	check("rows came and went at once")
}

func TestFilterHidesTheSelection(t *testing.T) {
	s := newStory()
	for i := range 20 {
		s.request(acp.Client, fmt.Sprint("m", i%5), fmt.Sprint(i), 10, "")
	}
	w := list(s, 50, 20)
	w.Select(8)
	w.Filter(only("m4")) // 5 10 15 20
	if got := seq(t, w); got != 10 {
		t.Errorf("the nearest row is %d, want 10", got)
	}
	w.Filter(nil)
	if got := seq(t, w); got != 8 {
		t.Errorf("without the filter it is row %d, want 8", got)
	}
	w.Filter(only("none"))
	if got := w.Selected(); got != nil {
		t.Errorf("of nothing row %d is selected", got.Seq)
	}
	got := screen(w, s, 50, 20)
	if !strings.Contains(got[1], "The filter hides everything here: 20 events.") {
		t.Errorf("got %q", got[1])
	}
	do(w, s, keys.Down, keys.Up, keys.Open, keys.Pair, keys.Mark, keys.Copy, keys.CopyAll, keys.Save, keys.Top, keys.Follow)
	w.Filter(nil)
	if got := seq(t, w); got != 20 {
		t.Errorf("following it is row %d, want 20", got)
	}
}

func TestSelectionThatIsDropped(t *testing.T) {
	s := newStory()
	for range 5 {
		s.update("agent_message_chunk", 10, "", "m")
	}
	for range 10 {
		s.update("plan", 10, "", "")
	}
	w := list(s, 50, 20)
	w.Select(1)
	do(w, s, keys.Open)
	s.proxy.Rows = s.proxy.Rows[3:]
	if got := seq(t, w); got != 4 || w.index.lines[w.cursor.at].form != heading {
		t.Errorf("of a run that is half gone row %d is selected, want the heading at 4", got)
	}
	s.proxy.Rows = s.proxy.Rows[5:]
	if got := seq(t, w); got != 9 {
		t.Errorf("row %d is selected, want the oldest, 9", got)
	}
	if n := len(w.index.open); n != 0 {
		t.Errorf("%d rows that are gone are remembered", n)
	}
	s.proxy.Rows = nil
	if got := w.Selected(); got != nil {
		t.Errorf("row %d is selected in nothing", got.Seq)
	}
}

func TestAnsweredRowsLeaveAFilter(t *testing.T) {
	s := newStory()
	s.request(acp.Client, "a", "1", 10, "")
	s.request(acp.Client, "b", "2", 10, "")
	w := list(s, 50, 10)
	w.Filter(waiting{})
	if n := len(w.index.lines); n != 2 {
		t.Fatalf("%d rows wait, want 2", n)
	}
	s.answer(acp.Agent, "1", 10, "")
	if got := seq(t, w); got != 2 || len(w.index.lines) != 1 {
		t.Errorf("%d rows wait, row %d is selected; want 1 and 2", len(w.index.lines), got)
	}
}

func TestBothOfAPairAtOnce(t *testing.T) {
	s := newStory()
	w := list(s, 50, 10)
	s.request(acp.Client, "a", "1", 10, "")
	s.answer(acp.Agent, "1", 10, "")
	screen(w, s, 50, 10)
	if n := len(w.index.lines); n != 2 {
		t.Errorf("a request and its answer are %d lines", n)
	}
}

func TestPair(t *testing.T) {
	s := newStory()
	s.request(acp.Client, "a", "1", 10, "")
	s.update("plan", 10, "", "")
	s.answer(acp.Agent, "1", 10, "")
	s.request(acp.Client, "b", "2", 10, "")
	w := list(s, 50, 10)
	if got := do(w, s, keys.Pair); fmt.Sprint(got) != "[{Not answered yet.}]" {
		t.Errorf("of a request that waits: %v", got)
	}
	w.Select(3)
	for _, want := range []uint64{1, 3} {
		if wishes := do(w, s, keys.Pair); len(wishes) != 0 || seq(t, w) != want {
			t.Errorf("the pair is row %d, want %d; %v", seq(t, w), want, wishes)
		}
	}
	w.Select(2)
	if got := do(w, s, keys.Pair); fmt.Sprint(got) != "[{Only requests and their answers are pairs.}]" {
		t.Errorf("of a notification: %v", got)
	}
	w.Filter(answers{})
	if got := do(w, s, keys.Top, keys.Pair); fmt.Sprint(got) != "[{The filter hides its request.}]" {
		t.Errorf("hidden: %v", got)
	}
	w.Filter(nil)
	w.Select(3)
	s.proxy.Rows = s.proxy.Rows[2:]
	if got := do(w, s, keys.Pair); fmt.Sprint(got) != "[{Its request is no longer kept here.}]" {
		t.Errorf("dropped: %v", got)
	}
}

type answers struct{}

func (answers) Match(r *model.Row) bool { return r.Kind == acp.Response }
func (answers) Unsure(*model.Row) bool  { return false }
func (answers) String() string          { return "kind:rsp" }

func TestMarks(t *testing.T) {
	s := newStory()
	for range 10 {
		s.update("plan", 10, "", "")
	}
	w := list(s, 50, 20)
	if got := do(w, s, keys.NextMark); fmt.Sprint(got) != "[{Nothing is marked.}]" {
		t.Errorf("without marks: %v", got)
	}
	for _, n := range []uint64{3, 7} {
		w.Select(n)
		do(w, s, keys.Mark)
	}
	for _, want := range []uint64{3, 7, 3} {
		do(w, s, keys.NextMark)
		if got := seq(t, w); got != want {
			t.Errorf("the next mark is at row %d, want %d", got, want)
		}
	}
	s.proxy.Rows = s.proxy.Rows[4:]
	w.Select(7)
	do(w, s, keys.Mark, keys.Mark)
	if got := fmt.Sprint(s.proxy.Marks); got != "map[7:true]" {
		t.Errorf("marked are %s", got)
	}
}

func TestSessions(t *testing.T) {
	s := newStory()
	other := &model.Session{Proxy: s.proxy, Talk: newStory().session.Talk}
	mine := *s.session.Talk
	mine.Session = "mine"
	s.session.Talk = &mine
	s.update("plan", 10, "", "")
	s.add(model.Row{Type: journal.StderrEvent, Text: "x", Session: nobody})
	s.add(model.Row{Type: journal.GapEvent, Text: "x", Session: other})
	for range 3 {
		s.update("plan", 10, "", "")
	}
	w := list(s, 50, 20)
	if n := len(w.index.lines); n != 5 {
		t.Errorf("of the session there are %d rows, want 5", n)
	}
	w.Select(4)
	before := cursorRow(screen(w, s, 50, 3))
	w.Show(nil, s.proxy)
	if n := len(w.index.lines); n != 6 || !w.cursor.follow {
		t.Errorf("of the proxy there are %d rows, want 6", n)
	}
	w.Show(s.session, s.proxy)
	if got := seq(t, w); got != 4 || w.cursor.follow {
		t.Errorf("back in the session row %d is selected, want 4", got)
	}
	if y := cursorRow(screen(w, s, 50, 3)); y != before {
		t.Errorf("back in the session it is in line %d, want %d", y, before)
	}
	w.Show(nil, nil)
	if got := w.Selected(); got != nil {
		t.Errorf("of no proxy row %d is selected", got.Seq)
	}
	do(w, s, keys.Down, keys.Save, keys.Mark, keys.NextMark, keys.Pair)
}

func TestWishes(t *testing.T) {
	s := talk()
	w := list(s, 100, 20)
	w.Select(s.open["agent5"].Seq)
	for _, tt := range []struct {
		do   keys.Action
		want string
	}{
		{keys.OnlyThis, "pane.Narrow{Term:\"method:session/request_permission\"}"},
		{keys.NotThis, "pane.Narrow{Term:\"-method:session/request_permission\"}"},
		{keys.Copy, `pane.Copied{What:"the line", Text:"12:04:26.817 ← REQ session/request_permission 5 2.6K 0:52 edit · 3 options"}`},
		{keys.CopyAll, fmt.Sprintf("%#v", pane.Copied{What: "the frame", Text: permissionBody})},
		{keys.Columns, `pane.Say{Text:"columns: what frames say"}`},
	} {
		if got := fmt.Sprintf("%#v", do(w, s, tt.do)[0]); got != tt.want {
			t.Errorf("%s: got %s\nwant %s", tt.do, got, tt.want)
		}
	}
	if got := do(w, s, keys.Raw)[0].(pane.Detail); !got.Raw || got.Row.Seq != seq(t, w) {
		t.Errorf("raw gives %v", got)
	}
}

func TestClick(t *testing.T) {
	s := newStory()
	for range 30 {
		s.update("plan", 10, "", "")
	}
	for _, tt := range []struct {
		w, y int
		want uint64
	}{{50, 0, 21}, {50, 9, 30}, {50, 12, 30}, {66, 0, 30}, {66, 1, 22}} {
		w := list(s, tt.w, 10)
		w.Click(3, tt.y, false, s.context())
		if got := seq(t, w); got != tt.want {
			t.Errorf("in %d columns a click at %d selects row %d, want %d", tt.w, tt.y, got, tt.want)
		}
	}
	w := list(s, 50, 10)
	if got := w.Click(3, 4, true, s.context()); got[0].(pane.Detail).Row.Seq != 25 {
		t.Errorf("two clicks give %v", got)
	}
}

// TestSelectionStays lets rows come and go, filters change and runs fold, and
// sees that none of it moves the selection.
func TestSelectionStays(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { stays(t, rand.New(rand.NewPCG(seed, 7))) })
	}
}

func stays(t *testing.T, rnd *rand.Rand) {
	s := newStory()
	w := list(s, 50, 12)
	moves := []keys.Action{keys.Down, keys.Up, keys.PageDown, keys.PageUp, keys.Top, keys.HalfDown, keys.HalfUp, keys.Open, keys.Fold, keys.Mark, keys.Pair}
	var filter Matcher
	for range 300 {
		switch rnd.IntN(6) {
		case 0:
			do(w, s, moves[rnd.IntN(len(moves))])
			consistent(t, w)
			continue
		case 1:
			do(w, s, keys.Up)
			continue
		}
		var want *model.Row
		if !w.cursor.follow && len(w.index.lines) > 0 {
			want = w.Selected()
		}
		switch rnd.IntN(5) {
		case 0, 1:
			for range rnd.IntN(6) {
				s.random(rnd)
			}
		case 2:
			s.proxy.Rows = s.proxy.Rows[min(rnd.IntN(4), len(s.proxy.Rows)):]
		case 3:
			filter = []Matcher{nil, nil, only("session/update"), answers{}, waiting{}}[rnd.IntN(5)]
			w.Filter(filter)
		case 4:
			screen(w, s, 50, rnd.IntN(20))
		}
		consistent(t, w)
		if want == nil || len(s.proxy.Rows) == 0 || want.Seq < s.proxy.Rows[0].Seq || filter != nil && !filter.Match(want) {
			continue
		}
		if got := w.Selected(); got != want && w.cursor.row == want {
			t.Fatalf("row %d was selected, now it is %d", want.Seq, got.Seq)
		}
	}
}

// random adds a row of some kind.
func (s *story) random(rnd *rand.Rand) {
	s.wait(time.Millisecond)
	switch rnd.IntN(4) {
	case 0:
		s.update("agent_message_chunk", 10, "x", fmt.Sprint("run", rnd.IntN(2)))
	case 1:
		id := fmt.Sprint(rnd.IntN(3))
		if asked := s.open["client"+id]; asked != nil && asked.Waiting {
			s.answer(acp.Agent, id, 10, "")
			return
		}
		s.request(acp.Client, "session/prompt", id, 10, "")
	case 2:
		s.add(model.Row{Type: journal.StderrEvent, Text: "x", Session: nobody})
	case 3:
		s.update("agent_message_chunk", 10, "x", "run")
	}
}

// consistent sees that the index is what it would be if it were made anew.
func consistent(t *testing.T, w *Wire) {
	t.Helper()
	w.Selected()
	got := append([]line(nil), w.index.lines...)
	fresh := index{match: w.index.match, session: w.index.session, proxy: w.index.proxy, open: w.index.open}
	for _, r := range w.index.scope {
		if fresh.match == nil || fresh.match.Match(r) {
			fresh.shown = append(fresh.shown, r)
		}
	}
	fresh.fold()
	if fmt.Sprint(got) != fmt.Sprint(fresh.lines) {
		t.Fatalf("lines are %v\nanew they would be %v", got, fresh.lines)
	}
	if n := len(w.proxy.Rows); n != len(w.index.scope) {
		t.Fatalf("there are %d rows, of which %d are known", n, len(w.index.scope))
	}
	if w.cursor.at < 0 || w.cursor.at > max(len(got)-1, 0) {
		t.Fatalf("the cursor is on line %d of %d", w.cursor.at, len(got))
	}
}

// TestNothingIsShown presses keys that need a frame where there is none.
func TestNothingIsShown(t *testing.T) {
	s := talk()
	w := list(s, 100, 20)
	w.Filter(only("none"))
	for _, action := range []keys.Action{keys.Copy, keys.CopyAll, keys.Save} {
		if wishes := do(w, s, action); len(wishes) != 1 || wishes[0] != (pane.Say{Text: "no frame is shown"}) {
			t.Errorf("%s wishes for %v", action, wishes)
		}
	}
}

// TestWhatIsOnTheScreenIsNotNew pauses where the last line is in view: what comes
// below it is seen as it comes.
func TestWhatIsOnTheScreenIsNotNew(t *testing.T) {
	s := newStory()
	s.update("plan", 10, "", "")
	s.update("plan", 10, "", "")
	w := list(s, 50, 10)
	do(w, s, keys.Up)
	s.update("plan", 10, "", "")
	screen(w, s, 50, 10)
	if got := w.Head(s.context()).Right.String(); got != "PAUSED" {
		t.Errorf("the head is %q", got)
	}
}

// TestFollowingIsNotOfferedWhereNothingComes pauses in what has ended.
func TestFollowingIsNotOfferedWhereNothingComes(t *testing.T) {
	for _, link := range []model.Link{model.Live, model.Lost, model.Gone, model.Recorded} {
		s := talk()
		s.proxy.Link = link
		w := list(s, 50, 10)
		do(w, s, keys.Up)
		if got, want := slices.Contains(w.Hints(s.context()), keys.Follow), link == model.Live || link == model.Lost; got != want {
			t.Errorf("link %d: follow is offered: %v, want %v", link, got, want)
		}
	}
}
