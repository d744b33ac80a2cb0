//go:build linux

package control_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
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

// However often processes below the agent connect, all at once and for ever, a
// person gets in.
func TestCrowdBelowTheAgent(t *testing.T) {
	var root atomic.Int64
	p := run(t, func(o *control.Options) { o.Tree = func() int { return int(root.Load()) } })
	id, in, out := agent(t, fmt.Sprintf("read go; exec '%s' %s '%s'", os.Args[0], crowdArg, p.Path()))
	root.Store(int64(id))
	io.WriteString(in, "go\n")
	readLine(t, out)
	for range 100 {
		c, err := control.Dial(deadline(t), p.endpoint(), broker.ByCommand)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Greeting().Answers; got != "all" {
			t.Fatalf("it may answer %q", got)
		}
		c.Close()
	}
}

// crowd is less than may wait at a socket, and more than has a place.
func crowd(path string) {
	var once sync.Once
	for range 3 * control.MaxConnections {
		go func() {
			for {
				if conn, err := net.Dial("unix", path); err == nil {
					io.Copy(io.Discard, conn) // until it is closed
					conn.Close()
					once.Do(func() { fmt.Println("it has begun") })
				}
			}
		}()
	}
	select {}
}
