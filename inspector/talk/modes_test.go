package talk_test

import (
	"strings"
	"testing"

	"bobproxy/acp/session"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/talk"
)

func TestModesAreCalledByTheirNames(t *testing.T) {
	const long = "https://agentclientprotocol.com/protocol/session-modes#agent"
	b := newBuilder()
	b.s.Talk.Mode = long
	b.s.Talk.Modes = []session.Choice{{ID: long, Name: "Agent"}, {ID: "acceptEdits", Name: "Accept edits", Description: "Edits without asking"}, {ID: "plan", Name: "Plan"}, {ID: "bare"}}
	i := talk.NewInfo()
	i.Show(b.s)
	tests := []struct {
		name  string
		got   string
		want  []string
		never string
	}{
		{"beside", paint.Text(screen(50, 30, func(a paint.Area) { talk.Summarize(a.W, b.s, seenBy(b.m, 9)).Draw(a) })), []string{"MODES  Agent Accept edits Plan bare"}, "https"},
		{"info, little room", strings.Join(rows(i, 50, 60, seenBy(b.m, 9)), "\n"), []string{"● Agent\n", "Accept edits    Edits without asking\n", "  Plan\n", "  bare\n"}, "https"},
		{"info, much room", strings.Join(rows(i, 100, 60, seenBy(b.m, 9)), "\n"), []string{"● Agent  ", long, "Edits without asking  ", " acceptEdits\n", "  Plan\n"}, "plan\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, want := range tt.want {
				if !strings.Contains(tt.got, want) {
					t.Errorf("%q is not in\n%s", want, tt.got)
				}
			}
			if strings.Contains(tt.got, tt.never) {
				t.Errorf("%q is in\n%s", tt.never, tt.got)
			}
		})
	}
}

func TestNobodyIsCountedWhoMayHaveLeft(t *testing.T) {
	b := newBuilder()
	b.p.State.Watchers = 3
	i := talk.NewInfo()
	i.Show(b.s)
	if got := strings.Join(rows(i, 80, 60, seenBy(b.m, 9)), "\n"); strings.Contains(got, "watchers") {
		t.Errorf("the count of when this panel came is in\n%s", got)
	}
}
