//go:build unix

package proxy

import (
	"testing"

	"bobproxy/proxy/journal"
)

// What waits says when nobody has told of its session. A child session of the
// agent's is known, although it is not among the client's.
func TestSessionsOfWhatWaits(t *testing.T) {
	for _, tt := range []struct {
		session string
		want    bool
	}{{"s", false}, {"child", false}, {"stray", true}, {"", false}} {
		t.Run(tt.session, func(t *testing.T) {
			dwell(t, Policy{}, func(x *tenant) {
				x.does(newS, madeS, child("s", "child", ""))
				x.bob(asks4("7", `"sessionId":"`+tt.session+`","toolCall":{"toolCallId":"c","kind":"execute"},"options":[{"optionId":"n","kind":"reject_once","name":"No"}]`))
				open := x.host.State().Pending
				if len(open) != 1 || open[0].SessionUnknown != tt.want {
					t.Errorf("pending: %+v, want unknown %v", open, tt.want)
				}
			})
		})
	}
}

// An option whose id is empty is recorded as one that was selected, and what
// selects none is not.
func TestEmptyOptionIsRecorded(t *testing.T) {
	answer := func(result string) func(*tenant) {
		return func(x *tenant) { x.editor(`{"jsonrpc":"2.0","id":7,"result":{"outcome":{` + result + `}}}`) }
	}
	for _, tt := range []struct {
		name   string
		answer func(*tenant)
		want   bool
	}{
		{"empty", answer(`"outcome":"selected","optionId":""`), true},
		{"a panel", func(x *tenant) { x.panel(0) }, true},
		{"none", answer(`"outcome":"selected"`), false},
		{"a number", answer(`"outcome":"selected","optionId":7`), false},
		{"cancelled", answer(`"outcome":"cancelled"`), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dwell(t, Policy{}, func(x *tenant) {
				x.does(newS, madeS)
				x.bob(asks4("7", `"sessionId":"s","toolCall":{"toolCallId":"c","kind":"execute"},"options":[{"optionId":"","kind":"reject_once","name":"No"}]`))
				tt.answer(x)
				all := x.happened(journal.DecisionEvent)
				if len(all) != 1 || all[0].Decision.OptionID != "" || all[0].Decision.HasOption != tt.want {
					t.Errorf("decided: %+v, want an option: %v", all[0].Decision, tt.want)
				}
			})
		})
	}
}

// An answer that is kept back is recorded with its request's session, as one
// that passes is.
func TestSwallowedAnswersNameTheirSession(t *testing.T) {
	dwell(t, Policy{}, func(x *tenant) {
		x.does(newS, `< {"jsonrpc":"2.0","id":1,"result":{"sessionId":"\u0073<\"é"}}`)
		x.bob(permitsIn(`s<\"é`, "7"))
		x.panel(0)
		x.editor(selects("7", "yes"))
		swallows := 0
		for _, e := range x.happened(journal.FrameEvent) {
			if e.Action != swallowed {
				continue
			}
			if swallows++; e.Session != `s<"é` || e.Method != "session/request_permission" {
				t.Errorf("it is said to be of session %q, method %q", e.Session, e.Method)
			}
		}
		if swallows != 1 {
			t.Errorf("%d answers were swallowed, want 1", swallows)
		}
	})
}
