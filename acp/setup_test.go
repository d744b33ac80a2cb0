package acp_test

import (
	"strings"
	"testing"

	"bobproxy/acp"
)

func TestReadSetup(t *testing.T) {
	checkReads(t, "setup", []readCase{
		{"new", `{"cwd":"/ws","mcpServers":[]}`, `cwd="/ws"`},
		{"load", `{"sessionId":"s","cwd":"/ws","additionalDirectories":["/a","/b"],"mcpServers":[{"cwd":"/x"}]}`,
			`session="s" cwd="/ws" dirs=["/a" "/b"]`},
		{"resume of v2", `{"sessionId":"s","cwd":"/ws","replayFrom":{"type":"start"}}`, `session="s" cwd="/ws"`},
		{"no directories", `{"cwd":"/ws","additionalDirectories":[]}`, `cwd="/ws"`},
		{"directories null", `{"cwd":"/ws","additionalDirectories":null}`, `cwd="/ws"`},
		{"odd directories stay in their place", `{"cwd":"/ws","additionalDirectories":["/a",null,7,"",["/b"],"/c"]}`,
			`cwd="/ws" dirs=["/a" null 7 "" ["/b"] "/c"]`},
		{"directories are a string", `{"cwd":"/ws","additionalDirectories":"/etc"}`, `cwd="/ws" dirs=["/etc"]`},
		{"directories are an object", `{"cwd":"/ws","additionalDirectories":{"0":"/etc"}}`, `cwd="/ws" dirs=[{"0":"/etc"}]`},
		{"cwd is no string", `{"cwd":["/ws"]}`, `cwd=["/ws"]`},
		{"cwd twice", `{"cwd":"/ws","cwd":"/"}`, `cwd="/" reason=duplicate member`},
		{"directories twice", `{"additionalDirectories":["/a"],"additionalDirectories":["/b"]}`, `dirs=["/b"] reason=duplicate member`},
		{"directories in capitals", `{"ADDITIONALDIRECTORIES":["/a"]}`, `reason=member name in other letter case`},
		{"directories with a long s", `{"additionalDirectorie\u017f":["/a"]}`, `reason=member name in other letter case`},
		{"directories with nothing but escapes",
			`{"\u0061\u0064\u0064\u0069\u0074\u0069\u006f\u006e\u0061\u006c\u0044\u0069\u0072\u0065\u0063\u0074\u006f\u0072\u0069\u0065\u0073":["/a"]}`,
			`dirs=["/a"]`},
		{"other members twice", `{"cwd":"/ws","mcpServers":[],"mcpServers":[{"Cwd":1}]}`, `cwd="/ws"`},
	})
	// What is no array is no string either, even if it is one.
	if s := acp.ReadSetup([]byte(`{"additionalDirectories":"/etc"}`)); len(s.Dirs) != 1 || s.Dirs[0].OK {
		t.Errorf("got %+v", s.Dirs)
	}
}

func TestReadSetupOfManyDirectories(t *testing.T) {
	for n, want := range map[int]acp.Reason{65536: 0, 65537: acp.TooMany} {
		params := `{"additionalDirectories":[` + strings.Repeat(`"",`, n-1) + `"/last"],"cwd":"/ws"}`
		got := acp.ReadSetup([]byte(params))
		if len(got.Dirs) != 65536 || got.Cwd.Value != "/ws" || got.Reason != want {
			t.Errorf("%d: got %d directories, cwd %s, reason %q", n, len(got.Dirs), show(got.Cwd), got.Reason)
		}
	}
}
