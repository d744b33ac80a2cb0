//go:build linux

package control_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// inOrder fails unless the numbers of events follow after.
func inOrder(t *testing.T, after uint64, events []journal.Event) uint64 {
	t.Helper()
	for _, e := range events {
		if e.Seq != after+1 {
			t.Fatalf("event %d comes after %d", e.Seq, after)
		}
		after = e.Seq
	}
	return after
}

// A watcher that does not read is cut loose, nobody waits for it, and after
// connecting anew it has missed nothing and got nothing twice.
func TestSlowWatcher(t *testing.T) {
	p := run(t, nil)
	for i := range 10 {
		p.note(fmt.Sprint("before ", i))
	}
	slow := p.dial(broker.ByCommand)
	_, before, deltas, err := slow.Watch(deadline(t))
	must(t, err)
	quick := p.dial(broker.ByCommand)
	if s, err := quick.State(deadline(t)); err != nil || s.Watchers != 1 {
		t.Fatalf("state %+v, %v", s, err)
	}
	large := strings.Repeat("x", 60_000)
	last := uint64(0)
	for range 1500 {
		last = p.note(large)
	}
	until(t, "the watcher to be cut loose", func() bool {
		s, err := quick.State(deadline(t))
		must(t, err)
		return s.Watchers == 0
	})
	at := inOrder(t, 0, before)
	for d := range deltas {
		at = inOrder(t, at, []journal.Event{d.Event})
	}
	if slow.Err() == nil || at >= last {
		t.Errorf("it was not cut loose: %v after event %d of %d", slow.Err(), at, last)
	}

	_, before, deltas, err = p.dial(broker.ByCommand).Watch(deadline(t))
	must(t, err)
	if len(before) == 0 || before[0].Seq > at+1 {
		t.Fatalf("the new snapshot begins with %+v, after event %d", before[:min(1, len(before))], at)
	}
	at = inOrder(t, before[0].Seq-1, before)
	for i := range 100 {
		last = p.note(fmt.Sprint("after ", i))
	}
	for at < last {
		at = inOrder(t, at, []journal.Event{wait(t, "an event", deltas).Event})
	}
}

// A snapshot that is taken while things happen fits what comes after it.
func TestWatchInTheMiddle(t *testing.T) {
	p := run(t, nil)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				p.note(fmt.Sprint("event ", i))
				if i%64 == 0 {
					runtime.Gosched()
				}
			}
		}
	}()
	for range 10 {
		c := p.dial(broker.ByCommand)
		_, before, deltas, err := c.Watch(deadline(t))
		must(t, err)
		at := uint64(0)
		if len(before) > 0 {
			at = inOrder(t, before[0].Seq-1, before)
		}
		for range 100 {
			d, ok := <-deltas
			if !ok {
				break // cut loose: the flood is faster than this machine reads
			}
			if at == 0 {
				at = d.Event.Seq - 1
			}
			at = inOrder(t, at, []journal.Event{d.Event})
		}
		c.Close()
	}
	close(stop)
	wait(t, "the flood's end", stopped)
}

// A panel that is killed leaves what waits to the next one.
func TestNextPanel(t *testing.T) {
	p := run(t, nil)
	first := p.dial(broker.ByCommand)
	_, _, _, err := first.Watch(deadline(t))
	must(t, err)
	first.Close()
	request := p.open(1)
	second := p.dial(broker.ByCommand)
	s, _, _, err := second.Watch(deadline(t))
	must(t, err)
	if len(s.Pending) != 1 || s.Pending[0].Request != request {
		t.Errorf("state %+v", s)
	}
	if r, err := second.Decide(deadline(t), broker.Decision{Request: request, Deny: true}); err != nil || r.Result != broker.Applied {
		t.Errorf("ruling %+v, %v", r, err)
	}
	until(t, "one watcher", func() bool {
		s, err := second.State(deadline(t))
		must(t, err)
		return s.Watchers == 1
	})
}

// running are the goroutines of this package and of its JSON-RPC.
func running() (all []string) {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for _, one := range strings.Split(string(stacks), "\n\n") {
		if strings.Contains(one, "proxy/control.") || strings.Contains(one, "jsonrpc2.") {
			all = append(all, one)
		}
	}
	return all
}

// Close ends everything, tells watchers what has happened before, and leaves no
// file.
func TestCloseLeavesNothing(t *testing.T) {
	p := run(t, nil)
	idle := p.dial(broker.ByCommand)
	watching := p.dial(broker.ByCommand)
	_, _, deltas, err := watching.Watch(deadline(t))
	must(t, err)
	seen := make(chan uint64, 1)
	go func() {
		var last uint64
		for d := range deltas {
			last = d.Event.Seq
		}
		seen <- last
	}()
	var last uint64
	for range 14 { // more than a socket holds, less than a watcher may lag
		last = p.note(strings.Repeat("x", 60_000))
	}
	p.journal.Close(0)
	must(t, p.Close(), p.Close())
	wait(t, "Serve", p.done)

	if got := wait(t, "the watcher's end", seen); got != last {
		t.Errorf("the last event a watcher saw is %d, want %d", got, last)
	}
	for _, c := range []*control.Client{watching, idle} {
		if _, err := c.State(deadline(t)); err == nil || err.Error() != "the proxy is ending" {
			t.Errorf("a client is told %v", err)
		}
		must(t, c.Close())
	}
	p.leftNothing()
	if err := p.Serve(p.host); err == nil {
		t.Error("it serves after Close")
	}
	if c, err := control.Dial(deadline(t), p.endpoint(), broker.ByCommand); err == nil {
		c.Close()
		t.Error("it can be reached after Close")
	}
}

func (p *proxy) leftNothing() {
	p.t.Helper()
	if entries, err := os.ReadDir(filepath.Dir(p.Path())); len(entries) > 0 || err != nil {
		p.t.Errorf("left: %v, %v", entries, err)
	}
	until(p.t, "the end of all goroutines", func() bool { return len(running()) == 0 })
}

// A watcher that does not read cannot hold up the end.
func TestCloseDoesNotWaitForAStuckWatcher(t *testing.T) {
	p := run(t, func(o *control.Options) { o.End(time.Millisecond) })
	stuck := p.dial(broker.ByCommand)
	_, _, _, err := stuck.Watch(deadline(t))
	must(t, err)
	for range 20 {
		p.note(strings.Repeat("x", 60_000))
	}
	p.journal.Close(0)
	must(t, p.Close())
	wait(t, "Serve", p.done)
	must(t, stuck.Close())
	p.leftNothing()
}

// Close alone ends the watching too.
func TestCloseEndsWatching(t *testing.T) {
	p := run(t, nil)
	c := p.dial(broker.ByCommand)
	_, _, deltas, err := c.Watch(deadline(t))
	must(t, err)
	must(t, p.Close())
	for range deltas {
	}
	if err := c.Err(); err == nil || err.Error() != "the proxy is ending" {
		t.Errorf("the watcher is told %v", err)
	}
}
