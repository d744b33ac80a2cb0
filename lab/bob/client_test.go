//go:build unix

package bob_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/acp"
	"bobproxy/lab/bob"
	"bobproxy/lab/wire"
)

// client is the other end of a Serve, without files or terminals.
type client struct {
	t    *testing.T
	ctx  context.Context
	conn *jsonrpc2.Conn
	done chan error // what Serve returned

	// permission answers requests; nil allows once.
	permission func(wire.PermissionParams) (any, *jsonrpc2.Error)

	mu       sync.Mutex
	updates  map[string][]json.RawMessage // by session
	asked    []wire.PermissionParams
	ids      []jsonrpc2.ID // of these
	withdrew []jsonrpc2.ID
}

// dial starts an agent and initializes it.
func dial(t *testing.T, opts bob.Options) *client {
	t.Helper()
	c := dialRaw(t, opts)
	version := 1
	c.must(acp.MethodInitialize, wire.InitializeParams{ProtocolVersion: &version}, nil)
	return c
}

func dialRaw(t *testing.T, opts bob.Options) *client {
	t.Helper()
	// Not t.Context: that ends before the cleanup below.
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	agentIn, clientOut := io.Pipe()
	clientIn, agentOut := io.Pipe()
	c := &client{t: t, ctx: ctx, done: make(chan error, 1), updates: map[string][]json.RawMessage{}}
	go func() { c.done <- bob.Serve(ctx, agentIn, agentOut, opts) }()
	c.conn = jsonrpc2.NewConn(ctx, wire.NewStream(clientIn, clientOut), c, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	t.Cleanup(func() {
		c.conn.Close()
		if err := <-c.done; err != nil {
			t.Errorf("Serve returned %v", err)
		}
		cancel()
	})
	return c
}

func (c *client) Handle(_ context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	switch req.Method {
	case acp.MethodSessionUpdate:
		var n struct {
			SessionID string          `json:"sessionId"`
			Update    json.RawMessage `json:"update"`
		}
		c.decode(req, &n)
		c.mu.Lock()
		c.updates[n.SessionID] = append(c.updates[n.SessionID], n.Update)
		c.mu.Unlock()
	case acp.MethodCancelRequest:
		var p struct {
			RequestID jsonrpc2.ID `json:"requestId"`
		}
		c.decode(req, &p)
		c.mu.Lock()
		c.withdrew = append(c.withdrew, p.RequestID)
		c.mu.Unlock()
	case acp.MethodRequestPermission:
		var p wire.PermissionParams
		c.decode(req, &p)
		c.mu.Lock()
		c.asked = append(c.asked, p)
		c.ids = append(c.ids, req.ID)
		c.mu.Unlock()
		go c.answer(req.ID, p)
	default:
		c.t.Errorf("agent asked for %s", req.Method)
	}
}

// hold makes permission return no answer.
var hold = &jsonrpc2.Error{}

func (c *client) answer(id jsonrpc2.ID, p wire.PermissionParams) {
	if c.permission == nil {
		_ = c.conn.Reply(c.ctx, id, selected(p.Options[0].OptionID))
		return
	}
	switch result, err := c.permission(p); {
	case err == hold:
	case err != nil:
		_ = c.conn.ReplyWithError(c.ctx, id, err)
	default:
		_ = c.conn.Reply(c.ctx, id, result)
	}
}

// idOf is under which id a title was asked last.
func (c *client) idOf(title string) (id jsonrpc2.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, p := range c.asked {
		if p.ToolCall.Title == title {
			id = c.ids[i]
		}
	}
	return id
}

func selected(option string) wire.PermissionResult {
	return wire.PermissionResult{Outcome: wire.Outcome{Outcome: wire.Selected, OptionID: option}}
}

func (c *client) decode(req *jsonrpc2.Request, into any) {
	if err := json.Unmarshal(*req.Params, into); err != nil {
		c.t.Errorf("%s: %v", req.Method, err)
	}
}

func (c *client) must(method string, params, result any) {
	c.t.Helper()
	if err := c.conn.Call(c.ctx, method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// code is the error code of the answer, 0 for a result.
func (c *client) code(method string, params any) int64 {
	c.t.Helper()
	err := c.conn.Call(c.ctx, method, params, nil)
	refusal := new(jsonrpc2.Error)
	if err != nil && !errors.As(err, &refusal) {
		c.t.Fatalf("%s: %v", method, err)
	}
	return refusal.Code
}

func (c *client) newSession(dir string) string {
	c.t.Helper()
	var s wire.SessionState
	c.must(acp.MethodSessionNew, map[string]any{"cwd": dir, "mcpServers": []any{}}, &s)
	return s.SessionID
}

func (c *client) prompt(session, text string) string {
	c.t.Helper()
	var r wire.PromptResult
	c.must(acp.MethodSessionPrompt, wire.PromptParams{SessionID: session, Prompt: []wire.Block{wire.Text(text)}}, &r)
	return r.StopReason
}

// said is the text of all chunks of a kind that have come for a session.
func (c *client) said(session, kind string) (text string) {
	for _, raw := range c.updatesOf(session, kind) {
		var chunk wire.Chunk
		if err := json.Unmarshal(raw, &chunk); err != nil {
			c.t.Error(err)
		}
		text += chunk.Content.Text
	}
	return text
}

// updatesOf lists the updates of a kind, or all.
func (c *client) updatesOf(session, kind string) (list []json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, raw := range c.updates[session] {
		var head struct {
			Kind string `json:"sessionUpdate"`
		}
		if err := json.Unmarshal(raw, &head); err != nil {
			c.t.Error(err)
		}
		if kind == "" || head.Kind == kind {
			list = append(list, raw)
		}
	}
	return list
}

func (c *client) forget(session string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.updates, session)
}
