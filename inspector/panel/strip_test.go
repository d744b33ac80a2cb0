package panel

import (
	"strings"
	"testing"
	"time"

	"bobproxy/acp/session"
	"bobproxy/inspector/model"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

func TestTheStripSaysWhoseWhereThereIsRoom(t *testing.T) {
	for _, test := range []struct {
		width int
		want  string
		never string
	}{
		{50, "! edit  src/auth/token.go  1:50 left   p to look", "Bob"},
		{60, "! edit  src/auth/token.go ", "…"},
		{66, "Fix nil token…", "Bob"},
		{80, "Fix nil token panic · Bob ", "…"},
		{90, "Fix nil token panic · Bob · Zed", "…"},
	} {
		s := newShow(test.width, 24, waiting)
		strip := strings.Split(s.text(), "\n")[21]
		if !strings.Contains(strip, test.want) || strings.Contains(strip, test.never) {
			t.Errorf("%d columns: got %q, want %q in it, and not %q", test.width, strip, test.want, test.never)
		}
	}
}

func TestTheStripSaysWhatWouldHappen(t *testing.T) {
	start := time.Date(2026, 9, 30, 12, 0, 0, 0, time.UTC)
	deadline := start.Add(time.Minute)
	tests := []struct {
		name string
		w    model.Permission
		want string
	}{
		{"a command", model.Permission{Title: "rig", Kind: "execute", Card: &control.Pending{Command: "echo b > /ws/b.txt"}}, "execute  echo b > /ws/b.txt"},
		{"a file", model.Permission{Title: "Create file", Kind: "edit", Card: &control.Pending{Verdict: judged("/src/a.txt")}}, "edit  a.txt"},
		{"files", model.Permission{Title: "Write many", Kind: "edit", Card: &control.Pending{Verdict: judged("/src/a.go", "/src/b.go", "/src/c.go")}}, "edit  a.go and 2 more files"},
		{"a title that names the kind", model.Permission{Title: "Edit it", Kind: "edit"}, "Edit it"},
		{"a title", model.Permission{Title: "Tidy up", Kind: "execute"}, "execute  Tidy up"},
		{"a kind", model.Permission{Kind: "execute"}, "execute"},
		{"nothing", model.Permission{}, "a permission"},
		{"a long path", model.Permission{Kind: "edit", Card: &control.Pending{Verdict: judged("/src/a/very/long/way/down/to/retrybudget.go")}}, "edit  …/long/way/down/to/retrybudget.go"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.w.Session = &model.Session{Cwd: "/src", Talk: &session.Talk{}}
			if got := (&Panel{}).what(&tt.w, 40); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	p, w := &Panel{focus: atCard}, &model.Permission{Kind: "edit", Opened: start, Session: &model.Session{Talk: &session.Talk{}}}
	if _, got := p.stripText(w, 0, 80, start.Add(8*time.Second)); got != "for 0:08 " {
		t.Errorf("without a time-out: got %q", got)
	}
	w.Card = &control.Pending{Deadline: &deadline}
	if _, got := p.stripText(w, 0, 80, start.Add(8*time.Second)); got != "0:52 left " {
		t.Errorf("with one: got %q", got)
	}
}

func judged(paths ...string) (v broker.Verdict) {
	for _, path := range paths {
		v.Paths = append(v.Paths, broker.Path{Path: path, Inside: true})
	}
	return v
}
