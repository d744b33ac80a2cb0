package acp_test

import (
	"fmt"
	"strings"
	"testing"

	"bobproxy/acp"
)

// The URIs in content blocks are read from permissions and updates alike, as
// forgivingly as editors read them: they make no request ambiguous.
func TestReadURIs(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"link", `[{"type":"content","content":{"type":"resource_link","uri":"file:///a","name":"a"}}]`, "file:///a"},
		{"resource", `[{"type":"content","content":{"type":"resource","resource":{"uri":"file:///a","text":"x"}}}]`, "file:///a"},
		{"image", `[{"type":"content","content":{"type":"image","data":"","mimeType":"image/png","uri":"file:///a"}}]`, "file:///a"},
		{"several", `[{"type":"content","content":{"uri":"a"}},{"type":"diff","path":"/x"},{"content":{"uri":"b"},"type":"content"}]`, "a|b"},
		{"with escapes", `[{"type":"content","cont\u0065nt":{"\u0075ri":"file:\/\/\/a"}}]`, "file:///a"},
		{"twice", `[{"type":"content","content":{"uri":"a","uri":"b"},"content":{"uri":"c","resource":{"uri":"d","uri":"e"}}}]`, "a|b|c|d|e"},
		{"in other letter case", `[{"type":"content","Content":{"uri":"a"},"content":{"URI":"b"}}]`, ""},
		{"no string", `[{"type":"content","content":{"uri":7,"resource":"file:///a"}},{"content":["file:///a"]},{"content":null}]`, ""},
		{"of the next list only", `[{"content":{"uri":"a"}}],"content":[{"content":{"uri":"b"}}]`, "b"},
		{"one entry instead of an array", `{"type":"content","content":{"uri":"a"}}`, "a"},
		{"text that has a look of it", `[{"type":"content","content":{"type":"text","text":"{\"uri\":\"a\"}"}}]`, ""},
		{"more than is read", "[" + strings.Repeat(`{"content":{"uri":"a","resource":{"uri":"a"}}},`, 1<<16-1) + "{}]", strings.Repeat("a|", 1<<16-1) + "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			repeated := strings.Contains(c.content, `],"content":[`) // which is a reason by itself
			for _, params := range []string{`{"toolCall":{"content":%s}}`, `{"subject":{"type":"tool_call","toolCall":{"content":%s}}}`} {
				p := acp.ReadPermission(fmt.Appendf(nil, params, c.content))
				if got := strings.Join(p.Call.URIs, "|"); got != c.want || p.Reason != 0 != repeated {
					t.Errorf("permission: got %.200s (%v), want %.200s", got, p.Reason, c.want)
				}
			}
			u := acp.ReadUpdate([]byte(`{"update":{"content":` + c.content + `,"sessionUpdate":"tool_call"}}`))
			if got := strings.Join(u.Call.URIs, "|"); got != c.want {
				t.Errorf("update: got %.200s, want %.200s", got, c.want)
			}
		})
	}
	p := acp.ReadPermission([]byte(`{"toolCall":{"content":[{"content":{"uri":"a"}}]},"subject":{"toolCall":{"toolCallId":"c","content":[{"content":{"uri":"a"}}]}}}`))
	if got := strings.Join(p.Call.URIs, "|"); got != "a|a" || p.Reason != 0 {
		t.Errorf("both versions in one: got %s, %v", got, p.Reason)
	}
}

// What a block may have twice still is read twice only where it is a block.
func TestStrictnessComesBackBehindABlock(t *testing.T) {
	p := acp.ReadPermission([]byte(`{"toolCall":{"content":[{"content":{"uri":"a","uri":"b"},"type":"diff","path":"/a","path":"/b"}]}}`))
	if p.Reason != acp.DuplicateMember {
		t.Errorf("got %v, want %v", p.Reason, acp.DuplicateMember)
	}
}

func TestReadFilesOfUpdates(t *testing.T) {
	checkReads(t, "update", []readCase{
		{"a plan that is a file", `{"sessionId":"s","update":{"sessionUpdate":"plan_update","plan":{"type":"file","planId":"p","uri":"file:///a"}}}`,
			`kind=plan_update session="s" plan="file:///a"`},
		{"a plan of entries", `{"update":{"sessionUpdate":"plan_update","plan":{"type":"items","entries":[]},"cwd":"/x"}}`, `kind=plan_update`},
		{"the last plan counts", `{"update":{"plan":{"uri":"a"},"plan":"b","sessionUpdate":"plan_update"}}`, `kind=plan_update`},
		{"a terminal", `{"update":{"sessionUpdate":"terminal_update","terminalId":"t","command":"ls","cwd":"/a","plan":{"uri":"b"}}}`,
			`kind=terminal_update cwd="/a"`},
		{"a child's directory is its own", `{"update":{"sessionUpdate":"subagent_update","cwd":"/a","sessionId":"s2"}}`, `kind=subagent_update child="s2"`},
	})
}
