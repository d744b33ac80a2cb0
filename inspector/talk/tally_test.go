package talk_test

import (
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/talk"
)

// asking is a session with a question for an edit, and one for a call that
// belongs to no ledger.
func asking() *builder {
	b := newBuilder()
	e := b.tool(0, 1, "completed", "edit", "the deed")
	b.deed(e, model.Allowed, b.settle(b.ask(e, 1, 0), "editor", 1, time.Second))
	other := b.tool(2, 1, "failed", "other", "Update the to-do list")
	b.settle(b.ask(other, 2, 0), "editor", 3, time.Second)
	return b
}

func summary(b *builder, width int) string {
	return paint.Text(screen(width, 30, func(a paint.Area) { talk.Summarize(a.W, b.s, seenBy(b.m, 20)).Draw(a) }))
}

func TestTheSummaryCountsPermissions(t *testing.T) {
	for _, tt := range []struct {
		name  string
		make  func() *builder
		width int
		want  string
	}{
		{"in the row of the tools", asking, 33, " 2 tools · 1 failed · 2 asked\n"},
		{"in a row of its own", asking, 28, " 2 tools · 1 failed\n 2 asked\n"},
		{"one that waits", func() *builder { b := asking(); b.ask(nil, 5, 0); return b }, 33, " · 3 asked\n"},
		{"of no tool", func() *builder { b := newBuilder(); b.ask(nil, 5, 0); return b }, 33, " 1 asked\n"},
		{"more than are kept", func() *builder {
			b := newBuilder()
			for range model.MaxClosed {
				b.settle(b.ask(nil, 5, 0), "editor", 1, time.Second)
			}
			return b
		}, 33, " 200+ asked\n"},
		{"another session's", func() *builder {
			b := asking()
			b.ask(nil, 5, 0).Session = &model.Session{}
			return b
		}, 33, " · 2 asked\n"},
	} {
		if got := summary(tt.make(), tt.width); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q is not in\n%s", tt.name, tt.want, got)
		}
	}
	if got := summary(newBuilder(), 33); strings.Contains(got, "asked") {
		t.Errorf("nothing was asked:\n%s", got)
	}
}

func TestTheLedgerSaysWhatItDoesNotCount(t *testing.T) {
	got := strings.Join(rows(infoOf(asking()), 66, 30, seenBy(asking().m, 20)), "\n")
	for _, want := range []string{"1 of 1 asked, none unasked", "asked besides, for what is none of these: 1"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}
