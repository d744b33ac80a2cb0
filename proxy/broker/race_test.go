package broker_test

import (
	"fmt"
	"sync"
	"testing"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// counter is the lock and the wires that a broker has in a proxy.
type counter struct {
	mu      sync.Mutex // guards everything
	b       *broker.Broker
	answers map[string][]string // by id: options that the agent is told
	events  map[string][]string // by id: who settled it, with which option
	late    map[string]int
}

func (c *counter) do(effects []broker.Effect) {
	for _, e := range effects {
		var f acp.Frame
		switch {
		case e.ToAgent != nil:
			acp.Scan(e.ToAgent, &f)
			c.answers[string(f.ID)] = append(c.answers[string(f.ID)], acp.ReadOutcome(f.Result).Option)
		case e.Note != nil && e.Note.Type == journal.DecisionEvent && e.Note.Decision.Late:
			c.late[string(e.Note.ID)]++
		case e.Note != nil && e.Note.Type == journal.DecisionEvent:
			x := e.Note.Decision
			c.events[string(e.Note.ID)] = append(c.events[string(e.Note.ID)], x.By+" "+x.OptionID)
		}
	}
}

func (c *counter) open(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, do := c.b.Open(start, request(id, usual...))
	c.do(do)
}

func (c *counter) reply(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	forward, _, do := c.b.Reply(start, broker.Reply{ID: []byte(id), Outcome: "selected", Option: "yes"})
	c.do(do)
	if forward {
		c.answers[id] = append(c.answers[id], "yes")
	}
}

func (c *counter) decide(request string) broker.Ruling {
	c.mu.Lock()
	defer c.mu.Unlock()
	ruling, do := c.b.Decide(start, broker.Decision{Request: request, Option: "no", By: broker.ByPanel})
	c.do(do)
	return ruling
}

// The editor allows while the panel rejects. Whoever is first wins, and the
// wire, the recording and the ruling agree on who that was.
func TestRace(t *testing.T) {
	c := &counter{
		b:       broker.New(broker.Options{Instance: "test", Withdraw: true}),
		answers: map[string][]string{}, events: map[string][]string{}, late: map[string]int{},
	}
	const pairs = 10_000
	rulings := make([]broker.Ruling, pairs)
	for first := 0; first < pairs; first += 500 { // fewer than may be open at once
		var wg sync.WaitGroup
		ready := make(chan struct{})
		for i := first; i < first+500; i++ {
			c.open(fmt.Sprint(i))
			wg.Go(func() { <-ready; c.reply(fmt.Sprint(i)) })
			wg.Go(func() { <-ready; rulings[i] = c.decide(fmt.Sprintf("test:%d", i+1)) })
		}
		close(ready)
		wg.Wait()
	}
	for i, ruling := range rulings {
		id := fmt.Sprint(i)
		answer, event, late, result := "yes", "editor yes", 0, broker.TooLate
		if ruling.Result == broker.Applied {
			answer, event, late, result = "no", "panel no", 1, broker.Applied
		}
		if got := fmt.Sprint(c.answers[id], c.events[id], c.late[id], ruling.Result); got != fmt.Sprint([]string{answer}, []string{event}, late, result) {
			t.Fatalf("%s: told, recorded, late, ruling: %s", id, got)
		}
	}
}
