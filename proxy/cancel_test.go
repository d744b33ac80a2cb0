package proxy

import (
	"strings"
	"testing"
	"time"

	"bobproxy/proxy/broker"
)

func ends(session string) string {
	return `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"` + session + `"}}`
}

// endsAs is a request of the editor that ends what is open in a session.
func endsAs(method, session string) string {
	return `{"jsonrpc":"2.0","id":9,"method":"` + method + `","params":{"sessionId":"` + session + `"}}`
}

// What is open when the editor cancels the session leaves the panel at once. The
// editor still refuses as it likes; what it allows does not reach the agent,
// which is told cancelled, and told so after the grace in any case.
func TestSessionCancelled(t *testing.T) {
	for _, end := range []string{ends("s"), endsAs("session/close", "s"), endsAs("session/delete", "s"), `{"method":"session/cancel","params":{"sessionId":"\u0073"}}`} {
		for _, test := range []struct {
			name, says string // what the editor says; empty: nothing
			hears      string // what the agent hears at once
			recorded   []string
		}{
			{"cancelled", cancels("7"), cancels("7"), []string{"7 cancel cancelled 1s"}},
			{"an error", fails("7", -32800), fails("7", -32800), []string{"7 cancel error 1s"}},
			{"a rejection", selects("7", "no"), selects("7", "no"), []string{"7 editor selected no reject_once 1s"}},
			{"an allow", selects("7", "yes"), cancels("7"), []string{"7 cancel cancelled 1s", "7 editor selected yes allow_once 1s late"}},
			{"a lasting allow", selects("7", "ever"), cancels("7"), []string{"7 cancel cancelled 1s", "7 editor selected ever allow_always 1s late"}},
			{"an option never offered", selects("7", "?"), cancels("7"), []string{"7 cancel cancelled 1s", "7 editor selected ? 1s late"}},
			{"an old shape of yes", `{"id":7,"result":{"approved":true}}`, cancels("7"), []string{"7 cancel cancelled 1s", "7 editor unknown 1s late"}},
			{"two outcomes", `{"id":7,"result":{"outcome":{"outcome":"cancelled","outcome":"selected","optionId":"yes"}}}`, cancels("7"),
				[]string{"7 cancel cancelled 1s", "7 editor unreadable 1s late"}},
			{"an ambiguous line", `{"id":7,"id":7,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`, cancels("7"),
				[]string{"7 cancel cancelled 1s", "7 editor unreadable 1s late"}},
			{"nothing", "", "", []string{"7 cancel cancelled 2s"}},
		} {
			t.Run(test.name, func(t *testing.T) {
				attend(t, Policy{}, func(x *table) {
					x.bob(permits("7"))
					x.editorHears(permits("7"))
					request := x.open()[0].Request
					x.editor(end)
					x.bobHears(end)
					x.pending()
					if r := x.answer(broker.Decision{Request: request, Option: "yes"}); r.Result != broker.Expired || r.By != broker.ByCancel {
						t.Errorf("the panel is told %+v", r)
					}
					x.later(time.Second)
					x.bobHears()
					if test.says != "" {
						x.editor(test.says)
						x.bobHears(test.hears)
						x.editorHears()
						x.later(time.Hour)
						x.bobHears()
						x.editor(selects("7", "yes"))
						x.bobHears()
						if got := x.rulings(); strings.Join(got[:len(test.recorded)], "\n") != strings.Join(test.recorded, "\n") {
							t.Errorf("decisions %q, want %q", got, test.recorded)
						}
						return
					}
					x.later(time.Second - time.Millisecond)
					x.bobHears()
					x.later(time.Millisecond)
					x.bobHears(cancels("7"))
					x.editorHears(withdraws("7"))
					x.recorded(test.recorded...)
					x.editor(selects("7", "yes"))
					x.bobHears()
				})
			})
		}
	}
}

// Clients answer before session/cancel, right behind it, or in the same write.
func TestCancelledAnswersAroundTheCancel(t *testing.T) {
	for _, says := range [][]string{
		{cancels("1"), cancels("2"), ends("s")},
		{ends("s"), cancels("1"), cancels("2")},
		{cancels("2"), ends("s"), cancels("1")},
	} {
		attend(t, Policy{}, func(x *table) {
			x.bob(permits("1"), permits("2"))
			x.client.heard()
			x.editor(says...)
			x.bobHears(says...)
			x.later(time.Hour)
			x.bobHears()
			x.editorHears()
		})
	}
}

// A session/cancel with an id is a mistake that agents refuse: what is open
// stays open, and an allow passes.
func TestSessionCancelAsRequest(t *testing.T) {
	attend(t, Policy{}, func(x *table) {
		x.bob(permits("7"))
		x.editor(endsAs("session/cancel", "s"))
		x.bobHears(endsAs("session/cancel", "s"))
		x.bob(fails("9", -32601))
		x.later(10 * time.Second)
		x.pending("7")
		x.editor(selects("7", "yes"))
		x.bobHears(selects("7", "yes"))
	})
}

// What a session/cancel does not name it does not end.
func TestOtherSessionsGoOn(t *testing.T) {
	attend(t, Policy{}, func(x *table) {
		x.bob(permitsIn("a", "1"), permitsIn("b", "2"), permitsIn("a", "3"))
		x.editor(ends("a"))
		x.pending("2")
		x.editor(selects("2", "yes"))
		x.later(2 * time.Second)
		x.bobHears(ends("a"), selects("2", "yes"), cancels("1"), cancels("3"))
	})
	for _, odd := range []string{
		`{"method":"session/cancel"}`, `{"method":"session/cancel","params":{}}`, `{"method":"session/cancel","params":{"sessionId":7}}`,
		`{"method":"session/cancel","params":["s"]}`, ends(""), ends("S"), ends("s "),
		withdraws("7"), // it names a request of the editor's own
	} {
		attend(t, Policy{}, func(x *table) {
			x.bob(permits("7"))
			x.editor(odd)
			x.bobHears(odd)
			x.later(10 * time.Second)
			x.pending("7")
		})
	}
}

// A session does not stay cancelled: what is asked after that is asked as ever,
// before the turn has ended and in the next one.
func TestAskedAfterCancel(t *testing.T) {
	attend(t, Policy{PermissionTimeout: time.Minute}, func(x *table) {
		x.editor(ends("s"))
		x.agent.heard()
		x.bob(permits("1"))
		x.pending("1")
		x.later(10 * time.Second)
		x.editor(selects("1", "yes"))
		x.bobHears(selects("1", "yes"))
		x.client.heard()
		x.bob(permits("2"), `{"id":3,"result":{"stopReason":"cancelled"}}`, permits("4"))
		x.pending("2", "4")
		x.later(time.Minute)
		x.bobHears(selects("2", "no"), selects("4", "no"))
	})
}

// The grace counts, not what is left of the time-out, and a second cancel does
// not lengthen it.
func TestCancelAndTimeout(t *testing.T) {
	attend(t, Policy{PermissionTimeout: 10 * time.Second}, func(x *table) {
		x.bob(permits("7"))
		x.later(9 * time.Second)
		x.editor(ends("s"))
		x.later(time.Second)
		x.editor(ends("s"))
		x.bobHears(ends("s"), ends("s"))
		x.later(time.Second)
		x.bobHears(cancels("7"))
		x.recorded("7 cancel cancelled 11s")
	})
}

// What the panel answered stays answered when the session is cancelled.
func TestCancelAfterAnswer(t *testing.T) {
	attend(t, Policy{}, func(x *table) {
		x.bob(permits("7"))
		x.applied("7", broker.Decision{Option: "yes"})
		x.bobHears(selects("7", "yes"))
		x.editor(ends("s"), cancels("7"))
		x.bobHears(ends("s"))
		x.later(time.Hour)
		x.bobHears()
		x.recorded("7 panel selected yes allow_once 0s", "7 editor cancelled 0s late")
	})
}

// The agent asks again under the id of a request that waits for its cancelled:
// what allows is taken for the old one.
func TestCancelledIDComesAgain(t *testing.T) {
	attend(t, Policy{}, func(x *table) {
		x.bob(permits("7"))
		x.editor(ends("s"))
		x.agent.heard()
		x.bob(permitsIn("other", "7"))
		x.editor(selects("7", "yes"))
		x.bobHears(cancels("7"))
		x.pending("7")
		x.editor(selects("7", "yes"))
		x.bobHears(selects("7", "yes"))
		x.pending()
	})
}

// Of two requests under one id one is cancelled and left unanswered: the other
// gets a clock, since what the editor says may be for the first.
func TestOneOfTwoIsCancelled(t *testing.T) {
	attend(t, Policy{PermissionTimeout: Never}, func(x *table) {
		x.bob(permits("7"), permitsIn("other", "7"))
		x.editor(ends("s"))
		x.later(broker.Grace)
		x.bobHears(ends("s"), cancels("7"))
		x.editorHears(permits("7"), permitsIn("other", "7")) // a withdrawal could be taken for the other's
		x.later(2*time.Minute - time.Millisecond)
		x.bobHears()
		x.later(time.Millisecond)
		x.bobHears(selects("7", "no"))
	})
}

// A session id that comes again has nothing of the old session's requests.
func TestDeletedSessionComesAgain(t *testing.T) {
	attend(t, Policy{}, func(x *table) {
		x.opens("s", t.TempDir())
		x.bob(permits("7"))
		x.editor(endsAs("session/delete", "s"))
		x.bob(`{"id":9,"result":{}}`)
		x.pending()
		x.opens("s", t.TempDir())
		x.pending()
		x.bob(permits("8"))
		x.pending("8")
		x.editor(selects("7", "yes"))
		x.bobHears(cancels("7"))
		x.editor(selects("8", "yes"))
		x.bobHears(selects("8", "yes"))
	})
}

// The agent takes its question back: that leaves the panel. What the editor
// answers passes, whatever it is, and after the grace the agent gets cancelled.
func TestAgentWithdraws(t *testing.T) {
	for _, together := range []bool{false, true} {
		for _, test := range []struct{ says, recorded string }{
			{fails("3", -32800), "3 agent error 0s"},
			{cancels("3"), "3 agent cancelled 0s"},
			{selects("3", "yes"), "3 agent selected yes allow_once 0s"},
			{"", "3 agent cancelled 2s"},
		} {
			attend(t, Policy{}, func(x *table) {
				if together {
					x.bob(permits("3"), withdraws("3"))
				} else {
					x.bob(permits("3"))
					x.bob(withdraws("3"))
				}
				x.editorHears(permits("3"), withdraws("3"))
				x.pending()
				if r := x.answer(broker.Decision{Request: "test:1", Option: "yes"}); r.Result != broker.Expired || r.By != broker.ByAgent {
					t.Errorf("the panel is told %+v", r)
				}
				if test.says != "" {
					x.editor(test.says)
					x.bobHears(test.says)
				} else {
					x.later(2*time.Second - time.Millisecond)
					x.bobHears()
					x.later(time.Millisecond)
					x.bobHears(cancels("3"))
				}
				x.later(time.Hour)
				x.editorHears()
				x.editor(selects("3", "yes"))
				x.bobHears()
				if got := x.rulings(); got[0] != test.recorded || len(got) != 2 || !strings.HasSuffix(got[1], "late") {
					t.Errorf("decisions %q, want %q and a late one", got, test.recorded)
				}
			})
		}
	}
}

// The editor hears of the end of its dialog once: from the proxy, or from the
// agent. What the proxy does not know passes.
func TestWithdrawnOnce(t *testing.T) {
	attend(t, Policy{}, func(x *table) {
		x.bob(permits("3"))
		x.applied("3", broker.Decision{Deny: true})
		x.editorHears(permits("3"), withdraws("3"))
		x.bob(withdraws("3"))
		x.editorHears()
		x.bob(withdraws("4"), withdraws(`"3"`), `{"method":"$/cancel_request"}`)
		x.editorHears(withdraws("4"), withdraws(`"3"`), `{"method":"$/cancel_request"}`)
	})
	attend(t, Policy{KeepDialogs: true}, func(x *table) {
		x.bob(permits("3"))
		x.applied("3", broker.Decision{Deny: true})
		x.editorHears(permits("3"))
		x.bob(withdraws("3"))
		x.editorHears(withdraws("3"))
		x.bob(withdraws("3"))
		x.editorHears()
	})
}

// Cancelled by the editor and withdrawn by the agent, in either order: an allow
// does not pass.
func TestCancelledAndWithdrawn(t *testing.T) {
	for _, editorFirst := range []bool{true, false} {
		attend(t, Policy{}, func(x *table) {
			x.bob(permits("3"))
			if editorFirst {
				x.editor(ends("s"))
				x.bob(withdraws("3"))
			} else {
				x.bob(withdraws("3"))
				x.editor(ends("s"))
			}
			x.editorHears(permits("3"), withdraws("3"))
			x.agent.heard()
			x.editor(selects("3", "yes"))
			x.bobHears(cancels("3"))
			x.recorded("3 cancel cancelled 0s", "3 editor selected yes allow_once 0s late")
		})
	}
}

// A line of the editor that peers read differently: what names a settled
// request is kept back, what names an open one settles it and passes.
func TestUnclearAnswers(t *testing.T) {
	unclear := `{"id":7,"id":7,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`
	attend(t, Policy{}, func(x *table) {
		x.bob(permits("7"))
		x.editor(unclear)
		x.bobHears(unclear)
		x.pending()
		x.editor(unclear, selects("7", "yes"))
		x.bobHears()
		if got := x.rulings(); len(got) != 3 || got[0] != "7 editor unreadable 0s" {
			t.Errorf("decisions %q", got)
		}
	})
	attend(t, Policy{}, func(x *table) {
		x.bob(permits("7"))
		x.applied("7", broker.Decision{Deny: true})
		x.bobHears(selects("7", "no"))
		x.editor(unclear)
		x.bobHears()
	})
}
