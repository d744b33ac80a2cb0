package broker_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
)

// Few requests under one id are rejected by what rejects them all; many are
// cancelled, because to find that out takes the product of all their options.
func TestManyRequestsUnderOneID(t *testing.T) {
	for n, want := range map[int]string{2: selected("7", `"no"`), 10: selected("7", `"no"`), 800: cancelled("7")} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			b := broker.New(broker.Options{Instance: "test", Timeout: time.Minute})
			options := []acp.Option{option("no", "reject_once")}
			for i := range 400 {
				options = append(options, option(fmt.Sprint(i), "reject_once"))
			}
			if n > 10 { // each is looked for everywhere, and not in the last one
				options = options[1:]
			}
			for range n - 1 {
				b.Open(start, request("7", options...))
			}
			b.Open(start, request("7", option("no", "reject_once")))
			answers := 0
			for _, e := range b.Expire(start.Add(time.Minute)) {
				if e.ToAgent == nil {
					continue
				}
				if answers++; answers == 1 && string(e.ToAgent) != want {
					t.Errorf("the first one gets %s, want %s", e.ToAgent, want)
				}
			}
			if answers != n {
				t.Errorf("%d answers, want %d", answers, n)
			}
		})
	}
}

// Of what is settled nothing is kept but what tells a late reply.
func TestSettledHoldsLittle(t *testing.T) {
	b := broker.New(broker.Options{Instance: "test", Timeout: time.Minute})
	a := request("7", usual...)
	a.Input, a.Content = bytes.Repeat([]byte("i"), 60<<10), bytes.Repeat([]byte("c"), 60<<10)
	b.Open(start, a)
	b.Expire(start.Add(time.Minute))
	if held := b.Held(); held == 0 || held > 4<<10 {
		t.Errorf("%d bytes are held", held)
	}
}
