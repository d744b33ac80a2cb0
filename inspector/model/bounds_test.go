package model

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// flood makes event number n of a conversation that never ends and leaves
// nothing out: many sessions, tool calls, permissions, requests that nobody
// answers, words on stderr, large bodies.
func flood(n uint64) journal.Event {
	e := journal.Event{Seq: n, Time: start.Add(time.Duration(n) * time.Millisecond), Instance: "abcde"}
	frame := func(from acp.Direction, format string, args ...any) journal.Event {
		e.Type, e.Dir, e.Form, e.Body = journal.FrameEvent, from, journal.FrameBody, fmt.Appendf(nil, format, args...)
		var f acp.Frame
		acp.Scan(e.Body, &f)
		e.Kind, e.ID, e.Method, e.Session, e.Bytes = f.Kind, f.ID, string(f.Method), string(f.Session), int64(len(e.Body))
		return e
	}
	call, name := n/16, fmt.Sprintf("s%d", n/150)
	switch n % 16 {
	case 0:
		return frame(acp.Client, `{"id":%d,"method":"session/prompt","params":{"sessionId":"%s","prompt":[]}}`, n, name)
	case 1:
		return frame(acp.Agent, `{"method":"session/update","params":{"sessionId":"%s","update":{"sessionUpdate":"tool_call","toolCallId":"c%d","title":"t%d","kind":"edit","rawInput":{"x":"%01000d"}}}}`, name, call, call, n)
	case 2:
		return frame(acp.Agent, `{"id":%d,"method":"session/request_permission","params":{"sessionId":"%s","toolCall":{"toolCallId":"c%d"},"options":[{"optionId":"a","name":"A","kind":"allow_once"}]}}`, n, name, call)
	case 3, 4:
		e.Type, e.Session, e.ID = journal.OpenedEvent, name, fmt.Append(nil, n-1)
		e.Decision = &journal.Decision{Request: fmt.Sprintf("abcde:%d", call)}
		if n%16 == 4 && call%2 == 0 {
			e.Type, e.ID, e.Decision.By, e.Decision.Outcome, e.Decision.OptionKind = journal.DecisionEvent, fmt.Append(nil, n-2), "editor", "selected", "allow_once"
		}
		return e
	case 5:
		return frame(acp.Agent, `{"id":%d,"method":"fs/write_text_file","params":{"sessionId":"%s","path":"/ws/%d","content":"%02000d"}}`, n, name, n, n)
	case 6:
		return frame(acp.Client, `{"id":%d,"result":{}}`, n-1)
	case 7:
		return frame(acp.Agent, `{"id":%d,"method":"terminal/create","params":{"sessionId":"%s","command":"c%d"}}`, n, name, n)
	case 8:
		e.Type, e.Text = journal.StderrEvent, fmt.Sprintf("%05000d", n)
		return e
	case 9:
		return frame(acp.Agent, `{"method":"session/update","params":{"sessionId":"%s","update":{"sessionUpdate":"tool_call_update","toolCallId":"c%d","status":"completed","content":[{"type":"diff","path":"/ws/%d","oldText":"a","newText":"%0500d"}]}}}`, name, call, n, n)
	case 10:
		e.Type, e.Text, e.Dir, e.Method, e.Session = journal.FlaggedEvent, "odd", acp.Agent, acp.MethodSessionUpdate, name
		return e
	}
	return frame(acp.Agent, `{"method":"session/update","params":{"sessionId":"%s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"%0100d"}}}}`, name, n)
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestMemoryIsFlat(t *testing.T) {
	// by the middle there are as many sessions and deeds as there can be
	half, room := 160_000, uint64(16<<20)
	if racing {
		half = 20_000
	}
	p := New().add("abcde")
	run := func(count int) uint64 {
		for range count {
			e := flood(p.LastSeq + 1)
			p.take(&e, nil)
		}
		return heap()
	}
	before := run(half)
	if after := run(half); after > before+room && !racing {
		t.Errorf("%d more events take %d more MiB", half, (after-before)>>20)
	}
	kept(t, p)
}

// kept says that p keeps within its bounds.
func kept(t *testing.T, p *Proxy) {
	t.Helper()
	bodies := 0
	for _, r := range p.Rows {
		bodies += r.weight()
	}
	deeds := 0
	for _, s := range p.Sessions {
		deeds += len(s.Deeds)
		if len(s.Files) > MaxFiles || len(s.book.live) > maxLive || len(s.book.loose) > maxLoose || len(s.book.terminals) > maxTerms {
			t.Errorf("session %s has %d files, %d live deeds, %d permissions, %d terminals", s.Talk.Session, len(s.Files), len(s.book.live), len(s.book.loose), len(s.book.terminals))
		}
	}
	for _, bound := range []struct {
		what     string
		got, max int
	}{
		{"rows", len(p.Rows), MaxRows},
		{"bytes of bodies", bodies, MaxBodies},
		{"open requests", len(p.Open), MaxOpen},
		{"requests waiting", len(p.mem.waiting), MaxRows},
		{"pending permissions", len(p.Pending), maxPending},
		{"closed permissions", len(p.Closed), MaxClosed},
		{"lines of stderr", len(p.Stderr), MaxStderr},
		{"warnings", len(p.Warnings), MaxStderr},
		{"sessions", len(p.Sessions), MaxNamed + 1},
		{"deeds", deeds, maxTotal},
		{"bytes of cards", p.mem.cards, maxCards + 1<<20},
	} {
		if bound.got > bound.max {
			t.Errorf("got %d %s, want at most %d", bound.got, bound.what, bound.max)
		}
	}
	if bodies != p.mem.bodies {
		t.Errorf("got %d bytes of bodies counted, want %d", p.mem.bodies, bodies)
	}
}

func TestOldBodiesGoFirst(t *testing.T) {
	p := New().add("abcde")
	body := bytes.Repeat([]byte{' '}, maxBody)
	const n = MaxBodies/maxBody + 10
	for i := range uint64(n) {
		p.take(&journal.Event{Seq: i + 1, Type: journal.FrameEvent, Dir: acp.Agent, Form: journal.RawBody, Body: body, Bytes: maxBody}, nil)
	}
	if p.Rows[9].Body != nil || p.Rows[10].Body == nil || len(p.Rows) != n {
		t.Error("it is not the oldest ten that lost their bodies")
	}
	kept(t, p)
}

func TestForgottenRowsAreCutLoose(t *testing.T) {
	p := New().add("abcde")
	var s script
	s.begin()
	s.ask(0, `{"toolCallId":"c1","title":"t","kind":"edit"}`)
	s.say(0, "yes")
	s.agent(writes, 1, "/ws/a")
	s.agent(`{"jsonrpc":"2.0","id":9,"method":"terminal/wait_for_exit","params":{"sessionId":"s1","terminalId":"t"}}`)
	for i := range s.events {
		p.take(&s.events[i], nil)
	}
	rows, o, d := p.Rows[:len(p.Rows):len(p.Rows)], p.Closed[0], p.Find("s1").Deeds[1]
	if o.Row == nil || len(d.Requests) != 1 || len(p.Open) != 3 {
		t.Fatalf("got the row %v, the requests %v, %d open", o.Row, d.Requests, len(p.Open))
	}
	for i := range uint64(MaxRows) {
		e := journal.Event{Seq: p.LastSeq + 1, Type: journal.WarningEvent, Text: fmt.Sprint(i)}
		p.take(&e, nil)
	}
	if o.Row != nil || len(d.Requests) != 0 || len(p.Open) != 0 || len(p.mem.waiting) != 0 {
		t.Errorf("got the row %v, the requests %v, %d open, %d waiting", o.Row, d.Requests, len(p.Open), len(p.mem.waiting))
	}
	for _, r := range rows {
		if r.Pair != nil || r.Body != nil || r.Permission != nil {
			t.Errorf("row %d holds on to something", r.Seq)
		}
	}
	if p.Dropped != uint64(len(rows)) || d.Who() != "ran without asking" {
		t.Errorf("got %d dropped, and %q", p.Dropped, d.Who())
	}
}

func BenchmarkAttach(b *testing.B) {
	var demo []journal.Event
	for e := range journal.Read(bytes.NewReader(recording(b, "demo"))) {
		demo = append(demo, e)
	}
	demo = demo[:len(demo)-1] // without the end
	for _, of := range []struct {
		name  string
		event func(n uint64) journal.Event
	}{
		{"demo", func(n uint64) journal.Event { return demo[(n-1)%uint64(len(demo))] }},
		{"flood", flood},
	} {
		events := make([]journal.Event, MaxRows)
		for i := range events {
			events[i] = of.event(uint64(i + 1))
			events[i].Seq = uint64(i + 1)
		}
		b.Run(of.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				New().Attach(start, control.Greeting{}, control.State{Instance: "abcde"}, events)
			}
		})
	}
}

func BenchmarkTake(b *testing.B) {
	m := New()
	m.Connecting(start, "abcde", 7)
	next := make([]control.Delta, 1)
	for n := range uint64(2 * MaxRows) {
		next[0].Event = flood(n + 1)
		m.Take("abcde", next)
	}
	events := make([]journal.Event, 4096)
	n := m.Find("abcde").LastSeq
	for i := range events {
		events[i] = flood(n + uint64(i) + 1)
	}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		n++
		next[0].Event = events[i%len(events)]
		next[0].Event.Seq = n
		m.Take("abcde", next)
		i++
	}
}
