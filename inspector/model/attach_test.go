package model

import (
	"bytes"
	"testing"
	"time"

	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// conversations are event sequences without a hole.
func conversations(t *testing.T) map[string][]journal.Event {
	all := map[string][]journal.Event{"script": talk().events}
	for _, name := range []string{"demo", "answers"} {
		for e, err := range journal.Read(bytes.NewReader(recording(t, name))) {
			if err != nil {
				t.Fatal(err)
			}
			e.Instance = "abcde"
			all[name] = append(all[name], e)
		}
	}
	return all
}

// talk is a conversation with a bit of everything.
func talk() *script {
	var s script
	s.add(journal.Event{Type: journal.StartEvent, Start: &journal.Start{Command: []string{"bob", "acp"}, PID: 7, Cwd: "/ws", Version: "1"}})
	s.begin()
	s.tell(`{"sessionUpdate":"session_info_update","title":"Fix nil token"}`)
	s.tell(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Let me "}}`)
	s.tell(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"see."}}`)
	s.tell(`{"sessionUpdate":"tool_call","toolCallId":"c1","title":"Edit a.go","kind":"edit","status":"pending","content":[{"type":"diff","path":"/ws/a.go","oldText":"a\n","newText":"b\nc\n"}]}`)
	s.ask(0, `{"toolCallId":"c1"}`)
	s.add(journal.Event{Type: journal.StderrEvent, Text: "thinking"})
	s.panel("0", "yes", "allow_once")
	s.line(1, `{"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"selected","optionId":"no"}}}`, func(e *journal.Event) {
		e.Action, e.Reason = "swallowed", "settled before by panel"
	})
	s.agent(`{"jsonrpc":"2.0","id":1,"method":"fs/write_text_file","params":{"sessionId":"s1","path":"/ws/a.go","content":"b\nc\n"}}`)
	s.client(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	s.tell(`{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed"}`)
	s.ask(2, `{"toolCallId":"c2","title":"rm -rf build","kind":"execute","rawInput":{"command":"rm -rf build"}}`)
	s.ask(3, `{"toolCallId":"c3","title":"rm -rf x","kind":"execute"}`)
	s.add(journal.Event{Type: journal.WarningEvent, Text: "disk is full"})
	s.say(3, "no")
	s.settle("2", journal.Decision{By: "timeout", Outcome: "selected", OptionID: "no", HasOption: true, OptionKind: "reject_once"})
	s.line(1, `{"jsonrpc":"2.0","id":2,"result":{"outcome":{"outcome":"selected","optionId":"no"}}}`, func(e *journal.Event) { e.Added = true })
	s.tell(`{"sessionUpdate":"tool_call","toolCallId":"c4","title":"ls","kind":"execute","status":"in_progress"}`)
	s.end(2)
	s.client(`{"jsonrpc":"2.0","id":3,"method":"session/close","params":{"sessionId":"s1"}}`)
	s.agent(`{"jsonrpc":"2.0","id":3,"result":{}}`)
	s.add(journal.Event{Type: journal.ExitEvent, Exit: &journal.Exit{Status: 1}})
	return &s
}

func whole(events []journal.Event) string {
	m := New()
	m.Attach(start, control.Greeting{}, state(events), events)
	return dump(m)
}

func TestAttachAnywhereIsTheWhole(t *testing.T) {
	for name, events := range conversations(t) {
		t.Run(name, func(t *testing.T) {
			want := whole(events)
			for k := range len(events) + 1 {
				m := New()
				m.Attach(start, control.Greeting{}, state(events[:k]), events[:k])
				m.Take("abcde", deltas(events[k:]))
				same(t, dump(m), want)
			}
		})
	}
}

func TestAttachAgainIsTheWhole(t *testing.T) {
	for name, events := range conversations(t) {
		t.Run(name, func(t *testing.T) {
			want := whole(events)
			for k := 1; k <= len(events); k += 3 {
				for _, from := range []int{0, k / 2, k} {
					m := New()
					m.Connecting(start, "abcde", 7)
					m.Attach(start, control.Greeting{}, state(events[:k]), events[:k])
					m.Lost(start, "abcde", "cut loose")
					m.Attach(start, control.Greeting{}, state(events), events[from:])
					same(t, dump(m), want)
				}
			}
		})
	}
}

func TestReadIsTheWhole(t *testing.T) {
	for name, events := range conversations(t) {
		t.Run(name, func(t *testing.T) {
			m := New()
			p := m.add("abcde")
			for i := range events {
				p.take(&events[i], nil)
			}
			p.Link = Live
			same(t, dump(m), whole(events))
		})
	}
}

func TestAHoleIsARow(t *testing.T) {
	events := talk().events
	m := New()
	m.Attach(start, control.Greeting{}, state(events[:10]), events[:10])
	m.Attach(start, control.Greeting{}, state(events), events[15:])
	p := m.Find("abcde")
	r := p.Rows[10]
	if p.Missed != 5 || r.Type != journal.GapEvent || r.Seq != 11 || r.Text != "5 events were not told" {
		t.Errorf("got %d missed and the row %d %s %q", p.Missed, r.Seq, r.Type, r.Text)
	}
	if n := len(p.Rows); n != len(events)-5+1 {
		t.Errorf("got %d rows", n)
	}
}

func TestLateAttachTakesWhatTheStateTells(t *testing.T) {
	s := talk()
	const asked = 13 // events: c1 is asked for, and waits
	now := state(s.events[:asked])
	m := New()
	m.Attach(start, control.Greeting{}, now, s.events[asked-2:asked])
	p := m.Find("abcde")
	one := p.Find("s1")
	if one == nil || one.Name() != "Fix nil token" || one.Cwd != "/ws" {
		t.Fatalf("got the session %+v", one)
	}
	if phase, _ := one.State(start); phase != IsWaiting {
		t.Errorf("got the phase %s", phase)
	}
	if p.Client.Name != "zed" || p.Protocol != 1 || p.Dropped != asked-2 || p.Unheard != asked-2 || p.Missed != 0 || one.Begun {
		t.Errorf("got %v, protocol %d, %d dropped, %d unheard, %d missed, begun %v", p.Client, p.Protocol, p.Dropped, p.Unheard, p.Missed, one.Begun)
	}
	if w := m.Waiting(); len(w) != 1 || w[0].Request != "abcde:1" || w[0].Card == nil {
		t.Errorf("got %d waiting", len(w))
	}
	m.Take("abcde", deltas(s.events[asked:]))
	if d := p.Closed[0]; d.Who() != "allowed in a panel (pts/4)" || one.Talk.Running || !one.Closed {
		t.Errorf("got %q, running %v, closed %v", d.Who(), one.Talk.Running, one.Closed)
	}
}

// A session that began after the first event that was told lacks nothing.
func TestWhatBeganLaterIsBegun(t *testing.T) {
	events := talk().events
	m := New()
	m.Attach(start, control.Greeting{}, state(events), events[1:])
	p := m.Find("abcde")
	if one := p.Find("s1"); p.Unheard != 1 || !one.Begun {
		t.Errorf("got %d unheard, begun %v", p.Unheard, one.Begun)
	}
}

func TestStateTellsOfWhatIsStillToCome(t *testing.T) {
	s := talk()
	const opened = 11
	if s.events[opened].Type != journal.OpenedEvent {
		t.Fatalf("event %d is a %s", opened+1, s.events[opened].Type)
	}
	m := New()
	m.Attach(start, control.Greeting{}, state(s.events[:opened+1]), s.events[:opened-1])
	if n := len(m.Waiting()); n != 1 {
		t.Fatalf("got %d waiting, want the one of the state", n)
	}
	m.Take("abcde", deltas(s.events[opened-1:opened+1]))
	o := m.Waiting()[0]
	if len(m.Waiting()) != 1 || o.Seq != opened+1 || o.Frame != opened || o.Row == nil || o.Call != "c1" || o.Deed == nil {
		t.Errorf("got %+v", o)
	}
}

func TestSettledUnseen(t *testing.T) {
	s := talk()
	const asked = 13 // events: c1 is asked for, and waits
	m := New()
	m.Attach(start, control.Greeting{}, state(s.events[:asked]), s.events[:asked])
	m.Lost(start, "abcde", "cut loose")
	if len(m.Waiting()) != 1 {
		t.Error("a permission is not shown while its proxy is dialed again")
	}
	later := state(s.events[:asked])
	later.Pending = nil
	m.Attach(start.Add(time.Minute), control.Greeting{}, later, nil)
	p := m.Find("abcde")
	if len(p.Pending) != 0 || len(p.Closed) != 1 || p.Closed[0].Who() != "settled while nobody looked" {
		t.Fatalf("got %d pending, closed %v", len(p.Pending), p.Closed)
	}
	m.Take("abcde", deltas(s.events[asked:]))
	if o := p.Closed[0]; o.Unknown || o.Who() != "allowed in a panel (pts/4)" {
		t.Errorf("the decision came after all: got %q", o.Who())
	}
}

func TestGoneEndsWhatWaits(t *testing.T) {
	s := talk()
	const asked = 13 // events: c1 is asked for, and waits
	m := New()
	m.Attach(start, control.Greeting{}, state(s.events[:asked]), s.events[:asked])
	m.Gone(start.Add(time.Minute), "abcde", "the proxy has gone")
	p := m.Find("abcde")
	if len(m.Waiting()) != 0 || !p.Closed[0].Ended || p.Closed[0].Who() != "the proxy ended first" || p.LinkText != "the proxy has gone" {
		t.Errorf("got %d waiting and %q", len(m.Waiting()), p.Closed[0].Who())
	}
	if phase, since := p.Sessions[0].State(start); phase != IsGone || !since.Equal(start.Add(time.Minute)) {
		t.Errorf("got %s since %s", phase, since)
	}
	m.Attach(start.Add(time.Hour), control.Greeting{}, state(s.events[:asked]), s.events[:asked])
	if len(m.Proxies) != 1 || len(m.Waiting()) != 1 || p.Link != Live {
		t.Errorf("it was there after all: got %d proxies, %d waiting, link %d", len(m.Proxies), len(m.Waiting()), p.Link)
	}
	other := state(s.events[:asked])
	other.PID, other.Started = 8, start.Add(time.Hour)
	m.Gone(start, "abcde", "")
	m.Attach(start, control.Greeting{}, other, nil)
	if len(m.Proxies) != 2 || m.Find("abcde") == p {
		t.Error("another proxy of that name is taken for the one that ended")
	}
	m.Drop(p)
	if len(m.Proxies) != 1 {
		t.Error("it was not dropped")
	}
}
