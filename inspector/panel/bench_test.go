package panel

import (
	"fmt"
	"testing"
	"time"

	"bobproxy/inspector/feed"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

const (
	crowdProxies = 10
	crowdEach    = 5 // sessions a proxy
)

// long is a proxy's talk of so many events. It has a few sessions, of which so
// many are used, in turn.
func long(instance string, events, used int) *tape {
	t := newTape(instance, "/home/me/.npm/bin/bob acp", "/home/me/src/api", 51234)
	hello(t, "Zed", "1.5.4")
	for i := range crowdEach {
		t.client(`{"jsonrpc":"2.0","id":%d,"method":"session/new","params":{"cwd":"/home/me/src/api","mcpServers":[]}}`, 2+i)
		t.agent(`{"jsonrpc":"2.0","id":%d,"result":{"sessionId":%q}}`, 2+i, sessionOf(instance, i))
	}
	for n := 100; len(t.events) < events; n++ {
		t.turn(n, sessionOf(instance, n%used))
	}
	return t
}

func sessionOf(instance string, i int) string { return fmt.Sprintf("sess_%s%04d", instance, i) }

// turn is a prompt, and what an agent usually does about it.
func (t *tape) turn(n int, session string) {
	call := fmt.Sprintf("call_%04d", n)
	t.wait(time.Second).client(`{"jsonrpc":"2.0","id":%d,"method":"session/prompt","params":{"sessionId":%q,"prompt":[{"type":"text","text":"The login crashes with a nil token. Fix it."}]}}`, n, session)
	t.say(session, "agent_thought_chunk", "The panic must come from Expired being called on a token that was never set, so I look for its callers first.")
	t.update(session, `"sessionUpdate":"tool_call","toolCallId":%q,"title":"Edit src/auth/token.go","kind":"edit","status":"in_progress","locations":[{"path":%q,"line":42}]`, call, tokenGo)
	t.agent(`{"jsonrpc":"2.0","id":%d,"method":"fs/read_text_file","params":{"sessionId":%q,"path":%q}}`, n, session, tokenGo)
	t.client(`{"jsonrpc":"2.0","id":%d,"result":{"content":%s}}`, n, quote(oldToken))
	t.update(session, `"sessionUpdate":"tool_call_update","toolCallId":%q,"status":"completed","content":[{"type":"diff","path":%q,"oldText":%s,"newText":%s}]`, call, tokenGo, quote(oldToken), quote(newToken))
	t.say(session, "agent_message_chunk", "The panic comes from calling Expired() on a nil *Token in middleware.go:88. I will guard it and keep the zero-value meaning \"expired\".")
	t.agent(`{"jsonrpc":"2.0","id":%d,"result":{"stopReason":"end_turn"}}`, n)
}

// attached is the message of a proxy that is found after all that was told.
func (t *tape) attached() feed.Attached {
	return feed.Attached{Greeting: control.Greeting{Instance: t.state.Instance, PID: t.state.PID, Answers: "all"}, State: t.state, Events: t.events}
}

// crowd is ten proxies with five sessions each, one of them with as many rows as
// are kept, and one permission that waits. It gives the full one.
func crowd(p *Panel) *tape {
	for i := range crowdProxies - 1 {
		t := long(fmt.Sprintf("%04x", i), 1000, crowdEach)
		p.Take(t.attached(), t.at)
	}
	full := long("7f3a", model.MaxRows-2, 1)
	full.events = full.events[:model.MaxRows-2]
	s := sessionOf("7f3a", 0)
	full.ask(5, control.Pending{Session: s, Title: "go test ./auth", Kind: "execute", Verdict: broker.Verdict{Level: broker.LevelUnjudged, Text: "a shell command cannot be judged from its text"},
		Options: usualOptions("Yes, run once", "Yes, and always allow “go test”", "No")},
		`{"toolCallId":"call_9999","title":"go test ./auth","kind":"execute","rawInput":{"command":"go test ./auth"}}`)
	for _, card := range full.cards {
		full.state.Pending = append(full.state.Pending, *card)
	}
	p.Take(full.attached(), full.at)
	p.visit(pane.Visit{Session: p.model.Find("7f3a").Find(s)})
	return full
}

// BenchmarkAttach takes all of a proxy that has told as much as is kept, in a
// panel that shows nine others.
func BenchmarkAttach(b *testing.B) {
	s := newShow(160, 45, nil)
	full := crowd(s.Panel).attached()
	b.ReportAllocs()
	for b.Loop() {
		s.model.Drop(s.model.Find("7f3a"))
		s.Take(full, s.now)
	}
}

// places are what can be looked at, and the keys that lead there.
var places = []struct {
	name string
	keys []keys.Key
}{
	{"timeline", nil},
	{"wire", []keys.Key{"]"}},
	{"info", []keys.Key{"]", "]"}},
	{"detail", []keys.Key{"]", "Enter"}},
	{"card", []keys.Key{"p"}},
}

// BenchmarkDraw draws a screen on which nothing has changed.
func BenchmarkDraw(b *testing.B) {
	for _, at := range places {
		b.Run(at.name, func(b *testing.B) {
			s := newShow(160, 45, func(p *Panel) { crowd(p) }).press(at.keys...)
			b.ReportAllocs()
			for b.Loop() {
				s.look()
			}
		})
	}
}

// BenchmarkGrow takes one more frame, and draws it.
func BenchmarkGrow(b *testing.B) {
	for _, at := range places {
		b.Run(at.name, func(b *testing.B) {
			var full *tape
			s := newShow(160, 45, func(p *Panel) { full = crowd(p) }).press(at.keys...)
			b.ReportAllocs()
			for b.Loop() {
				s.Take(feed.Happened{Instance: "7f3a", Deltas: full.more(1)}, s.now)
				s.look()
			}
		})
	}
}

// more are the next n events of a talk, chunks, of which the tape keeps none.
func (t *tape) more(n int) []control.Delta {
	first := len(t.events)
	for range n {
		t.wait(time.Millisecond).update(sessionOf("7f3a", 0), `"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"word "}`)
	}
	deltas := make([]control.Delta, n)
	for i, e := range t.events[first:] {
		t.told++
		e.Seq = uint64(first) + t.told
		deltas[i].Event = e
	}
	t.events = t.events[:first]
	return deltas
}

// BenchmarkPress presses a key, and draws what it does.
func BenchmarkPress(b *testing.B) {
	for _, at := range places {
		b.Run(at.name, func(b *testing.B) {
			s := newShow(160, 45, func(p *Panel) { crowd(p) }).press(at.keys...)
			b.ReportAllocs()
			for b.Loop() {
				s.press("k", "j")
			}
		})
	}
}

// BenchmarkFilter types another filter for as many rows as are kept, and draws
// what it leaves.
func BenchmarkFilter(b *testing.B) {
	for _, of := range []struct{ name, text string }{
		{"word", "middleware"},
		{"key", "m:session/update -update:message"},
		{"path", "params.update.status:completed"},
		{"regex", "/call_0[0-9]+5/"},
		{"bare-regex", "/[0-9]{3}ms/"},
	} {
		b.Run(of.name, func(b *testing.B) {
			s := newShow(160, 45, func(p *Panel) { crowd(p) }).press("]")
			for b.Loop() {
				if err := s.setFilter(of.text); err != nil {
					b.Fatal(err)
				}
				s.look()
			}
		})
	}
}

// BenchmarkFlood takes a thousand events at once, as they come under load.
func BenchmarkFlood(b *testing.B) {
	var full *tape
	s := newShow(160, 45, func(p *Panel) { full = crowd(p) })
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		next := full.more(1000)
		b.StartTimer()
		s.Take(feed.Happened{Instance: "7f3a", Deltas: next}, s.now)
	}
}
