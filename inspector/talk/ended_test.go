package talk_test

import (
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/inspector/talk"
	"bobproxy/proxy/journal"
)

// halted is a session whose proxy ended eleven seconds after a command began.
func halted() *builder {
	b := newBuilder()
	b.s.Talk.Running, b.s.Talk.Since, b.s.Talk.Turns = true, at(0), 1
	b.say(session.UserMessage, 0, "Run the tests.")
	b.tool(5, 0, "in_progress", "execute", "make test")
	b.tool(6, 0, "pending", "read", "Read x", "/home/me/src/api/x")
	asked := b.tool(7, 0, "pending", "edit", "Edit y", "/home/me/src/api/y")
	b.deed(asked, model.Withdrawn, b.ask(asked, 8, time.Minute))
	p := b.p.Pending[0]
	p.Ended, p.Closed = true, at(16)
	b.p.Pending, b.p.Closed = nil, []*model.Permission{p}
	b.p.Exit, b.p.ExitAt = &journal.Exit{Status: 143, Signal: "terminated"}, at(16)
	b.p.Link, b.p.GoneAt = model.Gone, at(16.2)
	return b
}

func TestAnEndedSessionLooks(t *testing.T) {
	for _, tt := range []struct {
		name string
		pane interface {
			pane.Headed
			Show(*model.Session)
		}
		w, h int
	}{
		{"timeline_ended_narrow", talk.NewTimeline(), 50, 20},
		{"timeline_ended_large", talk.NewTimeline(), 100, 16},
		{"info_ended_narrow", talk.NewInfo(), 50, 40},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := halted()
			tt.pane.Show(b.s)
			golden(t, tt.name, screen(tt.w, tt.h, framed(tt.pane, seenBy(b.m, 20))))
		})
	}
}

// TestNothingMovesWhereNothingGoesOn draws a session that has ended twice, hours
// apart.
func TestNothingMovesWhereNothingGoesOn(t *testing.T) {
	signing := halted()
	signing.p.Open = []*model.Row{{Time: at(3), From: acp.Client, Kind: acp.Request, Method: acp.MethodAuthenticate, ID: "2", Seq: 5}}
	empty := newBuilder()
	empty.p.Link, empty.p.GoneAt, empty.p.Open = model.Gone, at(16), signing.p.Open
	closed := halted()
	closed.p.Link, closed.p.Exit, closed.s.Closed, closed.s.Activity = model.Live, nil, true, at(16)
	closed.p.State.Started = time.Time{} // only the session has ended
	recorded := halted()
	recorded.p.Link, recorded.p.Exit, recorded.s.Activity = model.Recorded, nil, at(16)
	for name, b := range map[string]*builder{"ended": halted(), "signing in": signing, "nothing said": empty, "closed": closed, "a recording": recorded} {
		for _, view := range []string{"timeline", "info", "side"} {
			t.Run(name+" "+view, func(t *testing.T) {
				look := func(now float64) string {
					g := screen(80, 60, func(a paint.Area) {
						switch c := seenBy(b.m, now); view {
						case "timeline":
							framed(timelineOf(b), c)(a)
						case "info":
							i := talk.NewInfo()
							i.Show(b.s)
							framed(i, c)(a)
						default:
							talk.Summarize(a.W, b.s, c).Draw(a)
						}
					})
					return paint.Text(g)
				}
				if soon, later := look(20), look(7200); soon != later {
					t.Errorf("soon after:\n%s\nlater:\n%s", soon, later)
				}
			})
		}
	}
}

func TestStatesOfWhatDidNotEnd(t *testing.T) {
	b := halted()
	got := strings.Join(rows(timelineOf(b), 80, 20, seenBy(b.m, 500)), "\n")
	for _, want := range []string{"make test", "unfinished 11.0s", "not run", "never answered: the proxy ended"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	for _, never := range []string{" run ", " wait ", "waiting"} {
		if strings.Contains(got, never) {
			t.Errorf("%q is in\n%s", never, got)
		}
	}
}

// TestWhatWasNotAllowedDoesNotWait looks at calls of which the agent has said no
// more since, in a session that goes on.
func TestWhatWasNotAllowedDoesNotWait(t *testing.T) {
	tests := []struct {
		name   string
		settle func(b *builder, p *model.Permission)
		want   string
	}{
		{"refused", func(b *builder, p *model.Permission) { b.settle(p, "editor", 3, time.Second) }, "not run"},
		{"timed out", func(b *builder, p *model.Permission) { b.settle(p, "timeout", 3, time.Second) }, "not run"},
		{"cancelled", func(b *builder, p *model.Permission) { b.settle(p, "cancel", 0, time.Second) }, "not run"},
		{"allowed", func(b *builder, p *model.Permission) { b.settle(p, "editor", 1, time.Second) }, "wait"},
		{"settled in a way that nobody told", func(b *builder, p *model.Permission) { p.Unknown = true }, "wait"},
		{"open", func(*builder, *model.Permission) {}, "ASK"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBuilder()
			tt.settle(b, b.ask(b.tool(1, 0, "pending", "edit", "the deed"), 1, 0))
			for _, r := range rows(timelineOf(b), 80, 20, seenBy(b.m, 9)) {
				if strings.Contains(r, "the deed") {
					for _, word := range []string{"not run", "wait", "ASK"} {
						if got := strings.Contains(r, word); got != (word == tt.want) {
							t.Errorf("%q in %q is %v", word, r, got)
						}
					}
				}
			}
		})
	}
}

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
