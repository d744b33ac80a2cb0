package session

import (
	"strings"
	"testing"

	"bobproxy/acp"
)

// TestCut has frames of which only the beginning is known.
func TestCut(t *testing.T) {
	long := strings.Repeat("line\\n", 4000)
	for _, tt := range []struct{ name, line, told, entry string }{
		{"a tool call, cut in its diff",
			`{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"edit","kind":"edit","status":"in_progress","content":[{"type":"diff","path":"/ws/a","oldText":"` + long + `","newText":"` + long,
			`tool_call (c edit in_progress) @2 "c edit edit"`,
			`2–2 tool c edit "edit" in_progress +02 [/ws/a] diffs 1 +0 -0 cut`},
		{"a tool call, cut in its input",
			`{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"write","rawInput":{"path":"/ws/a","content":"` + long,
			`tool_call (c other pending) @2 "c other write"`,
			`2–2 tool c other "write" pending +02 in {"path":"/ws/a","content":"line\nline\nline\nline\nline\nlin`},
		{"a permission",
			`{"id":5,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c","title":"write","kind":"edit","rawInput":{"content":"` + long,
			`(c edit pending) @2 "edit · no options · write"`,
			`2–2 tool c edit "write" pending +02 in {"content":"line\nline\nline\nline\nline\nline\nline\nline\n`},
		{"a message",
			`{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"the beginning`,
			`agent_message_chunk chunk @2 run "agent_message_chunk" "the beginning"`,
			`2–2 agent "the beginning"`},
		{"a prompt",
			`{"id":5,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"look at"},{"type":"image","mimeType":"image/png","data":"QUJD`,
			`@2 "look at\n[image image/png 3B]"`,
			`2–2 user "look at\n[image image/png 3B]" over`},
	} {
		r := newTeller(t)
		r.line(acp.Client, `{"id":1,"method":"session/load","params":{"sessionId":"another"}}`)
		frame := acp.Frame{Kind: acp.Notification, Session: []byte("s"), Method: []byte(acp.MethodSessionUpdate)}
		if !strings.Contains(tt.line, acp.MethodSessionUpdate) {
			frame.Kind, frame.ID, frame.Method = acp.Request, []byte("5"), []byte(acp.MethodRequestPermission)
		}
		from := acp.Agent
		if strings.Contains(tt.line, acp.MethodSessionPrompt) {
			from, frame.Method = acp.Client, []byte(acp.MethodSessionPrompt)
		}
		acp.Mend([]byte(tt.line), &frame)
		if told := toldWords(r.frame(from, &frame)); told != tt.told {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, told, tt.told)
		}
		if entry := entryWords(r.story.Talk("s").Entries[0]); entry != tt.entry {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, entry, tt.entry)
		}
	}
}

func TestCountLines(t *testing.T) {
	for _, tt := range []struct {
		name, before, after string
		added, removed      int
	}{
		{"nothing", "", "", 0, 0},
		{"a new file", "", "a\nb\n", 2, 0},
		{"a file that goes", "a\nb", "", 0, 2},
		{"the same", "a\nb\n", "a\nb\n", 0, 0},
		{"a line break at the end", "a\nb", "a\nb\n", 0, 0},
		{"one in the middle", "a\nb\nc\n", "a\nx\ny\nc\n", 2, 1},
		{"two places", "a\nb\nc\nd\n", "a\nB\nc\nD\n", 2, 2},
		{"a line twice", "a\n", "a\na\n", 1, 0},
		{"moved", "a\nb\nc\n", "c\na\nb\n", 0, 0},
		{"an empty line", "a\n", "a\n\n", 1, 0},
	} {
		if added, removed := countLines(tt.before, tt.after); added != tt.added || removed != tt.removed {
			t.Errorf("%s: got +%d -%d, want +%d -%d", tt.name, added, removed, tt.added, tt.removed)
		}
	}
}

func TestCountPatch(t *testing.T) {
	for _, tt := range []struct {
		name, patch    string
		added, removed int
	}{
		{"nothing", "", 0, 0},
		{"no hunk", "+a\n-b\n", 0, 0},
		{"heads are no lines", "--- a\n+++ b\n@@ -1,2 +1,2 @@ func\n same\n-old\n+new\n", 1, 1},
		{"lines that look like heads", "@@ -1,2 +1,2 @@\n--- gone\n+++ came\n same\n", 1, 1},
		{"lengths of one", "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n", 1, 1},
		{"two files", "@@ -0,0 +1 @@\n+a\ndiff --git x y\n--- x\n+++ y\n@@ -1 +0,0 @@\n-b\n", 1, 1},
		{"cut off", "@@ -1,9 +1,9 @@\n-a\n", 0, 1},
		{"lengths that are none", "@@ -1,x +1,-5 @@\n-a\n", 0, 0},
		{"an endless hunk", "@@ -1,99999999999999999999 +1 @@\n+a\n", 1, 0},
	} {
		if added, removed := countPatch(tt.patch); added != tt.added || removed != tt.removed {
			t.Errorf("%s: got +%d -%d, want +%d -%d", tt.name, added, removed, tt.added, tt.removed)
		}
	}
}
