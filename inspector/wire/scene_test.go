package wire

import (
	"fmt"
	"strings"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

var noon = time.Date(2026, 9, 30, 12, 4, 2, 112e6, time.UTC)

// story is a talk that is being written, as the model would have it.
type story struct {
	proxy   *model.Proxy
	session *model.Session
	now     time.Time
	open    map[string]*model.Row
}

func newStory() *story {
	p := &model.Proxy{Instance: "7f3a"}
	s := &model.Session{Proxy: p, Talk: &session.Talk{Session: "sess_7f3a9c01", Title: "Fix nil token panic"}}
	p.Sessions = []*model.Session{s}
	return &story{proxy: p, session: s, now: noon, open: map[string]*model.Row{}}
}

func (s *story) context() pane.Context {
	return pane.Context{Now: s.now, Focus: true, Home: "/home/me"}
}

func (s *story) wait(d time.Duration) { s.now = s.now.Add(d) }

// add adds a row.
func (s *story) add(r model.Row) *model.Row {
	s.proxy.LastSeq++
	r.Proxy, r.Seq, r.Time = s.proxy, s.proxy.LastSeq, s.now
	if r.Type == "" {
		r.Type = journal.FrameEvent
	}
	if r.Session == nil {
		r.Session = s.session
	}
	if r.Body != nil && r.Size == 0 {
		r.Size = int64(len(r.Body))
	}
	s.proxy.Rows = append(s.proxy.Rows, &r)
	return &r
}

func (s *story) request(from acp.Direction, method, id string, size int64, first string) *model.Row {
	r := s.add(model.Row{From: from, Kind: acp.Request, Method: method, ID: id, Size: size, First: first, Waiting: true})
	s.open[from.String()+id] = r
	return r
}

func (s *story) answer(from acp.Direction, id string, size int64, first string) *model.Row {
	asked := s.open[from.Peer().String()+id]
	r := s.add(model.Row{From: from, Kind: acp.Response, Method: asked.Method, ID: id, Size: size, First: first, Pair: asked, Waited: s.now.Sub(asked.Time)})
	asked.Pair, asked.Waiting = r, false
	return r
}

func (s *story) update(variant string, size int64, first, run string) *model.Row {
	return s.add(model.Row{From: acp.Agent, Kind: acp.Notification, Method: acp.MethodSessionUpdate, Update: variant,
		Size: size, First: first, Run: run, Chunk: strings.HasSuffix(variant, "_chunk")})
}

func (s *story) other(of journal.Type, text string) *model.Row {
	return s.add(model.Row{Type: of, Text: text})
}

const permissionBody = `{"jsonrpc":"2.0","id":5,"method":"session/request_permission","params":{"sessionId":"sess_7f3a9c01",` +
	`"toolCall":{"toolCallId":"call_0042","title":"Edit src/auth/token.go","kind":"edit",` +
	`"content":[{"type":"diff","path":"/home/me/src/api/src/auth/token.go","oldText":"a","newText":"b"}],` +
	`"locations":[{"path":"/home/me/src/api/src/auth/token.go","line":42}],` +
	`"rawInput":{"path":"/home/me/src/api/src/auth/token.go","note":"line one\nline two \u001b[31m red","key":"[masked]","limit":1e3}},` +
	`"options":[{"optionId":"o1","name":"Yes, apply this edit","kind":"allow_once"},{"optionId":"o2","name":"Yes, always","kind":"allow_always"},{"optionId":"o3","name":"No","kind":"reject_once"}]}}`

// talk is the talk of the examples.
func talk() *story {
	s := newStory()
	s.add(model.Row{Type: journal.StartEvent, Text: "bob acp", Session: nobody})
	s.request(acp.Client, "initialize", "1", 861, "Zed 1.5.4 · fs rw · terminal")
	s.wait(402 * time.Millisecond)
	s.answer(acp.Agent, "1", 1638, "Bob 2.0.8 · loadSession")
	s.wait(16 * time.Millisecond)
	s.request(acp.Client, "session/new", "2", 289, "~/src/api · 0 mcp servers")
	s.wait(1250 * time.Millisecond)
	s.answer(acp.Agent, "2", 2150, "sess_7f3a9c01 · 4 modes")
	s.update("available_commands_update", 6144, "12 commands", "")
	s.wait(11 * time.Second)
	for i := range 3 {
		s.add(model.Row{From: acp.Client, Kind: acp.Request, Method: acp.MethodSessionSetConfigOption, ID: fmt.Sprint(3 + i), Size: 170, Run: "settings"})
	}
	s.request(acp.Client, "session/prompt", "6", 309, "The login crashes with a nil token. Fix it.")
	s.wait(time.Second)
	for i := range 18 {
		s.update("agent_thought_chunk", 182, strings.Fields("I should look at where tokens are parsed and whether one of them can be nil when it has expired.")[i]+" ", "thought")
	}
	s.wait(2 * time.Second)
	for i := range 42 {
		s.update("agent_message_chunk", 193, fmt.Sprintf("word%d ", i), "message")
	}
	s.wait(time.Second)
	s.update("tool_call", 412, "call_0041 read token.go", "")
	s.request(acp.Agent, "fs/read_text_file", "4", 198, "src/auth/token.go")
	s.wait(9 * time.Millisecond)
	s.answer(acp.Client, "4", 4505, "package auth\n\nimport \"time\"")
	s.wait(time.Second)
	for range 3 {
		s.update("tool_call_update", 375, "call_0041 read token.go", "call_0041 completed").Status = "completed"
	}
	s.update("tool_call_update", 375, "call_0040 execute make", "").Status = "failed"
	s.add(model.Row{Type: journal.StderrEvent, Text: "warning: \x1b[33mslow\x1b[0m disk, 12 ms\n", Session: nobody})
	refused := s.request(acp.Agent, "fs/write_text_file", "7", 2048, "/etc/hosts")
	refused.Action, refused.Reason = "refused", "/etc/hosts is outside of the workspace"
	no := s.answer(acp.Client, "7", 120, "outside of the workspace")
	no.Kind, no.Added, no.By = acp.Error, true, "bounds"
	s.add(model.Row{Type: journal.GapEvent, Text: "312 events were not told", Session: nobody})
	s.add(model.Row{From: acp.Agent, Kind: acp.Text, Size: 31, Reason: "no JSON object", Body: []byte("Listening on \xff\xfe port 80\ttab\x1b[2J")})
	odd := s.update("agent_message_chunk", 210, "half an emoji", "")
	odd.Reason = "a string holds half of a character"
	s.wait(7 * time.Second)
	s.update("tool_call", 2355, "call_0042 edit token.go", "")
	s.wait(28 * time.Millisecond)
	ask := s.request(acp.Agent, "session/request_permission", "5", 2662, "edit · 3 options")
	ask.Body, ask.Masked = []byte(permissionBody), 1
	deadline := s.now.Add(60 * time.Second)
	ask.Permission = &model.Permission{Proxy: s.proxy, Session: s.session, Title: "Edit src/auth/token.go", Kind: "edit", Frame: ask.Seq, Request: "7f3a:1",
		Opened: s.now, Card: &control.Pending{Deadline: &deadline, Options: []control.Option{{Number: 1, Name: "Yes, apply this edit", Kind: "allow_once"}}}}
	opened := s.other(journal.OpenedEvent, "")
	opened.Permission, opened.Method = ask.Permission, ask.Method
	s.wait(8 * time.Second)
	return s
}

// nobody is the session of what belongs to none.
var nobody = &model.Session{Talk: &session.Talk{}}

// settle lets the panel answer the permission.
func (s *story) settle() {
	ask := s.open["agent5"]
	ask.Permission.Decision = &journal.Decision{By: "panel", Outcome: "selected", OptionID: "o1", HasOption: true, OptionKind: "allow_once",
		Wait: 8 * time.Second, Request: "7f3a:1", Peer: &journal.Peer{PID: 4242, Exe: "/usr/bin/bobproxy", TTY: "pts/4"}}
	r := s.other(journal.DecisionEvent, "")
	r.Permission, r.Decision = ask.Permission, ask.Permission.Decision
	yes := s.answer(acp.Client, "5", 96, "selected o1")
	yes.Added, yes.By = true, "panel"
}
