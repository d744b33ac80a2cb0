package control

import (
	"encoding/json"
	"fmt"

	"bobproxy/proxy/broker"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/sourcegraph/jsonrpc2"
)

// The methods, all called by clients but the last one.
const (
	methodHello  = "hello"
	methodState  = "state"
	methodWatch  = "watch"
	methodBody   = "body"
	methodDecide = "decide"
	methodDisk   = "disk"
	methodEvent  = "event"
)

type helloParams struct {
	As string `json:"as"`
}

// Greeting is how a server introduces itself.
type Greeting struct {
	Instance string `json:"instance"`
	PID      int    `json:"pid"`
	Answers  string `json:"answers"`        // what the caller may answer with: all, deny-only, none
	Why      string `json:"why,omitempty"`  // when that is not all
	Disk     bool   `json:"disk,omitempty"` // it compares diffs with the disk for this client
}

type watchResult struct {
	State  state `json:"state"`
	Events int   `json:"events"` // how many of the event messages that follow are from before
}

type bodyParams struct {
	Seq uint64 `json:"seq"`
}

type bodyResult struct {
	Found bool   `json:"found"`
	Body  []byte `json:"body"`
}

type decideParams struct {
	Request  string `json:"request"`
	Digest   string `json:"digest,omitzero"`
	Option   string `json:"option,omitzero"`
	Number   int    `json:"number,omitzero"`
	Deny     bool   `json:"deny,omitzero"`
	Standing bool   `json:"standing,omitzero"`
}

type decideResult struct {
	Result string `json:"result"`
	By     string `json:"by,omitzero"`
	Option text   `json:"option,omitzero"`
	Kind   text   `json:"kind,omitzero"`
	Text   text   `json:"text,omitzero"`
}

func (p *decideParams) check() error {
	ways := 0
	for _, given := range []bool{p.Option != "", p.Number != 0, p.Deny} {
		if given {
			ways++
		}
	}
	switch {
	case p.Request == "":
		return fmt.Errorf("no request is named")
	case p.Number < 0:
		return fmt.Errorf("options are numbered from 1, not %d", p.Number)
	case ways == 0:
		return fmt.Errorf("give option, number or deny")
	case p.Deny && ways > 1:
		return fmt.Errorf("deny goes without an option")
	}
	return nil
}

func fromRuling(r broker.Ruling) decideResult {
	return decideResult{string(r.Result), string(r.By), text(r.Option), text(r.Kind), text(r.Text)}
}

func (r *decideResult) ruling() broker.Ruling {
	return broker.Ruling{
		Result: broker.Result(r.Result), By: broker.By(r.By),
		Option: string(r.Option), Kind: string(r.Kind), Text: string(r.Text),
	}
}

// checkCall says what is wrong with a message to a server: it must be one plain
// call, whose parameters are read in the same strict way later.
func checkCall(line []byte) error {
	var call struct {
		JSONRPC string         `json:"jsonrpc"`
		ID      jsontext.Value `json:"id"`
		Method  string         `json:"method"`
		Params  jsontext.Value `json:"params"`
	}
	if err := decodeStrictly(line, &call); err != nil {
		return err
	}
	switch {
	case call.JSONRPC != "2.0":
		return fmt.Errorf("not JSON-RPC 2.0")
	case call.Method == "":
		return fmt.Errorf("no method")
	case !plainNumber(call.ID):
		return fmt.Errorf("the id must be a whole number of at most 15 digits")
	case len(call.Params) > 0 && call.Params.Kind() != '{':
		return fmt.Errorf("params must be an object")
	}
	return nil
}

func plainNumber(v []byte) bool {
	for _, c := range v {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(v) > 0 && len(v) <= 15
}

const maxReason = 1 << 10 // bytes of an error's message

// goodbye is the last line to a client: an error that answers nothing.
func goodbye(why string) []byte {
	line, err := encode(map[string]any{
		"jsonrpc": "2.0",
		"id":      nil,
		"error":   map[string]any{"code": jsonrpc2.CodeInvalidRequest, "message": cut(why, maxReason)},
	})
	if err != nil {
		panic("goodbye: " + err.Error())
	}
	return append(line, '\n')
}

// reasonOf is what a goodbye says; empty when line is none.
func reasonOf(line []byte) string {
	var last struct {
		ID    json.RawMessage `json:"id"`
		Error *struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if len(line) > 8*maxReason || decode(line, &last) != nil || last.Error == nil || string(last.ID) != "null" {
		return ""
	}
	return last.Error.Message
}
