package bob

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/acp"
	"bobproxy/lab/wire"
)

// announce sends a pending tool call and returns it with its id.
func (t *turn) announce(call wire.ToolCall) wire.ToolCall {
	t.s.toolCalls++
	call.ToolCallID = fmt.Sprintf("call-%d", t.s.toolCalls)
	call.Update, call.Status = wire.ToolCallNew, wire.Pending
	t.update(call)
	return call
}

// progress updates a tool call in place; content, when there is some, replaces
// what was shown.
func (t *turn) progress(call wire.ToolCall, status string, content ...wire.ToolContent) {
	t.update(wire.ToolCall{Update: wire.ToolCallUpdate, ToolCallID: call.ToolCallID, Status: status, Content: content})
}

// settled is progress to the end, with what came out.
func (t *turn) settled(call wire.ToolCall, status string, output any, content ...wire.ToolContent) {
	t.update(wire.ToolCall{
		Update: wire.ToolCallUpdate, ToolCallID: call.ToolCallID, Status: status,
		Content: content, RawOutput: wire.Raw(output),
	})
}

// options are what Bob offers for a tool call. Their ids say nothing and differ
// from call to call, so a client must go by the ones it was sent.
func options(callID, always string) []wire.PermissionOption {
	id := func(kind string) string {
		return fmt.Sprintf("opt-%08x", crc32.ChecksumIEEE([]byte(callID+" "+kind)))
	}
	return []wire.PermissionOption{
		{OptionID: id(wire.AllowOnce), Name: "Allow once", Kind: wire.AllowOnce},
		{OptionID: id(wire.AllowAlways), Name: always, Kind: wire.AllowAlways},
		{OptionID: id(wire.RejectOnce), Name: "Reject", Kind: wire.RejectOnce},
	}
}

// ask requests permission for an announced call of a tool. Without it the call
// fails and ask returns errRefused or errCancelled.
func (t *turn) ask(call wire.ToolCall, tool, always string) error {
	if t.allowed(tool) {
		return t.ctx.Err()
	}
	offered := options(call.ToolCallID, always)
	call.Update = ""
	outcome, err := t.permission(wire.PermissionParams{SessionID: t.s.id, ToolCall: call, Options: offered})
	if err == nil {
		err = t.judge(outcome, offered, tool)
	}
	switch {
	case t.ctx.Err() != nil || errors.Is(err, errCancelled):
		t.progress(call, wire.Failed, wire.ToolText("Cancelled before it began."))
		return errCancelled
	case err != nil:
		t.progress(call, wire.Failed, wire.ToolText("Not permitted."))
		return errRefused
	}
	return nil
}

// permission waits for an answer: no longer than the turn, unless Bob is
// patient.
func (t *turn) permission(p wire.PermissionParams) (wire.Outcome, error) {
	ctx := t.waiting()
	id := t.nextID()
	waiter, err := t.conn.DispatchCall(ctx, acp.MethodRequestPermission, p, jsonrpc2.PickID(id))
	if err != nil {
		return wire.Outcome{}, err
	}
	var result wire.PermissionResult
	err = waiter.Wait(ctx, &result)
	if ctx.Err() != nil {
		_ = t.conn.Notify(t.life, acp.MethodCancelRequest, wire.CancelParams{RequestID: wire.Raw(id)})
		return wire.Outcome{}, errCancelled
	}
	if refusal := new(jsonrpc2.Error); errors.As(err, &refusal) && refusal.Code == wire.CodeCancelled {
		return wire.Outcome{}, errCancelled
	}
	return result.Outcome, err
}

// waiting is how long Bob waits for an answer.
func (t *turn) waiting() context.Context {
	if t.opts.Patient {
		return t.life
	}
	return t.ctx
}

// judge makes of an outcome what it permits. Only an option that was offered,
// and that allows, is a permission.
func (t *turn) judge(o wire.Outcome, offered []wire.PermissionOption, tool string) error {
	if o.Outcome == wire.Cancelled {
		return errCancelled
	}
	for _, option := range offered {
		if o.Outcome != wire.Selected || o.OptionID != option.OptionID {
			continue
		}
		switch option.Kind {
		case wire.AllowAlways:
			t.allowAlways(tool)
			return nil
		case wire.AllowOnce:
			return nil
		}
	}
	return errRefused
}

func (t *turn) allowed(tool string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.s.always[tool]
}

func (t *turn) allowAlways(tool string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.s.always[tool] = true
}

// nextID numbers our requests from 1: jsonrpc2 takes 0 for "choose one".
func (a *agent) nextID() jsonrpc2.ID { return jsonrpc2.ID{Num: a.calls.Add(1)} }

// call sends a request and waits for its result, no longer than the turn.
func (t *turn) call(method string, params, result any) error {
	return t.conn.Call(t.ctx, method, params, result, jsonrpc2.PickID(t.nextID()))
}
