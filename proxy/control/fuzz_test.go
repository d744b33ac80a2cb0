package control

import (
	"encoding/json"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
)

// Whatever is let through means to the JSON-RPC library what it meant when it
// was looked at, and so does what it hands on.
func FuzzCall(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"hello","params":{"as":"panel"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"decide","params":{"request":"a:1","number":1e0,"deny":true}}`,
		`{"jsonrpc":"2.0","id":1,"method":"decide","params":{"request":"a:1","option":"\ud800<&\u2028"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"decide","params":{"Request":"b:1","request":"a:1"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"state","params":null}`,
		`{"jsonrpc":"2.0","id":007,"method":"state"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if checkCall(line) != nil {
			return
		}
		var direct struct {
			JSONRPC string          `json:"jsonrpc"`
			ID      uint64          `json:"id"`
			Method  string          `json:"method"`
			Params  json.RawMessage `json:"params"`
		}
		if err := decodeStrictly(line, &direct); err != nil {
			t.Fatalf("%q is let through, then not: %v", line, err)
		}
		var call jsonrpc2.Request
		if json.Unmarshal(line, &call) != nil {
			return // as if it had not been let through
		}
		if call.Method != direct.Method || call.ID.Num != direct.ID || call.Notif {
			t.Fatalf("%q is %+v", line, call)
		}
		if call.Params == nil {
			return
		}
		var here, there decideParams
		one, two := decodeStrictly(direct.Params, &here), decodeStrictly(*call.Params, &there)
		if (one == nil) != (two == nil) || here != there && one == nil {
			t.Fatalf("%q: parameters are %+v (%v) and then %+v (%v)", line, here, one, there, two)
		}
	})
}
