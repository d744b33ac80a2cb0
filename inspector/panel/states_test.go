package panel

import (
	"context"
	"encoding/json"
	"time"

	"bobproxy/inspector/feed"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// states are what becomes of permissions, and what else must not be overlooked.
var states = []scene{
	{"answered-elsewhere", "50x40 100x30", func(w, h int) *show {
		return atCardOf(w, h).settled(journal.Decision{By: "editor", Outcome: "selected", OptionID: "once", HasOption: true, OptionKind: "allow_once"})
	}},
	{"lost-race", "50x40 100x30", func(w, h int) *show {
		s := atCardOf(w, h).answered(broker.Ruling{Result: broker.TooLate, By: broker.ByEditor, Option: "no", Kind: "reject_once", Text: "somebody else answered first"})
		return s.settled(journal.Decision{By: "editor", Outcome: "selected", OptionID: "no", HasOption: true, OptionKind: "reject_once"})
	}},
	{"timed-out", "50x40 100x30", func(w, h int) *show {
		return atCardOf(w, h).settled(journal.Decision{By: "timeout", Outcome: "selected", OptionID: "no", HasOption: true, OptionKind: "reject_once"})
	}},
	{"withdrawn", "50x40 100x30", func(w, h int) *show {
		return atCardOf(w, h).settled(journal.Decision{By: "cancel", Outcome: "cancelled"})
	}},
	{"sending", "100x30", func(w, h int) *show { return atCardOf(w, h).press("1").wait(200 * time.Millisecond) }},
	{"not-confirmed", "50x40 100x30", func(w, h int) *show { return atCardOf(w, h).press("1").wait(3 * time.Second) }},
	{"sent", "50x40 100x30", func(w, h int) *show {
		return atCardOf(w, h).answered(broker.Ruling{Result: broker.Applied, By: broker.ByPanel, Option: "once", Kind: "allow_once"})
	}},
	{"always", "50x40 100x30 160x45", func(w, h int) *show { return atCardOf(w, h).press("2", "a", "l") }},
	{"gone-open", "50x40 100x30", func(w, h int) *show { return newShow(w, h, cutOff).press("Enter") }},
	{"lost", "50x40 100x30", func(w, h int) *show {
		return newShow(w, h, func(p *Panel) {
			busy(p)
			p.Take(feed.Lost{Instance: "7f3a", Why: "the connection broke"}, dawn.Add(34*time.Second))
		})
	}},
	{"lost-card", "100x30", func(w, h int) *show {
		s := atCardOf(w, h)
		s.Take(feed.Lost{Instance: "7f3a", Why: "the connection broke"}, s.now)
		return s.wait(time.Second)
	}},
	{"auto-approve", "50x40 100x30", func(w, h int) *show { return newShow(w, h, unasked) }},
	{"version-2", "50x40 100x30", func(w, h int) *show { return newShow(w, h, second).press("Enter") }},
	{"signing-in", "50x40 100x30", func(w, h int) *show { return newShow(w, h, signing).press("Enter") }},
}

// atCardOf is in the card of the permission that repairing waits for, after all of
// it was read.
func atCardOf(w, h int) *show {
	s := newShow(w, h, nil)
	s.options.Decide = func(context.Context, string, int, broker.Decision) (broker.Ruling, error) {
		return s.ruling, nil
	}
	repairing().play(s.Panel)
	return s.press("p").wait(time.Second).press("G").wait(time.Second)
}

// settled has the permission end otherwise.
func (s *show) settled(d journal.Decision) *show {
	tape := repairing()
	n := len(tape.events)
	tape.at = s.now
	d.Wait = s.now.Sub(s.first().Opened)
	tape.settle(6, "sess_7f3a9c01", d)
	s.Take(feed.Happened{Instance: "7f3a", Deltas: tape.deltas()[n:]}, s.now)
	return s.look()
}

// answered allows once, and is told what became of that.
func (s *show) answered(r broker.Ruling) *show {
	s.ruling = r
	return s.act("1")
}

// cutOff is a proxy that ended while a permission was open.
func cutOff(p *Panel) {
	t := repairing()
	t.wait(time.Second).note(journal.Event{Type: journal.StderrEvent, Text: "bob: lost the connection to its service\n"})
	t.note(journal.Event{Type: journal.ExitEvent, Exit: &journal.Exit{Status: 137, Signal: "killed"}})
	t.gone(p)
}

// unasked is a session in which nobody is asked any more.
func unasked(p *Panel) {
	const s = "sess_90909005"
	t := newTape("9090", "/home/me/.npm/bin/bob acp --yolo", "/home/me/src/tools", 52000)
	t.state.AutoApprove = "--yolo"
	hello(t, "Zed", "1.5.4")
	t.client(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/home/me/src/tools","mcpServers":[]}}`)
	t.agent(`{"jsonrpc":"2.0","id":2,"result":{"sessionId":%q}}`, s)
	t.wait(2*time.Second).client(`{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":%q,"prompt":[{"type":"text","text":"Tidy the folder up"}]}}`, s)
	t.say(s, "agent_message_chunk", "I will delete what is not needed.")
	t.update(s, `"sessionUpdate":"tool_call","toolCallId":"call_1","title":"rm -rf old","kind":"execute","status":"in_progress","rawInput":{"command":"rm -rf old"}`)
	t.wait(time.Second).update(s, `"sessionUpdate":"tool_call_update","toolCallId":"call_1","status":"completed","rawOutput":{"exitCode":0}`)
	t.play(p)
}

// second is a session of version 2, in which a prompt is answered at once.
func second(p *Panel) {
	const s = "sess_22222222"
	t := newTape("v2v2", "claude-agent-acp", "/home/me/src/api", 52200)
	t.state.Protocol = 2
	t.state.Client, t.state.Agent = control.Program{Name: "zed", Title: "Zed", Version: "2.0"}, control.Program{Name: "claude", Title: "Claude Agent", Version: "0.101.0"}
	t.client(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":2,"info":{"name":"zed","title":"Zed","version":"2.0"},"capabilities":{}}}`)
	t.agent(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":2,"info":{"name":"claude","title":"Claude Agent","version":"0.101.0"},"capabilities":{"session":{"prompt":{"image":{}}}}}}`)
	t.client(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/home/me/src/api","mcpServers":[]}}`)
	t.agent(`{"jsonrpc":"2.0","id":2,"result":{"sessionId":%q,"configOptions":[{"id":"mode","name":"Mode","category":"mode","type":"select","currentValue":"default","options":[{"value":"default","name":"Manual"}]}]}}`, s)
	t.wait(3*time.Second).client(`{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":%q,"prompt":[{"type":"text","text":"Say hello in a file"}]}}`, s)
	t.update(s, `"sessionUpdate":"user_message","messageId":"m1","content":[{"type":"text","text":"Say hello in a file"}]`)
	t.agent(`{"jsonrpc":"2.0","id":3,"result":{"messageId":"m1"}}`)
	t.update(s, `"sessionUpdate":"state_update","state":"running"`)
	t.wait(time.Second).update(s, `"sessionUpdate":"tool_call_update","toolCallId":"t1","title":"Write hello.txt","kind":"edit","status":"pending","locations":[{"path":"/home/me/src/api/hello.txt"}]`)
	patch := `[{"type":"diff","changes":[{"operation":"add","path":"/home/me/src/api/hello.txt","fileType":"text"}],"patch":{"format":"git_patch","text":"--- /dev/null\n+++ /home/me/src/api/hello.txt\n@@ -0,0 +1 @@\n+hello\n"}}]`
	t.update(s, `"sessionUpdate":"tool_call_update","toolCallId":"t1","content":%s`, patch)
	t.update(s, `"sessionUpdate":"state_update","state":"requires_action"`)
	t.ask(4, control.Pending{Session: s, Title: "Write hello.txt", Kind: "edit",
		Verdict: broker.Verdict{Level: broker.LevelInside, Paths: []broker.Path{{Path: "/home/me/src/api/hello.txt", Inside: true}}},
		Content: json.RawMessage(patch), Deadline: within(2 * time.Minute), Options: usualOptions("Allow", "Allow always", "Reject")},
		`{"toolCallId":"t1","title":"Write hello.txt","kind":"edit"}`)
	t.play(p)
}

// signing is a proxy whose person has to sign in somewhere else.
func signing(p *Panel) {
	t := newTape("s1gn", "/home/me/.npm/bin/bob acp", "/home/me/src/api", 52300)
	hello(t, "Zed", "1.5.4")
	t.wait(time.Second).client(`{"jsonrpc":"2.0","id":2,"method":"authenticate","params":{"methodId":"sso"}}`)
	t.note(journal.Event{Type: journal.StderrEvent, Text: "open https://login.example.org/device and type ABCD-EFGH\n"})
	t.play(p)
}
