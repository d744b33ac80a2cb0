//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// triangle is bobproxy as a process with the test at both of its ends: as an
// agent that says what it likes, and as an editor that opens what it is asked to
// open, wherever that is.
type triangle struct {
	*process
	t        *testing.T
	agentOut *os.File      // what the agent says
	agentIn  *bufio.Reader // what it hears
	asked    int
	place    *strings.Replacer
}

// stand starts it. The agent's two streams are pipes with names, with a shell at
// their other ends.
func stand(t *testing.T, place *strings.Replacer, flags ...string) *triangle {
	t.Helper()
	dir := t.TempDir()
	out, in := filepath.Join(dir, "out"), filepath.Join(dir, "in")
	for _, name := range []string{out, in} {
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := append(append([]string{"run"}, flags...), "--", "sh", "-c", `cat "$0" & exec cat >"$1"`, out, in)
	x := &triangle{t: t, process: prepare(t, args...), place: place}
	x.Dir = "/" // the proxy's own directory is nobody's workspace
	x.begin()
	for name, flag := range map[string]int{out: os.O_WRONLY, in: os.O_RDONLY} {
		f, err := os.OpenFile(name, flag, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		if flag == os.O_WRONLY {
			x.agentOut = f
		} else {
			x.agentIn = bufio.NewReader(f)
		}
	}
	return x
}

// editorAsks is a request of the editor that the agent answers.
func (x *triangle) editorAsks(method, params, result string) {
	x.t.Helper()
	x.asked++
	line := x.place.Replace(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":{%s}}`+"\n", x.asked, method, params))
	x.send(line)
	if got := x.agentHears(); got != line {
		x.t.Fatalf("the agent hears %s, want %s", clip(got), line)
	}
	answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`+"\n", x.asked, result)
	x.says(answer)
	x.expect(answer)
}

func (x *triangle) says(line string) {
	x.t.Helper()
	if _, err := io.WriteString(x.agentOut, line); err != nil {
		x.t.Fatal(err)
	}
}

func (x *triangle) agentHears() string {
	x.t.Helper()
	line, err := x.agentIn.ReadString('\n')
	if err != nil {
		x.t.Fatalf("the agent waits for a line, got %q: %v; stderr: %s", clip(line), err, x.errs)
	}
	return line
}

// tries lets the agent ask for something and gives what it hears, after the
// editor has done what reached it. A frame that brings no answer is told by the
// one behind it.
func (x *triangle) tries(method, params string) string {
	x.t.Helper()
	x.asked++
	id := fmt.Sprint(x.asked)
	x.says(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + x.place.Replace(params) + `}}` + "\n")
	x.says(`{"jsonrpc":"2.0","id":"after ` + id + `","method":"_fence"}` + "\n")
	for {
		line := x.line()
		if strings.Contains(line, `"after `+id+`"`) {
			break
		}
		x.send(openIt(line))
	}
	x.send(`{"jsonrpc":"2.0","id":"after ` + id + `","result":{}}` + "\n")
	answer := ""
	for {
		line := x.agentHears()
		if strings.Contains(line, `"after `+id+`"`) {
			break
		}
		answer += line
	}
	if answer == "" { // the refusal and the fence's answer come by different ways
		answer = x.agentHears()
	}
	if !strings.Contains(answer, `"id":`+id+`,`) || strings.Count(answer, "\n") != 1 {
		x.t.Fatalf("%s: the agent hears %q", params, clip(answer))
	}
	return answer
}

// openIt is what a trusting editor answers, having done it. It allows
// everything, and then the agent does what it was allowed.
func openIt(line string) string {
	var ask struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Path, Content, Cwd string
			ToolCall           struct {
				Locations []struct{ Path string }
			}
		}
	}
	if err := json.Unmarshal([]byte(line), &ask); err != nil {
		return ""
	}
	var err error
	result := `{}`
	switch ask.Method {
	case acp.MethodReadTextFile:
		var text []byte
		text, err = os.ReadFile(ask.Params.Path)
		quoted, _ := json.Marshal(map[string]string{"content": string(text)})
		result = string(quoted)
	case acp.MethodWriteTextFile:
		os.MkdirAll(filepath.Dir(ask.Params.Path), 0o755)
		err = os.WriteFile(ask.Params.Path, []byte(ask.Params.Content), 0o644)
	case acp.MethodTerminalCreate:
		touch := exec.Command("touch", "ran")
		touch.Dir = ask.Params.Cwd
		if touch.Dir != "" {
			err = touch.Run()
		}
		result = `{"terminalId":"t"}`
	case acp.MethodRequestPermission:
		for _, l := range ask.Params.ToolCall.Locations {
			if filepath.IsAbs(l.Path) {
				os.WriteFile(l.Path, []byte("allowed"), 0o644)
			}
		}
		result = `{"outcome":{"outcome":"selected","optionId":"yes"}}`
	}
	if err != nil {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":%q}}`+"\n", ask.ID, err.Error())
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", ask.ID, result)
}

// ends ends the agent and with it the proxy.
func (x *triangle) ends() {
	x.t.Helper()
	x.agentOut.Close()
	if rest, code := x.finish(); rest != "" || code != 0 {
		x.t.Errorf("exit status %d, rest %q, stderr %s", code, clip(rest), x.errs)
	}
}

// premises makes {work} with links, and {out} and {work}-else beside it.
func premises(t *testing.T) (place *strings.Replacer, outside func() string) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	place = strings.NewReplacer("{work}", filepath.Join(top, "work"), "{out}", filepath.Join(top, "out"), "{top}", top)
	for _, dir := range []string{"{work}/sub", "{out}/deep/er", "{work}-else", "{top}/other"} {
		if err := os.MkdirAll(place.Replace(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"{work}/file", "{out}/secret", "{out}/deep/secret", "{work}-else/secret", "{top}/other/file"} {
		if err := os.WriteFile(place.Replace(file), []byte("content of "+file), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"door": "{out}", "deep": "{out}/deep/er", "key": "{out}/secret", "dangling": "{out}/new", "mid": "{work}/dangling", "relative": "../out/secret",
		"loop": "{work}/loop", "inner": "{work}/sub", "proc": "/proc/self/root", "up": "..",
	} {
		if err := os.Symlink(place.Replace(target), place.Replace("{work}/"+link)); err != nil {
			t.Fatal(err)
		}
	}
	return place, func() string { // everything beside the workspace, and when it was last changed
		var all strings.Builder
		filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if path == filepath.Join(top, "work") {
				return fs.SkipDir
			}
			if err != nil || path == top {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			text, _ := os.ReadFile(path)
			fmt.Fprintf(&all, "%s %v %v %q\n", path, info.Mode(), info.ModTime(), text)
			return nil
		})
		return all.String()
	}
}

// Whatever way out an agent tries, an editor that opens everything opens nothing
// outside, and what is inside works as if nobody watched.
func TestNothingOutsideIsTouched(t *testing.T) {
	place, outside := premises(t)
	before := outside()
	x := stand(t, place)
	x.editorAsks("session/new", `"cwd":"{work}","mcpServers":[]`, `"result":{"sessionId":"s"}`)
	ways := []string{
		"{out}/secret", "{out}/new", "{work}-else/secret", "{work}/../out/secret", "{work}/sub/../../out/secret", "{work}/..",
		"{work}/door/secret", "{work}/door/new", "{work}/door/x/y", "{work}/key", "{work}/relative", "{work}/dangling", "{work}/mid",
		"{work}/deep/../secret", "{work}/deep/../new", "{work}/up/out/secret", "{work}/proc{out}/secret", "/proc/self/root{out}/secret",
		"{work}/loop", "{work}/none/../../out/secret", "/etc/hostname", "file://{out}/secret", "", ".", "..", "../out/secret", "sub",
	}
	var paths []string
	for _, way := range ways {
		paths = append(paths, `"path":"`+way+`"`)
	}
	paths = append(paths,
		`"path":"{work}/file","path":"{out}/secret"`, `"path":"{out}/secret","path":"{work}/file"`, `"path":"{work}/file","Path":"{out}/secret"`,
		`"path":"{work}/sub\u0000/../../../out/secret"`, `"p\u0061th":"{out}\/secret"`, `"path":["{out}/secret"]`)
	for _, path := range paths {
		for _, frame := range []struct{ method, params string }{
			{"fs/read_text_file", `"sessionId":"s",` + path},
			{"fs/write_text_file", `"sessionId":"s","content":"Bob",` + path},
			{"terminal/create", `"sessionId":"s","command":"touch","args":["ran"],` + strings.NewReplacer(`"path"`, `"cwd"`, `"Path"`, `"Cwd"`, `"p\u0061th"`, `"cw\u0064"`).Replace(path)},
			{"fs/write_text_file", `"sessionId":"nobody","content":"Bob",` + path},
		} {
			answer := x.tries(frame.method, frame.params)
			if !strings.Contains(answer, `"code":-32602`) || !strings.Contains(answer, `"source":"bobproxy"`) || strings.Contains(answer, "content of") {
				t.Errorf("%s %s: the agent hears %s", frame.method, frame.params, clip(answer))
			}
		}
	}
	for _, way := range ways {
		answer := x.tries("session/request_permission", `"sessionId":"s","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"`+way+`"}]},"options":`+yesNo)
		inside := way == "." || way == "sub" // of the session's directory
		if strings.Contains(answer, `"optionId":"no"`) == inside {
			t.Errorf("an edit of %q: the agent hears %s", way, answer)
		}
	}
	if after := outside(); after != before {
		t.Errorf("outside there is now\n%s\nand there was\n%s", after, before)
	}

	for _, inside := range []struct{ method, params, want, made string }{
		{"fs/read_text_file", `"path":"{work}/file"`, "content of {work}/file", ""},
		{"fs/read_text_file", `"path":"{work}//sub/../file"`, "content of {work}/file", ""},
		{"fs/read_text_file", `"path":"{work}/../work/file"`, "content of {work}/file", ""},
		{"fs/write_text_file", `"path":"{work}/new/dir/x","content":"x"`, `"result"`, "{work}/new/dir/x"},
		{"fs/write_text_file", `"path":"{work}/inner/x","content":"x"`, `"result"`, "{work}/sub/x"},
		{"fs/write_text_file", `"path":"{work}/%2e%2e","content":"x"`, `"result"`, "{work}/%2e%2e"},
		{"fs/write_text_file", `"path":"{work}/a; rm -rf ~ **:1-9","content":"x"`, `"result"`, "{work}/a; rm -rf ~ **:1-9"},
		{"terminal/create", `"command":"touch","cwd":"{work}/inner"`, "terminalId", "{work}/sub/ran"},
		{"terminal/create", `"command":"touch","cwd":null`, "terminalId", ""},
		{"terminal/create", `"command":"touch"`, "terminalId", ""},
		{"session/request_permission", `"toolCall":{"toolCallId":"d","kind":"edit","locations":[{"path":"{work}/asked"}]},"options":` + yesNo, `"yes"`, "{work}/asked"},
	} {
		if got := x.tries(inside.method, `"sessionId":"s",`+inside.params); !strings.Contains(got, inside.want) {
			t.Errorf("%s %s: the agent hears %s", inside.method, inside.params, got)
		}
		if inside.made != "" {
			if _, err := os.Stat(place.Replace(inside.made)); err != nil {
				t.Error(err)
			}
		}
	}
	if after := outside(); after != before {
		t.Errorf("outside there is now\n%s\nand there was\n%s", after, before)
	}
	x.ends()
}

const yesNo = `[{"optionId":"yes","name":"Allow","kind":"allow_once"},{"optionId":"no","name":"Reject","kind":"reject_once"}]`

// Directories that the user adds are opened, each for what it was added for, and
// a session that would be elsewhere is not opened at all.
func TestDirectoriesOfTheSettings(t *testing.T) {
	place, outside := premises(t)
	before := outside()
	x := stand(t, place, "--workspace-root", place.Replace("{work}"), "--allow-read", place.Replace("{out}"), "--allow", place.Replace("{work}-else"))
	for _, cwd := range []string{"{out}", "{top}", "{work}-else", "{work}/door", "sub", `E:\\proj`} {
		x.send(place.Replace(`{"jsonrpc":"2.0","id":77,"method":"session/new","params":{"cwd":"` + cwd + `","mcpServers":[]}}` + "\n"))
		if got := x.line(); !strings.Contains(got, `"id":77,"error":{"code":-32602`) || !strings.Contains(got, place.Replace("{work}")) {
			t.Errorf("a session in %s: the editor hears %s", cwd, got)
		}
	}
	x.editorAsks("session/new", `"cwd":"{work}/sub","mcpServers":[]`, `"result":{"sessionId":"s"}`) // nothing of the above came before it
	for _, tt := range []struct{ method, path, want string }{
		{"fs/read_text_file", "{out}/secret", "content of {out}/secret"},
		{"fs/read_text_file", "{work}/sub/../sub/../door/secret", "content of {out}/secret"},
		{"fs/write_text_file", "{out}/secret", `"rule":"read_only"`},
		{"fs/read_text_file", "{work}-else/secret", "content of {work}-else/secret"},
		{"fs/read_text_file", "{top}/other/file", `"rule":"escape"`},
		{"fs/read_text_file", "{work}/file", `"rule":"escape"`},
	} {
		if got := x.tries(tt.method, `"sessionId":"s","content":"Bob","path":"`+tt.path+`"`); !strings.Contains(got, tt.want) {
			t.Errorf("%s %s: the agent hears %s", tt.method, tt.path, got)
		}
	}
	if after := outside(); after != before {
		t.Errorf("outside there is now\n%s\nand there was\n%s", after, before)
	}
	if got := x.tries("fs/write_text_file", `"sessionId":"s","content":"Bob","path":"{work}-else/new"`); !strings.Contains(got, `"result"`) {
		t.Errorf("the agent hears %s", got)
	}
	x.ends()
}

// An agent that asks for the same a thousand times is told the same a thousand
// times; what is recorded stays as small as what was said.
func TestAThousandRefusals(t *testing.T) {
	place, _ := premises(t)
	x := stand(t, place)
	x.editorAsks("session/new", `"cwd":"{work}","mcpServers":[]`, `"result":{"sessionId":"s"}`)
	const n = 1000
	said := 0
	go func() {
		for i := range n {
			io.WriteString(x.agentOut, place.Replace(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"fs/read_text_file","params":{"sessionId":"s","path":"{out}/secret"}}`+"\n", 5000+i)))
		}
	}()
	for i := range n {
		line := x.agentHears()
		said += len(line)
		if !strings.Contains(line, fmt.Sprintf(`"id":%d,`, 5000+i)) || !strings.Contains(line, "Asking again for this path will not help") || len(line) > 2000 {
			t.Fatalf("answer %d: %s", i, line)
		}
	}
	x.ends()
	refused, answered := 0, 0
	for _, e := range x.events() {
		switch {
		case e.Type == journal.FrameEvent && e.Action == "refused":
			refused++
		case e.Type == journal.FrameEvent && e.Added:
			answered++
		case e.Type == journal.FlaggedEvent, e.Type == journal.WarningEvent, e.Type == journal.GapEvent:
			t.Errorf("a %s event: %s", e.Type, e.Text)
		}
	}
	if refused != n || answered != n {
		t.Errorf("%d refused and %d answers are recorded, want %d", refused, answered, n)
	}
	if size := len(x.recording()); size > 4*said+1<<20 {
		t.Errorf("%d bytes are recorded of %d that were said", size, said)
	}
}

// A workspace that is taken away under a session takes everything with it.
func TestWorkspaceThatIsReplaced(t *testing.T) {
	place, outside := premises(t)
	before := outside()
	x := stand(t, place)
	x.editorAsks("session/new", `"cwd":"{work}/sub","mcpServers":[]`, `"result":{"sessionId":"s"}`)
	for _, change := range []func(sub string) error{
		os.RemoveAll,
		func(sub string) error { return os.Mkdir(sub, 0o755) },
		func(sub string) error {
			os.Remove(sub)
			return os.Symlink(place.Replace("{out}"), sub)
		},
	} {
		if err := change(place.Replace("{work}/sub")); err != nil {
			t.Fatal(err)
		}
		for _, method := range []string{"fs/read_text_file", "fs/write_text_file"} {
			if got := x.tries(method, `"sessionId":"s","content":"Bob","path":"{work}/sub/secret"`); !strings.Contains(got, `"rule":"root_changed"`) {
				t.Errorf("the agent hears %s", got)
			}
		}
	}
	if after := outside(); after != before {
		t.Errorf("outside there is now\n%s\nand there was\n%s", after, before)
	}
	x.ends()
}

// An agent that goes to a mode in which it asks nobody is in the recording and in
// the list of proxies, in words, and so is one that was started so.
func TestWhatAsksNobodyIsNamed(t *testing.T) {
	dir := shortDir(t)
	p := prepare(t, "run", "--", "bobproxy", "lab", "agent", "--misbehave", "bypass", "--pace", "0s")
	p.Env = append(p.Env, "XDG_RUNTIME_DIR="+dir)
	p.begin()
	cwd := t.TempDir()
	ask := func(id int, method, params string) (answer string) {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":{%s}}`+"\n", id, method, params))
		for !strings.Contains(answer, fmt.Sprintf(`"id":%d,"result"`, id)) && !strings.Contains(answer, fmt.Sprintf(`"id":%d,"error"`, id)) {
			answer = p.line()
			if bytes.Contains([]byte(answer), []byte(acp.MethodRequestPermission)) {
				t.Errorf("it asks all the same: %s", answer)
			}
		}
		return answer
	}
	ask(1, "initialize", `"protocolVersion":1,"clientCapabilities":{}`)
	var made struct{ Result struct{ SessionID string } }
	json.Unmarshal([]byte(ask(2, "session/new", `"cwd":"`+cwd+`","mcpServers":[]`)), &made)
	ask(3, "session/prompt", `"sessionId":"`+made.Result.SessionID+`","prompt":[{"type":"text","text":"go"}]`)
	(&site{p, dir}).socket() // it opens while the conversation already runs
	out, _, _ := local(t, dir, "ps", "--json")
	var doc psDocument
	if err := json.Unmarshal([]byte(out), &doc); err != nil || len(doc.Proxies) != 1 || len(doc.Proxies[0].Sessions) != 1 || doc.Proxies[0].Sessions[0].Mode != "bypassPermissions" {
		t.Errorf("ps prints %s", out)
	}
	if _, code := p.finish(); code != 0 {
		t.Errorf("exit status %d, stderr %s", code, p.errs)
	}
	found := 0
	for _, e := range p.events() {
		if e.Type == journal.FlaggedEvent && e.Session == made.Result.SessionID &&
			e.Text == `the agent goes to mode "bypassPermissions"; by its name it asks for no permission, so there is nothing to guard what it does` {
			found++
		}
	}
	if found != 1 {
		t.Errorf("flagged %d times, want once:\n%s", found, clip(p.recording()))
	}
}

func TestStartedToAskNobody(t *testing.T) {
	dir := shortDir(t)
	p := prepare(t, "run", "--", "peer", "echo", "--yolo")
	p.Env = append(p.Env, "XDG_RUNTIME_DIR="+dir)
	p.begin()
	p.send("{}\n")
	p.expect("{}\n")
	until(t, "the proxy to be found", func() bool {
		out, _, _ := local(t, dir, "ps", "--json")
		return strings.Contains(out, `"autoApprove":"--yolo"`)
	})
	if out, _, _ := local(t, dir, "ps"); !strings.Contains(out, "the agent approves by itself (--yolo); requests it never makes cannot be guarded") {
		t.Errorf("ps prints %s", out)
	}
	if rest, code := p.finish(); code != 0 || rest != "" || p.errs.String() != "" {
		t.Errorf("exit status %d, stdout %q, stderr %q", code, rest, p.errs)
	}
	const want = "the agent was started with --yolo: what it approves by itself it never asks for, and bobproxy cannot guard it"
	found := 0
	for _, e := range p.events() {
		if e.Type == journal.FlaggedEvent && e.Text == want {
			found++
		}
	}
	if found != 1 {
		t.Errorf("flagged %d times, want once:\n%s", found, clip(p.recording()))
	}
}
