//go:build linux

package feed_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"bobproxy/inspector/feed"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// patience is how long a test waits for what must happen.
const patience = 60 * time.Second

// host is a proxy that has no wire.
type host struct {
	instance string
	pid      int
	started  time.Time
	journal  *journal.Journal

	mu      sync.Mutex
	pending []control.Pending
	decided []broker.Decision
}

func (h *host) State() control.State {
	h.mu.Lock()
	defer h.mu.Unlock()
	return control.State{
		Instance: h.instance, PID: h.pid, Started: h.started, Recording: h.journal.Recording(),
		Pending: append([]control.Pending(nil), h.pending...),
	}
}

func (h *host) Pending(request string) (control.Pending, bool) {
	for _, p := range h.State().Pending {
		if p.Request == request {
			return p, true
		}
	}
	return control.Pending{}, false
}

func (h *host) Watch(buffer int) (control.State, []journal.Event, *journal.Watcher) {
	events, w := h.journal.Watch(buffer)
	return h.State(), events, w
}

func (h *host) Body(seq uint64) ([]byte, bool) { return h.journal.Body(seq) }

func (h *host) Disk(_ context.Context, request string) ([]control.OnDisk, bool) {
	_, ok := h.Pending(request)
	return []control.OnDisk{{Path: "/w/a", State: control.Part, Times: 2}}, ok
}

func (h *host) Decide(d broker.Decision) broker.Ruling {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.decided = append(h.decided, d)
	return broker.Ruling{Result: broker.Applied}
}

func (h *host) note(text string) uint64 {
	return h.journal.Note(journal.Event{Type: journal.StderrEvent, Text: text})
}

// told waits until event seq is behind the journal's queue.
func (h *host) told(t *testing.T, seq uint64) {
	t.Helper()
	for end := time.Now().Add(patience); ; runtime.Gosched() {
		if _, ok := h.journal.Body(seq); ok {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("event %d does not come", seq)
		}
	}
}

// open adds a permission.
func (h *host) open(number int) string {
	request := fmt.Sprintf("%s:%d", h.instance, number)
	h.mu.Lock()
	h.pending = append(h.pending, control.Pending{Request: request, Digest: "d", Instance: h.instance})
	h.mu.Unlock()
	h.journal.Note(journal.Event{Type: journal.OpenedEvent, Decision: &journal.Decision{Request: request, Digest: "d"}})
	return request
}

// proxy is a host with a socket.
type proxy struct {
	*host
	server *control.Server
	done   chan struct{}
	once   sync.Once
}

// world is a folder for sockets and recordings.
type world struct {
	t   *testing.T
	dir string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "feed")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return &world{t, dir}
}

func (w *world) lookup(name string) (string, bool) {
	return w.dir, name == "XDG_RUNTIME_DIR"
}

// run starts a proxy; record says that it has a recording.
func (w *world) run(instance string, pid int, record bool) *proxy {
	w.t.Helper()
	server, err := control.Listen(control.Options{
		Instance: instance, Lookup: w.lookup, Answers: "all", Tree: func() int { return 1 << 30 },
	})
	w.must(err)
	j, err := journal.New(journal.Options{Instance: instance, Off: !record, Dir: w.recordings(record)})
	w.must(err)
	p := &proxy{
		host:   &host{instance: instance, pid: pid, started: time.Now(), journal: j},
		server: server, done: make(chan struct{}),
	}
	go func() {
		defer close(p.done)
		server.Serve(p.host)
	}()
	w.t.Cleanup(p.end)
	return p
}

func (w *world) recordings(record bool) string {
	if !record {
		return ""
	}
	return filepath.Join(w.dir, "recordings")
}

func (p *proxy) end() {
	p.once.Do(func() {
		p.journal.Close(time.Second)
		p.server.Close()
		<-p.done
	})
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// follow starts a feed that sees only what is in w.
func (w *world) follow(change func(*feed.Options)) *watch {
	w.t.Helper()
	o := feed.Options{Lookup: w.lookup, Every: 5 * time.Millisecond, As: broker.ByCommand}
	o.In(w.dir)
	if change != nil {
		change(&o)
	}
	f := feed.Start(context.Background(), o)
	w.t.Cleanup(func() {
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			f.Close()
		}()
		select {
		case <-closed:
		case <-time.After(patience):
			w.t.Error("Close does not return")
		}
	})
	return &watch{Feed: f, t: w.t, last: map[string]uint64{}}
}

// watch reads a feed and checks what it promises.
type watch struct {
	*feed.Feed
	t    *testing.T
	last map[string]uint64 // the newest event, by instance; absent when it is not attached
}

// next is the next message.
func (w *watch) next(what string) any {
	w.t.Helper()
	select {
	case m := <-w.Messages():
		w.check(m)
		return m
	case <-time.After(patience):
		w.t.Fatalf("waited in vain for %s", what)
		return nil
	}
}

func (w *watch) check(m any) {
	w.t.Helper()
	switch m := m.(type) {
	case feed.Attached:
		last := uint64(0)
		for _, e := range m.Events {
			if last != 0 && e.Seq != last+1 {
				w.t.Fatalf("event %d comes after %d", e.Seq, last)
			}
			last = e.Seq
		}
		w.last[m.State.Instance] = last
	case feed.Happened:
		last, attached := w.last[m.Instance]
		if !attached || len(m.Deltas) == 0 || len(m.Deltas) > feed.MostDeltas {
			w.t.Fatalf("%d events of %s, attached: %v", len(m.Deltas), m.Instance, attached)
		}
		for _, d := range m.Deltas {
			if last != 0 && d.Event.Seq != last+1 {
				w.t.Fatalf("event %d comes after %d", d.Event.Seq, last)
			}
			last = d.Event.Seq
		}
		w.last[m.Instance] = last
	case feed.Lost:
		if _, attached := w.last[m.Instance]; !attached {
			w.t.Fatalf("%+v of one that is not attached", m)
		}
	case feed.Gone:
		if _, attached := w.last[m.Instance]; !attached {
			w.t.Fatalf("%+v of one that is not attached", m)
		}
		delete(w.last, m.Instance)
	}
}

// get is the next message of that type; others may come before.
func get[M any](w *watch) M {
	w.t.Helper()
	var none M
	for {
		if m, ok := w.next(fmt.Sprintf("%T", none)).(M); ok {
			return m
		}
	}
}

// reach reads until event seq of instance has been told.
func (w *watch) reach(instance string, seq uint64) {
	w.t.Helper()
	for w.last[instance] < seq {
		w.next(fmt.Sprint("event ", seq))
	}
}

// noneLeft fails when a goroutine of a feed or of its connections is still
// there. A goroutine that has said it is through may need a moment to end.
func noneLeft(t *testing.T) {
	t.Helper()
	stacks := make([]byte, 1<<20)
	for end := time.Now().Add(patience); ; runtime.Gosched() {
		all := string(stacks[:runtime.Stack(stacks, true)])
		if !strings.Contains(all, "inspector/feed.(*") && !strings.Contains(all, "control.(*inbox)") {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("goroutines are left:\n%s", all)
		}
	}
}
