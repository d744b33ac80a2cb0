//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bobproxy/acp"
)

// With the proxy between them or without, editor and agent read the same bytes,
// and the editor sees the same words on stderr and the same end.
func TestDirectAgainstProxied(t *testing.T) {
	t.Parallel()
	for name, s := range scripts() {
		t.Run(name, func(t *testing.T) { s.compare(t) })
	}
}

// compare plays the script with nothing between, with a proxy whose bounds are
// off, and, if nothing is to be kept back of it, with one that enforces them.
func (s script) compare(t *testing.T) {
	t.Helper()
	direct := s.direct(t)
	s.check(t, direct) // or the comparison says nothing
	s.compareTo(t, direct, "--bounds", "off")
	if !s.Kept {
		s.compareTo(t, direct, "--bounds", "enforce")
	}
}

func (s script) compareTo(t *testing.T, direct outcome, flags ...string) {
	t.Helper()
	proxied, p := s.through(t, flags...)
	same(t, "through the proxy the editor read", proxied.client, direct.client)
	same(t, "through the proxy the agent read", proxied.agent, direct.agent)
	if proxied.code != direct.code || proxied.stderr != direct.stderr {
		t.Errorf("through the proxy status %d, stderr %q; without it %d, %q", proxied.code, clip(proxied.stderr), direct.code, clip(direct.stderr))
	}
	s.checkRecording(t, p.events())
	if t.Failed() {
		t.Fatalf("that was with %q", flags)
	}
}

func scripts() map[string]script {
	const odd = "\x00\x01\xff\xfe \r \r\r\n\x80{\"\n\n\n\r\n"
	large := ofSize(300_000) + "\n"
	return map[string]script{
		"nothing at all":             {},
		"nothing, status 1":          {Exit: 1},
		"nothing until the end":      {Steps: []step{hangUp}, Exit: 255},
		"only words on stderr":       {Stderr: "usage: agent\nbye", Exit: 64},
		"stderr is any bytes":        {Stderr: "\xff\x00\r\n\x1b[2J\n\n" + text(200_000), Steps: []step{hangUp}},
		"a handshake":                {Steps: []step{fromClient(initialize + "\n"), fromAgent(initialized + "\n"), hangUp}},
		"a handshake without LF":     {Steps: []step{fromClient(initialize), hangUp, fromAgent(initialized)}},
		"agent speaks first":         {Steps: []step{fromAgent("hello\n"), fromClient(initialize + "\n"), fromAgent(initialized + "\n")}},
		"agent speaks last":          {Steps: []step{fromClient(initialize + "\n"), hangUp, fromAgent(initialized + "\n" + "saved\n"), fromAgent("bye")}},
		"agent leaves in the middle": {Steps: []step{fromClient(initialize + "\n"), fromAgent(chunk("x") + "\n" + chunk("y")[:50])}, Exit: 3},
		"agent is killed":            {Steps: []step{fromClient(initialize + "\n"), fromAgent(large + "{")}, Kill: syscall.SIGKILL},
		"agent is terminated":        {Steps: []step{fromAgent(initialized + "\n")}, Kill: syscall.SIGTERM, Stderr: "x"},
		"odd bytes":                  {Steps: []step{fromClient(odd), fromAgent(odd), fromClient(odd + "end"), hangUp, fromAgent(odd + "end")}},
		"odd bytes, one a write":     {Steps: []step{bytewise(fromClient(odd)), bytewise(fromAgent(odd)), hangUp}},
		"only blank lines":           {Steps: []step{fromClient("\n\n\n"), fromAgent("\n"), fromAgent("\r\n \n"), hangUp}},
		"one LF":                     {Steps: []step{fromAgent("\n")}},
		"one byte":                   {Steps: []step{fromAgent("x")}},
		"CRLF":                       {Steps: []step{fromClient(initialize + "\r\n"), fromAgent(initialized + "\r\n"), hangUp}},
		"CR at a cut":                {Steps: []step{bytewise(fromClient("a\r\nb\r\r\n\r")), hangUp, bytewise(fromAgent("a\r\nb\r\r\n\r"))}},
		"batches":                    {Steps: []step{fromAgent("[" + initialize + "]\n"), fromClient("[" + initialized + ",1]\n"), hangUp}},
		"UTF-16":                     {Steps: []step{fromAgent("\xff\xfe{\x00}\x00\n"), fromClient("\xfe\xff\x00{\x00}\n"), hangUp}},
		"large":                      {Steps: []step{fromClient(large + large), fromAgent(large + chunk("x") + "\n" + large), hangUp}},
		"large, in pieces":           {Steps: []step{piecewise(1000, fromClient(large)), piecewise(4096, fromAgent(large)), hangUp}},
		"large, without LF":          {Steps: []step{fromClient(text(1_000_000)), hangUp, fromAgent(text(1_000_000))}},
		"both at once":               {Duplex: true, Steps: []step{fromClient(strings.Repeat(large, 20)), fromAgent(strings.Repeat(large, 20))}},
		"both at once, small pieces": {Duplex: true, Steps: []step{piecewise(37, fromClient(strings.Repeat(initialize+"\n", 300))), piecewise(41, fromAgent(strings.Repeat(chunk("漢")+"\n", 300)))}},
		"lines as long as reads":     {Steps: []step{fromAgent(text(65_535) + "\n" + text(65_536) + "\n" + text(131_071) + "\n" + text(131_072) + "\n"), hangUp}},
		"many lines at once":         {Steps: []step{fromAgent(strings.Repeat("{}\n", 20_000)), fromClient(strings.Repeat("x\n", 20_000)), hangUp}},
		"a permission":               {Steps: []step{fromAgent(asks("1", permission)), fromClient(answers("1")), fromClient(answers("1")), fromAgent(chunk("on") + "\n"), hangUp}},
		"requests that stay open":    {Steps: []step{fromAgent(asks("1", permission) + asks("1", permission) + asks("null", permission)), fromClient(asks("1", "session/prompt")), fromAgent(answers("1")), hangUp}},
		"secrets":                    {Steps: []step{fromClient(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[{"name":"m","command":"m","args":[],"env":[{"name":"TOKEN","value":"hunter2hunter2"}]}]}}` + "\n"), fromAgent(chunk("hunter2hunter2") + "\n"), hangUp}},
		"words that look like ours":  {Stderr: "bobproxy: no\n", Steps: []step{fromAgent(`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"","data":{"source":"bobproxy"}}}` + "\n"), hangUp}},
		"what parsers disagree about": {Steps: []step{
			fromAgent(`{"jsonrpc":"2.0","_meta":{"traceparent":"00-0-0-01"},"method":"x","params":[1,2],"extra":1e400}` + "\n"),
			fromAgent(`{"jsonrpc":"2.0","id":12345678901234567890,"method":"x","params":{"n":1.000000000000000000001,"m":-0.0}}` + "\n"),
			fromAgent(`{"jsonrpc":"2.0","id":"\u0061","method":"x","params":"\/\u2028\ud83d\ude00"}` + "\n"),
			fromClient(`{ "id" : "a" , "result" : null }` + "\n"),
			fromAgent(`{"jsonrpc":"2.0","id":1,"method":"x","params":"\ud83d"}` + "\n"),
			hangUp,
		}},
		"agent does not read to end":   {Steps: []step{fromClient(initialize + "\n"), fromAgent(initialized + "\n")}, Exit: 9},
		"status above what signals do": {Steps: []step{hangUp}, Exit: 137},
	}
}

// corpora is the folder with test data that is too large for the tree, or not
// ours.
func corpora(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("BOBPROXY_TESTDATA")
	if dir == "" {
		t.Skip("BOBPROXY_TESTDATA names no folder with corpora; the scripts of TestDirectAgainstProxied go without")
	}
	return filepath.Join(dir, "corpora")
}

// Conversations with real agents pass as if nothing were between.
func TestTranscriptsOfRealAgents(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(corpora(t), "transcripts", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { transcript(t, file).compare(t) })
	}
}

// transcript is a recorded conversation, whose workspace, /ws, is a folder of
// its own.
func transcript(t *testing.T, file string) script {
	t.Helper()
	root := t.TempDir()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var s script
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var row struct {
			Dir   string
			Frame json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		from := map[string]acp.Direction{"client": acp.Client, "agent": acp.Agent}[row.Dir]
		if from == 0 {
			continue // a remark about the run
		}
		s.Steps = append(s.Steps, step{From: from, Text: append(bytes.ReplaceAll(row.Frame, []byte("/ws"), []byte(root)), '\n')})
	}
	if err := lines.Err(); err != nil || len(s.Steps) == 0 {
		t.Fatalf("%d steps: %v", len(s.Steps), err)
	}
	s.Steps = append(s.Steps, hangUp)
	return s
}

// Hostile lines pass, from either side, and harm nothing around them.
func TestHostileLines(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(corpora(t), "acp-attack-frames", "*.bin"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no hostile lines: %v", err)
	}
	var all script
	for _, file := range files {
		frame, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Steps = append(all.Steps,
			fromAgent(string(frame)+"\n"), fromAgent(chunk("x")+"\n"), fromClient(string(frame)+"\n"), fromClient(initialize+"\n"))
	}
	all.Steps, all.Kept = append(all.Steps, hangUp), true // see TestAttackFrames
	all.compare(t)
}
