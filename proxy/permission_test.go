package proxy

import (
	"strings"
	"testing"
	"time"

	"bobproxy/proxy/broker"
)

// The editor's answer passes untouched, whatever its spelling.
func TestEditorAnswers(t *testing.T) {
	for _, answer := range []string{
		selects("7", "yes"),
		`{ "result" : {"outcome":{"optionId":"no","outcome":"selected"}}, "id":7 }`,
		`{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}`,
		`{"id":7,"result":{"approved":true}}`,
		`{"id":7,"result":null}`,
	} {
		sit(t, Policy{}, func(x *table) {
			x.bob(permits("7"))
			x.editorHears(permits("7"))
			if n := len(x.host.State().Pending); n != 1 {
				t.Fatalf("%d permissions are pending, want 1", n)
			}
			x.editor(answer)
			x.bobHears(answer)
			x.editorHears()
			if n := len(x.host.State().Pending); n != 0 {
				t.Errorf("%d permissions are pending after the answer", n)
			}
		})
	}
}

// The panel's answer goes to the agent, the editor's dialog is withdrawn, and
// what the editor says afterwards is kept back, once.
func TestPanelAnswers(t *testing.T) {
	sit(t, Policy{}, func(x *table) {
		x.bob(permits(`"a-1"`))
		x.editorHears(permits(`"a-1"`))
		if r := x.panel(1); r.Result != broker.Applied {
			t.Fatalf("ruling %+v", r)
		}
		x.bobHears(selects(`"a-1"`, "yes"))
		x.editorHears(withdraws(`"a-1"`))
		x.editor(selects(`"a-1"`, "no"), `{"jsonrpc":"2.0","method":"x"}`)
		x.bobHears(`{"jsonrpc":"2.0","method":"x"}`)
		got := x.decided()
		want := []string{"panel selected yes allow_once", "editor selected no reject_once late"}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("decisions %q, want %q", got, want)
		}
	})
}

// Nobody answers: the agent gets its own reject option when the time is over,
// and no sooner.
func TestNobodyAnswers(t *testing.T) {
	sit(t, Policy{PermissionTimeout: 2 * time.Second}, func(x *table) {
		x.bob(permits("3"))
		x.editorHears(permits("3"))
		x.later(2*time.Second - time.Millisecond)
		x.bobHears()
		x.later(time.Millisecond)
		x.bobHears(selects("3", "no"))
		x.editorHears(withdraws("3"))
		if got := x.decided(); len(got) != 1 || got[0] != "timeout selected no reject_once" {
			t.Errorf("decisions %q", got)
		}
		x.editor(selects("3", "yes"))
		x.bobHears()
	})
}

// Where the time-out is never, nothing happens however long it takes.
func TestNeverTimesOut(t *testing.T) {
	sit(t, Policy{PermissionTimeout: Never}, func(x *table) {
		x.bob(permits("3"))
		x.editorHears(permits("3"))
		x.later(1000 * time.Hour)
		x.bobHears()
		if p := x.host.State().Pending; len(p) != 1 || p[0].Deadline != nil {
			t.Errorf("pending: %+v", p)
		}
	})
}
