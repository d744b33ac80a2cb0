package broker_test

import (
	"encoding/json"
	"testing"
	"time"

	"bobproxy/proxy/broker"
)

func TestFrames(t *testing.T) {
	for _, c := range []struct {
		name, got, want string
	}{
		{"selected", string(broker.Selected([]byte(`"a\u0000"`), []byte(`"\ud83d\ude42"`))),
			`{"jsonrpc":"2.0","id":"a\u0000","result":{"outcome":{"outcome":"selected","optionId":"\ud83d\ude42"}}}`},
		{"percent signs", string(broker.Selected([]byte(`"%d"`), []byte(`"%s"`))),
			`{"jsonrpc":"2.0","id":"%d","result":{"outcome":{"outcome":"selected","optionId":"%s"}}}`},
		{"cancelled", string(broker.Cancelled([]byte("7"))),
			`{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"cancelled"}}}`},
		{"withdrawn", string(broker.CancelRequest([]byte(`"7"`))),
			`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"7"}}`},
		{"turn cancelled", string(broker.SessionCancel([]byte(`"s\n1"`))),
			`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s\n1"}}`},
		{"error", string(broker.ErrorReply([]byte("1"), -32602, "a \"b\"\n\xff", nil)),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"a \"b\"\n\ufffd"}}`},
		{"error with data", string(broker.ErrorReply([]byte("1"), -32602, "x", map[string]any{"source": "bobproxy", "roots": []string{"/a"}})),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"x","data":{"roots":["/a"],"source":"bobproxy"}}}`},
		{"timed out", string(broker.TimedOut([]byte("1"), 90*time.Second)),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no answer within 1m30s (bobproxy)","data":{"reason":"timeout","source":"bobproxy"}}}`},
	} {
		if c.got != c.want+"\n" {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, c.got, c.want+"\n")
		}
		if !json.Valid([]byte(c.got)) {
			t.Errorf("%s: not JSON: %q", c.name, c.got)
		}
	}
}
