package talk_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
)

// What a recording tells is told with all that belongs to it.
func TestARecordingIsTold(t *testing.T) {
	f, err := os.Open("../model/testdata/demo.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m := &model.Model{}
	p, err := m.Read("demo", f)
	if err != nil {
		t.Fatal(err)
	}
	b := &builder{m: m, p: p, s: p.Sessions[0]}
	c := pane.Context{Now: p.Last[2].Add(time.Hour), Model: m, Home: "/home/me"}
	for pane, wants := range map[pane.Pane][]string{
		timelineOf(b): {"YOU   Please repair RetryBudget.", "✓ read     retrybudget.go", "allowed in the editor: 1 Allow once", "exit 1 · 7 lines", "✓ edit     retrybudget.go  +7 −2", "end of turn"},
		infoOf(b):     {"3 of 3 asked, none unasked", "✓ 12:04:00  edit      retrybudget.go  +7 −2", "← terminal/create  ./verify", "every request was answered"},
	} {
		got := strings.Join(rows(pane, 100, 90, c), "\n")
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%q is missing in\n%s", want, got)
			}
		}
	}
}
