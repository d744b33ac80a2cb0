package proxy

import (
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// Editor and panel answer at the same moment, over and over. The agent gets one
// answer to each request, and the wire, the recording and whoever watches name
// the same winner.
func TestOneAnswer(t *testing.T) {
	t.Parallel()
	const all, open = 10_000, 500
	file := filepath.Join(t.TempDir(), "recording")
	x := seat(t, Policy{PermissionTimeout: Never}, journal.Options{Path: file, Required: true, Instance: "test"})
	var watched []journal.Event
	var watching sync.WaitGroup
	watching.Go(func() {
		for e := range x.events.Events() {
			if e.Type == journal.DecisionEvent {
				watched = append(watched, e)
			}
		}
	})
	rulings := map[string]broker.Ruling{}
	for from := 0; from < all; from += open {
		for id := from; id < from+open; id++ {
			io.WriteString(x.agent.in, permits(fmt.Sprint(id))+"\n")
		}
		pending := x.pends(open)
		var both sync.WaitGroup
		order := rand.Perm(open)
		start := make(chan struct{})
		both.Go(func() {
			for _, i := range order {
				start <- struct{}{}
				io.WriteString(x.client.in, selects(fmt.Sprint(from+i), "yes")+"\n")
			}
		})
		both.Go(func() {
			for _, i := range order {
				<-start
				p := pending[i]
				rulings[string(p.ID)] = x.host.Decide(broker.Decision{Request: p.Request, Digest: p.Digest, Option: "no", By: broker.ByPanel})
			}
		})
		both.Wait()
		x.agent.await(t, from+open)
	}
	x.rise()

	winner := map[string]string{} // by id: what the agent was told
	for _, line := range x.agent.heard() {
		id, option := answered(t, line)
		if _, twice := winner[id]; twice {
			t.Fatalf("request %s got two answers", id)
		}
		winner[id] = map[string]string{"yes": "editor", "no": "panel"}[option]
	}
	if len(winner) != all {
		t.Fatalf("%d requests got an answer, want %d", len(winner), all)
	}
	panels := 0
	for id, r := range rulings {
		if applied := r.Result == broker.Applied; applied != (winner[id] == "panel") {
			t.Errorf("the panel was told %q about %s, and the agent what the %s said", r.Result, id, winner[id])
		} else if applied {
			panels++
		}
	}
	t.Logf("the panel won %d of %d", panels, all)
	same := func(what string, events iter.Seq[journal.Event]) {
		n := 0
		for e := range events {
			if e.Type != journal.DecisionEvent || e.Decision.Late {
				continue
			}
			if n++; e.Decision.By != winner[string(e.ID)] {
				t.Fatalf("%s: %s won %s, and the agent heard the %s", what, e.Decision.By, e.ID, winner[string(e.ID)])
			}
		}
		if n != all {
			t.Errorf("%s has %d decisions, want %d", what, n, all)
		}
	}
	watching.Wait()
	same("the watcher", slices.Values(watched))
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	same("the recording", func(yield func(journal.Event) bool) {
		for e, err := range journal.Read(f) {
			if err != nil {
				t.Fatal(err)
			}
			if !yield(e) {
				return
			}
		}
	})
}

func answered(t *testing.T, line string) (id, option string) {
	t.Helper()
	_, rest, _ := strings.Cut(line, `"id":`)
	id, rest, _ = strings.Cut(rest, ",")
	_, rest, _ = strings.Cut(rest, `"optionId":"`)
	option, _, ok := strings.Cut(rest, `"`)
	if !ok {
		t.Fatalf("the agent hears %s", line)
	}
	return id, option
}
