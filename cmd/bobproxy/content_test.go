package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"bobproxy/proxy/control"
)

func TestEntryLines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, entry, want string }{
		{"text", `{"type":"content","content":{"type":"text","text":"rm -rf /\nls"}}`, "rm -rf /\nls"},
		{"a new file", `{"type":"diff","path":"/w/a","newText":"x\ny\n"}`, "new file \"/w/a\"\n+ x\n+ y"},
		{"null before is a new file", `{"type":"diff","path":"/w/a","oldText":null,"newText":"x\n"}`, "new file \"/w/a\"\n+ x"},
		{"a change in the middle", `{"type":"diff","path":"/w/a","oldText":"1\n2\n3\n4\n5\n6\n7\n8\n9\n","newText":"1\n2\n3\n4\nfive\n6\n7\n8\n9\n"}`,
			"change of \"/w/a\"\n  (1 line as before)\n  2\n  3\n  4\n- 5\n+ five\n  6\n  7\n  8\n  (1 line as before)"},
		{"two changes", `{"type":"diff","path":"a","oldText":"1\n2\n3\n","newText":"one\n2\nthree\n"}`,
			"change of \"a\"\n- 1\n+ one\n  2\n- 3\n+ three"},
		{"two changes far apart", `{"type":"diff","path":"a","oldText":"1\n2\n3\n4\n5\n6\n7\n8\n9\n","newText":"one\n2\n3\n4\n5\n6\n7\n8\nnine\n"}`,
			"change of \"a\"\n- 1\n+ one\n  2\n  3\n  4\n  (1 line as before)\n  6\n  7\n  8\n- 9\n+ nine"},
		{"lines that move in", `{"type":"diff","path":"a","oldText":"a\nb\nc\n","newText":"x\na\nb\ny\nc\n"}`,
			"change of \"a\"\n+ x\n  a\n  b\n+ y\n  c"},
		{"nothing changes", `{"type":"diff","path":"a","oldText":"a\n","newText":"a\n"}`, "change of \"a\"\n  (1 line as before)"},
		{"a tab", `{"type":"diff","path":"a","newText":"\tx\n"}`, "new file \"a\"\n+ →   x"},
		{"everything goes", `{"type":"diff","path":"a","oldText":"1\n","newText":""}`, "change of \"a\"\n- 1"},
		{"a line feed less", `{"type":"diff","path":"a","oldText":"1\n","newText":"1"}`, "change of \"a\"\n- 1\n+ 1 (no line feed)"},
		{"what a text hides is shown", `{"type":"content","content":{"type":"text","text":"ls \u001b[2J\u202e"}}`, field("ls \x1b[2J\u202e")},
		{"a member that is not known", `{"type":"content","content":{"type":"text","text":"ls","more":1}}`, "{\n  \"type\": \"content\",\n  \"content\": {\n    \"type\": \"text\",\n    \"text\": \"ls\",\n    \"more\": 1\n  }\n}"},
		{"a diff without the new text", `{"type":"diff","path":"a"}`, "{\n  \"type\": \"diff\",\n  \"path\": \"a\"\n}"},
		{"no object", `7`, "7"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(entryLines(json.RawMessage(tt.entry)), "\n"); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// Whatever is all that an agent says of a request is shown to who answers it.
func TestCardShowsAllThereIs(t *testing.T) {
	t.Parallel()
	p := page{width: 80}
	p.request(open{proxy: &control.State{}, Pending: control.Pending{
		Request: "abcd:1", Description: "why it wants to", Command: "make\ntest", Cwd: "/w",
		Content:        json.RawMessage(`[{"type":"content","content":{"type":"text","text":"only here"}}]`),
		ContentClipped: "",
	}}, time.Now())
	for _, want := range []string{"│ why it wants to", "│ make", "│ test", `"/w"`, "│ only here"} {
		if !strings.Contains(p.String(), want) {
			t.Errorf("%q is not in\n%s", want, p.String())
		}
	}
	p = page{width: 80}
	p.request(open{proxy: &control.State{}, Pending: control.Pending{Request: "abcd:1", ContentClipped: `[{"type":"di`}}, time.Now())
	for _, want := range []string{`│ [{"type":"di`, "ONLY ITS BEGINNING"} {
		if !strings.Contains(p.String(), want) {
			t.Errorf("%q is not in\n%s", want, p.String())
		}
	}
}
