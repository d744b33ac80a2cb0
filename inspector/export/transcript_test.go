package export_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bobproxy/inspector/export"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares got with a file.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is different; to take it: go test -update\n%s", name, got)
	}
}

func TestMarkdown(t *testing.T) {
	text, err := os.ReadFile(demo)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := export.Markdown(&out, transcript(t, "demo.jsonl", string(text), export.Options{})); err != nil {
		t.Fatal(err)
	}
	inertMarkdown(t, out.String())
	golden(t, "demo.md", out.Bytes())
}

func TestHTML(t *testing.T) {
	small := recording(
		sent("client", "request", "session/prompt", `{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"Tidy <up>, please."}]}}`),
		sent("agent", "notification", "session/update", `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"Edit a.go","kind":"edit","status":"completed","content":[{"type":"diff","path":"/w/a.go","oldText":"a\nb\n","newText":"a\nc\n"}]}}}`),
		sent("agent", "notification", "session/update", `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Done."}}}}`),
		sent("agent", "response", "session/prompt", `{"id":1,"result":{"stopReason":"end_turn"}}`),
	)
	var out bytes.Buffer
	if err := export.HTML(&out, transcript(t, "small.jsonl", small, export.Options{})); err != nil {
		t.Fatal(err)
	}
	inertHTML(t, out.String())
	golden(t, "small.html", out.Bytes())
}

func TestHTMLOfTheDemo(t *testing.T) {
	text, err := os.ReadFile(demo)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := export.HTML(&out, transcript(t, "demo.jsonl", string(text), export.Options{})); err != nil {
		t.Fatal(err)
	}
	inertHTML(t, out.String())
	if over := out.Len() - 2*len(text); over > 300<<10 {
		t.Errorf("the page is %d bytes larger than twice the recording", over)
	}
}

// The bodies in a page are bounded, and it says what it leaves out.
func TestManyFrames(t *testing.T) {
	long := strings.Repeat("word ", 2000)
	var lines []string
	for range 1200 {
		lines = append(lines, sent("agent", "notification", "session/update", fmt.Sprintf(`{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":%q}}}}`, long)))
	}
	var out bytes.Buffer
	if err := export.HTML(&out, transcript(t, "long.jsonl", recording(lines...), export.Options{})); err != nil {
		t.Fatal(err)
	}
	if most := 10 << 20; out.Len() > most {
		t.Errorf("a page of %d bytes, want at most %d", out.Len(), most)
	}
	if !strings.Contains(out.String(), "frames are listed without their JSON") {
		t.Error("it does not say that bodies are left out")
	}
}

// What was sent in pieces is searched again when it is put together.
func TestSecretInPieces(t *testing.T) {
	chunk := func(text string) string {
		return sent("agent", "notification", "session/update", fmt.Sprintf(`{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":%q}}}}`, text))
	}
	text := recording(chunk("the key is sk-"+"abcdef"), chunk("ghij0123456789 and"), chunk(" that is it"))
	for name, write := range map[string]func(*bytes.Buffer, *export.Transcript) error{
		"markdown": func(b *bytes.Buffer, t *export.Transcript) error { return export.Markdown(b, t) },
	} {
		var out bytes.Buffer
		if err := write(&out, transcript(t, name, text, export.Options{})); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "ghij0123456789") || !strings.Contains(out.String(), `the key is \[removed 1\] and that is it`) {
			t.Errorf("%s: got\n%s", name, out.String())
		}
	}
}
