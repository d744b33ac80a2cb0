package editor

import (
	"context"
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/acp"
	"bobproxy/lab/wire"
)

// reader is the conversation as jsonrpc2 sees it. Handle runs on the goroutine
// that delivers responses: what must keep its order happens in it, what waits
// or writes to the agent happens in a reply's own goroutine.
type reader struct {
	*conversation
	ready <-chan struct{} // closed once conn is set
}

func (r *reader) Handle(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) {
	<-r.ready
	if req.Notif {
		r.notice(req)
		return
	}
	if req.Method == acp.MethodRequestPermission {
		r.dialogs.open(req)
		return
	}
	r.replies.Go(func() {
		result, err := r.serve(req)
		r.reply(req.ID, result, err)
	})
}

func (c *conversation) reply(id jsonrpc2.ID, result any, err *jsonrpc2.Error) {
	if err != nil {
		_ = c.conn.ReplyWithError(c.life, id, err)
		return
	}
	_ = c.conn.Reply(c.life, id, result)
}

func (c *conversation) notice(req *jsonrpc2.Request) {
	switch req.Method {
	case acp.MethodSessionUpdate:
		var p struct {
			Update json.RawMessage `json:"update"`
		}
		if params(req, &p) == nil {
			c.screen.update(p.Update, c.shells)
		}
	case acp.MethodCancelRequest:
		var p struct {
			RequestID jsonrpc2.ID `json:"requestId"`
		}
		if params(req, &p) == nil {
			c.dialogs.withdraw(p.RequestID)
		}
	}
}

// serve answers the requests that need no person.
func (c *conversation) serve(req *jsonrpc2.Request) (any, *jsonrpc2.Error) {
	switch req.Method {
	case acp.MethodReadTextFile, acp.MethodWriteTextFile:
		if c.opts.NoFiles {
			break
		}
		var p wire.FileParams
		if err := params(req, &p); err != nil {
			return nil, err
		}
		if req.Method == acp.MethodReadTextFile {
			return c.files.read(p)
		}
		return c.files.write(p)
	case acp.MethodTerminalCreate, acp.MethodTerminalOutput, acp.MethodTerminalWaitForExit, acp.MethodTerminalKill, acp.MethodTerminalRelease:
		if c.opts.NoTerminal {
			break
		}
		var p wire.TerminalParams
		if err := params(req, &p); err != nil {
			return nil, err
		}
		return c.shells.serve(req.Method, p)
	}
	return nil, wire.Errorf(jsonrpc2.CodeMethodNotFound, "method not found: %s", req.Method)
}

func params(req *jsonrpc2.Request, into any) *jsonrpc2.Error {
	if req.Params == nil {
		return wire.Errorf(jsonrpc2.CodeInvalidParams, "%s: no params", req.Method)
	}
	if err := json.Unmarshal(*req.Params, into); err != nil {
		return wire.Errorf(jsonrpc2.CodeInvalidParams, "%s: %v", req.Method, err)
	}
	return nil
}
