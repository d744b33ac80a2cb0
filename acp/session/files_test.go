package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"bobproxy/acp"
)

// Of a tool call the files that its content links to are kept, and only those.
func TestLinkedFilesAreRemembered(t *testing.T) {
	links := func(uris ...string) string {
		var all []string
		for _, uri := range uris {
			all = append(all, `{"type":"content","content":{"type":"resource_link","uri":"`+uri+`"}}`)
		}
		return `"toolCallId":"t","content":[` + strings.Join(all, ",") + `]`
	}
	var many []string
	for i := range maxShown + 1 {
		many = append(many, fmt.Sprintf("file:///a/%d", i))
	}
	for _, tt := range []struct {
		name, script string
		want         []string
		more         bool
	}{
		{"announced", update("tool_call", links("file:///a", "https://a/b", "/b", "zed:///x")), []string{"file:///a", "/b"}, false},
		{"lists replace", update("tool_call", links("file:///a")) + update("tool_call_update", links("file:///b")), []string{"file:///b"}, false},
		{"what is omitted stays", update("tool_call", links("file:///a")) + update("tool_call_update", `"toolCallId":"t","status":"completed"`), []string{"file:///a"}, false},
		{"null takes back in version 2", version2 + update("tool_call_update", links("file:///a")) + update("tool_call_update", `"toolCallId":"t","content":null`), nil, false},
		{"a chunk appends", update("tool_call", links("file:///a")) +
			update("tool_call_content_chunk", `"toolCallId":"t","content":{"type":"content","content":{"uri":"file:///b"}}`), []string{"file:///a", "file:///b"}, false},
		{"more than are kept", update("tool_call", links(many...)), many[:maxShown], true},
		{"longer than is kept", update("tool_call", links("file:///"+strings.Repeat("a", maxShow))), nil, true},
		{"more is taken back with the list", update("tool_call", links(many...)) + update("tool_call_update", links("file:///a")), []string{"file:///a"}, false},
	} {
		c := conversation{t: t}
		c.exchange(tt.script)
		got, _ := c.fold.Call("S", "t")
		if !slices.Equal(got.Files, tt.want) || got.MoreFiles != tt.more || got.More {
			t.Errorf("%s: got %q, %v; want %q, %v", tt.name, got.Files, got.MoreFiles, tt.want, tt.more)
		}
	}
}

// The fold says what it read of an update that names files, so that nobody reads
// it again, and nothing of the others.
func TestWhatUpdatesTell(t *testing.T) {
	c := conversation{t: t}
	for line, kind := range map[string]string{
		update("tool_call", edit):                                                                                "tool_call",
		update(`tool\u005fcall_update`, edit):                                                                    "tool_call_update",
		update("plan_update", `"plan":{"uri":"file:///a"}`):                                                      "plan_update",
		update("terminal_update", `"cwd":"/a"`):                                                                  "terminal_update",
		update("agent_message_chunk", `"content":{"type":"text"}`):                                               "",
		update("terminal_output_chunk", `"data":"","cwd":"/a"`):                                                  "",
		update("tool_call_update", `"toolCallId":"t","status":"completed"`):                                      "",
		update("plan", `"entries":[]`):                                                                           "",
		`> {"method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"tool_call"}}}` + "\n": "",
	} {
		from := acp.Agent
		if line[0] == '>' {
			from = acp.Client
		}
		fact := c.line(from, line[2:])
		if got := fact.Told; kind == "" && got != nil || kind != "" && (got == nil || got.Kind != kind || got.Session.Value != "S") || fact.Replay {
			t.Errorf("%s tells %+v, want %q", line, got, kind)
		}
	}
}

// While a session is loaded what is told of it, or of its children, may be of
// long ago.
func TestReplay(t *testing.T) {
	tells := func(session string) string {
		return strings.Replace(update("tool_call", edit), `"S"`, `"`+session+`"`, 1)[2:]
	}
	for _, method := range []string{"load", "resume"} {
		c := conversation{t: t}
		replays := func(session string) bool { return c.line(acp.Agent, tells(session)).Replay }
		c.exchange(`> {"id":1,"method":"session/new","params":{"cwd":"/a"}}` + "\n")
		if replays("S") {
			t.Errorf("%s: a new session has a past", method)
		}
		c.exchange(`< {"id":1,"result":{"sessionId":"S"}}` + "\n" + update("subagent_update", `"sessionId":"K"`))
		if replays("S") || replays("K") {
			t.Errorf("%s: before it", method)
		}
		c.exchange(`> {"id":2,"method":"session/` + method + `","params":{"sessionId":"S","cwd":"/a"}}` + "\n")
		if !replays("S") || !replays("K") || replays("T") {
			t.Errorf("%s: under way: %v, %v, another session %v", method, replays("S"), replays("K"), replays("T"))
		}
		c.exchange(`< {"id":2,"error":{}}` + "\n")
		if replays("S") || replays("K") {
			t.Errorf("%s: behind it", method)
		}
	}
}

// A permission that the caller has read is not read again.
func TestPermissionThatWasRead(t *testing.T) {
	c := conversation{t: t}
	var frame acp.Frame
	acp.Scan([]byte(ask(edit)[2:]), &frame)
	p := acp.ReadPermission(frame.Params)
	p.Call.Title.Value = "as it was read"
	c.fold.With(c.at, acp.Agent, &frame, With{Permission: &p})
	if got, _ := c.fold.Call("S", "t"); got.Title != "as it was read" || got.Kind != "edit" {
		t.Errorf("got %+v", got)
	}
}
