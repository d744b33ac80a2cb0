//go:build linux

package control_test

import (
	"context"
	"os"
	"reflect"
	"strings"
	"testing"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// disk is a host's answer to Disk, which waits as long as it is told to.
type disk struct {
	files   []control.OnDisk
	begun   chan string // told of each call; nil: nobody is
	waiting chan bool   // read by each call, unless it is nil; ended calls say so here
}

func (h *host) Disk(ctx context.Context, request string) ([]control.OnDisk, bool) {
	if _, ok := h.Pending(request); !ok {
		return nil, false
	}
	if h.disk.begun != nil {
		h.disk.begun <- request
		select {
		case <-h.disk.waiting:
		case <-ctx.Done():
			h.disk.waiting <- true
		}
	}
	return h.disk.files, true
}

func TestDisk(t *testing.T) {
	p := run(t, nil)
	request := p.open(1)
	p.disk.files = []control.OnDisk{
		{Entry: 0, Path: "/w/\xff", State: control.Part, Times: 3, Text: "except for line ends"},
		{Entry: 2, Path: "/w/b", State: control.Differs},
		{Entry: -1, State: control.Uncompared, Text: "too many files"},
	}
	c := p.dial(broker.ByCommand)
	if !c.Greeting().Disk {
		t.Error("the greeting does not say that it compares")
	}
	got, found, err := c.Disk(deadline(t), request)
	if !reflect.DeepEqual(got, p.disk.files) || !found || err != nil {
		t.Errorf("Disk = %+v, %v, %v, want %+v", got, found, err, p.disk.files)
	}
	if got, found, err := c.Disk(deadline(t), "test1:9"); got != nil || found || err != nil {
		t.Errorf("of no request: %+v, %v, %v", got, found, err)
	}
}

// What is too much is cut, not refused.
func TestDiskIsBounded(t *testing.T) {
	p := run(t, nil)
	request := p.open(1)
	for range 5000 {
		p.disk.files = append(p.disk.files, control.OnDisk{Path: strings.Repeat("p", 1<<16), State: control.Same, Text: strings.Repeat("t", 1<<16)})
	}
	got, _, err := p.dial(broker.ByCommand).Disk(deadline(t), request)
	if len(got) != 256 || len(got[0].Path) != 4<<10 || len(got[0].Text) != 1<<10 || err != nil {
		t.Errorf("%d files, %v", len(got), err)
	}
}

// While the disk does not answer, the client can still decide, and gets no second
// comparison.
func TestDiskHoldsNothingUp(t *testing.T) {
	p := run(t, nil)
	request := p.open(1)
	p.disk.begun, p.disk.waiting = make(chan string, 2), make(chan bool)
	c := p.dial(broker.ByCommand)
	compared := make(chan error, 1)
	go func() {
		_, _, err := c.Disk(deadline(t), request)
		compared <- err
	}()
	wait(t, "the comparison", p.disk.begun)
	if _, _, err := c.Disk(deadline(t), request); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("a second comparison: %v", err)
	}
	if r, err := c.Decide(deadline(t), broker.Decision{Request: request, Option: "yes"}); r.Result != broker.Applied || err != nil {
		t.Errorf("Decide = %+v, %v", r, err)
	}
	p.disk.waiting <- true
	if err := wait(t, "the answer", compared); err != nil {
		t.Error(err)
	}
}

// Who leaves, or a server that closes, ends a comparison that is under way.
func TestDiskEndsWithItsClient(t *testing.T) {
	for name, end := range map[string]func(*proxy, *control.Client){
		"the client leaves": func(_ *proxy, c *control.Client) { c.Close() },
		"the server closes": func(p *proxy, _ *control.Client) { p.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			p := run(t, func(o *control.Options) { o.End(1) })
			request := p.open(1)
			p.disk.begun, p.disk.waiting = make(chan string, 1), make(chan bool)
			c := p.dial(broker.ByCommand)
			go c.Disk(deadline(t), request)
			wait(t, "the comparison", p.disk.begun)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				end(p, c)
			}()
			wait(t, "its end", p.disk.waiting)
			wait(t, "the other end", ended)
		})
	}
}

// What is below the agent, or may be, is not told what the proxy can read.
func TestDiskIsNotForTheAgent(t *testing.T) {
	for name, tree := range map[string]func() int{"below": os.Getpid, "not known": func() int { return 0 }} {
		t.Run(name, func(t *testing.T) {
			p := run(t, func(o *control.Options) { o.Tree = tree })
			request := p.open(1)
			p.disk.files = []control.OnDisk{{Path: "/w/a", State: control.Same}}
			c := p.dial(broker.ByPanel)
			files, _, err := c.Disk(deadline(t), request)
			if c.Greeting().Disk || files != nil || err == nil || !strings.Contains(err.Error(), "below the agent") {
				t.Errorf("greeting %v, Disk = %v, %v", c.Greeting().Disk, files, err)
			}
		})
	}
}
