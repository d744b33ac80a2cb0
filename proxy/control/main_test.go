//go:build linux

package control_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

const (
	answerArg = "__answer" // PATH panel|command REQUEST: prints greeting and ruling as JSON
	serveArg  = "__serve"  // DIR INSTANCE: prints ready and waits to be killed
	passArg   = "__pass"   // PATH: connects, gives the connection to another process and ends
	crowdArg  = "__crowd"  // PATH: connects over and over, many times at once, until it is killed
	heirArg   = "__heir"   // is that other one: prints how its call is answered
)

// TestMain makes the test binary the other processes too.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case answerArg:
			os.Exit(answer(os.Args[2:]))
		case serveArg:
			os.Exit(serve(os.Args[2:]))
		case passArg:
			os.Exit(pass(os.Args[2:]))
		case crowdArg:
			crowd(os.Args[2])
		case heirArg:
			os.Exit(inherit())
		}
	}
	// A process under the race detector otherwise sleeps a second before it ends.
	os.Setenv("GORACE", strings.TrimSpace("atexit_sleep_ms=0 "+os.Getenv("GORACE")))
	os.Exit(m.Run())
}

// report is what a client in another process has got.
type report struct {
	Greeting control.Greeting
	Watched  bool
	Ruling   broker.Ruling
	Err      string
}

func answer(args []string) int {
	var r report
	if err := r.get(args); err != nil {
		r.Err = err.Error()
	}
	json.NewEncoder(os.Stdout).Encode(r)
	return 0
}

func (r *report) get(args []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := control.Dial(ctx, control.Endpoint{Instance: instance, Path: args[0]}, broker.By(args[1]))
	if err != nil {
		return err
	}
	defer c.Close()
	r.Greeting = c.Greeting()
	_, _, _, err = c.Watch(ctx)
	r.Watched = err == nil
	r.Ruling, err = c.Decide(ctx, broker.Decision{Request: args[2], Option: "yes"})
	return err
}

func serve(args []string) int {
	s, err := control.Listen(at(args[0], args[1]))
	fmt.Println("listening", err)
	if err != nil {
		return 1
	}
	s.Serve(&host{})
	return 0
}

// patience is how long a test waits for what must happen; nothing is expected to
// take it.
const patience = 60 * time.Second

const instance = "test1"

// nowhere is a process that is nobody's parent.
const nowhere = 1 << 30

// host is a proxy with one permission after the other.
type host struct {
	journal *journal.Journal

	mu      sync.Mutex
	pending []control.Pending
	settled map[string]broker.Decision
	asked   []broker.Decision
	states  int // asked for

	disk disk // what Disk gives
}

func (h *host) State() control.State {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.states++
	return control.State{Instance: instance, PID: os.Getpid(), Cwd: "/\xff", Pending: append([]control.Pending(nil), h.pending...)}
}

func (h *host) Pending(request string) (control.Pending, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.pending {
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

func (h *host) Body(seq uint64) ([]byte, bool) {
	return []byte("body \xff" + strconv.FormatUint(seq, 10)), seq < 1000
}

func (h *host) Decide(d broker.Decision) broker.Ruling {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked = append(h.asked, d)
	if won, ok := h.settled[d.Request]; ok {
		return broker.Ruling{Result: broker.TooLate, By: won.By, Option: won.Option, Text: "somebody else answered first"}
	}
	for i, p := range h.pending {
		if p.Request == d.Request {
			h.pending = append(h.pending[:i:i], h.pending[i+1:]...)
			if h.settled == nil {
				h.settled = map[string]broker.Decision{}
			}
			h.settled[d.Request] = d
			return broker.Ruling{Result: broker.Applied}
		}
	}
	return broker.Ruling{Result: broker.Unknown, Text: "there is no such request"}
}

// decisions are those that were asked for.
func (h *host) decisions() []broker.Decision {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]broker.Decision(nil), h.asked...)
}

// open adds a permission.
func (h *host) open(number int) string {
	request := fmt.Sprintf("%s:%d", instance, number)
	h.mu.Lock()
	h.pending = append(h.pending, control.Pending{Request: request, Digest: "d", Instance: instance, Title: "run", Options: []control.Option{{Number: 1, ID: "yes", Kind: "allow_once"}}})
	h.mu.Unlock()
	h.journal.Note(journal.Event{Type: journal.OpenedEvent, Decision: &journal.Decision{Request: request, Digest: "d"}})
	return request
}

// note enters an event with a text.
func (h *host) note(text string) uint64 {
	return h.journal.Note(journal.Event{Type: journal.StderrEvent, Text: text})
}

// proxy is a server that runs, with what is behind it.
type proxy struct {
	*control.Server
	*host
	t    *testing.T
	dir  string
	done chan struct{} // closed when Serve has returned
}

// run starts a server with defaults that change may change.
func run(t *testing.T, change func(*control.Options)) *proxy {
	t.Helper()
	dir := folder(t)
	o := control.Options{Instance: instance, Lookup: env("XDG_RUNTIME_DIR", dir), Answers: "all", Tree: func() int { return nowhere }}
	o.In(dir)
	o.End(patience)
	if change != nil {
		change(&o)
	}
	server, err := control.Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	j, err := journal.New(journal.Options{Instance: instance, Off: true})
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{server, &host{journal: j}, t, dir, make(chan struct{})}
	go func() {
		defer close(p.done)
		server.Serve(p.host)
	}()
	t.Cleanup(func() {
		j.Close(0)
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		wait(t, "Serve", p.done)
	})
	return p
}

func (p *proxy) endpoint() control.Endpoint {
	return control.Endpoint{Instance: instance, Path: p.Path()}
}

func (p *proxy) dial(as broker.By) *control.Client {
	p.t.Helper()
	c, err := control.Dial(deadline(p.t), p.endpoint(), as)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { c.Close() })
	return c
}

// folder is one with a short path and mode 0700.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "bp")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for _, name := range []string{"run", "tmp"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// env is an environment of names and values.
func env(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

func deadline(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

func wait[T any](t *testing.T, what string, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		t.Fatalf("waited in vain for %s", what)
		panic("unreachable")
	}
}

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !done(); {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
		<-time.After(2 * time.Millisecond)
	}
}

func readLine(t *testing.T, from *bufio.Reader) string {
	t.Helper()
	got := make(chan string, 1)
	go func() {
		line, _ := from.ReadString('\n')
		got <- line
	}()
	return strings.TrimSuffix(wait(t, "a line", got), "\n")
}
