package proxy

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

func request(id, method string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{"sessionId":"s"}}`
}

func result(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":{}}` }

// The time-out is what the policy says, and what panels are told of it holds.
func TestPermissionTimeouts(t *testing.T) {
	for _, test := range []struct {
		policy time.Duration
		want   time.Duration
	}{
		{0, 2 * time.Minute}, {2 * time.Second, 2 * time.Second}, {330 * time.Second, 330 * time.Second}, {time.Millisecond, time.Millisecond},
		{100 * time.Hour, 100 * time.Hour},
	} {
		t.Run(test.want.String(), func(t *testing.T) {
			attend(t, Policy{PermissionTimeout: test.policy}, func(x *table) {
				opened := time.Now()
				x.bob(permits("7"))
				p := x.open()[0]
				if p.Deadline == nil || !p.Deadline.Equal(opened.Add(test.want)) || !p.Opened.Equal(opened) {
					t.Errorf("opened at %v, the deadline is %v, want %v after %v", p.Opened, p.Deadline, test.want, opened)
				}
				x.later(test.want - time.Microsecond)
				x.bobHears()
				x.later(time.Microsecond)
				x.bobHears(selects("7", "no"))
				x.recorded("7 timeout selected no reject_once " + test.want.String())
			})
		})
	}
}

// What a panel that comes later sees is the time that is left.
func TestDeadlineStands(t *testing.T) {
	attend(t, Policy{}, func(x *table) {
		x.bob(permits("7"))
		first := *x.open()[0].Deadline
		x.later(90 * time.Second)
		if again := *x.open()[0].Deadline; !again.Equal(first) || time.Until(again) != 30*time.Second {
			t.Errorf("the deadline has become %v from %v", again, first)
		}
	})
}

// What nobody answered is told apart from what somebody denied, although the
// agent hears the same.
func TestNobodyIsNotADenial(t *testing.T) {
	attend(t, Policy{PermissionTimeout: 10 * time.Second}, func(x *table) {
		x.bob(permits("1"), permits("2"), permits("3"))
		x.later(time.Second)
		x.applied("2", broker.Decision{Deny: true})
		x.later(9 * time.Second)
		x.bobHears(selects("2", "no"), selects("1", "no"), selects("3", "no"))
		x.editorHears(permits("1"), permits("2"), permits("3"), withdraws("2"), withdraws("1"), withdraws("3"))
		events := x.happened(journal.DecisionEvent)
		var got []string
		for _, e := range events {
			got = append(got, ruling(e)+" "+e.Text)
		}
		want := []string{
			"2 panel selected no reject_once 1s ",
			"1 timeout selected no reject_once 10s nobody answered",
			"3 timeout selected no reject_once 10s nobody answered",
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("decisions %q, want %q", got, want)
		}
	})
}

// A request that nobody answers in time gets an error, on either side, and what
// is answered later is kept back once.
func TestRequestTimeout(t *testing.T) {
	late := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32603,"message":"no answer within 30s (bobproxy)","data":{"reason":"timeout","source":"bobproxy"}}}`
	}
	attend(t, Policy{RequestTimeout: 30 * time.Second, Bounds: Off}, func(x *table) {
		x.editor(request("1", "session/list"), request(`"x"`, "session/set_mode"))
		x.bob(request("1", "fs/read_text_file"), request("2", "_ext/thing"))
		x.bobHears(request("1", "session/list"), request(`"x"`, "session/set_mode"))
		x.editorHears(request("1", "fs/read_text_file"), request("2", "_ext/thing"))
		x.later(10 * time.Second)
		x.bob(result(`"x"`))
		x.editor(result("2"))
		x.editorHears(result(`"x"`))
		x.bobHears(result("2"))
		x.later(20*time.Second - time.Millisecond)
		x.editorHears()
		x.bobHears()
		x.later(time.Millisecond)
		x.editorHears(late("1"))
		x.bobHears(late("1"))
		x.later(time.Hour)
		x.bob(result("1"))
		x.editor(fails("1", -32603))
		x.editorHears()
		x.bobHears()
		var kept []string
		for _, e := range x.happened(journal.FrameEvent) {
			if e.Action != "" {
				kept = append(kept, fmt.Sprintf("%s %s %s %s", e.Dir, e.ID, e.Action, e.Reason))
			}
		}
		if strings.Join(kept, "\n") != "agent 1 swallowed its request ran out of time\nclient 1 swallowed its request ran out of time" {
			t.Errorf("kept back %q", kept)
		}
		x.bob(result("1")) // once
		x.editorHears(result("1"))
	})
}

// What takes as long as a person or a process takes has no such limit, and
// without the setting nothing has.
func TestNoRequestTimeout(t *testing.T) {
	for method, from := range map[string]acp.Direction{
		"session/prompt": acp.Client, "authenticate": acp.Client, "auth/login": acp.Client,
		"session/request_permission": acp.Agent, "terminal/wait_for_exit": acp.Agent, "elicitation/create": acp.Agent,
	} {
		t.Run(method, func(t *testing.T) {
			attend(t, Policy{RequestTimeout: time.Second, PermissionTimeout: Never}, func(x *table) {
				if from == acp.Client {
					x.editor(request("1", method))
				} else {
					x.bob(request("1", method))
				}
				x.client.heard()
				x.agent.heard()
				x.later(100 * time.Hour)
				x.bobHears()
				x.editorHears()
			})
		})
	}
	attend(t, Policy{Bounds: Off}, func(x *table) {
		x.editor(request("1", "session/list"))
		x.bob(request("1", "fs/read_text_file"))
		x.client.heard()
		x.agent.heard()
		x.later(100 * time.Hour)
		x.bobHears()
		x.editorHears()
	})
}

// A request that was refused has its answer already.
func TestRefusedRequestHasNoTimeout(t *testing.T) {
	attend(t, Policy{RequestTimeout: time.Second}, func(x *table) {
		x.bob(reads("1", "s", "/etc/passwd"))
		if n := len(x.agent.heard()); n != 1 {
			t.Fatalf("the agent hears %d lines", n)
		}
		x.later(time.Hour)
		x.bobHears()
	})
}

// The id of a request that ran out comes again: the first reply is the old one's.
func TestTimedOutIDComesAgain(t *testing.T) {
	attend(t, Policy{RequestTimeout: 10 * time.Second}, func(x *table) {
		x.editor(request("1", "session/list"))
		x.later(10 * time.Second)
		x.editor(request("1", "session/list"))
		x.client.heard()
		x.bob(fails("1", -1), result("1"))
		x.editorHears(result("1"))
	})
}

// A turn that runs out of time is cancelled as the editor would cancel it, and
// what is open in its session is settled; nothing else is.
func TestPromptTimeout(t *testing.T) {
	prompt := func(id, session string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"session/prompt","params":{"sessionId":"` + session + `","prompt":[]}}`
	}
	attend(t, Policy{PromptTimeout: time.Minute}, func(x *table) {
		x.editor(prompt("1", "s"), prompt("2", "other"))
		x.later(30 * time.Second)
		x.bob(permits("1"), permitsIn("other", "2"), permits("3"))
		x.bob(`{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}`)
		x.client.heard()
		x.agent.heard()
		x.later(30*time.Second - time.Millisecond)
		x.bobHears()
		x.later(time.Millisecond)
		x.bobHears(ends("s"), cancels("1"), cancels("3"))
		x.editorHears(withdraws("1"), withdraws("3"))
		x.pending("2")
		x.recorded("1 timeout cancelled 30s", "3 timeout cancelled 30s")
		x.editor(selects("1", "yes"), fails("3", -32800), selects("2", "yes"))
		x.bobHears(selects("2", "yes"))
		x.later(time.Hour)
		x.bobHears()
		x.editorHears()
		x.bob(`{"jsonrpc":"2.0","id":1,"result":{"stopReason":"cancelled"}}`)
		x.editorHears(`{"jsonrpc":"2.0","id":1,"result":{"stopReason":"cancelled"}}`)
		x.editor(prompt("4", "s"))
		x.agent.heard()
		x.bob(permits("5"))
		x.pending("5")
		x.later(time.Minute)
		x.bobHears(ends("s"), cancels("5"))
	})
	attend(t, Policy{PromptTimeout: time.Minute}, func(x *table) { // the token as it was spelled
		x.editor(prompt("1", `\u0073`))
		x.bob(permits("1"))
		x.agent.heard()
		x.later(time.Minute)
		x.bobHears(ends(`\u0073`), cancels("1"))
	})
	attend(t, Policy{}, func(x *table) { // not unless it is asked for
		x.editor(prompt("1", "s"))
		x.agent.heard()
		x.later(100 * time.Hour)
		x.bobHears()
	})
}

// In version 2 a prompt is answered at once, and its turn lasts until the agent
// says that it is idle.
func TestPromptTimeoutVersion2(t *testing.T) {
	state := func(state string) string {
		return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"` + state + `"}}}`
	}
	prompted := func(x *table) {
		x.opens("s", "/tmp")
		x.editor(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":2}}`)
		x.bob(`{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":2}}`)
		x.editor(request("1", "session/prompt"))
		x.agent.heard()
	}
	for _, says := range [][]string{
		{state("running"), result("1")},
		{result("1"), tells(`"toolCallId":"c"`), state("running"), state("requires_action")},
	} {
		attend(t, Policy{PromptTimeout: time.Minute}, func(x *table) {
			prompted(x)
			x.bob(says...)
			x.bob(permits("7"))
			x.later(time.Minute)
			x.bobHears(ends("s"), cancels("7"))
			x.later(time.Hour)
			x.bobHears()
		})
		attend(t, Policy{PromptTimeout: time.Minute}, func(x *table) {
			prompted(x)
			x.bob(says...)
			x.later(30 * time.Second)
			x.bob(state("idle"))
			x.editor(request("2", "session/prompt")) // the next turn has its own minute
			x.agent.heard()
			for _, line := range says {
				x.bob(strings.Replace(line, `"id":1`, `"id":2`, 1))
			}
			x.later(time.Minute - time.Millisecond)
			x.bobHears()
			x.later(time.Millisecond)
			x.bobHears(ends("s"))
		})
	}
	for _, says := range []string{result("1"), fails("1", -32603)} { // and nothing is heard of a turn
		attend(t, Policy{PromptTimeout: time.Minute}, func(x *table) {
			prompted(x)
			x.bob(says)
			x.later(time.Hour)
			x.bobHears()
		})
	}
}

// The session/cancel that the proxy adds is in the recording as ours, and so is
// why.
func TestPromptTimeoutIsRecorded(t *testing.T) {
	attend(t, Policy{PromptTimeout: time.Minute}, func(x *table) {
		x.editor(request("1", "session/prompt"))
		x.later(time.Minute)
		events := x.happened(journal.FrameEvent, journal.FlaggedEvent)
		var got []string
		for _, e := range events {
			got = append(got, fmt.Sprintf("%s %s %s %s %t %s", e.Type, e.Dir, e.Method, e.Session, e.Added, e.Text))
		}
		want := []string{
			"frame client session/prompt s false ",
			"flagged client session/prompt s false the turn ran out of time and is cancelled",
			"frame client session/cancel s true ",
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("recorded\n  %s", strings.Join(got, "\n  "))
		}
	})
}

// The limit of sessions counts those that are open or under way.
func TestMaxSessionsCounts(t *testing.T) {
	dir := t.TempDir()
	opening := func(id, method, session string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"session/` + method + `","params":{"sessionId":"` + session + `","cwd":"` + dir + `","mcpServers":[]}}`
	}
	attend(t, Policy{MaxSessions: 2}, func(x *table) {
		passes := func(line string) {
			t.Helper()
			x.editor(line)
			x.bobHears(line)
		}
		full := func(line string) {
			t.Helper()
			x.editor(line)
			x.bobHears()
			if got := x.client.heard(); len(got) != 1 || !strings.Contains(got[0], `"code":-32602`) || !strings.Contains(got[0], "max-sessions") {
				t.Errorf("the editor hears %q", got)
			}
		}
		said := func(line string) {
			t.Helper()
			x.bob(line)
			x.editorHears(line)
		}
		passes(opening("1", "new", ""))
		passes(opening("2", "new", ""))
		full(opening("3", "new", ""))
		said(`{"jsonrpc":"2.0","id":1,"result":{"sessionId":"a"}}`)
		said(fails("2", -32603))
		passes(opening("4", "load", "b"))
		said(`{"jsonrpc":"2.0","id":4,"result":null}`)
		passes(opening("5", "load", "a"))
		said(result("5"))
		full(opening("6", "load", "c"))
		full(opening("7", "fork", "a"))
		passes(request("8", "session/prompt"))
		passes(endsAs("session/close", "a"))
		said(result("9"))
		passes(opening("10", "resume", "c"))
	})
}

// The proxy stood still past a time-out: nobody is refused before anybody could
// look, and the recording says so.
func TestStandstill(t *testing.T) {
	policy := Policy{PermissionTimeout: 3 * time.Second, RequestTimeout: 20 * time.Second, PromptTimeout: 20 * time.Second}
	attend(t, policy, func(x *table) {
		x.editor(request("1", "session/prompt"))
		x.bob(permits("1"), request("2", "_ext/x"))
		x.bob(permitsIn("gone", "3"))
		x.editor(ends("gone"))
		x.client.heard()
		x.agent.heard()

		l := &x.relay.ledger
		standStill(x, 21*time.Second)
		x.bobHears()
		l.resumed(time.Now(), 20*time.Second)
		l.expire(time.Now())
		synctest.Wait()
		x.bobHears()
		x.editorHears()
		x.pending("1")
		if d := time.Until(*x.open()[0].Deadline); d != broker.Look {
			t.Errorf("%v are left, want %v", d, broker.Look)
		}
		var warned []string
		for _, e := range x.happened(journal.WarningEvent) {
			warned = append(warned, e.Text)
		}
		if len(warned) != 1 || !strings.Contains(warned[0], "20s") {
			t.Errorf("warned %q", warned)
		}
		restart(x)
		x.later(broker.Grace)
		x.bobHears(cancels("3"))
		x.editorHears(withdraws("3"))
		x.later(broker.Look - broker.Grace)
		heard := x.agent.heard()
		if len(heard) != 3 || heard[0] != selects("1", "no") {
			t.Errorf("the agent hears %q, want a rejection, an error and session/cancel", heard)
		}
	})
}

// The proxy stops right behind a request, before the clock has heard of it: that
// is a standstill like any other.
func TestStandstillBeforeTheClock(t *testing.T) {
	attend(t, Policy{PermissionTimeout: 3 * time.Second}, func(x *table) {
		standStill(x, 0)
		x.bob(permits("1"))
		x.later(10 * time.Second)
		restart(x)
		x.bobHears()
		x.pending("1")
		if got := x.happened(journal.WarningEvent); len(got) != 1 || !strings.Contains(got[0].Text, "10s") {
			t.Errorf("warned %+v", got)
		}
		x.editor(selects("1", "yes"))
		x.bobHears(selects("1", "yes"))
	})
}

// A clock that is only a little late does not count as one that stood still.
func TestClockIsPunctual(t *testing.T) {
	attend(t, Policy{PermissionTimeout: time.Hour, RequestTimeout: time.Minute}, func(x *table) {
		x.bob(permits("1"))
		x.later(59 * time.Minute)
		x.editor(request("2", "session/list"))
		x.later(time.Hour)
		if got := x.happened(journal.WarningEvent); len(got) > 0 {
			t.Errorf("warned %q", got[0].Text)
		}
	})
}

// standStill stops the clock for a time.
func standStill(x *table, d time.Duration) {
	close(x.relay.stopClock)
	x.later(d)
}

// restart lets the clock go on, for rise to stop it.
func restart(x *table) {
	stop := make(chan struct{})
	x.relay.stopClock = stop
	x.clock.Go(func() { x.relay.ledger.runClock(stop) })
	x.relay.ledger.wakeClock(time.Now())
	synctest.Wait()
}
