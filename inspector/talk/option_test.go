package talk_test

import (
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
	"bobproxy/inspector/talk"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// answers are ways in which a permission was settled with the first option.
var answers = map[string]func(b *builder, p *model.Permission){
	"the editor": func(b *builder, p *model.Permission) { b.settle(p, "editor", 1, 43*time.Second) },
	"this panel": func(b *builder, p *model.Permission) {
		b.settle(p, "panel", 1, 43*time.Second).Decision.Peer = &journal.Peer{PID: self, TTY: "/dev/pts/1"}
	},
	"another panel": func(b *builder, p *model.Permission) {
		b.settle(p, "panel", 1, 43*time.Second).Decision.Peer = &journal.Peer{PID: 9, TTY: "/dev/pts/1"}
	},
	"a command": func(b *builder, p *model.Permission) {
		b.settle(p, "command", 1, 43*time.Second).Decision.Peer = &journal.Peer{PID: 9, TTY: "/dev/pts/11"}
	},
	"the time-out": func(b *builder, p *model.Permission) { b.settle(p, "timeout", 1, 43*time.Second) },
}

// TestAnOptionIsNeverBroken draws an answer at all widths from the one of a
// narrow panel on. Its option stands in one row, and how long it took is in the
// last one.
func TestAnOptionIsNeverBroken(t *testing.T) {
	const chosen = "1 Yes, run once"
	for name, settle := range answers {
		t.Run(name, func(t *testing.T) {
			for width := 40; width <= 170; width++ {
				b := newBuilder()
				e := b.tool(0, 1, "completed", "execute", "the deed")
				settle(b, b.ask(e, 1, 0))
				all := rows(timelineOf(b), width, 20, seenBy(b.m, 60))
				at := -1
				for i, r := range all {
					if strings.Contains(r, chosen) {
						at = i
					}
				}
				if at < 0 {
					t.Fatalf("at %d cells the option is cut or broken:\n%s", width, strings.Join(all, "\n"))
				}
				if name != "the time-out" && !strings.Contains(all[at], " 43.0s") {
					t.Errorf("at %d cells the time is not behind the option:\n%s", width, strings.Join(all, "\n"))
				}
			}
		})
	}
}

// TestTheLedgerKeepsTheOption does the same for a line of the ledger.
func TestTheLedgerKeepsTheOption(t *testing.T) {
	for name, settle := range answers {
		t.Run(name, func(t *testing.T) {
			for width := 44; width <= 170; width++ {
				b := newBuilder()
				e := b.tool(0, 1, "completed", "execute", "the deed")
				p := b.ask(e, 1, 0)
				settle(b, p)
				b.deed(e, model.Allowed, p)
				i := talk.NewInfo()
				i.Self = self
				i.Show(b.s)
				if all := strings.Join(rows(i, width, 20, seenBy(b.m, 60)), "\n"); !strings.Contains(all, "1 Yes, run once") {
					t.Fatalf("at %d cells the option is cut:\n%s", width, all)
				}
			}
		})
	}
}

func TestWhatWasDoneGoesBeforeWhatItIsCalled(t *testing.T) {
	tests := []struct {
		name  string
		make  func(b *builder)
		want  []string // in the timeline and in the ledger
		never string
	}{
		{"a command", func(b *builder) {
			e := b.tool(0, 1, "completed", "execute", "rig")
			e.Tool.Input = []byte(`{"command":"echo b > /ws/b.txt"}`)
			b.deed(e, model.Unasked)
		}, []string{"echo b > /ws/b.txt  ", "execute"}, ""},
		{"files of one call", func(b *builder) {
			e := b.tool(0, 1, "completed", "edit", "Write many", "/home/me/src/api/a.go", "/home/me/src/api/b.go", "/home/me/src/api/c.go")
			e.Tool.Added, e.Tool.Removed, e.Tool.Diffs = 6, 3, 3
			b.deed(e, model.Unasked)
		}, []string{"a.go and 2 more files", "+6 −3"}, "a.go +2"},
		{"a long path", func(b *builder) {
			b.deed(b.tool(0, 1, "completed", "edit", "Write", "/tmp/some/where/that/is/very/long/indeed/and/goes/on/retrybudget.go"), model.Unasked)
		}, []string{"/retrybudget.go"}, "retryb…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, width := range []int{66, 100, 160} {
				b := newBuilder()
				tt.make(b)
				i := talk.NewInfo()
				i.Show(b.s)
				for _, all := range [][]string{rows(timelineOf(b), width, 20, seenBy(b.m, 60)), rows(i, width, 20, seenBy(b.m, 60))} {
					got := strings.Join(all, "\n")
					for _, want := range tt.want {
						if !strings.Contains(got, want) {
							t.Errorf("at %d cells %q is not in\n%s", width, want, got)
						}
					}
					if tt.never != "" && strings.Contains(got, tt.never) {
						t.Errorf("at %d cells %q is in\n%s", width, tt.never, got)
					}
				}
			}
		})
	}
}

func TestWhatWasDoneIsCopied(t *testing.T) {
	b := newBuilder()
	p := b.ask(nil, 0, 0)
	p.Title, p.Kind, p.Card.Command = "Tidy up", "execute", "rm -r build"
	tl := timelineOf(b)
	c := seenBy(b.m, 9)
	rows(tl, 80, 20, c)
	if got := copied(tl.Do(keys.Copy, c)); got != "rm -r build" {
		t.Errorf("the timeline copies %q", got)
	}
	e := b.tool(0, 1, "completed", "execute", "rig")
	e.Tool.Input = []byte(`{"command":"make \"all\""}`)
	b.deed(e, model.Unasked)
	i := talk.NewInfo()
	i.Show(b.s)
	rows(i, 80, 20, c)
	i.Do(keys.Down, c)
	if got := copied(i.Do(keys.Copy, c)); got != `make "all"` {
		t.Errorf("the ledger copies %q", got)
	}
}

func copied(wishes []pane.Wish) string {
	for _, w := range wishes {
		if c, ok := w.(pane.Copied); ok {
			return c.Text
		}
	}
	return ""
}

// TestALongOptionHidesNobody draws a line of the ledger whose option has a name
// that hardly fits: the name is cut, and who answered stays.
func TestALongOptionHidesNobody(t *testing.T) {
	for _, tt := range []struct {
		width int
		want  string
	}{
		{160, "asked, allowed in panel pts/10: 1 Yes " + strings.Repeat("A", 60)},
		{100, "asked, allowed in another panel (pts/10): 1 Yes AAAAAAAAAAAAAAAA"},
		{66, "asked, allowed in panel pts/10: 1 Yes AAAAAAAAAAAAAAAA"},
		{50, "allowed in panel pts/10: 1 Yes AAAAAAA…"},
		{44, "allowed in panel pts/10: 1 Yes"},
	} {
		b := newBuilder()
		e := b.tool(0, 1, "completed", "execute", "the deed")
		p := b.ask(e, 1, 0)
		p.Card.Options = []control.Option{{Number: 1, ID: "once", Name: "Yes " + strings.Repeat("A", 60), Kind: "allow_once"}}
		b.settle(p, "panel", 1, 17600*time.Millisecond).Decision.Peer = &journal.Peer{PID: 9, TTY: "/dev/pts/10"}
		b.deed(e, model.Allowed, p)
		got := strings.Join(rows(infoOf(b), tt.width, 20, seenBy(b.m, 60)), "\n")
		if !strings.Contains(got, tt.want) || !strings.Contains(got, "17.6s") {
			t.Errorf("at %d cells %q and the time are not in\n%s", tt.width, tt.want, got)
		}
	}
}
