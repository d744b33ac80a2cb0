package bob

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/acp"
	"bobproxy/lab/wire"
)

// question is a permission request whose id and number are Bob's own choice.
type question struct {
	id      jsonrpc2.ID
	call    wire.ToolCall
	offered []wire.PermissionOption
}

// question announces a step and makes the request for it.
func (t *turn) question(id jsonrpc2.ID, title string) question {
	call := t.announce(wire.ToolCall{Title: title, Kind: "other"})
	return question{id, call, options(call.ToolCallID, "Always allow such steps in this session")}
}

// request is a frame with an id of any number, 0 included.
type request struct {
	JSONRPC string      `json:"jsonrpc"`
	ID      jsonrpc2.ID `json:"id"`
	Method  string      `json:"method"`
	Params  any         `json:"params"`
}

func (t *turn) request(q question) request {
	call := q.call
	call.Update = ""
	return request{"2.0", q.id, acp.MethodRequestPermission,
		wire.PermissionParams{SessionID: t.s.id, ToolCall: call, Options: q.offered}}
}

// pose asks all questions with a single write; the replies go into box.
func (t *turn) pose(box chan<- reply, questions ...question) error {
	var frames []any
	for _, q := range questions {
		t.mail.expect(q.id, box)
		frames = append(frames, t.request(q))
	}
	return t.post(frames...)
}

// post writes frames with a single write.
func (t *turn) post(frames ...any) error {
	var lines []byte
	for _, frame := range frames {
		lines = append(append(lines, wire.Raw(frame)...), '\n')
	}
	return t.frames.WriteLines(lines)
}

// answered waits for the next reply to q and hears it.
func (t *turn) answered(q question, box <-chan reply) (string, error) {
	r, err := await(t.waiting(), box)
	if err != nil {
		t.progress(q.call, wire.Failed, wire.ToolText("Cancelled before it was answered."))
		return "", err
	}
	said, _ := t.hear(q, r)
	return said, nil
}

// hear ends the tool call of q as r decides. It says in words what that was and
// whether it is a permission.
func (t *turn) hear(q question, r reply) (said string, allowed bool) {
	said, allowed = verdict(r, q.offered)
	status := wire.Failed
	if allowed {
		status = wire.Completed
	}
	t.progress(q.call, status, wire.ToolText(said))
	return said, allowed
}

// verdict reads a reply to a permission request. Only an option that was
// offered, and that allows, is a permission.
func verdict(r reply, offered []wire.PermissionOption) (said string, allowed bool) {
	if r.refusal != nil {
		return words(r.refusal), false
	}
	var result struct {
		Outcome *wire.Outcome `json:"outcome"`
	}
	if json.Unmarshal(r.result, &result) != nil || result.Outcome == nil {
		return "no outcome: " + clipped(string(r.result), 100), false
	}
	switch o := result.Outcome; o.Outcome {
	case wire.Cancelled:
		return wire.Cancelled, false
	case wire.Selected:
		for _, option := range offered {
			if option.OptionID == o.OptionID {
				return cmp.Or(option.Name, fmt.Sprintf("option %q", clipped(option.OptionID, 100))), option.Allows()
			}
		}
		return fmt.Sprintf("an option that was not offered: %q", clipped(o.OptionID, 100)), false
	default:
		return fmt.Sprintf("an outcome of another kind: %q", clipped(o.Outcome, 100)), false
	}
}

// offers reports whether r names one of the options of q.
func (q question) offers(r reply) bool {
	var result wire.PermissionResult
	if json.Unmarshal(r.result, &result) != nil {
		return false
	}
	for _, option := range q.offered {
		if option.OptionID == result.Outcome.OptionID {
			return true
		}
	}
	return false
}
