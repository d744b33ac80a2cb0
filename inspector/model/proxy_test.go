package model

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// play is a live proxy that has told the events of a script.
func play(s *script) (*Model, *Proxy) {
	m := New()
	m.Attach(start, control.Greeting{}, state(s.events), s.events)
	return m, m.Find("abcde")
}

func texts(debts []Debt) string {
	var all []string
	for _, d := range debts {
		all = append(all, d.Text)
	}
	return strings.Join(all, "; ")
}

func TestDebts(t *testing.T) {
	tests := []struct {
		name string
		play func(s *script)
		late time.Duration // after the last event
		want string
	}{
		{"a prompt", func(*script) {}, 10 * time.Second, "agent owes session/prompt 0:10"},
		{"a prompt that lasts", func(s *script) {
			s.tell(`{"sessionUpdate":"plan","entries":[]}`)
		}, 74 * time.Second, "agent owes session/prompt 1:14; agent silent 1:14"},
		{"the editor owes a file", func(s *script) {
			s.agent(`{"jsonrpc":"2.0","id":0,"method":"fs/read_text_file","params":{"sessionId":"s1","path":"/ws/a"}}`)
		}, 3723 * time.Second, "agent owes session/prompt 1:02:03; editor owes fs/read_text_file 1:02:03"},
		{"a permission without any reaction", func(s *script) {
			s.ask(0, `{"toolCallId":"c1","title":"t"}`)
		}, 61 * time.Second, "agent owes session/prompt 1:01; editor owes session/request_permission 1:01; the editor has shown no reaction to this permission"},
		{"a permission that is new", func(s *script) {
			s.ask(0, `{"toolCallId":"c1","title":"t"}`)
		}, 41 * time.Second, "agent owes session/prompt 0:41; editor owes session/request_permission 0:41"},
		{"a permission, and the editor is alive", func(s *script) {
			s.ask(0, `{"toolCallId":"c1","title":"t"}`)
			s.client(`{"jsonrpc":"2.0","id":3,"method":"session/set_mode","params":{"sessionId":"s1","modeId":"x"}}`)
			s.agent(`{"jsonrpc":"2.0","id":3,"result":{}}`)
		}, 41 * time.Second, "agent owes session/prompt 0:41; editor owes session/request_permission 0:41"},
		{"nothing", func(s *script) { s.end(2) }, time.Hour, ""},
		{"nothing any more", func(s *script) {
			s.add(journal.Event{Type: journal.ExitEvent, Exit: &journal.Exit{}})
		}, time.Hour, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var s script
			s.begin()
			test.play(&s)
			_, p := play(&s)
			now := p.Rows[len(p.Rows)-1].Time.Add(test.late)
			if got := texts(p.Debts(now)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestRate(t *testing.T) {
	p := New().add("abcde")
	for i := range uint64(60) { // for 3 s one frame each 50 ms, every third one the editor's
		e := journal.Event{Seq: i + 1, Type: journal.FrameEvent, Dir: acp.Agent, Time: start.Add(time.Duration(i) * 50 * time.Millisecond)}
		if i%3 == 0 {
			e.Dir = acp.Client
		}
		p.take(&e, nil)
	}
	last := p.Rows[59].Time
	if in, out := p.Rate(last); in < 12 || in > 14 || out < 6 || out > 7 {
		t.Errorf("got %v in, %v out", in, out)
	}
	if in, out := p.Rate(last.Add(2 * time.Second)); in != 0 || out != 0 {
		t.Errorf("later: got %v in, %v out", in, out)
	}
}

// What a flood was too fast to tell counts, as far as it was in the last second.
func TestRateOfMissed(t *testing.T) {
	for _, test := range []struct {
		name  string
		after time.Duration
		want  float64
	}{
		{"a short hole", 100 * time.Millisecond, 5000 + 2},
		{"a long hole", 10 * time.Second, 500 + 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := New().add("abcde")
			p.take(&journal.Event{Seq: 1, Type: journal.FrameEvent, Dir: acp.Agent, Time: start}, nil)
			now := start.Add(test.after)
			p.take(&journal.Event{Seq: 5002, Type: journal.FrameEvent, Dir: acp.Agent, Time: now}, nil)
			if in, out := p.Rate(now); in != test.want || out != 0 {
				t.Errorf("got %v in, %v out, want %v and 0", in, out, test.want)
			}
		})
	}
}

func TestPairs(t *testing.T) {
	var s script
	s.begin()
	s.agent(`{"jsonrpc":"2.0","id":2,"method":"fs/read_text_file","params":{"sessionId":"s1","path":"/ws/a"}}`)
	s.client(`{"jsonrpc":"2.0","id":2,"result":{"content":""}}`)
	s.client(`{"jsonrpc":"2.0","id":"2","method":"session/list"}`)
	s.end(2)
	_, p := play(&s)
	tests := []struct{ request, response int }{{0, 1}, {2, 3}, {4, 8}, {5, 6}, {7, -1}}
	for _, test := range tests {
		request := p.Rows[test.request]
		if test.response < 0 {
			if !request.Waiting || len(p.Open) != 1 || p.Open[0] != request {
				t.Errorf("row %d does not wait", request.Seq)
			}
			continue
		}
		response := p.Rows[test.response]
		if request.Pair != response || response.Pair != request || request.Waiting || response.Method != request.Method {
			t.Errorf("rows %d and %d are no pair", request.Seq, response.Seq)
		}
		if want := response.Time.Sub(request.Time); response.Waited != want {
			t.Errorf("row %d waited %s, want %s", response.Seq, response.Waited, want)
		}
	}
	if r := p.Rows[2]; r.Session == nil || r.Session.Talk.Session != "s1" {
		t.Error("session/new is not in the session that it made")
	}
}

func TestFlags(t *testing.T) {
	var s script
	s.begin()
	flag := func(e journal.Event) { e.Type = journal.FlaggedEvent; s.add(e) }
	flag(journal.Event{Text: "the agent was started with --yolo: what it approves by itself it never asks for, and bobproxy cannot guard it"})
	s.tell(`{"sessionUpdate":"tool_call","toolCallId":"c1","title":"t","locations":[{"path":"/etc/passwd"}]}`)
	s.tell(`{"sessionUpdate":"tool_call","toolCallId":"c2","title":"t"}`)
	s.agent(creates, 5, "bobproxy")
	flag(journal.Event{Dir: acp.Agent, Method: acp.MethodTerminalCreate, ID: []byte("5"), Session: "s1", Text: "asks the editor to run a command that names bobproxy: bobproxy"})
	flag(journal.Event{Dir: acp.Agent, Method: acp.MethodSessionUpdate, Session: "s1", Text: `a tool call names "/etc/passwd", which is outside`})
	s.ask(7, `{"toolCallId":"c1","title":"t"}`)
	flag(journal.Event{Method: acp.MethodRequestPermission, ID: []byte("7"), Session: "s1", Reason: "id in use", Text: "the agent has another request open"})
	flag(journal.Event{Text: "an answer to abcde:1 was turned away: it is the agent's"})
	_, p := play(&s)
	tests := []struct {
		flagged, frame int // rows; -1: none
		reason         string
	}{
		{9, 8, "asks the editor to run a command that names bobproxy: bobproxy"},
		{10, 6, `a tool call names "/etc/passwd", which is outside`},
		{13, 11, "the agent has another request open"},
		{14, -1, ""},
	}
	recorded := New().add("abcde")
	for i := range s.events {
		recorded.take(&s.events[i], nil)
	}
	if recorded.AutoApprove != "--yolo" {
		t.Errorf("got auto-approve %q", recorded.AutoApprove)
	}
	for _, test := range tests {
		r := p.Rows[test.flagged]
		if test.frame < 0 {
			if r.About != nil {
				t.Errorf("row %d is about row %d", r.Seq, r.About.Seq)
			}
			continue
		}
		frame := p.Rows[test.frame]
		if r.About != frame || frame.Reason != test.reason {
			t.Errorf("row %d is about %v, want %d with the reason %q, got %q", r.Seq, r.About, frame.Seq, test.reason, frame.Reason)
		}
	}
}

func TestNamesAndPhases(t *testing.T) {
	m := New()
	m.Connecting(start, "abcde", 7)
	p := m.Find("abcde")
	if p.Link != Connecting || len(m.Sessions()) != 1 || m.Sessions()[0].Name() != "no session" {
		t.Errorf("got link %d and %d sessions", p.Link, len(m.Sessions()))
	}
	var s script
	s.begin()
	m.Attach(start, control.Greeting{}, state(s.events[:4]), s.events[:4])
	one := p.Find("s1")
	if len(m.Sessions()) != 1 || m.Sessions()[0] != one || one.Name() != "ws" {
		t.Fatalf("got %d sessions, the first is called %q", len(m.Sessions()), m.Sessions()[0].Name())
	}
	want := func(phase Phase, since time.Time, name string) {
		t.Helper()
		if got, at := one.State(start); got != phase || !at.Equal(since) || one.Name() != name {
			t.Errorf("got %s since %s, %q; want %s since %s, %q", got, clock(at), one.Name(), phase, clock(since), name)
		}
	}
	want(IsIdle, s.events[3].Time, "ws")
	m.Take("abcde", deltas(s.events[4:]))
	want(IsWorking, s.events[4].Time, "Fix it")
	s.tell(`{"sessionUpdate":"session_info_update","title":"Fix nil token"}`)
	s.ask(0, `{"toolCallId":"c1","title":"t"}`)
	m.Take("abcde", deltas(s.events[5:]))
	want(IsWaiting, s.events[7].Time, "Fix nil token")
	s.say(0, "no")
	s.end(2)
	m.Take("abcde", deltas(s.events[8:]))
	want(IsIdle, s.events[10].Time, "Fix nil token")
	m.Gone(start.Add(time.Hour), "abcde", "it has gone")
	want(IsGone, start.Add(time.Hour), "Fix nil token")
}

func TestFiles(t *testing.T) {
	var s script
	s.begin()
	s.tell(`{"sessionUpdate":"tool_call","toolCallId":"c1","title":"t","kind":"read","locations":[{"path":"/ws/a"},{"path":"/ws/b"}],"status":"completed"}`)
	s.tell(`{"sessionUpdate":"tool_call","toolCallId":"c2","title":"t","kind":"edit","content":[{"type":"diff","path":"/ws/a","oldText":"x\n","newText":"y\nz\n"}]}`)
	s.tell(`{"sessionUpdate":"tool_call","toolCallId":"c3","title":"t","kind":"edit","content":[{"type":"diff","path":"/ws/c","oldText":null,"newText":"y\n"}]}`)
	s.tell(`{"sessionUpdate":"tool_call_update","toolCallId":"c2","status":"completed"}`)
	s.agent(writes, 5, "/ws/d")
	_, p := play(&s)
	got := fmt.Sprint(p.Find("s1").Files)
	if want := "[{/ws/a wrote 2 1} {/ws/b read 0 0} {/ws/c proposed 1 0} {/ws/d wrote 0 0}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestCardOfAFrameThatWasCut(t *testing.T) {
	line := `{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"c1","title":"Write big","kind":"edit","content":[{"type":"diff","path":"/ws/big","newText":"` + strings.Repeat("line\\n", 20000)
	var s script
	s.begin()
	s.tell(`{"sessionUpdate":"tool_call","toolCallId":"c1","title":"Write big","kind":"edit","status":"pending"}`)
	e := s.add(journal.Event{Type: journal.FrameEvent, Dir: acp.Agent, Kind: acp.Request, ID: []byte("0"), Method: acp.MethodRequestPermission, Session: "s1", Form: journal.FrameBody, Body: []byte(line[:maxBody]), Bytes: int64(len(line) + 100)})
	s.note(journal.OpenedEvent, "0", "s1", &journal.Decision{Request: "abcde:1"})
	p := New().add("abcde")
	for i := range s.events {
		p.take(&s.events[i], nil)
	}
	o := p.Pending[0]
	if o.Title != "Write big" || o.Call != "c1" || o.Deed == nil || o.Deed.Who() != "waits for an answer" || !o.Row.Cut || len(o.Card.Content)+len(o.Card.ContentClipped) < maxBody/2 {
		t.Errorf("got %q, call %q, deed %v, cut %v (event %d)", o.Title, o.Call, o.Deed, o.Row.Cut, e.Seq)
	}
}
