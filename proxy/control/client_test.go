//go:build linux

package control_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

func TestStateAndBody(t *testing.T) {
	p := run(t, nil)
	request := p.open(1)
	c := p.dial(broker.ByCommand)
	if g := c.Greeting(); g.Instance != instance || g.Answers != "all" || g.Why != "" {
		t.Errorf("greeting %+v", g)
	}
	s, err := c.State(deadline(t))
	if err != nil {
		t.Fatal(err)
	}
	if s.Cwd != "/\uFFFD" || len(s.Pending) != 1 || s.Pending[0].Request != request || s.Watchers != 0 {
		t.Errorf("state %+v", s)
	}
	body, found, err := c.Body(deadline(t), 7)
	if string(body) != "body \xff7" || !found || err != nil {
		t.Errorf("body %q, %v, %v", body, found, err)
	}
	if _, found, err := c.Body(deadline(t), 1000); found || err != nil {
		t.Errorf("a body that is not there: %v, %v", found, err)
	}
}

// Whatever an agent writes into a request, whoever asks what waits can read the
// answer.
func TestOddInputs(t *testing.T) {
	deadlineOf := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	for _, tt := range []struct {
		name, input string
		clipped     bool
	}{
		{"none", "", false},
		{"plain", `{"command":"make test"}`, false},
		{"beyond a float", `{"n":1e999,"m":[-0,123456789012345678901234567890]}`, false},
		{"repeated names", `{"a":1,"a":2}`, false},
		{"half a pair", `{"a":"\ud800"}`, false},
		{"deep", strings.Repeat("[", 1000) + strings.Repeat("]", 1000), false},
		{"too deep", strings.Repeat("[", 1001) + strings.Repeat("]", 1001), true},
		{"far too deep", strings.Repeat("[", 30_000) + strings.Repeat("]", 30_000), true},
		{"no JSON", `{"a":`, true},
		{"too long", `"` + strings.Repeat("x", 64<<10) + `"`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := run(t, nil)
			want := control.Pending{
				Request: "test1:1", Digest: "d", Instance: instance, Session: "s", ID: json.RawMessage(`1e999`),
				Title: "t", Kind: "execute", Verdict: broker.Verdict{Level: broker.LevelOutside, Paths: []broker.Path{{Path: "/x", Reason: "r"}}, Text: "v"},
				Opened: deadlineOf, Deadline: &deadlineOf, Options: []control.Option{{Number: 1, ID: "<a>", Name: "n", Kind: "k", Odd: true}},
			}
			if tt.input != "" {
				want.Input = json.RawMessage(tt.input)
			}
			p.pending = []control.Pending{want}
			s, err := p.dial(broker.ByCommand).State(deadline(t))
			if err != nil {
				t.Fatal(err)
			}
			if tt.clipped {
				want.Input, want.Clipped = nil, tt.input[:min(len(tt.input), 64<<10)]
			}
			if got := s.Pending[0]; !reflect.DeepEqual(got, want) {
				t.Errorf("got  %s\nwant %s", brief(got), brief(want))
			}
			if _, err := json.Marshal(s); err != nil {
				t.Errorf("it cannot be passed on: %v", err)
			}
		})
	}
}

// A flood of requests leaves the answer readable.
func TestStateIsBounded(t *testing.T) {
	p := run(t, nil)
	for i := range 300 {
		p.pending = append(p.pending, control.Pending{Request: fmt.Sprint("test1:", i), Instance: instance, Input: json.RawMessage(`"` + strings.Repeat("x", 60_000) + `"`)})
	}
	s, err := p.dial(broker.ByCommand).State(deadline(t))
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, one := range s.Pending {
		size += len(one.Input)
	}
	first, last := s.Pending[0], s.Pending[len(s.Pending)-1]
	if len(s.Pending) != 300 || size > 5<<20 || size < 3<<20 || len(first.Input) == 0 || last.Input != nil || last.Unanswerable == "" {
		t.Errorf("%d requests with %d bytes of input; the last one %.200v", len(s.Pending), size, last)
	}
}

// A late look: what came before is there, the newest of it, with what waits.
func TestWatch(t *testing.T) {
	p := run(t, nil)
	for i := range control.NewestEvents + 500 {
		p.note(fmt.Sprint("before ", i))
	}
	request := p.open(1)
	last := p.note("last before")
	until(t, "the events to be kept", func() bool {
		events, w := p.journal.Watch(1)
		w.Stop()
		return len(events) > 0 && events[len(events)-1].Seq == last
	})
	c := p.dial(broker.ByCommand)
	s, before, deltas, err := c.Watch(deadline(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(before) != control.NewestEvents || before[len(before)-1].Text != "last before" {
		t.Errorf("%d events, the last one %+v", len(before), before[len(before)-1])
	}
	if len(s.Pending) != 1 || s.Pending[0].Request != request || s.Watchers != 1 {
		t.Errorf("state %+v", s)
	}
	if _, _, _, err := c.Watch(deadline(t)); err == nil {
		t.Error("one connection watches twice")
	}

	second := p.open(2)
	p.journal.Append(time.Now(), []journal.Frame{{Dir: acp.Client, Line: []byte("{}\n"), Scan: acp.Frame{EOL: acp.LF, Strict: true}}})
	p.journal.Kick()
	d := wait(t, "an opened event", deltas)
	if d.Event.Type != journal.OpenedEvent || d.Event.Seq != last+1 || d.Pending == nil || d.Pending.Request != second {
		t.Errorf("got %+v", d)
	}
	d = wait(t, "a frame", deltas)
	if d.Event.Dir != acp.Client || string(d.Event.Body) != "{}" || d.Event.Seq != last+2 || d.Pending != nil {
		t.Errorf("got %+v", d)
	}
}

func TestDecide(t *testing.T) {
	p := run(t, nil)
	request := p.open(1)
	c := p.dial(broker.ByCommand)
	for _, tt := range []struct {
		name string
		give broker.Decision
		want broker.Ruling
	}{
		{"unknown", broker.Decision{Request: "test1:99", Option: "yes"}, broker.Ruling{Result: broker.Unknown, Text: "there is no such request"}},
		{"other instance", broker.Decision{Request: "other:1", Option: "yes"}, broker.Ruling{Result: broker.Unknown, Text: `this is test1, which has no request "other:1"`}},
		{"first", broker.Decision{Request: request, Digest: "d", Option: "yes", Standing: true}, broker.Ruling{Result: broker.Applied}},
		{"second", broker.Decision{Request: request, Deny: true}, broker.Ruling{Result: broker.TooLate, By: broker.ByCommand, Option: "yes", Text: "somebody else answered first"}},
	} {
		got, err := c.Decide(deadline(t), tt.give)
		if err != nil || got != tt.want {
			t.Errorf("%s: got %+v, %v; want %+v", tt.name, got, err, tt.want)
		}
	}
	d := p.settled[request]
	if d.By != broker.ByCommand || d.DenyOnly || !d.Standing || d.Digest != "d" || d.Peer == nil || d.Peer.PID == 0 || !strings.HasSuffix(d.Peer.Exe, ".test") {
		t.Errorf("the proxy was told %+v by %+v", d, d.Peer)
	}
	for _, give := range []broker.Decision{{Request: request}, {Request: request, Deny: true, Option: "yes"}, {Option: "yes"}, {Request: request, Number: -1}} {
		if r, err := c.Decide(deadline(t), give); err == nil {
			t.Errorf("%+v: got %+v, want an error", give, r)
		}
	}
}

func TestTenAtOnce(t *testing.T) {
	p := run(t, nil)
	for round := range 20 {
		request := p.open(round)
		var clients []*control.Client
		for range 10 {
			clients = append(clients, p.dial(broker.ByCommand))
		}
		results := make(chan broker.Ruling, len(clients))
		var all sync.WaitGroup
		for i, c := range clients {
			all.Go(func() {
				r, err := c.Decide(deadline(t), broker.Decision{Request: request, Number: i + 1})
				if err != nil {
					t.Error(err)
				}
				results <- r
			})
		}
		all.Wait()
		count := map[broker.Result]int{}
		for range clients {
			count[(<-results).Result]++
		}
		if count[broker.Applied] != 1 || count[broker.TooLate] != 9 {
			t.Fatalf("results %v, want one applied and nine too late", count)
		}
		for _, c := range clients {
			c.Close()
		}
	}
}

func brief(p control.Pending) string {
	text := fmt.Sprintf("%q %q %+v", p.Input, p.Clipped, p)
	return text[:min(len(text), 500)]
}
