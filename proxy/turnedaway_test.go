package proxy

import (
	"strings"
	"testing"

	"bobproxy/proxy/journal"
)

// However often somebody who may not answer tries to, the recording stays short
// and says how often it was.
func TestTurnedAwayForEver(t *testing.T) {
	sit(t, Policy{}, func(x *table) {
		for range 1000 {
			x.relay.noteRefused(journal.Peer{PID: 4711, Exe: "/bin/agent"}, "test:"+strings.Repeat("9", 5000), "it is below the agent")
		}
		events := x.happened(journal.FlaggedEvent)
		if n := len(events); n != 16+5 { // 32, 64, 128, 256, 512
			t.Fatalf("%d events for 1000 attempts", n)
		}
		for i, e := range events {
			if !strings.Contains(e.Text, "it is below the agent (process 4711, /bin/agent)") || len(e.Text) > 300 {
				t.Errorf("event %d says %s", i, e.Text)
			}
			if counted := strings.Contains(e.Text, "; it is number "); counted != (i >= 15) {
				t.Errorf("event %d says %s", i, e.Text)
			}
		}
		if last := events[20].Text; !strings.HasSuffix(last, "; it is number 512, and the next to be told of is number 1024") {
			t.Errorf("the last one says %s", last)
		}
	})
}
