package session_test

import (
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
)

// What is garbled names nothing: no session, no tool call, no mode. Whatever is
// beside it counts.
func TestGarbledNames(t *testing.T) {
	for _, garbage := range []string{`\ud83d`, "\xff"} {
		var f session.Fold
		says := func(from acp.Direction, line string) session.Fact {
			var frame acp.Frame
			acp.Scan([]byte(strings.ReplaceAll(line, "§", garbage)+"\n"), &frame)
			if frame.Kind == acp.Ambiguous {
				t.Fatalf("%s is ambiguous: %v", line, frame.Reason)
			}
			return f.Frame(time.Now(), from, &frame)
		}
		says(acp.Client, `{"id":1,"method":"session/new","params":{"cwd":"/ws","mcpServers":[{"name":"§"}]}}`)
		says(acp.Agent, `{"id":1,"result":{"sessionId":"s","_meta":"§"}}`)
		if grants, known := f.Grants("s"); !known || len(grants) != 1 || grants[0].Cwd != "/ws" {
			t.Errorf("%q: got grants %v, known %v", garbage, grants, known)
		}
		says(acp.Client, `{"id":2,"method":"session/new","params":{"cwd":"/ws"}}`)
		if fact := says(acp.Agent, `{"id":2,"result":{"sessionId":"s§"}}`); !fact.Paired || fact.Session != "" {
			t.Errorf("%q: got %+v", garbage, fact)
		}
		if open := f.Sessions(); len(open) != 1 {
			t.Errorf("%q: got the sessions %v", garbage, open)
		}

		update := func(session, call, members string) {
			says(acp.Agent, `{"method":"session/update","params":{"sessionId":"`+session+`","update":{"sessionUpdate":"tool_call","toolCallId":"`+call+`",`+members+`}}}`)
		}
		update("s", "c", `"title":"Fix §","locations":[{"path":"/a"}],"rawInput":"§"`)
		update("s", "c§", `"title":"another"`)
		update("s§", "c", `"title":"another"`)
		if c, ok := f.Call("s", "c"); !ok || strings.Trim(c.Title, "\ufffd") != "Fix " || c.More || string(c.RawInput) != `"`+garbage+`"` {
			t.Errorf("%q: got the call %+v", garbage, c)
		}
		for _, members := range []string{`"locations":[{"path":"/a"},{"path":"/a§"}]`, `"content":[{"type":"diff","path":"/a§"}]`,
			`"content":[{"type":"diff","changes":[{"path":"/a","oldPath":"/a§"}]}]`} {
			update("s", "d", members)
			if c, ok := f.Call("s", "d"); !ok || !c.More {
				t.Errorf("%q: the call is said to be judgeable by %+v", garbage, c)
			}
		}
	}
}
