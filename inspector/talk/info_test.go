package talk_test

import (
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/inspector/talk"
)

func infoOf(b *builder) *talk.Info {
	i := talk.NewInfo()
	i.Self = self
	i.Show(b.s)
	return i
}

// goTo moves to the row that has the text.
func goTo(t *testing.T, i *talk.Info, c pane.Context, text string) {
	t.Helper()
	i.Do(keys.Top, c)
	for range 200 {
		if _, row := selected(rows(i, 66, 30, c)); strings.Contains(row, text) {
			return
		}
		i.Do(keys.Down, c)
	}
	t.Fatalf("%q is not reached", text)
}

// Going down goes through all rows, so no two have one name.
func TestEveryRowOfInfoCanBeReached(t *testing.T) {
	for name, b := range map[string]*builder{"short": nilToken(), "long": longDay()} {
		i := infoOf(b)
		c := seenBy(b.m, 40)
		seen := map[string]bool{}
		for range 200 {
			_, row := selected(rows(i, 66, 9, c))
			seen[bare(row)] = true
			i.Do(keys.Down, c)
		}
		for _, row := range rows(infoOf(b), 66, 200, c) {
			if !seen[bare(row)] && bare(row) != "" {
				t.Errorf("%s: %q is not reached", name, row)
			}
		}
	}
}

func TestTheLedgerTells(t *testing.T) {
	tests := []struct {
		name    string
		status  string
		verdict model.Verdict
		despite bool
		sign    string
		want    string
	}{
		{"not yet", "pending", model.NotYet, false, "·", "has not run yet, nobody was asked yet"},
		{"asking", "pending", model.Asking, false, "?", "asked, and nobody has answered yet"},
		{"allowed", "completed", model.Allowed, false, "✓", "asked, allowed"},
		{"refused", "pending", model.Refused, false, "×", "asked, refused"},
		{"timed out", "pending", model.TimedOut, false, "!", "asked, nobody answered"},
		{"withdrawn", "pending", model.Withdrawn, false, "!", "asked, withdrawn before an answer"},
		{"not run", "pending", model.NotRun, false, "−", "never ran, nobody was asked"},
		{"unasked", "completed", model.Unasked, false, "!", "RAN WITHOUT ASKING"},
		{"claimed", "completed", model.Refused, false, "!", "called completed · asked, refused"},
		{"claimed, in time", "completed", model.TimedOut, false, "!", "called completed · asked, nobody answered"},
		{"despite", "completed", model.Refused, true, "!", "RAN ALTHOUGH THAT WAS NOT ALLOWED"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBuilder()
			b.deed(b.tool(0, 1, tt.status, "edit", "the deed"), tt.verdict).Despite = tt.despite
			all := rows(infoOf(b), 66, 40, seenBy(b.m, 5))
			if got := below(t, all, "the deed"); got != tt.want {
				t.Errorf("it says %q, want %q", got, tt.want)
			}
			if got := bare(all[1]); !strings.HasPrefix(got, tt.sign+" ") {
				t.Errorf("its sign is in %q, want %s", got, tt.sign)
			}
		})
	}
}

func TestTheLedgerTellsWhatCoversACall(t *testing.T) {
	b := newBuilder()
	d := b.deed(b.tool(0, 1, "completed", "edit", "the deed"), model.Unasked)
	d.Cover = &model.Permission{Frame: 7}
	all := rows(infoOf(b), 66, 40, seenBy(b.m, 5))
	if got := below(t, all, "the deed"); got != "not asked, covered by allow_always of #7" {
		t.Errorf("it says %q", got)
	}
	if !strings.HasSuffix(all[0], "0 of 1 asked, 1 covered, none unasked") {
		t.Errorf("it counts %q", all[0])
	}
}

func TestTheLedgerCounts(t *testing.T) {
	b := newBuilder()
	for i, v := range []model.Verdict{model.Allowed, model.Refused, model.TimedOut, model.Unasked, model.NotRun} {
		b.deed(b.tool(float64(i), 1, "completed", "edit", "a deed"), v)
	}
	if got := rows(infoOf(b), 66, 20, seenBy(b.m, 5))[0]; !strings.HasSuffix(got, "3 of 5 asked, 1 ran without asking") {
		t.Errorf("it counts %q", got)
	}
}

func TestALongLedgerIsFolded(t *testing.T) {
	b := newBuilder()
	for i := range 20 {
		b.deed(b.tool(float64(i), 1, "completed", "edit", "deed "+string(rune('a'+i))), model.Allowed)
	}
	i := infoOf(b)
	c := seenBy(b.m, 30)
	all := strings.Join(rows(i, 66, 60, c), "\n")
	if strings.Contains(all, "deed h") || !strings.Contains(all, "deed i") || !strings.Contains(all, "… 8 before these") {
		t.Errorf("it shows others than the last twelve:\n%s", all)
	}
	goTo(t, i, c, "before these")
	i.Do(keys.Open, c)
	if all = strings.Join(rows(i, 66, 60, c), "\n"); !strings.Contains(all, "deed a") {
		t.Errorf("Enter does not show all:\n%s", all)
	}
}

func TestWhereInfoLeads(t *testing.T) {
	b := nilToken()
	i := infoOf(b)
	c := seenBy(b.m, 40)
	deed := b.s.Deeds[0]
	tests := []struct {
		at   string
		want any
	}{
		{"go test ./auth", pane.Visit{Session: b.s, Tab: keys.Timeline, Seq: deed.Seq}},
		{"asked, allowed in this panel", pane.Visit{Session: b.s, Tab: keys.Timeline, Seq: deed.Seq}},
		{"terminal/create", pane.Visit{Session: b.s, Tab: keys.Wire, Seq: deed.Requests[0].Seq}},
		{"session/request_permission", pane.Look{Permission: b.p.Pending[0]}},
		{"session/prompt", pane.Visit{Session: b.s, Tab: keys.Wire, Seq: b.p.Open[0].Seq}},
		{"telemetry is off", pane.Visit{Session: b.s, Tab: keys.Timeline, Seq: b.p.Stderr[0].Seq}},
	}
	for _, tt := range tests {
		goTo(t, i, c, tt.at)
		if got := i.Do(keys.Open, c); len(got) != 1 || got[0] != tt.want {
			t.Errorf("%s leads to %v, want %v", tt.at, got, tt.want)
		}
	}
}

func TestInfoKeepsItsSelection(t *testing.T) {
	b := nilToken()
	i := infoOf(b)
	c := seenBy(b.m, 40)
	goTo(t, i, c, "sess_7f3a9c01")
	for n := range 30 {
		was, row := selected(rows(i, 66, 12, c))
		b.deed(b.tool(float64(n), 1, "completed", "edit", "another"), model.Unasked)
		if got, now := selected(rows(i, 66, 12, c)); got != was || now != row {
			t.Fatalf("row %d %q is selected, want row %d %q", got, now, was, row)
		}
	}
}

// Of a flood no more is remembered than fits, and it is not called all there was.
func TestAFloodOfStderr(t *testing.T) {
	b := newBuilder()
	for range model.MaxStderr {
		b.stderr(1, "line")
	}
	if got := strings.Join(rows(infoOf(b), 66, 50, seenBy(b.m, 50)), "\n"); !strings.Contains(got, "2000+ lines") {
		t.Errorf("the heading of it is missing:\n%s", got)
	}
	if got := strings.Join(rows(timelineOf(b), 66, 50, seenBy(b.m, 50)), "\n"); !strings.Contains(got, "of 2000+ lines") {
		t.Errorf("the timeline says:\n%s", got)
	}
}

func TestStderrIsShownWhole(t *testing.T) {
	b := newBuilder()
	for n := range 40 {
		b.stderr(float64(n), "line "+string(rune('A'+n%26))+string(rune('0'+n/26)))
	}
	i := infoOf(b)
	c := seenBy(b.m, 50)
	if got := strings.Join(rows(i, 66, 50, c), "\n"); strings.Contains(got, "line A0") || !strings.Contains(got, "line N1") {
		t.Errorf("not the last lines:\n%s", got)
	}
	i.Do(keys.Stderr, c)
	got := rows(i, 66, 50, c)
	if all := strings.Join(got, "\n"); !strings.Contains(all, "line A0") || !strings.Contains(all, "line N1") {
		t.Errorf("E does not show all:\n%s", all)
	}
}

func TestWhoOwesWhom(t *testing.T) {
	b := nilToken()
	b.p.Last[1], b.p.Last[2] = at(13), at(13)
	for link, want := range map[model.Link]string{model.Live: "OPEN REQUESTS", model.Gone: "NEVER ANSWERED"} {
		b.p.Link = link
		all := strings.Join(rows(infoOf(b), 80, 60, seenBy(b.m, 75)), "\n")
		if !strings.Contains(all, want) || !strings.Contains(all, "agent owes  session/prompt") {
			t.Errorf("link %d:\n%s", link, all)
		}
	}
	b.p.Link, b.p.Open = model.Live, b.p.Open[:1] // the prompt
	if all := strings.Join(rows(infoOf(b), 80, 60, seenBy(b.m, 103)), "\n"); !strings.Contains(all, "! agent silent 1:30") {
		t.Errorf("nothing was said for a minute and a half:\n%s", all)
	}
	b.p.Open = nil
	if all := strings.Join(rows(infoOf(b), 80, 60, seenBy(b.m, 75)), "\n"); !strings.Contains(all, "nobody owes anybody an answer") {
		t.Errorf("no debts:\n%s", all)
	}
}

func TestOldDebtsAreColoured(t *testing.T) {
	for age, want := range map[time.Duration]paint.Role{5 * time.Second: paint.Plain, 30 * time.Second: paint.Warn, 2 * time.Minute: paint.Bad} {
		b := newBuilder()
		r := b.row(&model.Row{Session: b.s, Time: at(0), From: 2, Method: "fs/read_text_file", ID: "1", Waiting: true})
		b.p.Open = []*model.Row{r}
		g := screen(66, 12, func(a paint.Area) { infoOf(b).Draw(a, pane.Context{Now: at(0).Add(age), Model: b.m}) })
		for y := range g.H {
			if strings.Contains(strings.Split(paint.Text(g), "\n")[y], "editor owes") {
				if got := g.At(64, y).Style.Role; got != want {
					t.Errorf("after %s it is %v, want %v", age, got, want)
				}
			}
		}
	}
}
