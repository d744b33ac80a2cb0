package model

import (
	"fmt"
	"slices"
	"testing"
)

func TestCoveredByWhatWasAllowedForAlways(t *testing.T) {
	const options = `[{"optionId":"yes","name":"Yes","kind":"allow_once"},{"optionId":"always","name":"Always","kind":"allow_always"},{"optionId":"never","name":"Never","kind":"reject_always"}]`
	tell := func(s *script, update string, args ...any) { s.tell(fmt.Sprintf(update, args...)) }
	ask := func(s *script, id int, call, option string) {
		tell(s, edit, call, "Edit "+call)
		s.agent(`{"jsonrpc":"2.0","id":%d,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"%s"},"options":%s}}`, id, call, options)
		s.say(id, option)
		tell(s, done, call)
	}
	for _, test := range []struct {
		name string
		play func(s *script)
		want []string
	}{
		{"allowed for always", func(s *script) {
			ask(s, 0, "c1", "always")
			tell(s, edit, "c2", "Edit b.go")
			tell(s, done, "c2")
		}, []string{"edit Edit c1: allowed by the editor", "edit Edit b.go: covered by allow_always of #7"}},
		{"allowed once", func(s *script) {
			ask(s, 0, "c1", "yes")
			tell(s, edit, "c2", "Edit b.go")
			tell(s, done, "c2")
		}, []string{"edit Edit c1: allowed by the editor", "edit Edit b.go: ran without asking"}},
		{"a write without a tool call", func(s *script) {
			ask(s, 0, "c1", "always")
			s.agent(writes, 9, "/ws/other.go")
			s.client(ok, 9)
		}, []string{"edit Edit c1: allowed by the editor", "write /ws/other.go: covered by allow_always of #7"}},
		{"another kind", func(s *script) {
			ask(s, 0, "c1", "always")
			s.tell(`{"sessionUpdate":"tool_call","toolCallId":"c2","title":"rm","kind":"execute","status":"completed"}`)
		}, []string{"edit Edit c1: allowed by the editor", "execute rm: ran without asking"}},
		{"before it was allowed", func(s *script) {
			tell(s, edit, "c2", "Edit b.go")
			tell(s, done, "c2")
			ask(s, 0, "c1", "always")
			tell(s, done, "c2")
		}, []string{"edit Edit b.go: ran without asking", "edit Edit c1: allowed by the editor"}},
		{"refused for always since", func(s *script) {
			ask(s, 0, "c1", "always")
			ask(s, 1, "c2", "never")
			tell(s, edit, "c3", "Edit b.go")
			tell(s, done, "c3")
		}, []string{"edit Edit c1: allowed by the editor", "edit Edit c2: refused by the editor, and is said to be completed", "edit Edit b.go: ran without asking"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var s script
			s.begin()
			test.play(&s)
			p := New().add("abcde")
			for i := range s.events {
				p.take(&s.events[i], nil)
			}
			if got := ledger(p); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
