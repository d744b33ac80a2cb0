package wire

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

func TestDecisionsAreTold(t *testing.T) {
	yes := journal.Decision{By: "editor", HasOption: true, OptionID: "o1", OptionKind: "allow_once", Wait: 8200 * time.Millisecond}
	for _, tt := range []struct {
		change func(*journal.Decision)
		want   string
	}{
		{func(*journal.Decision) {}, "the editor allowed once after 8.20s · Edit token.go"},
		{func(d *journal.Decision) { d.OptionKind = "allow_always" }, "the editor allowed always after 8.20s · Edit token.go"},
		{func(d *journal.Decision) { d.By, d.OptionKind = "timeout", "reject_once" }, "nobody answered: refused once after 8.20s · Edit token.go"},
		{func(d *journal.Decision) { d.By, d.OptionKind = "panel", "reject_always" }, "a panel refused always after 8.20s · Edit token.go"},
		{func(d *journal.Decision) { d.By, d.OptionKind = "command", "sudo" }, "a command chose o1 after 8.20s · Edit token.go"},
		{func(d *journal.Decision) { d.OptionID, d.OptionKind = "", "" }, "the editor chose an option without a name after 8.20s · Edit token.go"},
		{func(d *journal.Decision) {
			*d = journal.Decision{By: "cancel", Outcome: "cancelled", Wait: time.Second}
		}, "cancel cancelled after 1.00s · Edit token.go"},
		{func(d *journal.Decision) { d.Late = true }, "the editor allowed once after 8.20s, too late · Edit token.go"},
		{func(d *journal.Decision) { *d = journal.Decision{By: "editor", Outcome: "error", Late: true} }, "the editor closed its dialog · Edit token.go"},
		{func(d *journal.Decision) { *d = journal.Decision{By: "editor", Outcome: "cancelled", Late: true} }, "the editor closed its dialog · Edit token.go"},
		{func(d *journal.Decision) { *d = journal.Decision{By: "editor", Outcome: "unknown", Late: true} }, "the editor unknown after 0ms, too late · Edit token.go"},
		{func(d *journal.Decision) { d.By, d.Late = "bounds", true }, "the bounds allowed once after 8.20s, too late · Edit token.go"},
	} {
		d := yes
		tt.change(&d)
		s := newStory()
		r := s.other(journal.DecisionEvent, "")
		r.Decision, r.Permission = &d, &model.Permission{Title: "Edit token.go"}
		if got := saying(r, "", wholeLine).String(); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

func TestDecisionsWithLittleRoom(t *testing.T) {
	verify := &model.Permission{Title: "Run it", Kind: "execute", Card: &control.Pending{Command: "./verify"}}
	long := &model.Permission{Title: "Edit src/auth/token.go"}
	yes := journal.Decision{By: "editor", HasOption: true, OptionKind: "allow_once", Wait: 13200 * time.Millisecond}
	no := journal.Decision{By: "timeout", HasOption: true, OptionKind: "reject_once", Wait: time.Minute}
	late := journal.Decision{By: "panel", HasOption: true, OptionKind: "allow_once", Wait: time.Minute, Late: true}
	for _, tt := range []struct {
		name  string
		asked *model.Permission
		d     journal.Decision
		width int
		want  string
	}{
		{"all of it", verify, yes, 80, "the editor allowed once after 13.2s · ./verify  Run it"},
		{"no title", verify, yes, 44, "editor: allowed once, 13.2s · ./verify"},
		{"just the sentence", verify, yes, 46, "the editor allowed once after 13.2s · ./verify"},
		{"a word for the side", verify, yes, 38, "editor: allowed once, 13.2s · ./verify"},
		{"no time", verify, yes, 37, "editor: allowed once · ./verify"},
		{"what was asked is cut", verify, yes, 28, "editor: allowed once · ./ve…"},
		{"no room for that", verify, yes, 26, "editor: allowed once"},
		{"no room for anything", verify, yes, 10, "editor: a…"},
		{"nobody", verify, no, 44, "nobody answered: refused once · ./verify"},
		{"too late", verify, late, 44, "panel, too late: allowed once · ./verify"},
		{"a long title", long, yes, 33, "editor: allowed once · Edit src/…"},
		{"nothing is known", nil, yes, 33, "editor: allowed once, 13.2s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &model.Row{Type: journal.DecisionEvent, Decision: &tt.d, Permission: tt.asked}
			if got := saying(r, "", tt.width).String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestQuestionsAreTold(t *testing.T) {
	here := &model.Session{Cwd: "/ws"}
	diff := []byte(`[{"type":"diff","path":"/ws/a/b.go","newText":"x"}]`)
	inside := control.Pending{Content: diff}
	inside.Verdict.Paths = append(inside.Verdict.Paths, broker.Path{Path: "/ws/a/b.go", Inside: true})
	for _, tt := range []struct {
		name  string
		asked *model.Permission
		text  string
		want  string
	}{
		{"a command before its title", &model.Permission{Title: "Run it", Card: &control.Pending{Command: "rm -rf /"}}, "", "rm -rf /  Run it"},
		{"lines of one", &model.Permission{Card: &control.Pending{Command: "a\nb"}}, "", "a↵b"},
		{"a file from its folder", &model.Permission{Title: "Change", Session: here, Card: &inside}, "", "a/b.go  Change"},
		{"a title alone", &model.Permission{Title: "Think"}, "", "Think"},
		{"nothing at all", &model.Permission{}, "", "opened"},
		{"nobody knows which", nil, "", "opened"},
		{"by its own text", &model.Permission{Title: "Think"}, "waits", "waits"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &model.Row{Type: journal.OpenedEvent, Text: tt.text, Permission: tt.asked}
			if got := saying(r, "", wholeLine).String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestDialogsThatWereToBeClosed(t *testing.T) {
	s := newStory()
	r := s.other(journal.DecisionEvent, "the editor's reply to a request that was settled by panel")
	r.Decision = &journal.Decision{By: "editor", Outcome: "error", Late: true, Wait: 43200 * time.Millisecond}
	r.Permission = &model.Permission{Title: "Edit token.go", Recalled: true}
	const want = "the editor closed its dialog, as asked"
	if got := saying(r, "", wholeLine); got.String() != want+" · Edit token.go" || got[0].Style.Role != paint.Dim {
		t.Errorf("got %v", got)
	}
	d := NewDetail()
	d.Show(r)
	if got := shown(s, d); !strings.Contains(got, want) || strings.Contains(got, "did not count") {
		t.Errorf("got\n%s", got)
	}
	r.Permission = nil
	if got := saying(r, "", wholeLine).String(); got != "the editor closed its dialog" {
		t.Errorf("of an unknown permission: got %q", got)
	}
}

func TestOtherEventsAreTold(t *testing.T) {
	for _, tt := range []struct {
		row  model.Row
		want string
	}{
		{model.Row{Type: journal.StderrEvent, Text: "panic: x\r\n"}, "panic: x"},
		{model.Row{Type: journal.WarningEvent, Text: "the disk is full"}, "the disk is full"},
		{model.Row{Type: journal.FlaggedEvent, Reason: "two ids"}, "two ids"},
		{model.Row{Type: journal.ExitEvent, Text: "exit 1"}, "exit 1"},
		{model.Row{Type: journal.DecisionEvent, Text: "allowed"}, "allowed"},
		{model.Row{Type: journal.DecisionEvent}, "answered"},
		{model.Row{Type: "unheard-of"}, "unheard-of"},
		{model.Row{Type: journal.StderrEvent, Text: strings.Repeat("é", 40000)}, strings.Repeat("é", 250)},
	} {
		if got := saying(&tt.row, "", wholeLine).String(); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.row.Type, got, tt.want)
		}
	}
}

func TestFactsOfOtherEvents(t *testing.T) {
	s := newStory()
	asked := s.request(acp.Agent, "fs/read_text_file", "9", 10, "")
	s.proxy.Exit = &journal.Exit{Status: 1, Signal: "killed", Left: []journal.Process{{PID: 7, Command: "make serve"}}}
	end := s.other(journal.ExitEvent, "exit 1")
	odd := s.other(journal.FlaggedEvent, "an answer to nothing")
	odd.About = asked
	for _, tt := range []struct {
		row  *model.Row
		want []string
	}{
		{end, []string{"The agent ended", `status        1`, `signal        killed`, "left running  7 make serve", "text          exit 1"}},
		{odd, []string{"Something odd passed", "frame    ← REQ fs/read_text_file 9", "an answer to nothing"}},
	} {
		d := NewDetail()
		d.Show(tt.row)
		got := d.Heading() + "\n" + shown(s, d)
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%q is not in\n%s", want, got)
			}
		}
	}
	d := NewDetail()
	d.Show(odd)
	if got := do(d, s, keys.Pair); got[0].(pane.Detail).Row != asked {
		t.Errorf("what was flagged is %v", got)
	}
	do(d, s, keys.Copy, keys.CopyAll, keys.OnlyThis, keys.Save, keys.Raw, keys.Raw)
	w := list(s, 50, 10)
	w.Select(odd.Seq)
	if do(w, s, keys.Pair); seq(t, w) != asked.Seq {
		t.Errorf("what was flagged is row %d, want %d", seq(t, w), asked.Seq)
	}
}

func TestHeads(t *testing.T) {
	s := talk()
	w := list(s, 100, 20)
	h := w.Head(s.context())
	if got := h.Status.String(); got != "86 events in 24 rows" || h.Always {
		t.Errorf("without a filter: %q", got)
	}
	w.Filter(only("initialize"))
	h = w.Head(s.context())
	if got := h.Status.String(); got != "2 of 86 events  / method:initialize" || !h.Always {
		t.Errorf("with one: %q", got)
	}
	d := NewDetail()
	for _, tt := range []struct {
		id, want string
	}{
		{"client1", "→ REQ initialize|id 1|12:04:02.112 · 861B · answered after 402ms|tree"},
		{"client6", "→ REQ session/prompt|id 6|12:04:14.780 · 309B · no answer yet|tree"},
		{"agent5", "← REQ session/request_permission|id 5|12:04:26.817 · 2.6K · no answer yet 0:52|tree"},
		{"agent7", "← REQ fs/write_text_file|id 7|12:04:19.789 · 2.0K · error after 0ms|tree"},
	} {
		d.Show(s.open[tt.id])
		h := d.Head(s.context())
		if got := strings.Join([]string{d.Heading(), h.Right.String(), h.Status.String(), h.StatusRight.String()}, "|"); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
	d.Show(s.open["agent7"].Pair)
	if got := d.Heading() + d.Head(s.context()).Status.String(); got != "→*ERR fs/write_text_file12:04:19.789 · 120B · after 0ms" {
		t.Errorf("of an answer: %s", got)
	}
	if d.Row() != s.open["agent7"].Pair {
		t.Error("it shows another row")
	}
}

func TestCopyingARun(t *testing.T) {
	s := newStory()
	for i := range 3 {
		s.update("agent_message_chunk", 10, fmt.Sprint("w", i, " "), "m").Body = fmt.Appendf(nil, `{"n":%d}`, i)
	}
	w := list(s, 50, 10)
	if got := fmt.Sprint(do(w, s, keys.CopyAll, keys.Copy)); got != "[{3 frames {\"n\":0}\n{\"n\":1}\n{\"n\":2}\n} {the line 12:04:02.112 ← NTF session/update·message ×3 30B w0 w1 w2 }]" {
		t.Errorf("got %q", got)
	}
}

func TestHintsAreKeysOfTheirPlace(t *testing.T) {
	s := talk()
	w, d := list(s, 50, 10), NewDetail()
	d.Show(s.open["agent5"])
	shown(s, d)
	for range 3 {
		for _, p := range []pane.Pane{w, d} {
			for _, a := range p.Hints(s.context()) {
				if !bound(p.Place(), a) {
					t.Errorf("%s has no key for %s", p.Place(), a)
				}
			}
		}
		do(w, s, keys.Up)
		do(d, s, keys.Raw)
		d.Find("token", s.context())
	}
}

func bound(in keys.Place, a keys.Action) bool {
	for _, b := range keys.Default() {
		if b.Do == a && (b.In == in || b.In == keys.List || b.In == keys.Everywhere) {
			return true
		}
	}
	return false
}
