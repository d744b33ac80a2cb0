package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bobproxy/acp/check"
)

// badTurn is a short conversation in which both sides are wrong.
const badTurn = `{"dir":"client","frame":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}}
{"dir":"agent","frame":{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}}
{"dir":"client","frame":{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"here","mcpServers":[]}}}
{"dir":"agent","frame":{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}}
{"dir":"agent","frame":{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/a"}}}
{"dir":"client","frame":{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}}
{"dir":"client","frame":{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}}
{"dir":"agent","frame":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"}}}}}
{"dir":"agent","frame":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"b"}}}}}
`

const badTurnText = `%: 9 frames

error    capability/method, by the agent
         - fs/read_text_file needs fs.readTextFile, which the client does not
         offer (#5)
         https://agentclientprotocol.com/protocol/v1/initialization

error    json-rpc/answered-twice, by the client
         - the request with the id 1 was answered before (#7)
         https://www.jsonrpc.org/specification#response_object

error    session/cwd, by the client
         - cwd is "here", which is no absolute path (#3)
         https://agentclientprotocol.com/protocol/v1/session-setup#working-directory

warning  turn/outside, by the agent
         - the update agent_message_chunk comes while no prompt of the session
         is being answered (#8, #9)
         https://agentclientprotocol.com/protocol/v1/prompt-turn

3 errors, 2 warnings
`

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	bad, known := filepath.Join(dir, "bad.jsonl"), filepath.Join(dir, "known.jsonl")
	if err := os.WriteFile(bad, []byte(badTurn), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, code := tell(t, "check", bad)
	if want := strings.Replace(badTurnText, "%", bad, 1); out != want || errs != "" || code != exitNo {
		t.Errorf("got %d %s\n%s\nwant\n%s", code, errs, out, want)
	}
	if _, errs, code = tell(t, "check", bad, "--write-baseline", known); code != exitDone || !strings.Contains(errs, "4 known findings") {
		t.Errorf("writing a baseline: got %d, %s", code, errs)
	}
	if out, _, code = tell(t, "check", bad, "--baseline", known, "--level", "info"); code != exitDone || !strings.HasSuffix(out, "Nothing was found. (5 known)\n") {
		t.Errorf("with a baseline: got %d\n%s", code, out)
	}
	out, _, code = tell(t, "check", filepath.Join("..", "..", "inspector", "model", "testdata", "demo.jsonl"), "--level=info", "--no-unasked", "execute,edit")
	if code != exitDone || !strings.HasSuffix(out, "\nNothing was found.\n") {
		t.Errorf("the demo: got %d\n%s", code, out)
	}
}

// What cannot be read must not pass for what is right.
func TestNoFrames(t *testing.T) {
	dir := t.TempDir()
	empty, garbage := filepath.Join(dir, "empty.jsonl"), filepath.Join(dir, "garbage.jsonl")
	known := filepath.Join("..", "..", "inspector", "model", "testdata", "demo.jsonl")
	for name, text := range map[string]string{empty: "", garbage: "no\nrecording\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"check " + empty:                "has no frames to check",
		"check --json " + garbage:       "2 lines cannot be read",
		"diff " + known + " " + empty:   "has no frames to compare",
		"diff " + garbage + " " + empty: "2 lines cannot be read",
	} {
		if out, errs, code := tell(t, strings.Fields(line)...); code != exitUnknown || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: got %d %q %q, want %q", line, code, out, errs, want)
		}
	}
}

func TestCheckInJSON(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.jsonl")
	if err := os.WriteFile(bad, []byte(badTurn), 0o600); err != nil {
		t.Fatal(err)
	}
	var d checkDocument
	out, _, code := tell(t, "check", "--json", bad)
	if err := json.Unmarshal([]byte(out), &d); err != nil || code != exitNo {
		t.Fatal(code, err)
	}
	if d.Frames != 9 || d.Errors != 3 || d.Warnings != 2 || len(d.Findings) != 5 || d.Findings[0].Rule != "session/cwd" || d.Findings[0].Frame != 3 {
		t.Errorf("got %s", out)
	}
	var rules map[string][]ruleLine
	out, _, code = tell(t, "check", "--rules", "--json")
	if err := json.Unmarshal([]byte(out), &rules); err != nil || code != exitDone || len(rules["rules"]) != len(check.Rules) {
		t.Errorf("got %d, %v\n%s", code, err, out)
	}
}

// unaskedTurn is a recording in which the agent edits a file and asks nobody.
const unaskedTurn = `{"time":"2026-01-02T03:04:05Z","seq":1,"instance":"aaaaa","event":"frame","dir":"client","kind":"request","method":"initialize","id":0,"frame":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}}
{"time":"2026-01-02T03:04:05Z","seq":2,"instance":"aaaaa","event":"frame","dir":"agent","kind":"response","method":"initialize","id":0,"frame":{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}}
{"time":"2026-01-02T03:04:05Z","seq":3,"instance":"aaaaa","event":"frame","dir":"client","kind":"request","method":"session/new","id":1,"frame":{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}}
{"time":"2026-01-02T03:04:05Z","seq":4,"instance":"aaaaa","event":"frame","dir":"agent","kind":"response","method":"session/new","id":1,"session":"s","frame":{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}}
{"time":"2026-01-02T03:04:05Z","seq":5,"instance":"aaaaa","event":"frame","dir":"client","kind":"request","method":"session/prompt","id":2,"session":"s","frame":{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}}
{"time":"2026-01-02T03:04:05Z","seq":6,"instance":"aaaaa","event":"frame","dir":"agent","kind":"notification","method":"session/update","session":"s","frame":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"Edit \u001b[2Ja.go","kind":"edit","status":"completed"}}}}
{"time":"2026-01-02T03:04:05Z","seq":7,"instance":"aaaaa","event":"frame","dir":"agent","kind":"response","method":"session/prompt","id":2,"session":"s","frame":{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}}
`

func TestCheckFindsWhatRanUnasked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "unasked.jsonl")
	if err := os.WriteFile(file, []byte(unaskedTurn), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _, code := tell(t, "check", file, "--no-unasked", "edit")
	if code != exitNo || !strings.Contains(out, "unasked  ran, and nobody was asked\n         - edit \"Edit ␛[2Ja.go\" (#6)\n\n1 ran unasked\n") {
		t.Errorf("got %d\n%s", code, out)
	}
	if out, _, code = tell(t, "check", file, "--no-unasked", "execute,delete"); code != exitDone {
		t.Errorf("of another kind: got %d\n%s", code, out)
	}
}

// askedTurn is frames alone of a turn in which the agent asks once for a command
// and then runs it twice. The client's answer is option; the first run ends as
// status, with text.
func askedTurn(option, status, text string) string {
	const frames = `{"dir":"client","frame":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}}
{"dir":"agent","frame":{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}}
{"dir":"client","frame":{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}}
{"dir":"agent","frame":{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}}
{"dir":"client","frame":{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"go"}]}}}
{"dir":"agent","frame":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c1","title":"make","kind":"execute","status":"pending"}}}}
{"dir":"agent","frame":{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c1"},"options":[{"optionId":"once","name":"Once","kind":"allow_once"},{"optionId":"always","name":"Always","kind":"allow_always"},{"optionId":"no","name":"No","kind":"reject_once"}]}}}
{"dir":"client","frame":{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"selected","optionId":"OPTION"}}}}
{"dir":"agent","frame":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"STATUS","content":[{"type":"content","content":{"type":"text","text":"TEXT"}}]}}}}
AGAIN{"dir":"agent","frame":{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}}
`
	const again = `{"dir":"agent","frame":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c2","title":"make test","kind":"execute","status":"completed"}}}}
`
	second := ""
	if strings.HasPrefix(option, "always") {
		second = again
	}
	return strings.NewReplacer("OPTION", option, "STATUS", status, "TEXT", text, "AGAIN", second).Replace(frames)
}

func TestCheckTellsWhoAllowedWhatRan(t *testing.T) {
	for _, test := range []struct {
		name, text   string
		code, strict int
		want         string
	}{
		{"allowed", askedTurn("once", "completed", "done"), exitDone, exitDone, "Nothing was found."},
		{"allowed for always, and once more", askedTurn("always", "completed", "done"), exitDone, exitNo,
			"covered  ran, and an earlier answer may have allowed it\n         - execute \"make test\" (#10): covered by allow_always of #7\n\n1 covered by an earlier answer"},
		{"refused, and it failed", askedTurn("no", "failed", "The user refused"), exitDone, exitDone, "Nothing was found."},
		{"refused, and it ran", askedTurn("no", "completed", "done"), exitNo, exitNo,
			"refused  ran, and nobody had allowed it\n         - execute \"make\" (#6): refused by the editor, and is said to be\n         completed\n\n1 error, 1 ran though not allowed"},
		{"refused, and its words say so", askedTurn("no", "completed", "The user refused"), exitDone, exitNo,
			"claimed  was not allowed, and is called completed in words that say it did not"},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "frames.jsonl")
			if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			out, errs, code := tell(t, "check", file, "--no-unasked", "execute")
			if code != test.code || !strings.Contains(out, test.want) {
				t.Errorf("got %d, want %d\n%s%s", code, test.code, out, errs)
			}
			if _, _, code = tell(t, "check", file, "--no-unasked", "execute", "--strict"); code != test.strict {
				t.Errorf("--strict: got %d, want %d", code, test.strict)
			}
			recording := filepath.Join(t.TempDir(), "recording.jsonl")
			if _, errs, code = tell(t, "import", file, "-o", recording); code != exitDone {
				t.Fatal(code, errs)
			}
			if out, _, code = tell(t, "check", recording, "--no-unasked", "execute"); code != test.code {
				t.Errorf("imported: got %d, want %d\n%s", code, test.code, out)
			}
		})
	}
}

func TestCheckInJSONOfWhatRan(t *testing.T) {
	file := filepath.Join(t.TempDir(), "frames.jsonl")
	if err := os.WriteFile(file, []byte(askedTurn("always", "completed", "done")), 0o600); err != nil {
		t.Fatal(err)
	}
	var d checkDocument
	out, _, _ := tell(t, "check", file, "--no-unasked", "execute", "--json")
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Unasked) != 0 || len(d.Covered) != 1 || d.Covered[0].Frame != 10 || d.Covered[0].Who != "covered by allow_always of #7" {
		t.Errorf("got %s", out)
	}
}

func TestCheckIsMisused(t *testing.T) {
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--level", "bad"}, exitUsage, "--level"},
		{[]string{"--no-unasked", "run"}, exitUsage, "--no-unasked"},
		{[]string{"a", "--strict"}, exitUsage, "--strict"},
		{[]string{"a", "b"}, exitUsage, "second word"},
		{[]string{"--rules", "x"}, exitUsage, "no recording"},
		{[]string{"--baseline", "/nonexistent/x", "x"}, exitUsage, "--baseline"},
		{[]string{"/nonexistent/recording"}, exitUnknown, "no file"},
	} {
		if _, errs, code := tell(t, append([]string{"check"}, test.args...)...); code != test.code || !strings.Contains(errs, test.want) {
			t.Errorf("%v: got %d, %s", test.args, code, errs)
		}
	}
}
