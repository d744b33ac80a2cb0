package talk_test

import (
	"strings"
	"testing"

	"bobproxy/inspector/model"
)

func TestNoTurnGoesOnWhereNothingDoes(t *testing.T) {
	for _, link := range []model.Link{model.Live, model.Lost, model.Gone, model.Recorded} {
		b := nilToken()
		b.s.Talk.Running, b.s.Talk.Since = true, at(0)
		b.p.Link = link
		got := timelineOf(b).Head(seenBy(b.m, 95)).StatusRight.String()
		if want := link == model.Live || link == model.Lost; strings.Contains(got, "turn") != want {
			t.Errorf("link %d: %q is shown", link, got)
		}
	}
}

func TestALineOfStderr(t *testing.T) {
	const link = "open https://login.example.org/device/with/a/long/path and type ABCD-EFGH to sign in"
	for _, test := range []struct {
		name, text string
		width      int
		want       []string
		never      string
	}{
		{"its end is not shown", "short\r\n", 100, []string{"STDERR  short"}, "↵"},
		{"it is whole in a few rows", link + "\n", 66, []string{"https://login.example.org/device/with/a/long/path", "ABCD-EFGH"}, "…"},
		{"a longer one is cut", strings.Repeat("word ", 100), 66, []string{"word", "…"}, "↵"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := nilToken()
			b.p.Stderr = []model.Words{{At: at(90), Seq: 100000, Text: test.text}}
			got := strings.Join(rows(timelineOf(b), test.width, 40, seenBy(b.m, 95)), "\n")
			at := strings.Index(got, "STDERR")
			if at < 0 {
				t.Fatalf("there is no stderr in\n%s", got)
			}
			for _, want := range test.want {
				if !strings.Contains(got[at:], want) {
					t.Errorf("%q is not in\n%s", want, got[at:])
				}
			}
			if strings.Contains(got[at:], test.never) {
				t.Errorf("%q is in\n%s", test.never, got[at:])
			}
		})
	}
}
