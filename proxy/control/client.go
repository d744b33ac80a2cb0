package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strings"
	"time"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"

	"github.com/sourcegraph/jsonrpc2"
)

// Client is one connection to a running proxy. Its methods may be called from
// any goroutine.
type Client struct {
	rpc      *jsonrpc2.Conn
	instance string // as its socket is called
	in       *inbox
	greeting Greeting
}

// Delta is one event as it happens.
type Delta struct {
	Event   journal.Event
	Pending *Pending // what an opened event is about, when it still waits; else nil

	size int // bytes of its message
}

// Dial connects as a panel or a command. It is an error when the other end is
// another user's; ctx is for connecting alone.
func Dial(ctx context.Context, at Endpoint, as broker.By) (*Client, error) {
	nc, err := connect(ctx, at.Path)
	if err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", at.Instance, err)
	}
	if err := checkServer(nc.(*net.UnixConn)); err != nil {
		nc.Close()
		return nil, fmt.Errorf("connecting to %s: %w", at.Instance, err)
	}
	c := &Client{in: newInbox(nc, at.Instance), instance: at.Instance}
	c.rpc = jsonrpc2.NewConn(context.WithoutCancel(ctx), c.in, unasked{}, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	if err := c.call(ctx, methodHello, helloParams{string(as)}, &c.greeting); err != nil {
		c.Close()
		return nil, fmt.Errorf("connecting to %s: %w", at.Instance, err)
	}
	return c, nil
}

// connect waits while too many others do.
func connect(ctx context.Context, path string) (net.Conn, error) {
	var dialer net.Dialer
	for {
		nc, err := dialer.DialContext(ctx, "unix", path)
		if !busy(err) {
			return nc, err
		}
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			return nil, err
		}
	}
}

func checkServer(nc *net.UnixConn) error {
	who, err := peerOf(nc)
	who.close()
	if err == nil && who.uid != os.Geteuid() {
		return fmt.Errorf("the socket belongs to user %d", who.uid)
	}
	return err
}

// unasked drops what a server has no reason to call; a newer one may.
type unasked struct{}

func (unasked) Handle(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) {}

// Greeting is what the proxy said of itself and of what this client may answer.
func (c *Client) Greeting() Greeting { return c.greeting }

// State asks for what is so now.
func (c *Client) State(ctx context.Context) (State, error) {
	var s state
	if err := c.call(ctx, methodState, nil, &s); err != nil {
		return State{}, err
	}
	return s.state(), c.own(&s)
}

// Watch gives what is so now, the newest events, oldest first, and what happens
// after them: no gap and no event twice. It can be called once.
//
// The channel is closed when the connection has ended, and Err says why; who
// reads it too slowly is cut loose and has to dial anew. While nobody reads it,
// the other methods wait as well.
func (c *Client) Watch(ctx context.Context) (State, []journal.Event, <-chan Delta, error) {
	var r watchResult
	if err := c.call(ctx, methodWatch, nil, &r); err != nil {
		return State{}, nil, nil, err
	}
	if err := c.own(&r.State); err != nil {
		return State{}, nil, nil, err
	}
	before, err := c.before(ctx, r.Events)
	if err != nil {
		return State{}, nil, nil, err
	}
	return r.State.state(), before, c.in.deltas, nil
}

// Bounds of what a client takes of events from before. A server has less.
const (
	mostBefore      = 10 * newestEvents
	mostBeforeBytes = 64 << 20 // of their messages
)

// before reads so many events from before.
func (c *Client) before(ctx context.Context, count int) (events []journal.Event, err error) {
	size := 0
	for len(events) < count {
		if count > mostBefore || size > mostBeforeBytes {
			return nil, fmt.Errorf("%s has more to tell from before than any proxy keeps", c.instance)
		}
		select {
		case d, ok := <-c.in.deltas:
			if !ok {
				return nil, c.Err()
			}
			events = append(events, d.Event)
			size += d.size
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return events, nil
}

// own is an error when s tells of another proxy, or of its requests.
func (c *Client) own(s *state) error {
	if s.Instance != c.instance {
		return ofAnother(c.instance, s.Instance)
	}
	for i := range s.Pending {
		if err := s.Pending[i].own(c.instance); err != nil {
			return err
		}
	}
	return nil
}

// own is an error when p is a request of another proxy than instance. Whoever may
// make a socket could so show a request as what it is not, under the name by
// which it is answered.
func (p *pending) own(instance string) error {
	of, _, _ := strings.Cut(p.Request, ":")
	switch {
	case p.Instance != instance:
		return ofAnother(instance, p.Instance)
	case of != instance:
		return ofAnother(instance, of)
	}
	return nil
}

func ofAnother(instance, other string) error {
	return fmt.Errorf("%s tells of %.40q as if it were that one", instance, other)
}

// Body is what the proxy still has of a frame's body or an event's text, at most
// 64 KiB; false when that is nothing.
func (c *Client) Body(ctx context.Context, seq uint64) ([]byte, bool, error) {
	var r bodyResult
	err := c.call(ctx, methodBody, bodyParams{seq}, &r)
	return r.Body, r.Found, err
}

// Decide answers a permission. Of d, Request, Digest, Option, Number, Deny and
// Standing are sent; the rest is the server's to say. A ruling of any result is
// no error: an error says that it is not known what has become of it.
func (c *Client) Decide(ctx context.Context, d broker.Decision) (broker.Ruling, error) {
	var r decideResult
	err := c.call(ctx, methodDecide, decideParams{d.Request, d.Digest, d.Option, d.Number, d.Deny, d.Standing}, &r)
	return r.ruling(), err
}

// Disk is what the disk has beside each diff of a request that waits; false when
// it does not wait any more. It takes a few seconds where a file system does not
// answer. A proxy whose greeting does not say that it compares gives an error.
func (c *Client) Disk(ctx context.Context, request string) ([]OnDisk, bool, error) {
	var r diskResult
	err := c.call(ctx, methodDisk, diskParams{request}, &r)
	return r.files(), r.Found, err
}

// Err is why the connection has ended; nil while it has not.
func (c *Client) Err() error { return c.in.err() }

// Close ends the connection and waits for its goroutine.
func (c *Client) Close() error {
	err := c.rpc.Close()
	<-c.in.ended
	if errors.Is(err, jsonrpc2.ErrClosed) {
		return nil
	}
	return err
}

func (c *Client) call(ctx context.Context, method string, params, result any) error {
	var encoded any
	if params != nil {
		data, err := encode(params)
		if err != nil {
			return err
		}
		encoded = data
	}
	var raw json.RawMessage
	err := c.rpc.Call(ctx, method, encoded, &raw)
	var said *jsonrpc2.Error
	switch {
	case err == nil:
		return decode(raw, result)
	case errors.As(err, &said):
		return errors.New(said.Message)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	select { // the connection has ended: what was read last says why
	case <-c.in.ended:
		return c.Err()
	case <-ctx.Done():
		return err
	}
}
