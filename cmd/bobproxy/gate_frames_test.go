//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bobproxy/acp"
)

// attack is a line by which an agent may smuggle a request past whoever reads it
// differently from the editor. Its workspace is /ws.
type attack struct{ name, line string }

// attacks are the kinds there are; the corpora have more of each.
var attacks = []attack{
	{"plain", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/ws/ok"}}`},
	{"string id", `{"jsonrpc":"2.0","id":"7","method":"fs/read_text_file","params":{"sessionId":"s","path":"/ws/ok"}}`},
	{"null id", `{"jsonrpc":"2.0","id":null,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/ws/ok"}}`},
	{"notification", `{"jsonrpc":"2.0","method":"fs/write_text_file","params":{"sessionId":"s","path":"/ws/ok","content":""}}`},
	{"escaped method", `{"jsonrpc":"2.0","id":7,"method":"fs\u002fread_text_file","params":{"sessionId":"s","path":"/ws/ok"}}`},
	{"CR before LF", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/ws/ok"}}` + "\r"},
	{"terminal", `{"jsonrpc":"2.0","id":7,"method":"terminal/create","params":{"sessionId":"s","command":"ls","cwd":"/ws/"}}`},
	{"duplicate method", `{"jsonrpc":"2.0","id":7,"method":"session/update","method":"fs/read_text_file","params":{"path":"/ws/ok"}}`},
	{"duplicate params", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/tmp"},"params":{"path":"/ws/ok"}}`},
	{"duplicate path", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/ws/ok","path":"/ws/ok"}}`},
	{"folded path", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/ws/ok","PATH":"/ws/ok"}}`},
	{"folded params", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","param` + "\u017f" + `":{"path":"/ws/ok"}}`},
	{"escaped member", `{"jsonrpc":"2.0","id":7,"\u006dethod":"fs/read_text_file","params":{"path":"/ws/ok"}}`},
	{"BOM", "\ufeff" + `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/ws/ok"}}`},
	{"garbage behind", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/ws/ok"}} x`},
	{"CR between two", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/ws/ok"}}` + "\r" + `{"jsonrpc":"2.0","id":8,"method":"fs/write_text_file","params":{"path":"/etc/x"}}`},
	{"batch", `[{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/ws/ok"}}]`},
	{"broken", `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/ws/ok"},}`},
	{"UTF-16", "\x00{\x00\"\x00m\x00e\x00t\x00h\x00o\x00d\x00\"\x00:\x00\"\x00f\x00s\x00/\x00r\x00e\x00a\x00d\x00_\x00t\x00e\x00x\x00t\x00_\x00f\x00i\x00l\x00e\x00\"\x00}"},
	{"a scalar", `"fs/read_text_file"`},
	{"an empty object", `{}`},
	{"a response", `{"jsonrpc":"2.0","id":7,"method":null,"result":{"path":"/ws/ok"}}`},
}

var byteEscape = regexp.MustCompile(`\\(u00|x)([0-9a-fA-F]{2})`)

// obeyed says that an editor which obeys whatever can be read in a line, with
// escapes resolved and what is not printable left out, would open what is in out.
func obeyed(line, out string) bool {
	line = byteEscape.ReplaceAllStringFunc(line, func(e string) string {
		c, _ := strconv.ParseUint(e[len(e)-2:], 16, 8)
		return string(rune(c))
	})
	line = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '\\' {
			return -1
		}
		return r
	}, line)
	for _, method := range []string{acp.MethodReadTextFile, acp.MethodWriteTextFile, acp.MethodTerminalCreate, acp.MethodRequestPermission} {
		if strings.Contains(line, method) && (strings.Contains(line, out) || strings.Contains(line, "/etc/")) {
			return true
		}
	}
	return false
}

// exchange has the agent say a line and gives what the editor reads and what the
// agent is told, which is waited for if it is wanted.
func (x *triangle) exchange(line string, wanted bool) (arrived, answer string) {
	x.t.Helper()
	const fence = `{"jsonrpc":"2.0","id":"fence","method":"_fence"}` + "\n"
	const passed = `{"jsonrpc":"2.0","id":"fence","result":{}}` + "\n"
	x.says(line + "\n" + fence)
	for got := x.line(); got != fence; got = x.line() {
		arrived += got
	}
	x.send(passed)
	fenced := false
	for !fenced || wanted && answer == "" {
		if got := x.agentHears(); got == passed {
			fenced = true
		} else {
			answer += got
		}
	}
	return arrived, answer
}

// readID is the id that can be read in an attack; empty: none.
func readID(line string) string {
	m := regexp.MustCompile(`"?\bid"?:("[0-9]+"|[0-9a-z.+-]+|\{.*?\}|\[.*?\])[,}]`).FindStringSubmatch(line)
	if m == nil || !json.Valid([]byte(m[1])) || m[1] == "null" || strings.ContainsAny(m[1], "[{") {
		return ""
	}
	return m[1]
}

// No line by which an enforced method could be read reaches the editor with a
// path outside, in whatever way it reads; nor one that can be read in two ways.
// What is plain and stays inside passes, and so does what names no such method.
func TestAttackFrames(t *testing.T) {
	lines := attacks
	pass := []string{"plain", "string id", "null id", "notification", "escaped method", "CR before LF", "terminal", "a scalar", "an empty object", "a response"}
	harmless := []string{"a scalar", "an empty object", "a response", "50_scalar_string", "51_scalar_null", "52_empty_object", "55_method_null"}
	if os.Getenv("BOBPROXY_TESTDATA") == "" {
		t.Log("BOBPROXY_TESTDATA names no folder with corpora; there is one line of each kind")
	} else {
		more, allowed := hostileLines(t)
		lines, pass = append(slices.Clone(lines), more...), append(pass, allowed...)
	}
	pass = append(pass, harmless...)

	dir := t.TempDir()
	root, out := filepath.Join(dir, "ws"), filepath.Join(dir, "outside")
	for _, d := range []string{root, out} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	x := stand(t, strings.NewReplacer())
	x.editorAsks("session/new", `"cwd":"`+root+`","mcpServers":[]`, `"result":{"sessionId":"s"}`)
	for _, a := range lines {
		for _, place := range []string{root, out} {
			line := strings.ReplaceAll(a.line, "/ws", place)
			passes := slices.Contains(harmless, a.name) || place == root && slices.Contains(pass, a.name)
			id := readID(line)
			arrived, answer := x.exchange(line, !passes && id != "")
			if obeyed(arrived, out) {
				t.Errorf("%s: the editor may leave the workspace, told by %q", a.name, clip(arrived))
			}
			if want := map[bool]string{true: line + "\n"}[passes]; arrived != want {
				t.Errorf("%s, %s: the editor reads %q, want %q", a.name, filepath.Base(place), clip(arrived), clip(want))
			}
			var reply struct {
				ID    json.RawMessage
				Error struct{ Code int }
			}
			json.Unmarshal([]byte(answer), &reply)
			if said := !passes && id != ""; said != (answer != "") || said && (string(reply.ID) != id || reply.Error.Code != -32602) {
				t.Errorf("%s, %s: the agent hears %q, want an error for %q: %t", a.name, filepath.Base(place), clip(answer), id, said)
			}
		}
	}
	x.agentOut.Close()
	if rest := x.rest(); rest != "" {
		t.Errorf("in the end the editor reads %q", clip(rest))
	}
}

// hostileLines are those of the corpora, given a session, and the names of those
// that may pass with a path inside.
func hostileLines(t *testing.T) (lines []attack, allowed []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpora(t), "acp-attack-frames", "*.bin"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no hostile lines: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.Replace(text, []byte(`"params":{`), []byte(`"params":{"sessionId":"s",`), 1)
		name := strings.TrimSuffix(filepath.Base(file), ".bin")
		lines = append(lines, attack{name, string(text)})
		var f acp.Frame
		if acp.Scan(text, &f); f.Reason == acp.OddID { // it passes: peers agree on what it asks
			allowed = append(allowed, name)
		}
	}
	table, err := os.ReadFile(filepath.Join(corpora(t), "acp-attack-frames", "expected.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for row := range strings.Lines(string(table)) {
		if cells := strings.Split(row, "\t"); len(cells) > 1 && cells[1] == "ALLOW" {
			allowed = append(allowed, cells[0])
		}
	}
	return lines, allowed
}

// However large a frame is, it is looked at, and passes whole if it may.
func TestLargeWrites(t *testing.T) {
	root, out := t.TempDir(), t.TempDir()
	x := stand(t, strings.NewReplacer())
	x.editorAsks("session/new", `"cwd":"`+root+`","mcpServers":[]`, `"result":{"sessionId":"s"}`)
	write := func(id, place string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"fs/write_text_file","params":{"content":"` + strings.Repeat("c", 30<<20) + `","sessionId":"s","path":"` + place + `/x"}}` + "\n"
	}
	x.says(write("1", out))
	if got := x.agentHears(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`) {
		t.Errorf("the agent hears %q", clip(got))
	}
	inside := write("2", root)
	go io.WriteString(x.agentOut, inside)
	same(t, "of a large write the editor reads", []byte(x.line()), []byte(inside))
	image := strings.Repeat("i", 3<<20)
	ask := `{"jsonrpc":"2.0","id":9,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"image","data":"` + image + `"}]}}` + "\n"
	go io.WriteString(x.in, ask)
	same(t, "of a large prompt the agent reads", []byte(x.agentHears()), []byte(ask))
}

// What the proxy says to an agent that is being sent a line, or that is held up
// by its own, is one whole line.
func TestAnswersBetweenLargeFrames(t *testing.T) {
	dir, root := shortDir(t), t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", dir)
	x := stand(t, strings.NewReplacer(), "--answer-cli", "all")
	x.editorAsks("session/new", `"cwd":"`+root+`","mcpServers":[]`, `"result":{"sessionId":"s"}`)
	ask := func(id string) (request, digest string) {
		x.says(permit(id, "t"))
		x.expect(permit(id, "t"))
		text, errs, code := local(t, dir, "pending", "--json", "--wait")
		var doc pendingDocument
		if err := json.Unmarshal([]byte(text), &doc); err != nil || len(doc.Pending) != 1 {
			t.Fatalf("pending prints %s%s, exit status %d", text, errs, code)
		}
		return doc.Pending[0].Request, doc.Pending[0].Digest
	}
	approve := func(request, digest string) {
		if _, errs, code := local(t, dir, "approve", request, "--digest", digest); code != exitDone {
			t.Fatalf("exit status %d, stderr %s", code, errs)
		}
	}
	prompt := `{"jsonrpc":"2.0","id":9,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"` + text(1<<20) + `"}]}}` + "\n"

	// The editor has said half of a line.
	request, digest := ask("7")
	for i := 0; i < 100_000; i += 1000 {
		x.send(prompt[i : i+1000])
	}
	approve(request, digest)
	x.expect(withdrawal("7"))
	if got := x.agentHears(); got != permitted("7", "yes") {
		t.Errorf("the agent hears %q", clip(got))
	}
	go io.WriteString(x.in, prompt[100_000:])
	same(t, "of a prompt in pieces the agent reads", []byte(x.agentHears()), []byte(prompt))

	// The agent reads nothing, and its pipe is full.
	request, digest = ask("8")
	const filler = `{"jsonrpc":"2.0","method":"x"}` + "\n"
	written := make(chan struct{})
	go func() {
		defer close(written)
		io.WriteString(x.in, strings.Repeat(filler, 20_000)+prompt)
	}()
	approve(request, digest)
	x.expect(withdrawal("8"))
	answers, lines := 0, 0
	for got := x.agentHears(); ; got = x.agentHears() {
		if got == permitted("8", "yes") {
			answers++
		} else if got == filler {
			lines++
		} else {
			same(t, "of a prompt behind others the agent reads", []byte(got), []byte(prompt))
			break
		}
	}
	<-written
	x.send(filler)
	for got := x.agentHears(); got != filler; got = x.agentHears() {
		answers++
	}
	if answers != 1 || lines != 20_000 {
		t.Errorf("the agent hears %d answers and %d lines, want 1 and 20000", answers, lines)
	}

	// The editor reads nothing while a frame goes to it: what the agent waits for
	// comes.
	frame := `{"jsonrpc":"2.0","method":"x","params":"` + text(5<<20) + `"}` + "\n"
	request, digest = ask("10")
	go io.WriteString(x.agentOut, `{"jsonrpc":"2.0","id":11,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/etc/passwd"}}`+"\n"+frame)
	if got := x.agentHears(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":11,"error":{"code":-32602,`) {
		t.Errorf("the agent hears %q", clip(got))
	}
	approve(request, digest)
	if got := x.agentHears(); got != permitted("10", "yes") {
		t.Errorf("the agent hears %q", clip(got))
	}
	read := []string{x.line(), x.line()}
	slices.SortFunc(read, func(a, b string) int { return len(a) - len(b) })
	if read[0] != withdrawal("10") {
		t.Errorf("the editor reads %q", clip(read[0]))
	}
	same(t, "of a large frame the editor reads", []byte(read[1]), []byte(frame))
}

// An editor that is not to be told of a withdrawal hears nothing of it, and its
// answer goes nowhere all the same.
func TestWithoutWithdrawal(t *testing.T) {
	dir := shortDir(t)
	t.Setenv("XDG_RUNTIME_DIR", dir)
	x := stand(t, strings.NewReplacer(), "--withdraw=false", "--permission-timeout", "1ms")
	x.says(permit("7", "t"))
	x.expect(permit("7", "t"))
	if got := x.agentHears(); got != permitted("7", "no") {
		t.Errorf("the agent hears %q", clip(got))
	}
	if arrived, answer := x.exchange(`{"jsonrpc":"2.0","method":"x"}`, false); arrived != `{"jsonrpc":"2.0","method":"x"}`+"\n" || answer != "" {
		t.Errorf("the editor reads %q, the agent %q", arrived, answer)
	}
	x.send(permitted("7", "yes"))
	if _, answer := x.exchange("", false); answer != "" {
		t.Errorf("the agent hears %q", answer)
	}
}
