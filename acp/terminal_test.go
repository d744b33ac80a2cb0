package acp_test

import (
	"strings"
	"testing"

	"bobproxy/acp"
)

func TestReadTerminal(t *testing.T) {
	checkReads(t, "terminal", []readCase{
		{"all", `{"sessionId":"s","command":"go","args":["test","./..."],"env":[{"name":"A","value":"b"}],"cwd":"/ws","outputByteLimit":1}`,
			`session="s" command="go" cwd="/ws" args=test|./...`},
		{"least", `{"sessionId":"s","command":"ls"}`, `session="s" command="ls"`},
		{"null", `{"command":"ls","cwd":null,"args":null}`, `command="ls" cwd=null`},
		{"not strings", `{"command":["ls"],"cwd":{"path":"/"},"args":["a",1,null,["b"],"c"]}`, `command=["ls"] cwd={"path":"/"} args=a|c`},
		{"args are no array", `{"command":"ls","args":"-l"}`, `command="ls"`},
		{"cwd twice", `{"command":"ls","cwd":"/ws","cwd":"/"}`, `command="ls" cwd="/" reason=duplicate member`},
		{"command twice", `{"command":"ls","command":"rm"}`, `command="rm" reason=duplicate member`},
		{"args twice", `{"command":"ls","args":["a"],"args":["b"]}`, `command="ls" args=b reason=duplicate member`},
		{"Cwd", `{"command":"ls","Cwd":"/"}`, `command="ls" reason=member name in other letter case`},
		{"Kelvin sign in no name", "{\"command\":\"ls\",\"\u212a\":1}", `command="ls"`},
		{"env is opaque", `{"command":"ls","env":[{"name":"A","name":"B","cwd":1,"cwd":2}],"env":1}`, `command="ls"`},
		{"broken in args", `{"command":"ls","args":["a","b" "c"],"cwd":"/"}`, `command="ls" args=a|b reason=broken JSON`},
	})
}

// TestReadTerminalOfManyArguments shows that they have a bound, and that
// nothing else suffers from it.
func TestReadTerminalOfManyArguments(t *testing.T) {
	many := strings.Repeat(`"",`, 100_000)
	got := acp.ReadTerminal([]byte(`{"args":[` + many + `"last"],"cwd":"/ws"}`))
	if len(got.Args) != 65536 || got.Cwd.Value != "/ws" || got.Reason != 0 {
		t.Errorf("got %d arguments, cwd %s, reason %q", len(got.Args), show(got.Cwd), got.Reason)
	}
}
