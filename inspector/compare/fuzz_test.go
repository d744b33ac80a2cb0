package compare_test

import (
	"strings"
	"testing"

	"bobproxy/acp/clean"
	"bobproxy/inspector/compare"
)

// FuzzCompare: nothing that was recorded breaks it, and nothing differs from
// itself.
func FuzzCompare(f *testing.F) {
	f.Add(usual.text(), usual.text())
	f.Add(`{"dir":"client","frame":{"id":1,"method":"initialize","params":{"a":{"b":[1,{"id":"x"},[]]}}}}`, `{"dir":"agent","frame":{"id":1,"result":{"a":[{"id":"x","name":"n"}]}}}`)
	f.Add(`{"dir":"agent","frame":{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","status":"completed"}}}}`, "")
	f.Fuzz(func(t *testing.T, a, b string) {
		if r := diff(a, a, compare.Options{Texts: true}); len(r.Differences) > 0 {
			t.Errorf("it differs from itself: %+v", r.Differences)
		}
		r := diff(a, b, compare.Options{})
		for line := range strings.Lines(r.Text("a", "b", compare.Look{Width: 60})) {
			if !clean.Is(strings.TrimSuffix(line, "\n")) {
				t.Errorf("not clean: %q", line)
			}
		}
		for _, d := range r.Differences {
			if d.Change == compare.Changed && len(d.Fields) == 0 {
				t.Errorf("nothing differs in %+v", d)
			}
		}
	})
}
