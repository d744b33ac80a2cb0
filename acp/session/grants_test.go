package session

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"bobproxy/acp"
)

// exchange plays lines, one a row: "> " starts one of the client's, "< " one of
// the agent's. A row that starts with "# " is for the reader.
func (c *conversation) exchange(script string) (last Fact) {
	c.t.Helper()
	for row := range strings.Lines(script) {
		switch row = strings.TrimSpace(row); {
		case strings.HasPrefix(row, "> "):
			last = c.line(acp.Client, row[2:])
		case strings.HasPrefix(row, "< "):
			last = c.line(acp.Agent, row[2:])
		case row != "" && !strings.HasPrefix(row, "# "):
			c.t.Fatalf("nobody says %q", row)
		}
	}
	return last
}

// granted shows grants on one line: "/a /b | /c" are two grants, of which the
// first has two directories. What nobody knows starts with a question mark.
func (c *conversation) granted(session string) string {
	grants, known := c.fold.Grants(session)
	shown := showGrants(grants)
	if !known {
		shown = strings.TrimSpace("? " + shown)
	}
	return shown
}

func showGrants(grants []Grant) string {
	var all []string
	for _, g := range grants {
		all = append(all, "["+strings.Join(g.Dirs, " ")+"]")
	}
	return strings.Join(all, " ")
}

func TestGrants(t *testing.T) {
	for _, tt := range []struct{ name, script, session, want string }{
		{"nothing was said", ``, "S", "?"},
		{"a new session", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a","mcpServers":[]}}
			< {"id":1,"result":{"sessionId":"S"}}`, "S", "[/a]"},
		{"another session is unknown", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a","mcpServers":[]}}
			< {"id":1,"result":{"sessionId":"S"}}`, "T", "?"},
		{"not yet answered", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}`, "S", "? [/a]"},
		{"it may be any of those under way", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			> {"id":2,"method":"session/fork","params":{"sessionId":"S","cwd":"/b","additionalDirectories":["/c"]}}`, "T", "? [/a] [/b /c]"},
		{"updates and requests before the result", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"agent_message_chunk"}}}
			< {"id":1,"method":"session/request_permission","params":{"sessionId":"S","toolCall":{"toolCallId":"t"},"options":[]}}
			< {"id":1,"result":{"sessionId":"S"}}`, "S", "[/a]"},
		{"answered out of order", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			> {"id":2,"method":"session/new","params":{"cwd":"/b"}}
			< {"id":2,"result":{"sessionId":"B"}}
			< {"id":1,"result":{"sessionId":"A"}}`, "B", "[/b]"},
		{"one of two is left", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			> {"id":2,"method":"session/new","params":{"cwd":"/b"}}
			< {"id":2,"result":{"sessionId":"B"}}`, "A", "? [/a]"},
		{"an error gives nothing", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"error":{"code":-32602,"message":"no"}}`, "S", "?"},
		{"a result and an error give nothing", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"S"},"error":{"code":1}}`, "S", "?"},
		{"a result without an id", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":7}}`, "7", "?"},
		{"a result that nobody asked for", `
			< {"id":1,"result":{"sessionId":"S"}}
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}`, "S", "? [/a]"},
		{"a result under another type of id", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":"1","result":{"sessionId":"S"}}`, "S", "? [/a]"},
		{"the agent asks for a session", `
			< {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			> {"id":1,"result":{"sessionId":"S"}}`, "S", "?"},
		{"the agent loads", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"S"}}
			< {"id":2,"method":"session/load","params":{"sessionId":"S","cwd":"/"}}
			> {"id":2,"result":null}`, "S", "[/a]"},
		{"the client answers itself", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			> {"id":1,"result":{"sessionId":"S"}}`, "S", "? [/a]"},
		{"a notification opens nothing", `
			> {"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}`, "S", "?"},
		{"nobody can answer null", `
			> {"id":null,"method":"session/new","params":{"cwd":"/a"}}`, "S", "?"},
		{"what the agent writes in adds nothing", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"S","cwd":"/","additionalDirectories":["/etc"]}}
			< {"id":2,"method":"terminal/create","params":{"sessionId":"S","command":"x","cwd":"/etc"}}
			< {"id":3,"method":"fs/write_text_file","params":{"sessionId":"S","path":"/etc/x","content":""}}`, "S", "[/a]"},

		{"a load under way", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}`, "S", "[/a]"},
		{"a load under way is no other session", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}`, "T", "?"},
		{"a load is not one of the unnamed", `
			> {"id":1,"method":"session/new","params":{"cwd":"/b"}}
			> {"id":2,"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}`, "S", "[/a]"},
		{"a load with null", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a","additionalDirectories":["/b"]}}
			< {"id":1,"result":null}`, "S", "[/a /b]"},
		{"a load with {}", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}
			< {"id":1,"result":{}}`, "S", "[/a]"},
		{"a load that names another", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"T"}}`, "T", "?"},
		{"a load that failed", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}
			< {"id":1,"error":{"code":-32002,"message":"no such session"}}`, "S", "?"},
		{"loaded again, under way", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}
			< {"id":1,"result":{}}
			> {"id":2,"method":"session/resume","params":{"sessionId":"S","cwd":"/b"}}`, "S", "[/a] [/b]"},
		{"loaded again replaces", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a","additionalDirectories":["/c"]}}
			< {"id":1,"result":{}}
			> {"id":2,"method":"session/resume","params":{"sessionId":"S","cwd":"/b"}}
			< {"id":2,"result":{}}`, "S", "[/b]"},
		{"loaded again and failed", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}
			< {"id":1,"result":{}}
			> {"id":2,"method":"session/resume","params":{"sessionId":"S","cwd":"/b"}}
			< {"id":2,"error":{"code":1}}`, "S", "[/a]"},
		{"omitted directories are not kept", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a","additionalDirectories":["/b","/c"]}}
			< {"id":1,"result":{"sessionId":"S"}}
			> {"id":2,"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}
			< {"id":2,"result":{}}`, "S", "[/a]"},
		{"the later request has the last word", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a","additionalDirectories":["/b"]}}
			> {"id":2,"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}
			< {"id":2,"result":{}}
			< {"id":1,"result":{}}`, "S", "[/a]"},
		{"until both are answered", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}
			> {"id":2,"method":"session/load","params":{"sessionId":"S","cwd":"/b"}}
			< {"id":1,"result":{}}`, "S", "[/a] [/b]"},
		{"one of two loads failed", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}
			> {"id":2,"method":"session/load","params":{"sessionId":"S","cwd":"/b"}}
			< {"id":1,"error":{"code":1}}`, "S", "[/b]"},
		{"a fork leaves the old session alone", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"S"}}
			> {"id":2,"method":"session/fork","params":{"sessionId":"S","cwd":"/b"}}
			< {"id":2,"result":{"sessionId":"F"}}`, "S", "[/a]"},
		{"a fork has its own", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"S"}}
			> {"id":2,"method":"session/fork","params":{"sessionId":"S","cwd":"/b"}}
			< {"id":2,"result":{"sessionId":"F"}}`, "F", "[/b]"},

		{"closed", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"S"}}
			> {"id":2,"method":"session/close","params":{"sessionId":"S"}}
			< {"id":2,"result":{}}`, "S", "?"},
		{"about to be deleted", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"S"}}
			> {"id":2,"method":"session/delete","params":{"sessionId":"S"}}`, "S", "[/a]"},
		{"not deleted after all", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"S"}}
			> {"id":2,"method":"session/delete","params":{"sessionId":"S"}}
			< {"id":2,"error":{"code":-32601}}`, "S", "[/a]"},
		{"the agent closes nothing", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"S"}}
			< {"id":2,"method":"session/close","params":{"sessionId":"S"}}
			> {"id":2,"result":{}}`, "S", "[/a]"},
		{"an id used again after delete", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"S"}}
			> {"id":2,"method":"session/delete","params":{"sessionId":"S"}}
			< {"id":2,"result":{}}
			> {"id":3,"method":"session/new","params":{"cwd":"/b"}}
			< {"id":3,"result":{"sessionId":"S"}}`, "S", "[/b]"},
		{"the delete is answered after the new session", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"S"}}
			> {"id":2,"method":"session/delete","params":{"sessionId":"S"}}
			> {"id":3,"method":"session/new","params":{"cwd":"/b"}}
			< {"id":3,"result":{"sessionId":"S"}}
			< {"id":2,"result":{}}`, "S", "[/b]"},
		{"closed while it was loaded", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}
			> {"id":2,"method":"session/close","params":{"sessionId":"S"}}
			< {"id":1,"result":{}}
			< {"id":2,"result":{}}`, "S", "?"},
		{"loaded while it was closed", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"S"}}
			> {"id":2,"method":"session/close","params":{"sessionId":"S"}}
			> {"id":3,"method":"session/load","params":{"sessionId":"S","cwd":"/b"}}
			< {"id":2,"result":{}}`, "S", "[/b]"},
		{"loaded and closed, in the end", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"S"}}
			> {"id":2,"method":"session/close","params":{"sessionId":"S"}}
			> {"id":3,"method":"session/load","params":{"sessionId":"S","cwd":"/b"}}
			< {"id":2,"result":{}}
			< {"id":3,"result":{}}`, "S", "[/b]"},
		{"an id used again without delete", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a","additionalDirectories":["/x"]}}
			< {"id":1,"result":{"sessionId":"S"}}
			> {"id":2,"method":"session/new","params":{"cwd":"/b"}}
			< {"id":2,"result":{"sessionId":"S"}}`, "S", "[/b]"},
		{"cancelling ends nothing", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"S"}}
			> {"method":"session/cancel","params":{"sessionId":"S"}}
			> {"id":9,"method":"session/cancel","params":{"sessionId":"S"}}`, "S", "[/a]"},

		{"ids are what they say, not how", `
			> {"id":1,"method":"session/load","params":{"sessionId":"\u0053\/1","cwd":"\/a"}}
			< {"id":1,"result":{}}`, "S/1", "[/a]"},
		{"an id with escapes in the result", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"\u00e9"}}`, "é", "[/a]"},
		{"an empty id is an id", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":""}}`, "", "[/a]"},

		{"directories that are none", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a","additionalDirectories":["/b","rel",null,"",7,["/z"],{"path":"/y"}]}}
			< {"id":1,"result":{"sessionId":"S"}}`, "S", "[/a /b]"},
		{"directories that are no array", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a","additionalDirectories":"/etc"}}
			< {"id":1,"result":{"sessionId":"S"}}`, "S", "[/a]"},
		{"directories that are null", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a","additionalDirectories":null}}
			< {"id":1,"result":{"sessionId":"S"}}`, "S", "[/a]"},
		{"a relative cwd", `
			> {"id":1,"method":"session/new","params":{"cwd":".","additionalDirectories":["/b"]}}
			< {"id":1,"result":{"sessionId":"S"}}`, "S", "[]"},
		{"an empty cwd", `
			> {"id":1,"method":"session/new","params":{"cwd":""}}
			< {"id":1,"result":{"sessionId":"S"}}`, "S", "[]"},
		{"no cwd", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S"}}
			< {"id":1,"result":{}}`, "S", "[]"},
		{"no params", `
			> {"id":1,"method":"session/new"}
			< {"id":1,"result":{"sessionId":"S"}}`, "S", "[]"},
		{"two cwds", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a","cwd":"/"}}
			< {"id":1,"result":{}}`, "S", "[]"},
		{"paths of another system", `
			> {"id":1,"method":"session/new","params":{"cwd":"C:\\work","additionalDirectories":["\\\\server\\share","d:/x","C:rel","\\rooted"]}}
			< {"id":1,"result":{"sessionId":"S"}}`, "S", `[C:\work \\server\share d:/x]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := conversation{t: t}
			c.exchange(tt.script)
			if got := c.granted(tt.session); got != tt.want {
				t.Errorf("%q may use %s, want %s", tt.session, got, tt.want)
			}
		})
	}
}

// children opens P for /a and lets it announce the child C, with more than it
// has.
const children = `
	> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
	< {"id":1,"result":{"sessionId":"P"}}
	< {"method":"session/update","params":{"sessionId":"P","update":{"sessionUpdate":"subagent_update","sessionId":"C","cwd":"/","additionalDirectories":["/etc"]}}}
`

func TestChildrenHaveWhatTheirParentHas(t *testing.T) {
	for _, tt := range []struct{ name, script, session, want string }{
		{"announced", children, "C", "[/a]"},
		{"the parent stays", children, "P", "[/a]"},
		{"of a child", children + `
			< {"method":"session/update","params":{"sessionId":"C","update":{"sessionUpdate":"subagent_update","sessionId":"D"}}}`, "D", "[/a]"},
		{"announced with escapes", children + `
			< {"method":"session/update","params":{"sessionId":"P","update":{"sessionUpdate":"subagent\u005fupdate","sessionId":"\u0044"}}}`, "D", "[/a]"},
		{"announced in a request", children + `
			< {"id":5,"method":"session/update","params":{"sessionId":"P","update":{"sessionUpdate":"subagent_update","sessionId":"D"}}}`, "D", "[/a]"},
		{"the parent gets something else", children + `
			> {"id":2,"method":"session/load","params":{"sessionId":"P","cwd":"/b"}}
			< {"id":2,"result":{}}`, "C", "[/b]"},
		{"the parent is about to", children + `
			> {"id":2,"method":"session/load","params":{"sessionId":"P","cwd":"/b"}}`, "C", "[/a] [/b]"},
		{"the parent is closed", children + `
			> {"id":2,"method":"session/close","params":{"sessionId":"P"}}
			< {"id":2,"result":{}}`, "C", "?"},
		{"the parent comes back without it", children + `
			> {"id":2,"method":"session/close","params":{"sessionId":"P"}}
			< {"id":2,"result":{}}
			> {"id":3,"method":"session/load","params":{"sessionId":"P","cwd":"/b"}}
			< {"id":3,"result":{}}`, "C", "?"},
		{"the parent is loaded while it is closed", children + `
			> {"id":2,"method":"session/close","params":{"sessionId":"P"}}
			> {"id":3,"method":"session/load","params":{"sessionId":"P","cwd":"/b"}}
			< {"id":2,"result":{}}
			< {"id":3,"result":{}}`, "C", "?"},
		{"another session takes the parent's id", children + `
			> {"id":2,"method":"session/new","params":{"cwd":"/b"}}
			< {"id":2,"result":{"sessionId":"P"}}`, "C", "?"},
		{"the child is closed", children + `
			> {"id":2,"method":"session/close","params":{"sessionId":"C"}}
			< {"id":2,"result":{}}`, "C", "?"},
		{"closing the child leaves the parent", children + `
			> {"id":2,"method":"session/close","params":{"sessionId":"C"}}
			< {"id":2,"result":{}}`, "P", "[/a]"},
		{"the client loads the child, under way", children + `
			> {"id":2,"method":"session/load","params":{"sessionId":"C","cwd":"/b"}}`, "C", "[/a] [/b]"},
		{"the client loads the child", children + `
			> {"id":2,"method":"session/load","params":{"sessionId":"C","cwd":"/b"}}
			< {"id":2,"result":{}}`, "C", "[/b]"},
		{"it loads the child and closes the parent", children + `
			> {"id":2,"method":"session/load","params":{"sessionId":"C","cwd":"/b"}}
			> {"id":3,"method":"session/close","params":{"sessionId":"P"}}
			< {"id":3,"result":{}}`, "C", "[/b]"},
		{"it loads the child in vain", children + `
			> {"id":2,"method":"session/load","params":{"sessionId":"C","cwd":"/b"}}
			< {"id":2,"error":{"code":1}}`, "C", "[/a]"},
		{"while the parent is being closed there are no new ones", children + `
			> {"id":2,"method":"session/close","params":{"sessionId":"P"}}
			< {"method":"session/update","params":{"sessionId":"P","update":{"sessionUpdate":"subagent_update","sessionId":"D"}}}`, "D", "?"},
		{"when closing failed there are", children + `
			> {"id":2,"method":"session/close","params":{"sessionId":"P"}}
			< {"id":2,"error":{"code":1}}
			< {"method":"session/update","params":{"sessionId":"P","update":{"sessionUpdate":"subagent_update","sessionId":"D"}}}`, "D", "[/a]"},
		{"while the parent is replayed", `
			> {"id":1,"method":"session/load","params":{"sessionId":"P","cwd":"/a"}}
			< {"method":"session/update","params":{"sessionId":"P","update":{"sessionUpdate":"subagent_update","sessionId":"C"}}}
			< {"id":1,"result":{}}`, "C", "[/a]"},
		{"whose replay failed", `
			> {"id":1,"method":"session/load","params":{"sessionId":"P","cwd":"/a"}}
			< {"method":"session/update","params":{"sessionId":"P","update":{"sessionUpdate":"subagent_update","sessionId":"C"}}}
			< {"id":1,"error":{"code":1}}`, "C", "?"},
		{"below a session that nobody knows", `
			< {"method":"session/update","params":{"sessionId":"P","update":{"sessionUpdate":"subagent_update","sessionId":"C"}}}`, "C", "?"},
		{"announced by the client", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"P"}}
			> {"method":"session/update","params":{"sessionId":"P","update":{"sessionUpdate":"subagent_update","sessionId":"C"}}}`, "C", "?"},
		{"one of the client's stays what it is", children + `
			> {"id":2,"method":"session/new","params":{"cwd":"/b"}}
			< {"id":2,"result":{"sessionId":"S"}}
			< {"method":"session/update","params":{"sessionId":"P","update":{"sessionUpdate":"subagent_update","sessionId":"S"}}}`, "S", "[/b]"},
		{"its own child", children + `
			< {"method":"session/update","params":{"sessionId":"P","update":{"sessionUpdate":"subagent_update","sessionId":"P"}}}`, "P", "[/a]"},
		{"a child does not move", children + `
			> {"id":2,"method":"session/new","params":{"cwd":"/b"}}
			< {"id":2,"result":{"sessionId":"S"}}
			< {"method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"subagent_update","sessionId":"C"}}}`, "C", "[/a]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := conversation{t: t}
			c.exchange(tt.script)
			if got := c.granted(tt.session); got != tt.want {
				t.Errorf("%q may use %s, want %s", tt.session, got, tt.want)
			}
		})
	}
}

// Long ids that start alike are not the same one.
func TestLongIDs(t *testing.T) {
	c := conversation{t: t}
	for _, size := range []int{longKey - 1, longKey, longKey + 1, 5000} {
		long := strings.Repeat("x", size)
		c.exchange(`
			> {"id":1,"method":"session/load","params":{"sessionId":"` + long + `a","cwd":"/a"}}
			> {"id":2,"method":"session/load","params":{"sessionId":"` + long + `\u0062","cwd":"/b"}}
			< {"id":1,"result":{}}
			< {"id":2,"result":{}}`)
		for id, want := range map[string]string{"a": "[/a]", "b": "[/b]", "c": "?", "": "?"} {
			if got := c.granted(long + id); got != want {
				t.Errorf("%d bytes and %q may use %s, want %s", size, id, got, want)
			}
		}
	}
}

func TestPinsStayWithTheirGrants(t *testing.T) {
	c := conversation{t: t}
	setup := func(id int, method, params string, pin any) {
		var f acp.Frame
		acp.Scan(fmt.Appendf(nil, `{"id":%d,"method":%q,"params":%s}`, id, method, params), &f)
		c.fold.With(c.at, acp.Client, &f, With{Pin: pin})
	}
	pins := func(session string) (pins []any) {
		grants, _ := c.fold.Grants(session)
		for _, g := range grants {
			pins = append(pins, g.Pin)
		}
		return pins
	}
	check := func(session string, want ...any) {
		t.Helper()
		if got := pins(session); !reflect.DeepEqual(got, want) {
			t.Errorf("%s has %v, want %v", session, got, want)
		}
	}
	setup(1, "session/new", `{"cwd":"/a"}`, "first")
	check("S", "first")
	c.exchange(`< {"id":1,"result":{"sessionId":"S"}}`)
	check("S", "first")
	setup(2, "session/load", `{"sessionId":"S","cwd":"/a"}`, "second")
	check("S", "first", "second")
	c.exchange(`< {"method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"subagent_update","sessionId":"C"}}}`)
	check("C", "first", "second")
	c.exchange(`< {"id":2,"result":{}}`)
	check("S", "second")
	check("C", "second")
	setup(3, "session/load", `{"sessionId":"S","cwd":"."}`, "third")
	check("S", "second", nil)
	setup(4, "session/prompt", `{"sessionId":"T","cwd":"/a"}`, "fourth")
	check("T")
}

func TestAllGrants(t *testing.T) {
	c := conversation{t: t}
	c.exchange(`
		> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
		> {"id":2,"method":"session/new","params":{"cwd":"/b"}}
		< {"id":2,"result":{"sessionId":"B"}}
		< {"id":1,"result":{"sessionId":"A"}}
		> {"id":3,"method":"session/load","params":{"sessionId":"B","cwd":"/c"}}
		> {"id":4,"method":"session/new","params":{"cwd":"/d"}}
		< {"method":"session/update","params":{"sessionId":"A","update":{"sessionUpdate":"subagent_update","sessionId":"C"}}}`)
	if got, want := showGrants(c.fold.AllGrants()), "[/a] [/b] [/c] [/d]"; got != want {
		t.Errorf("all are %s, want %s", got, want)
	}
	c.exchange(`
		< {"id":3,"error":{"code":1}}
		< {"id":4,"error":{"code":1}}
		> {"id":5,"method":"session/close","params":{"sessionId":"A"}}
		< {"id":5,"result":{}}`)
	if got, want := showGrants(c.fold.AllGrants()), "[/b]"; got != want {
		t.Errorf("all are %s, want %s", got, want)
	}
}

func TestNotesOnDirectories(t *testing.T) {
	for _, tt := range []struct{ name, params, want string }{
		{"good ones", `{"cwd":"/a","additionalDirectories":["/b"]}`, ``},
		{"bad entries", `{"cwd":"/a","additionalDirectories":["/b","rel",null,""]}`, `additionalDirectories: 3 of 4 are no absolute paths and count for nothing`},
		{"a relative cwd", `{"cwd":"."}`, `cwd "." is not absolute; no path can be judged in this session`},
		{"no cwd", `{}`, `cwd is missing; no path can be judged in this session`},
		{"two cwds", `{"cwd":"/a","cwd":"/b"}`, `the directories can be read in more than one way; no path can be judged in this session`},
		{"a long cwd", `{"cwd":"/` + strings.Repeat("a", maxPaths) + `"}`, `cwd is too long; no path can be judged in this session`},
		{"many", `{"cwd":"/a","additionalDirectories":["/b"` + strings.Repeat(`,"/c"`, maxDirs) + `]}`, `additionalDirectories: the last 2 of 1025 are too many and count for nothing`},
		{"escapes in a relative cwd", `{"cwd":"\u001b[2J"}`, `cwd "\x1b[2J" is not absolute; no path can be judged in this session`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := conversation{t: t}
			fact := c.line(acp.Client, `{"id":1,"method":"session/new","params":`+tt.params+`}`)
			if got := strings.Join(fact.Notes, "; "); got != tt.want {
				t.Errorf("noted %q, want %q", got, tt.want)
			}
		})
	}
}
