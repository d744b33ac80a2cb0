package control_test

import (
	"testing"

	"bobproxy/proxy/broker"
)

// Many requests that come one after the other, and all wait, cost a watcher no
// more each than one: nobody goes through all of them for every one that comes.
func TestFloodOfRequests(t *testing.T) {
	const many = 100
	p := run(t, nil)
	_, _, deltas, err := p.dial(broker.ByPanel).Watch(deadline(t))
	if err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	before := p.states
	p.mu.Unlock()
	for i := range many {
		request := p.open(i + 1)
		d := wait(t, "the request", deltas)
		if d.Pending == nil || d.Pending.Request != request {
			t.Fatalf("%s is told as %+v", request, d.Pending)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := p.states - before; n > 0 {
		t.Errorf("the whole state was asked for %d times", n)
	}
}
