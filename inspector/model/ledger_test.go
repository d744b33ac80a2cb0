package model

import (
	"fmt"
	"strings"
	"testing"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// ledger is that of session s1 as lines.
func ledger(p *Proxy) []string {
	var all []string
	for _, d := range p.Find("s1").Deeds {
		all = append(all, fmt.Sprintf("%s %s: %s", d.What, d.Title, d.Who()))
	}
	return all
}

const (
	edit    = `{"sessionUpdate":"tool_call","toolCallId":"%s","title":"%s","kind":"edit","status":"pending"}`
	runs    = `{"sessionUpdate":"tool_call_update","toolCallId":"%s","status":"in_progress"}`
	done    = `{"sessionUpdate":"tool_call_update","toolCallId":"%s","status":"completed"}`
	failed  = `{"sessionUpdate":"tool_call_update","toolCallId":"%s","status":"failed"}`
	writes  = `{"jsonrpc":"2.0","id":%d,"method":"fs/write_text_file","params":{"sessionId":"s1","path":"%s","content":"x"}}`
	creates = `{"jsonrpc":"2.0","id":%d,"method":"terminal/create","params":{"sessionId":"s1","command":"%s"}}`
	ok      = `{"jsonrpc":"2.0","id":%d,"result":{}}`
)

func TestLedger(t *testing.T) {
	tell := func(s *script, update string, args ...any) { s.tell(fmt.Sprintf(update, args...)) }
	tests := []struct {
		name string
		play func(s *script)
		want []string
	}{
		{"asked under its own id", func(s *script) {
			tell(s, edit, "c1", "Edit a.go")
			s.ask(0, `{"toolCallId":"c1"}`)
			s.say(0, "yes")
			tell(s, runs, "c1")
			tell(s, done, "c1")
			s.end(2)
		}, []string{"edit Edit a.go: allowed by the editor"}},
		{"waits for an answer", func(s *script) {
			tell(s, edit, "c1", "Edit a.go")
			s.ask(0, `{"toolCallId":"c1"}`)
		}, []string{"edit Edit a.go: waits for an answer"}},
		{"not asked yet", func(s *script) {
			tell(s, edit, "c1", "Edit a.go")
		}, []string{"edit Edit a.go: not asked yet"}},
		{"refused, and said to have failed", func(s *script) {
			tell(s, edit, "c1", "Edit a.go")
			s.ask(0, `{"toolCallId":"c1"}`)
			s.say(0, "no")
			tell(s, failed, "c1")
			s.end(2)
		}, []string{"edit Edit a.go: refused by the editor"}},
		{"allowed in a panel", func(s *script) {
			tell(s, edit, "c1", "Edit a.go")
			s.ask(0, `{"toolCallId":"c1"}`)
			s.panel("0", "yes", "allow_once")
			tell(s, done, "c1")
		}, []string{"edit Edit a.go: allowed in a panel (pts/4)"}},
		{"nobody answered", func(s *script) {
			tell(s, edit, "c1", "Edit a.go")
			s.ask(0, `{"toolCallId":"c1"}`)
			s.settle("0", journal.Decision{By: "timeout", Outcome: "selected", OptionID: "no", OptionKind: "reject_once"})
		}, []string{"edit Edit a.go: nobody answered"}},
		{"cancelled", func(s *script) {
			tell(s, edit, "c1", "Edit a.go")
			s.ask(0, `{"toolCallId":"c1"}`)
			s.settle("0", journal.Decision{By: "cancel", Outcome: "cancelled"})
		}, []string{"edit Edit a.go: cancelled in the editor"}},
		{"ran without asking", func(s *script) {
			tell(s, edit, "c1", "Edit a.go")
			tell(s, runs, "c1")
		}, []string{"edit Edit a.go: ran without asking"}},
		{"failed, and nobody was asked", func(s *script) {
			tell(s, edit, "c1", "Edit a.go")
			tell(s, failed, "c1")
		}, []string{"edit Edit a.go: failed, and nobody was asked"}},
		{"never ran", func(s *script) {
			tell(s, edit, "c1", "Edit a.go")
			s.end(2)
		}, []string{"edit Edit a.go: did not run"}},
		{"in progress before it asks", func(s *script) {
			tell(s, edit, "c1", "Edit a.go")
			tell(s, runs, "c1")
			s.ask(0, `{"toolCallId":"c1"}`)
			s.say(0, "yes")
			tell(s, done, "c1")
		}, []string{"edit Edit a.go: allowed by the editor"}},
		{"asked before it is announced", func(s *script) {
			s.ask(0, `{"toolCallId":"c1","title":"Edit a.go","kind":"edit"}`)
			s.say(0, "yes")
			tell(s, edit, "c1", "Edit a.go")
			tell(s, done, "c1")
		}, []string{"edit Edit a.go: allowed by the editor"}},
		{"refused, and never announced", func(s *script) {
			s.ask(0, `{"toolCallId":"c1","title":"rm x","kind":"execute"}`)
			s.say(0, "no")
			s.end(2)
		}, []string{"execute rm x: refused by the editor"}},
		{"asked under another id before, with the same title", func(s *script) {
			s.ask(0, `{"toolCallId":"permission","title":"Edit a.go","kind":"edit"}`)
			s.say(0, "yes")
			tell(s, edit, "c1", "Edit a.go")
			tell(s, done, "c1")
		}, []string{"edit Edit a.go: allowed by the editor"}},
		{"asked under another id afterwards, with the same input", func(s *script) {
			s.tell(`{"sessionUpdate":"tool_call","toolCallId":"c1","title":"bash","kind":"execute","status":"pending","rawInput":{"command":"rm x"}}`)
			s.ask(0, `{"toolCallId":"permission","title":"Run rm x","kind":"other","rawInput":{"command":"rm x"}}`)
			s.say(0, "yes")
			tell(s, done, "c1")
		}, []string{"execute bash: allowed by the editor"}},
		{"asked under one id for everything", func(s *script) {
			for i, title := range []string{"Edit a.go", "Edit b.go"} {
				s.ask(i, `{"toolCallId":"0","title":"`+title+`","kind":"edit"}`)
				s.say(i, "yes")
				tell(s, edit, "c"+title, title)
				tell(s, done, "c"+title)
			}
		}, []string{"edit Edit a.go: allowed by the editor", "edit Edit b.go: allowed by the editor"}},
		{"one permission is leave for one tool call", func(s *script) {
			s.ask(0, `{"toolCallId":"permission","title":"Edit a.go","kind":"edit"}`)
			s.say(0, "yes")
			for _, id := range []string{"c1", "c2"} {
				tell(s, edit, id, "Edit a.go")
				tell(s, done, id)
			}
		}, []string{"edit Edit a.go: allowed by the editor", "edit Edit a.go: ran without asking"}},
		{"two calls of one title, each asked for", func(s *script) {
			tell(s, edit, "c1", "write")
			tell(s, edit, "c2", "write")
			s.ask(0, `{"toolCallId":"c1"}`)
			s.say(0, "yes")
			tell(s, done, "c1")
			s.ask(1, `{"toolCallId":"c2"}`)
			s.say(1, "no")
			tell(s, failed, "c2")
		}, []string{"edit write: allowed by the editor", "edit write: refused by the editor"}},
		{"tried again after it was refused", func(s *script) {
			s.ask(0, `{"toolCallId":"permission","title":"Edit a.go","kind":"edit"}`)
			s.say(0, "no")
			tell(s, edit, "c1", "Edit a.go")
			tell(s, done, "c1")
		}, []string{"edit Edit a.go: refused by the editor", "edit Edit a.go: ran without asking"}},
		{"what was allowed in another turn is no leave in this one", func(s *script) {
			s.ask(0, `{"toolCallId":"permission","title":"Edit a.go","kind":"edit"}`)
			s.say(0, "yes")
			s.end(2)
			s.prompt(3)
			tell(s, edit, "c1", "Edit a.go")
			tell(s, done, "c1")
		}, []string{"edit Edit a.go: allowed by the editor", "edit Edit a.go: ran without asking"}},
		{"a write without a tool call", func(s *script) {
			s.agent(writes, 0, "/ws/a.go")
			s.client(ok, 0)
		}, []string{"write /ws/a.go: ran without asking"}},
		{"a write that the editor did not do", func(s *script) {
			s.agent(writes, 0, "/ws/a.go")
			s.client(`{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"no"}}`)
		}, []string{"write /ws/a.go: did not run"}},
		{"a write that bounds refuse", func(s *script) {
			s.refused(0, fmt.Sprintf(writes, 0, "/etc/passwd"))
		}, []string{"write /etc/passwd: refused by bounds"}},
		{"a tool call whose write bounds refuse", func(s *script) {
			tell(s, edit, "c1", "Edit something")
			s.refused(0, fmt.Sprintf(writes, 0, "/etc/passwd"))
			tell(s, failed, "c1")
		}, []string{"edit Edit something: refused by bounds"}},
		{"asked, written, and only then announced", func(s *script) {
			s.ask(0, `{"toolCallId":"w1","title":"Writing to a.go","kind":"edit","content":[{"type":"diff","path":"a.go","oldText":"","newText":"x"}]}`)
			s.say(0, "yes")
			s.agent(writes, 1, "/ws/a.go")
			s.client(ok, 1)
			tell(s, done, "w1")
		}, []string{"edit Writing to a.go: allowed by the editor"}},
		{"another file than the one that was allowed", func(s *script) {
			s.ask(0, `{"toolCallId":"w1","title":"Writing to a.go","kind":"edit","locations":[{"path":"/ws/a.go"}]}`)
			s.say(0, "yes")
			s.agent(writes, 1, "/ws/b.go")
			s.client(ok, 1)
		}, []string{"edit Writing to a.go: allowed by the editor", "write /ws/b.go: ran without asking"}},
		{"written although it was refused", func(s *script) {
			s.tell(`{"sessionUpdate":"tool_call","toolCallId":"w1","title":"Edit a.go","kind":"edit","status":"pending","locations":[{"path":"/ws/a.go"}]}`)
			s.ask(0, `{"toolCallId":"w1"}`)
			s.say(0, "no")
			s.agent(writes, 1, "/ws/a.go")
		}, []string{"edit Edit a.go: refused by the editor, and ran all the same"}},
		{"called completed although it was refused", func(s *script) {
			tell(s, edit, "c1", "Edit a.go")
			s.ask(0, `{"toolCallId":"c1"}`)
			s.say(0, "no")
			tell(s, done, "c1")
		}, []string{"edit Edit a.go: refused by the editor, and is said to be completed"}},
		{"a command without a tool call", func(s *script) {
			s.agent(creates, 0, "make")
		}, []string{"terminal make: ran without asking"}},
		{"a command that was allowed", func(s *script) {
			s.ask(0, `{"toolCallId":"c1","title":"make test","kind":"execute","rawInput":{"command":"make test"}}`)
			s.say(0, "yes")
			s.agent(creates, 1, "make test")
			s.client(`{"jsonrpc":"2.0","id":1,"result":{"terminalId":"t1"}}`)
			s.tell(`{"sessionUpdate":"tool_call","toolCallId":"c1","title":"make test","kind":"execute","status":"in_progress","content":[{"type":"terminal","terminalId":"t1"}]}`)
			s.agent(`{"jsonrpc":"2.0","id":2,"method":"terminal/release","params":{"sessionId":"s1","terminalId":"t1"}}`)
		}, []string{"execute make test: allowed by the editor"}},
		{"another command than the one that was allowed", func(s *script) {
			s.ask(0, `{"toolCallId":"c1","title":"make test","kind":"execute","rawInput":{"command":"make test"}}`)
			s.say(0, "yes")
			s.agent(creates, 1, "curl")
		}, []string{"execute make test: allowed by the editor", "terminal curl: ran without asking"}},
		{"another command than a word that was allowed", func(s *script) {
			s.ask(0, `{"toolCallId":"c1","title":"make","kind":"execute"}`)
			s.say(0, "yes")
			s.agent(creates, 1, "curl")
		}, []string{"execute make: allowed by the editor", "terminal curl: ran without asking"}},
		{"a command while the only tool call goes on", func(s *script) {
			s.tell(`{"sessionUpdate":"tool_call","toolCallId":"c1","title":"bash","kind":"execute","status":"in_progress"}`)
			s.agent(creates, 1, "curl")
		}, []string{"execute bash: ran without asking"}},
		{"a write while the only tool call goes on", func(s *script) {
			s.tell(`{"sessionUpdate":"tool_call","toolCallId":"c1","title":"Change things","kind":"edit","status":"in_progress"}`)
			s.agent(writes, 1, "/ws/a.go")
		}, []string{"edit Change things: ran without asking"}},
		{"a terminal that a tool call shows afterwards", func(s *script) {
			s.agent(creates, 1, "make")
			s.client(`{"jsonrpc":"2.0","id":1,"result":{"terminalId":"t1"}}`)
			s.tell(`{"sessionUpdate":"tool_call","toolCallId":"c1","title":"Build it","kind":"other","status":"in_progress","content":[{"type":"terminal","terminalId":"t1"}]}`)
		}, []string{"execute Build it: ran without asking"}},
		{"reading is no deed", func(s *script) {
			s.tell(`{"sessionUpdate":"tool_call","toolCallId":"c1","title":"Read a.go","kind":"read","status":"completed"}`)
			s.agent(`{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{"sessionId":"s1","path":"/ws/a.go"}}`)
			s.ask(2, `{"toolCallId":"c2","title":"fetch it","kind":"fetch"}`)
			s.say(2, "yes")
			s.end(2)
		}, nil},
		{"what happened long ago is no deed", func(s *script) {
			s.end(2)
			s.client(`{"jsonrpc":"2.0","id":3,"method":"session/load","params":{"sessionId":"s1","cwd":"/ws","mcpServers":[]}}`)
			s.tell(`{"sessionUpdate":"tool_call","toolCallId":"c1","title":"Edit a.go","kind":"edit","status":"completed"}`)
			s.agent(`{"jsonrpc":"2.0","id":3,"result":{}}`)
		}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var s script
			s.begin()
			test.play(&s)
			m := New()
			p := m.add("abcde")
			for i := range s.events {
				p.take(&s.events[i], nil)
			}
			got, want := strings.Join(ledger(p), "\n"), strings.Join(test.want, "\n")
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			for _, o := range p.Closed {
				if o.Row == nil || o.Row.Permission != o || o.Row.Method != acp.MethodRequestPermission {
					t.Errorf("%s is not joined to its request", o.Request)
				}
			}
		})
	}
}

func TestRequestsOfADeed(t *testing.T) {
	m := New()
	p := m.add("abcde")
	var s script
	s.begin()
	s.ask(0, `{"toolCallId":"c1","title":"make test","kind":"execute"}`)
	s.say(0, "yes")
	s.agent(creates, 1, "make test")
	s.client(`{"jsonrpc":"2.0","id":1,"result":{"terminalId":"t1"}}`)
	s.agent(`{"jsonrpc":"2.0","id":2,"method":"terminal/wait_for_exit","params":{"sessionId":"s1","terminalId":"t1"}}`)
	for i := range s.events {
		p.take(&s.events[i], nil)
	}
	d := p.Find("s1").Deeds[0]
	if len(d.Requests) != 2 || d.Requests[0].Method != acp.MethodTerminalCreate || d.Requests[1].Method != acp.MethodTerminalWaitForExit {
		t.Errorf("got %v", seqs(d.Requests))
	}
	if len(d.Asked) != 1 || d.Asked[0].Deed != d {
		t.Error("the permission is not joined to it")
	}
}
