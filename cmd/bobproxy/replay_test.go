//go:build linux

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bobproxy/lab/replay"
	"bobproxy/lab/retrybudget"
	"bobproxy/proxy/journal"
)

// whole is the absolute path of a file of ours.
func whole(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// exercise makes a fresh folder for Bob to work in.
func exercise(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "exercise")
	if err := retrybudget.Materialise(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// doctored is the demo's recording with texts replaced, each once.
func doctored(t *testing.T, pairs ...string) string {
	t.Helper()
	text, err := os.ReadFile(demoRecording)
	if err != nil {
		t.Fatal(err)
	}
	for pair := range slices.Chunk(pairs, 2) {
		if !strings.Contains(string(text), pair[0]) {
			t.Fatalf("the recording has no %q", pair[0])
		}
		text = []byte(strings.Replace(string(text), pair[0], pair[1], 1))
	}
	path := filepath.Join(t.TempDir(), "doctored.jsonl")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// runToEnd runs bobproxy with args, without input.
func runToEnd(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	p := start(t, args...)
	out, code = p.finish()
	return out, p.errs.String(), code
}

func TestReplayAsAgent(t *testing.T) {
	const allow = `"id":2,"result":{"outcome":{"outcome":"selected","optionId":"opt-d52e424c"}}`
	for name, test := range map[string]struct {
		recording string
		between   []string // a proxy in the middle
		prompt    string
		want      []string // on stderr
	}{
		"as it was":      {demoRecording, nil, "", []string{"replay: 81 frames sent, 18 heard; nothing differs\n"}},
		"behind a proxy": {demoRecording, []string{"bobproxy", "run", "--record", "none", "--"}, "", []string{"replay: 81 frames sent, 18 heard; nothing differs\n"}},
		"as it was not": {
			doctored(t, allow, `"id":2,"result":{"outcome":{"outcome":"cancelled"}}`,
				`"method":"fs/read_text_file","params":{"sessionId":"bob-session-1","path":"/home/me/retrybudget/retrybudget.go"`,
				`"method":"fs/read_text_file","params":{"sessionId":"bob-session-1","path":"/home/me/retrybudget/other.go"`), nil, "Go on.",
			[]string{
				`replay: note: frame 6, session/prompt: expected the prompt "Please repair RetryBudget.", came "Go on."` + "\n",
				`differs: frame 25, the answer to fs/read_text_file "/home/me/retrybudget/other.go"`, `came the error -32002`,
				`replay: differs: frame 31, the answer to session/request_permission "execute ./verify`, `expected cancelled, came "Allow once" (allow_once); whoever was asked decided otherwise; going on as recorded`,
				"; 2 divergences, 1 note\n",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := []string{"lab", "editor", "--cwd", exercise(t), "--allow", "first"}
			if test.prompt != "" {
				args = append(args, "--prompt", test.prompt)
			}
			args = append(append(args, "--"), test.between...)
			args = append(args, "bobproxy", "replay", whole(t, test.recording), "--as", "agent", "--instant")
			out, errs, _ := runToEnd(t, args...)
			if !strings.Contains(out, "end_turn") {
				t.Errorf("the editor saw %s", out)
			}
			for _, want := range test.want {
				if !strings.Contains(errs, want) {
					t.Errorf("no %q in\n%s", want, errs)
				}
			}
		})
	}
}

func TestReplayAsAgentEnds(t *testing.T) {
	const hello = `{"id":7,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true}}}` + "\n"
	for name, test := range map[string]struct {
		input string
		args  []string
		code  int
		want  string
	}{
		"with 1 when the client leaves early": {hello, nil, 1, `frame 4, the client: expected session/new, came the end of its output`},
		"with what differs in JSON": {
			strings.Replace(hello, `"terminal":true`, `"terminal":false`, 1), []string{"--json"}, 1,
			`{"kind":"divergence","frame":2,"about":"initialize","expected":"the capability terminal","came":"none","why":"the recorded side may use it all the same","then":"going on as recorded"}` + "\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, append([]string{"replay", whole(t, demoRecording), "--as", "agent"}, test.args...)...)
			p.send(test.input)
			if got := p.line(); !strings.Contains(got, `"id":7,"result":{"protocolVersion":1,`) {
				t.Errorf("got %s", got)
			}
			if _, code := p.finish(); code != test.code || !strings.Contains(p.errs.String(), test.want) {
				t.Errorf("exit code %d, want %d; it said\n%s", code, test.code, p.errs)
			}
		})
	}
}

func TestReplayAsClient(t *testing.T) {
	bob := []string{"--", "bobproxy", "lab", "agent"}
	for name, test := range map[string]struct {
		recording string
		flags     []string
		agent     []string
		code      int
		want      []string // on stdout
	}{
		"as it was":      {demoRecording, []string{"--strict"}, bob, 0, []string{"18 frames sent, 81 heard; nothing differs\n"}},
		"with files":     {demoRecording, []string{"--files"}, bob, 0, []string{"nothing differs\n"}},
		"a replay of it": {demoRecording, []string{"--strict"}, []string{"--", "bobproxy", "replay", whole(t, demoRecording), "--as", "agent", "--instant"}, 0, []string{"nothing differs\n"}},
		"behind a proxy": {demoRecording, nil, append([]string{"--", "bobproxy", "run", "--record", "none"}, bob...), 0, []string{"nothing differs\n"}},
		"another agent":  {demoRecording, nil, append(slices.Clone(bob), "--misbehave", "step"), 1, nil},
		"another title": {
			doctored(t, `"title":"Read retrybudget.go"`, `"title":"Look at retrybudget.go"`), nil, bob, 1,
			[]string{`differs: frame 22, a tool call: expected`, `"read Look at retrybudget.go`, `"read Read retrybudget.go`, "1 divergence\n"},
		},
		"in JSON": {
			doctored(t, `"stopReason":"end_turn"`, `"stopReason":"refusal"`), []string{"--json"}, bob, 1,
			[]string{`{"kind":"divergence","frame":108,"about":"the end of the turn","expected":"refusal","came":"end_turn"}` + "\n",
				`{"kind":"summary","divergences":1,"notes":0,"sent":18,"heard":81,"left":0}` + "\n"},
		},
		"nothing that speaks": {demoRecording, nil, []string{"--", "true"}, 1, []string{"the agent: expected that it takes or gives", "came the end of its output"}},
		"nothing that answers": {demoRecording, []string{"--patience", "200ms"}, []string{"--", "sleep", "600"}, 1,
			[]string{"frame 2, the agent: expected the answer to initialize, came nothing for 200ms; giving up"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"replay", whole(t, test.recording), "--as", "client", "--cwd", exercise(t)}, test.flags...)
			out, errs, code := runToEnd(t, append(args, test.agent...)...)
			if code != test.code {
				t.Errorf("exit code %d, want %d; it said\n%s%s", code, test.code, out, errs)
			}
			unfolded := strings.ReplaceAll(out, "\n  ", " ")
			for _, want := range test.want {
				if !strings.Contains(unfolded, want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
		})
	}
}

func TestReplayCommandLine(t *testing.T) {
	cut := doctored(t, `"bytes":103,"frame":{`, `"bytes":103000000,"raw":"{\"id\":1,\"method\":\"session/new\",\"par","x":{`)
	two := doctored(t, `"instance":"demo1"`, `"instance":"demo2"`, `"instance":"demo1"`, `"instance":"demo2"`)
	empty := filepath.Join(t.TempDir(), "empty.jsonl")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		args []string
		code int
		want string
	}{
		"no recording":        {[]string{}, 2, "say which recording"},
		"two of them":         {[]string{"a", "b", "--as", "agent"}, 2, "takes one recording"},
		"no side":             {[]string{demoRecording}, 2, "--as agent or --as client"},
		"another side":        {[]string{demoRecording, "--as", "proxy"}, 2, "--as agent or --as client"},
		"nothing to start":    {[]string{demoRecording, "--as", "client"}, 2, "name it behind --"},
		"something to start":  {[]string{demoRecording, "--as", "agent", "--", "true"}, 2, "starts nothing"},
		"a folder as agent":   {[]string{demoRecording, "--as", "agent", "--cwd", "/"}, 2, "are for --as client"},
		"files as agent":      {[]string{demoRecording, "--as", "agent", "--files"}, 2, "are for --as client"},
		"stdin as agent":      {[]string{"-", "--as", "agent"}, 2, "talks on stdin"},
		"two speeds":          {[]string{demoRecording, "--as", "agent", "--instant", "--speed", "2"}, 2, "exclude each other"},
		"a speed of nothing":  {[]string{demoRecording, "--as", "agent", "--speed", "0"}, 2, "above 0"},
		"a speed of no kind":  {[]string{demoRecording, "--as", "agent", "--speed", "NaN"}, 2, "above 0"},
		"negative patience":   {[]string{demoRecording, "--as", "agent", "--patience", "-1s"}, 2, "--patience"},
		"no such folder":      {[]string{demoRecording, "--as", "client", "--cwd", empty, "--", "true"}, 2, "is not a folder"},
		"no such flag":        {[]string{demoRecording, "--as", "agent", "--slow"}, 2, "no flag --slow"},
		"no such recording":   {[]string{"/nonexistent/x", "--as", "agent"}, 3, "/nonexistent/x"},
		"an empty recording":  {[]string{empty, "--as", "agent"}, 3, "no frames to replay"},
		"no such agent":       {[]string{demoRecording, "--as", "client", "--", "/nonexistent/agent"}, 127, "starting the agent"},
		"a frame that is cut": {[]string{cut, "--as", "agent"}, 125, "frame 4 of the recording cannot be replayed, since only the beginning of its 103000000 bytes is there"},
		"two proxies":         {[]string{two, "--as", "agent"}, 2, "several proxies recorded here: demo2, demo1"},
		"one of two":          {[]string{two, "--as", "agent", "--instance", "demo3"}, 3, "no frames to replay"},
		"an error in JSON":    {[]string{demoRecording, "--json"}, 2, `{"error":{"code":"usage"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, errs, code := tell(t, append([]string{"replay"}, test.args...)...)
			if code != test.code || !strings.Contains(errs, test.want) {
				t.Errorf("exit code %d, want %d; %q, want it to have %q", code, test.code, errs, test.want)
			}
		})
	}
}

func TestReplayOfBlanks(t *testing.T) {
	for _, flag := range []string{"--no-contents", "--no-texts"} {
		t.Run(flag, func(t *testing.T) {
			t.Parallel()
			blank := filepath.Join(t.TempDir(), "blank.jsonl")
			if _, errs, code := runToEnd(t, "export", whole(t, demoRecording), flag, "-o", blank); code != 0 {
				t.Fatal(code, errs)
			}
			_, errs, _ := runToEnd(t, "lab", "editor", "--cwd", exercise(t), "--allow", "first", "--", "bobproxy", "replay", blank, "--as", "agent", "--instant")
			if !strings.Contains(errs, "the client is given blanks") || !strings.Contains(errs, "81 frames sent, 18 heard; nothing differs for certain, 1 difference") {
				t.Errorf("as agent it said\n%s", errs)
			}
			out, errs, code := runToEnd(t, "replay", blank, "--as", "client", "--cwd", exercise(t), "--", "bobproxy", "lab", "agent")
			if code != 0 || strings.Count(out, "the contents were removed") != 1 || !strings.Contains(out, "nothing differs for certain, ") {
				t.Errorf("as client: exit code %d, it said\n%s%s", code, out, errs)
			}
			out, errs, code = runToEnd(t, "replay", blank, "--as", "client", "--strict", "--", "bobproxy", "replay", blank, "--as", "agent", "--instant")
			if code != 0 || !strings.Contains(out, "18 frames sent, 81 heard; nothing differs, ") {
				t.Errorf("on both sides: exit code %d, it said\n%s%s", code, out, errs)
			}
			for _, agent := range [][]string{{"true"}, {"sleep", "600"}} {
				if out, _, code := runToEnd(t, append([]string{"replay", blank, "--as", "client", "--patience", "200ms", "--"}, agent...)...); code != 1 {
					t.Errorf("to %s: exit code %d, it said\n%s", agent, code, out)
				}
			}
		})
	}
}

func TestReplayOfWhatIsTorn(t *testing.T) {
	text, err := os.ReadFile(demoRecording)
	if err != nil {
		t.Fatal(err)
	}
	torn := filepath.Join(t.TempDir(), "torn.jsonl")
	if err := os.WriteFile(torn, text[:len(text)/3], 0o600); err != nil {
		t.Fatal(err)
	}
	const ends = "nothing differs until the recording ends inside a turn"
	out, errs, code := runToEnd(t, "replay", torn, "--as", "client", "--cwd", exercise(t), "--", "bobproxy", "lab", "agent")
	if unfolded := strings.ReplaceAll(out, "\n  ", " "); code != 1 || !strings.Contains(unfolded, ends) {
		t.Errorf("as client: exit code %d, it said\n%s%s", code, out, errs)
	}
	_, errs, _ = runToEnd(t, "lab", "editor", "--cwd", exercise(t), "--allow", "first", "--", "bobproxy", "replay", torn, "--as", "agent", "--instant")
	if !strings.Contains(errs, ends) || !strings.Contains(errs, "refused session/prompt: the recording ends inside this turn") {
		t.Errorf("as agent: it said\n%s", errs)
	}
}

// TestReplayTakesWhatThePeersSaid goes through the kinds of events.
func TestReplayTakesWhatThePeersSaid(t *testing.T) {
	const events = `{"time":"2026-03-02T12:00:00Z","seq":1,"instance":"a","event":"start","command":["x"],"pid":1,"cwd":"/ws","version":"1"}
{"time":"2026-03-02T12:00:01Z","seq":2,"instance":"a","event":"frame","dir":"agent","kind":"text","bytes":5,"raw":"hello"}
{"time":"2026-03-02T12:00:02Z","seq":3,"instance":"a","event":"frame","dir":"agent","kind":"request","method":"fs/read_text_file","id":1,"bytes":99,"action":"refused","frame":{"id":1,"method":"fs/read_text_file","params":{"path":"/etc/passwd"}}}
{"time":"2026-03-02T12:00:02Z","seq":4,"instance":"a","event":"frame","dir":"client","kind":"error","method":"fs/read_text_file","id":1,"bytes":99,"added":true,"frame":{"id":1,"error":{"code":-32602,"message":"no"}}}
{"time":"2026-03-02T12:00:03Z","seq":5,"instance":"a","event":"frame","dir":"agent","kind":"request","method":"session/request_permission","id":2,"bytes":99,"frame":{"id":2,"method":"session/request_permission"}}
{"time":"2026-03-02T12:00:04Z","seq":6,"instance":"a","event":"frame","dir":"client","kind":"response","method":"session/request_permission","id":2,"bytes":99,"added":true,"frame":{"id":2,"result":{"outcome":{"outcome":"cancelled"}}}}
{"time":"2026-03-02T12:00:04Z","seq":7,"instance":"a","event":"frame","dir":"agent","kind":"notification","method":"$/cancel_request","bytes":99,"added":true,"frame":{"method":"$/cancel_request","params":{"requestId":2}}}
{"time":"2026-03-02T12:00:05Z","seq":8,"instance":"a","event":"frame","dir":"client","kind":"error","id":2,"bytes":99,"action":"swallowed","frame":{"id":2,"error":{"code":-32800,"message":""}}}
{"time":"2026-03-02T12:00:05Z","seq":9,"instance":"a","event":"frame","dir":"agent","kind":"notification","method":"$/cancel_request","bytes":99,"action":"withheld","frame":{"method":"$/cancel_request"}}
this is damaged
{"time":"2026-03-02T12:00:06Z","seq":10,"instance":"a","event":"gap","count":3,"bytes":7}
{"time":"2026-03-02T12:00:07Z","seq":11,"instance":"a","event":"exit","status":0}
`
	var warned []string
	got := &taken{warn: func(text string) { warned = append(warned, text) }}
	for event, err := range journal.Read(strings.NewReader(events)) {
		if c := got.take(&event, err); c != nil {
			t.Fatal(c)
		}
	}
	got.tellDamage()
	var numbers []uint64
	for _, f := range got.frames {
		numbers = append(numbers, f.Number)
	}
	if want := []uint64{2, 3, 4, 5, 6}; !slices.Equal(numbers, want) {
		t.Errorf("took %v, want %v", numbers, want)
	}
	if want := []string{"3 records are missing from the recording, and may be missed", "line 10 of the recording cannot be read, and may be missed"}; !slices.Equal(warned, want) {
		t.Errorf("warned %q, want %q", warned, want)
	}
	if damaged := *got; damaged.take(nil, &journal.LineError{Line: 12}) == nil {
		damaged.tellDamage()
		if last, want := warned[len(warned)-1], "2 lines of the recording cannot be read, from line 10 on, and may be missed"; last != want {
			t.Errorf("warned %q, want %q", last, want)
		}
	}
	if string(got.frames[0].Line) != "hello" {
		t.Errorf("the first line is %q", got.frames[0].Line)
	}
	if got.take(&journal.Event{Type: journal.FrameEvent, Kind: 1, Form: journal.FrameBody, Body: make([]byte, replay.MaxSize)}, nil) == nil {
		t.Error("took more than there may be")
	}
}
