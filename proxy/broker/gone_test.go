package broker_test

import (
	"testing"
	"time"

	"bobproxy/proxy/broker"
)

// Where no answer can reach the agent any more nobody is let believe that he has
// given one, and the clock gives none.
func TestRequestAfterTheEnd(t *testing.T) {
	b := broker.New(broker.Options{Instance: "test", Timeout: time.Minute})
	b.Open(start, request("7", usual...))
	b.Gone(start)
	forward, do := b.Open(start, request("8", usual...))
	if !forward || len(do) != 1 || do[0].Note == nil || do[0].Note.Decision == nil || do[0].Note.Decision.By != "gone" || do[0].Note.Decision.Request != "test:2" {
		t.Errorf("forward %v, %d effects", forward, len(do))
	}
	if open := b.Pending(); len(open) > 0 {
		t.Errorf("%d requests wait", len(open))
	}
	for _, request := range []string{"test:1", "test:2"} {
		if r, do := b.Decide(start, broker.Decision{Request: request, Option: "yes"}); r.Result == broker.Applied || len(do) > 0 {
			t.Errorf("%s: %+v", request, r)
		}
	}
	if do := b.Expire(start.Add(time.Hour)); len(do) > 0 {
		t.Errorf("%d effects of the clock", len(do))
	}
}
