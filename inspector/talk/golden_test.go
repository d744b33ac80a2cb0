package talk_test

import (
	"flag"
	"os"
	"path/filepath"
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

var update = flag.Bool("update", false, "write the golden drawings anew")

func golden(t *testing.T, name string, g *paint.Grid) {
	t.Helper()
	got := paint.Text(g) + "\n" + paint.Styles(g)
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is drawn differently\ngot:\n%s\nwant:\n%s", name, got, want)
	}
}

// framed is a pane below what stands above it.
func framed(p pane.Headed, c pane.Context) func(paint.Area) {
	return func(a paint.Area) {
		h := p.Head(c)
		a.In(1, 1).Both(0, paint.L(paint.Heading, "api"), h.Right)
		a.In(1, 1).Both(1, h.Status, h.StatusRight)
		a.Rule(2)
		p.Draw(a.Rows(3, a.H-3), c)
	}
}

func timelineOf(b *builder) *talk.Timeline {
	t := talk.NewTimeline()
	t.Self = self
	t.Show(b.s)
	return t
}

func TestTimelineLooks(t *testing.T) {
	tests := []struct {
		name string
		w, h int
		pin  bool
		make func() *builder
		keys []keys.Action
		now  float64
	}{
		{"narrow", 50, 34, true, nilToken, nil, 20},
		{"medium", 66, 24, false, nilToken, nil, 20},
		{"wide", 63, 41, false, nilToken, nil, 20},
		{"large", 100, 26, false, nilToken, nil, 20},
		{"opened", 63, 41, false, nilToken, []keys.Action{keys.Up, keys.Up, keys.Up, keys.Up, keys.Open}, 20},
		{"diff", 66, 40, false, edited, []keys.Action{keys.Open}, 20},
		{"thoughts", 66, 30, false, nilToken, []keys.Action{keys.Thoughts}, 20},
		{"long_medium", 66, 44, false, longDay, nil, 100},
		{"long_narrow", 50, 56, true, longDay, nil, 100},
		{"long_large", 100, 44, false, longDay, []keys.Action{keys.Top}, 100},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := tt.make()
			tl := timelineOf(b)
			tl.Pin = tt.pin
			c := seenBy(b.m, tt.now)
			g := screen(tt.w, tt.h, framed(tl, c))
			for _, k := range tt.keys {
				tl.Do(k, c)
				g = screen(tt.w, tt.h, framed(tl, c))
			}
			golden(t, "timeline_"+tt.name, g)
		})
	}
}

// edited is the session in which the edit was allowed and done.
func edited() *builder {
	b := nilToken()
	last := b.s.Talk.Entries[len(b.s.Talk.Entries)-1]
	last.Tool.Status, last.Tool.Ended = "completed", at(18)
	b.settle(b.p.Pending[0], "editor", 1, 5200*time.Millisecond)
	return b
}

func TestInfoLooks(t *testing.T) {
	tests := []struct {
		name string
		w, h int
		make func() *builder
	}{
		{"narrow", 50, 60, longDay}, {"medium", 66, 60, longDay}, {"large", 160, 48, longDay}, {"wide", 63, 70, nilToken}, {"empty", 50, 34, newBuilder},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := tt.make()
			i := talk.NewInfo()
			i.Self = self
			i.Show(b.s)
			golden(t, "info_"+tt.name, screen(tt.w, tt.h, framed(i, seenBy(b.m, 100))))
		})
	}
}

func TestSideLooks(t *testing.T) {
	for name, h := range map[string]int{"short": 20, "tall": 30} {
		for kind, make := range map[string]func() *builder{"": nilToken, "_long": longDay} {
			t.Run(name+kind, func(t *testing.T) {
				b := make()
				golden(t, "side_"+name+kind, screen(33, h, func(a paint.Area) { talk.Summarize(a.W, b.s, seenBy(b.m, 20)).Draw(a) }))
			})
		}
	}
}

// longDay is a session with one of everything.
func longDay() *builder {
	b := newBuilder()
	t := b.s.Talk
	b.p.AutoApprove = "bob was started with --yolo"
	t.Dropped, t.Turns, t.Stop = 312, 3, "end_turn"
	t.Usage = session.Usage{Used: 182000, Size: 200000, Cost: "1.31 USD"}
	steps := make([]session.Step, 14)
	for i := range steps {
		steps[i] = session.Step{Text: "Step number " + string(rune('A'+i)), Status: "completed"}
		if i > 8 {
			steps[i].Status = "pending"
		}
	}
	t.Plans = []session.Plan{{Steps: steps}}
	b.say(session.UserMessage, 0, "What was I doing yesterday?").Replay = true
	b.say(session.AgentMessage, 0, "You were looking for a leak.").Replay = true
	b.named(session.Setting, 1, "mode", "accept edits")
	b.say(session.UserMessage, 2, "Clean up.\n\n  - the build folder\n  - and the cache\u202e")
	r := b.tool(3, 61, "completed", "read", "Read 3 files", "/home/me/src/api/a/very/deep/folder/with/a/long/name/token.go", "/home/me/x.go", "/etc/hosts")
	r.Tool.Output, r.Tool.OutputSize = "x", 1
	w := b.tool(4, 1, "completed", "edit", "Edit main.go", "/home/me/src/api/main.go")
	w.Tool.Added, w.Tool.Removed = 120, 40
	b.deed(w, model.Unasked).Requests = []*model.Row{{Seq: 1, Method: acp.MethodWriteTextFile, First: "main.go"}}
	no := b.tool(5, 2, "failed", "execute", `rm -rf build/ "$HOME/.cache"`)
	b.deed(no, model.Refused, b.settle(b.ask(no, 5, 0), "editor", 3, 8200*time.Millisecond))
	late := b.tool(6, 120, "failed", "delete", "Delete tmp/x", "/home/me/src/api/tmp/x")
	late.Tool.Output, late.Tool.OutputSize = "error -32603: refused, since nobody answered in time", 52
	lp := b.settle(b.ask(late, 6, 2*time.Minute), "timeout", 3, 2*time.Minute)
	lp.Late = []journal.Decision{{By: "editor", OptionKind: "allow_once", OptionID: "once", HasOption: true, Late: true}}
	b.deed(late, model.TimedOut, lp)
	out := b.tool(7, .001, "failed", "edit", "Edit /etc/hosts", "/etc/hosts")
	b.deed(out, model.Refused, b.settle(b.ask(out, 7, 0), "bounds", 3, 0))
	pts := b.tool(8, 3, "completed", "execute", "make")
	pp := b.settle(b.ask(pts, 8, 0), "panel", 2, time.Second)
	pp.Decision.Peer = &journal.Peer{PID: 9, TTY: "/dev/pts/4"}
	b.deed(pts, model.Allowed, pp)
	b.stderr(9, "one", "two", "three\x1b[31m", "four", "five")
	b.p.Warnings = append(b.p.Warnings, model.Words{At: at(10), Seq: b.next(), Text: "the recording is being dropped: no space left on device"})
	b.row(&model.Row{Session: b.s, Time: at(10), Type: journal.FlaggedEvent, Reason: "odd id", Text: "a request whose id is neither a string nor a number"})
	b.named(session.Unknown, 11, "moon_phase_update", `{"phase":"full"}`)
	b.named(session.Notice, 12, "warning", "The context is nearly full.")
	b.named(session.Compaction, 13, "completed", "")
	b.named(session.Subagent, 14, "sess_sub1", "looks for callers")
	b.named(session.TurnEnd, 15, "max_tokens", "")
	b.say(session.UserMessage, 16, "Go on")
	b.tool(17, 0, "in_progress", "fetch", "https://example.org/a/very/long/address/that/does/not/fit?in=a&row=of&this=width")
	nr := b.tool(18, 0, "pending", "move", "Move a to b", "/home/me/src/api/a")
	nr.Tool.NotRun = true
	b.deed(nr, model.NotRun)
	b.tool(19, 0, "pending", "think", "What next")
	first, second := b.tool(20, 0, "pending", "edit", "Edit a.go", "/home/me/src/api/a.go"), b.tool(21, 0, "pending", "execute", "Clean and rebuild")
	b.deed(first, model.Asking, b.ask(first, 90, 15*time.Second))
	b.deed(second, model.Asking, b.ask(second, 95, 4*time.Minute))
	b.named(session.TurnEnd, 22, "error", "Internal error: the model is overloaded")
	b.p.Open = []*model.Row{
		{Seq: 3, Session: b.s, Time: at(2), From: acp.Client, Method: acp.MethodSessionPrompt, ID: "6"},
		{Seq: 4, Session: b.s, Time: at(80), From: acp.Agent, Method: acp.MethodReadTextFile, ID: `"a-1"`},
	}
	return b
}
