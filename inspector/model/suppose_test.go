package model

import (
	"fmt"
	"strings"
	"testing"

	"bobproxy/proxy/journal"
)

// frames are the events of s that are frames, as a recording of a program that
// tells of nothing else.
func (s *script) frames() []journal.Event {
	var all []journal.Event
	for _, e := range s.events {
		if e.Type == journal.FrameEvent {
			e.Seq = uint64(len(all) + 1)
			all = append(all, e)
		}
	}
	return all
}

func TestFramesAloneTellWhoWasAsked(t *testing.T) {
	tell := func(s *script, update string, args ...any) { s.tell(fmt.Sprintf(update, args...)) }
	asked := func(s *script) {
		tell(s, edit, "c1", "Edit a.go")
		s.ask(0, `{"toolCallId":"c1"}`)
	}
	tests := []struct {
		name string
		play func(s *script)
		want string
	}{
		{"allowed", func(s *script) {
			asked(s)
			s.say(0, "yes")
			tell(s, done, "c1")
			s.end(2)
		}, "edit Edit a.go: allowed by the editor"},
		{"refused", func(s *script) {
			asked(s)
			s.say(0, "no")
			tell(s, failed, "c1")
			s.end(2)
		}, "edit Edit a.go: refused by the editor"},
		{"cancelled", func(s *script) {
			asked(s)
			s.client(`{"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"cancelled"}}}`)
		}, "edit Edit a.go: cancelled by the editor"},
		{"answered with an error", func(s *script) {
			asked(s)
			s.client(`{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"no"}}`)
		}, "edit Edit a.go: refused by the editor"},
		{"answered by what the proxy added", func(s *script) {
			asked(s)
			s.panel("0", "yes", "allow_once")
			tell(s, done, "c1")
		}, "edit Edit a.go: allowed by proxy"},
		{"ran while nobody had answered", func(s *script) {
			asked(s)
			tell(s, done, "c1")
		}, "edit Edit a.go: the proxy ended first, and is said to be completed"},
		{"never asked", func(s *script) {
			tell(s, edit, "c1", "Edit a.go")
			tell(s, done, "c1")
		}, "edit Edit a.go: ran without asking"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var s script
			s.begin()
			test.play(&s)
			m := New()
			p, err := m.ReadEvents("frames", func(yield func(journal.Event, error) bool) {
				for _, e := range s.frames() {
					if !yield(e, nil) {
						return
					}
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(ledger(p), "\n"); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if len(p.Pending) > 0 {
				t.Errorf("%d permissions still wait", len(p.Pending))
			}
		})
	}
}

// TestDecisionCorrectsWhatWasConcluded loses the event that a permission was
// opened: what is concluded from the answer on the wire gives way to the
// decision.
func TestDecisionCorrectsWhatWasConcluded(t *testing.T) {
	var s script
	s.begin()
	s.tell(fmt.Sprintf(edit, "c1", "Edit a.go"))
	s.ask(0, `{"toolCallId":"c1"}`)
	s.say(0, "yes")
	s.tell(fmt.Sprintf(done, "c1"))
	p := New().add("abcde")
	for i := range s.events {
		if s.events[i].Type != journal.OpenedEvent {
			p.take(&s.events[i], nil)
		}
	}
	if len(p.Closed) != 1 || p.Closed[0].Request != "abcde:1" || p.Closed[0].Who() != "allowed by the editor" || len(p.Closed[0].Late) > 0 {
		t.Errorf("got %d permissions, the first %+v", len(p.Closed), p.Closed[0])
	}
	if got := strings.Join(ledger(p), "\n"); got != "edit Edit a.go: allowed by the editor" {
		t.Errorf("the ledger says %s", got)
	}
}

// TestEmptyDecisionsTellNothing reads events that say no more than that they are
// about a permission.
func TestEmptyDecisionsTellNothing(t *testing.T) {
	var s script
	s.begin()
	s.tell(fmt.Sprintf(edit, "c1", "Edit a.go"))
	s.ask(0, `{"toolCallId":"c1"}`)
	s.say(0, "no")
	p := New().add("abcde")
	for i := range s.events {
		if s.events[i].Decision != nil {
			s.events[i].Decision = &journal.Decision{}
		}
		p.take(&s.events[i], nil)
	}
	if got := strings.Join(ledger(p), "\n"); got != "edit Edit a.go: refused by the editor" {
		t.Errorf("the ledger says %s", got)
	}
	for _, r := range p.Rows {
		if r.Type == journal.DecisionEvent && r.Decision != nil {
			t.Errorf("row %d has the decision %+v", r.Seq, r.Decision)
		}
	}
}
