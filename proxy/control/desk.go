package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"bobproxy/proxy/broker"

	"github.com/sourcegraph/jsonrpc2"
)

// desk is what is known of a client from its calls.
type desk struct {
	as       broker.By // empty before hello
	watching bool
	reported bool // that an answer was turned away
	disk     comparing
}

// Handle answers one call. It runs in the reading goroutine, so a client's calls
// are answered one after the other, save for those that wait for the disk.
func (c *conn) Handle(ctx context.Context, rpc *jsonrpc2.Conn, req *jsonrpc2.Request) {
	params := []byte("{}")
	if req.Params != nil {
		params = *req.Params
	}
	if req.Method == methodDisk && c.as != "" {
		c.compare(ctx, rpc, req.ID, params)
		return
	}
	result, feed, err := c.answer(req.Method, params)
	sent := respond(ctx, rpc, req.ID, result, err)
	if feed != nil && (sent != nil || c.enqueue(message{feed: feed}) != nil) {
		c.stop(feed)
	}
}

func respond(ctx context.Context, rpc *jsonrpc2.Conn, id jsonrpc2.ID, result any, err error) error {
	resp := &jsonrpc2.Response{ID: id}
	if err == nil {
		var data json.RawMessage
		if data, err = encode(result); err == nil {
			resp.Result = &data
		}
	}
	if err != nil {
		resp.Error = asError(err)
	}
	return rpc.SendResponse(ctx, resp)
}

func asError(err error) *jsonrpc2.Error {
	var e *jsonrpc2.Error
	if errors.As(err, &e) {
		return e
	}
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: cut(err.Error(), maxReason)}
}

func (c *conn) answer(method string, params []byte) (any, *feed, error) {
	if c.as == "" && method != methodHello {
		return nil, nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "hello comes first"}
	}
	switch method {
	case methodHello:
		return wrap(c.hello(params))
	case methodState:
		return wrap(c.state(params))
	case methodWatch:
		return c.watch(params)
	case methodBody:
		return wrap(c.body(params))
	case methodDecide:
		return wrap(c.decide(params))
	}
	return nil, nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: fmt.Sprintf("there is no method %.40q", method)}
}

func wrap(result any, err error) (any, *feed, error) { return result, nil, err }

func (c *conn) hello(params []byte) (any, error) {
	var p helloParams
	if err := decodeStrictly(params, &p); err != nil {
		return nil, err
	}
	as := broker.By(p.As)
	switch {
	case c.as != "":
		return nil, errors.New("hello was said before")
	case as != broker.ByPanel && as != broker.ByCommand:
		return nil, fmt.Errorf("a client is a panel or a command, not %.40q", p.As)
	}
	c.as = as
	c.nc.SetReadDeadline(time.Time{})
	g := Greeting{Instance: c.server.opts.Instance, PID: c.host.State().PID}
	g.Answers, g.Why = c.server.opts.permit(c.who, as)
	g.Disk = c.seesDisk()
	return g, nil
}

func (c *conn) state(params []byte) (any, error) {
	if err := decodeStrictly(params, &struct{}{}); err != nil {
		return nil, err
	}
	return c.server.state(c.host.State()), nil
}

func (c *conn) watch(params []byte) (any, *feed, error) {
	if err := decodeStrictly(params, &struct{}{}); err != nil {
		return nil, nil, err
	}
	if c.watching {
		return nil, nil, errors.New("this connection watches already")
	}
	c.watching = true
	s, before, watcher := c.host.Watch(watchBuffer)
	c.server.watching(+1)
	before = before[max(0, len(before)-newestEvents):]
	return watchResult{c.server.state(s), len(before)}, &feed{before, watcher}, nil
}

func (c *conn) body(params []byte) (any, error) {
	var p bodyParams
	if err := decodeStrictly(params, &p); err != nil {
		return nil, err
	}
	body, found := c.host.Body(p.Seq)
	return bodyResult{found, body[:min(len(body), maxText)]}, nil
}

func (c *conn) decide(params []byte) (any, error) {
	var p decideParams
	if err := decodeStrictly(params, &p); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	if instance, _, _ := strings.Cut(p.Request, ":"); instance != c.server.opts.Instance {
		return decideResult{Result: string(broker.Unknown), Text: text(fmt.Sprintf("this is %s, which has no request %.40q", c.server.opts.Instance, p.Request))}, nil
	}
	permit, why := c.server.opts.permit(c.who, c.as)
	if permit == none {
		c.report(p.Request, why)
		return decideResult{Result: string(broker.Refused), Text: text(why)}, nil
	}
	who := c.who.peer
	return fromRuling(c.host.Decide(broker.Decision{
		Request: p.Request, Digest: p.Digest, Option: p.Option, Number: p.Number,
		Deny: p.Deny, Standing: p.Standing,
		By: c.as, DenyOnly: permit == denyOnly, Why: why, Peer: &who,
	})), nil
}

func (c *conn) report(request, why string) {
	if c.server.opts.Refused != nil && !c.reported {
		c.reported = true
		c.server.opts.Refused(c.who.peer, request, why)
	}
}
