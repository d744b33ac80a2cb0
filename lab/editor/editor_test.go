//go:build unix

package editor_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/acp"
	"bobproxy/lab/editor"
	"bobproxy/lab/wire"
)

// agent plays a turn by calling what it likes of the client, and returns the
// stop reason.
type agent struct {
	t    *testing.T
	ctx  context.Context
	conn *jsonrpc2.Conn
	dir  string
	play func(*agent) string

	cancelled chan struct{} // closed by session/cancel
}

func (a *agent) Handle(_ context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	go func() {
		switch req.Method {
		case acp.MethodInitialize:
			_ = conn.Reply(a.ctx, req.ID, wire.InitializeResult{ProtocolVersion: 1})
		case acp.MethodSessionNew:
			_ = conn.Reply(a.ctx, req.ID, wire.SessionState{SessionID: "s"})
		case acp.MethodSessionCancel:
			close(a.cancelled)
		case acp.MethodSessionPrompt:
			a.conn = conn
			if stop := a.play(a); stop != "" {
				_ = conn.Reply(a.ctx, req.ID, wire.PromptResult{StopReason: stop})
			} else {
				_ = conn.ReplyWithError(a.ctx, req.ID, wire.Errorf(-32000, "not\x1b[2J today"))
			}
		}
	}()
}

// update sends an update as it stands.
func (a *agent) update(format string, args ...any) {
	raw := json.RawMessage(fmt.Sprintf(format, args...))
	if err := a.conn.Notify(a.ctx, acp.MethodSessionUpdate, wire.Notification{SessionID: "s", Update: raw}); err != nil {
		a.t.Error(err)
	}
}

// code calls the client and gives the error code, 0 for a result.
func (a *agent) code(method string, params, result any) int64 {
	err := a.conn.Call(a.ctx, method, params, result)
	refusal := new(jsonrpc2.Error)
	if err != nil && !errors.As(err, &refusal) {
		a.t.Errorf("%s: %v", method, err)
	}
	return refusal.Code
}

// ask requests permission with the given kinds of options, whose ids are their
// positions.
func (a *agent) ask(kinds ...string) (wire.Outcome, int64) {
	p := wire.PermissionParams{SessionID: "s", ToolCall: wire.ToolCall{ToolCallID: "c", Title: "a step"}}
	for i, kind := range kinds {
		p.Options = append(p.Options, wire.PermissionOption{OptionID: fmt.Sprint(i + 1), Name: kind, Kind: kind})
	}
	var r wire.PermissionResult
	code := a.code(acp.MethodRequestPermission, p, &r)
	return r.Outcome, code
}

// converse lets the editor meet an agent.
func converse(t *testing.T, o editor.Options, play func(*agent) string) (editor.Result, string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return converseUntil(t, ctx, ctx, o, play)
}

func converseUntil(t *testing.T, ctx, stop context.Context, o editor.Options, play func(*agent) string) (editor.Result, string, error) {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	agentIn, clientOut := io.Pipe()
	clientIn, agentOut := io.Pipe()
	a := &agent{t: t, ctx: ctx, dir: o.Dir, play: play, cancelled: make(chan struct{})}
	conn := jsonrpc2.NewConn(ctx, wire.NewStream(agentIn, agentOut), a, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	defer conn.Close()
	var screen bytes.Buffer
	if o.Out == nil {
		o.Out = io.Discard
	}
	o.Out = io.MultiWriter(&screen, o.Out)
	o.Prompt = "go"
	result, err := editor.Converse(stop, clientIn, clientOut, o)
	return result, screen.String(), err
}

func TestRules(t *testing.T) {
	all := []string{"reject_once", "allow_always", "allow_once", "reject_always", "other"}
	for _, test := range []struct {
		rule    editor.Rule
		offered []string
		want    string
	}{
		{editor.First, all, "3"},
		{"", all, "3"},
		{editor.First, []string{"reject_once", "allow_always"}, "2"},
		{editor.First, []string{"reject_once", "other"}, ""},
		{editor.First, nil, ""},
		{editor.Once, all, "3"},
		{editor.Once, []string{"allow_always"}, ""},
		{editor.Always, all, "2"},
		{editor.Reject, all, "1"},
		{editor.Reject, []string{"reject_always", "allow_once"}, ""},
	} {
		for _, pace := range []time.Duration{0, time.Millisecond} {
			_, _, err := converse(t, editor.Options{Allow: test.rule, Pace: pace}, func(a *agent) string {
				got, _ := a.ask(test.offered...)
				if want := outcome(test.want); got != want {
					t.Errorf("%s of %v: got %+v, want %+v", test.rule, test.offered, got, want)
				}
				return wire.EndTurn
			})
			if err != nil {
				t.Error(err)
			}
		}
	}
}

func outcome(option string) wire.Outcome {
	if option == "" {
		return wire.Outcome{Outcome: wire.Cancelled}
	}
	return wire.Outcome{Outcome: wire.Selected, OptionID: option}
}

func TestAskWithNobodyThere(t *testing.T) {
	_, _, err := converse(t, editor.Options{Allow: editor.Ask, Answers: strings.NewReader("")}, func(a *agent) string {
		if got, _ := a.ask(wire.AllowOnce); got.Outcome != wire.Cancelled {
			t.Errorf("got %+v", got)
		}
		return wire.EndTurn
	})
	if err != nil {
		t.Error(err)
	}
}

// TestWithdrawal settles permissions elsewhere, as a proxy does.
func TestWithdrawal(t *testing.T) {
	silent, typed := io.Pipe()
	defer typed.Close()
	for name, o := range map[string]editor.Options{
		"nobody":    {Allow: editor.None},
		"a person":  {Allow: editor.Ask, Answers: silent},
		"slow rule": {Allow: editor.First, Pace: time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			result, screen, err := converse(t, o, func(a *agent) string {
				for _, id := range []jsonrpc2.ID{{Num: 77}, {Str: "seven", IsString: true}} {
					call, err := a.conn.DispatchCall(a.ctx, acp.MethodRequestPermission, wire.PermissionParams{
						SessionID: "s", ToolCall: wire.ToolCall{ToolCallID: "c"},
						Options: []wire.PermissionOption{{OptionID: "y", Name: "Yes", Kind: wire.AllowOnce}},
					}, jsonrpc2.PickID(id))
					if err != nil {
						t.Error(err)
					}
					_ = a.conn.Notify(a.ctx, acp.MethodCancelRequest, wire.CancelParams{RequestID: json.RawMessage(`"none"`)})
					_ = a.conn.Notify(a.ctx, acp.MethodCancelRequest, wire.CancelParams{RequestID: wire.Raw(id)})
					refusal := new(jsonrpc2.Error)
					if err := call.Wait(a.ctx, nil); !errors.As(err, &refusal) || refusal.Code != wire.CodeCancelled {
						t.Errorf("answered %v", err)
					}
				}
				return wire.EndTurn
			})
			if err != nil || result.Elsewhere != 2 || strings.Count(screen, "→ withdrawn") != 2 {
				t.Errorf("%v, %+v\n%s", err, result, screen)
			}
		})
	}
}

// TestStop has a permission open, and another one come after the cancel.
func TestStop(t *testing.T) {
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	stop, press := context.WithCancel(ctx)
	result, screen, err := converseUntil(t, ctx, stop, editor.Options{Allow: editor.None, Grace: time.Minute, Out: trigger{"→ waiting", press}}, func(a *agent) string {
		if got, _ := a.ask(wire.AllowOnce); got.Outcome != wire.Cancelled {
			t.Errorf("open permission: %+v", got)
		}
		<-a.cancelled
		if got, _ := a.ask(wire.AllowOnce); got.Outcome != wire.Cancelled {
			t.Errorf("later permission: %+v", got)
		}
		return wire.Cancelled
	})
	if err != nil || result.StopReason != wire.Cancelled || result.ExitCode() != 1 {
		t.Errorf("%v, %+v\n%s", err, result, screen)
	}
}

type trigger struct {
	text string
	act  func()
}

func (t trigger) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(t.text)) {
		t.act()
	}
	return len(p), nil
}

func TestFiles(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret")
	dir := t.TempDir()
	for path, text := range map[string]string{outside: "secret", filepath.Join(dir, "f"): "one\ntwo\nthree\n"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"out": outside, "outdir": filepath.Dir(outside), "in": "f"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	n := func(i int) *int { return &i }
	reads := []struct {
		path        string
		line, limit *int
		want        string
		code        int64
	}{
		{path: dir + "/f", want: "one\ntwo\nthree\n"},
		{path: dir + "/in", want: "one\ntwo\nthree\n"},
		{path: dir + "/x/../f", line: n(2), want: "two\nthree\n"},
		{path: dir + "/f", line: n(2), limit: n(1), want: "two\n"},
		{path: dir + "/f", limit: n(0), want: ""},
		{path: dir + "/f", line: n(9), want: ""},
		{path: dir + "/f", line: n(3), limit: n(9), want: "three\n"},
		{path: dir + "/f", line: n(0), code: jsonrpc2.CodeInvalidParams},
		{path: dir + "/none", code: wire.CodeNotFound},
		{path: "f", code: jsonrpc2.CodeInvalidParams},
		{path: "", code: jsonrpc2.CodeInvalidParams},
		{path: dir, code: jsonrpc2.CodeInvalidParams},
		{path: outside, code: jsonrpc2.CodeInvalidParams},
		{path: dir + "/../" + filepath.Base(filepath.Dir(outside)) + "/secret", code: jsonrpc2.CodeInvalidParams},
		{path: dir + "/out", code: jsonrpc2.CodeInvalidParams},
		{path: dir + "/outdir/secret", code: jsonrpc2.CodeInvalidParams},
		{path: dir + "/fifo", code: jsonrpc2.CodeInvalidParams},
	}
	text := "new"
	writes := []struct {
		path string
		text *string
		code int64
	}{
		{dir + "/sub/new", &text, 0},
		{dir + "/f", &text, 0},
		{dir + "/f", nil, jsonrpc2.CodeInvalidParams},
		{dir + "/out", &text, jsonrpc2.CodeInvalidParams},
		{dir + "/outdir/new", &text, jsonrpc2.CodeInvalidParams},
		{outside, &text, jsonrpc2.CodeInvalidParams},
		{dir + "/fifo", &text, jsonrpc2.CodeInvalidParams},
	}
	_, _, err := converse(t, editor.Options{Dir: dir}, func(a *agent) string {
		for _, r := range reads {
			var file wire.FileResult
			code := a.code(acp.MethodReadTextFile, wire.FileParams{SessionID: "s", Path: r.path, Line: r.line, Limit: r.limit}, &file)
			if code != r.code || file.Content != r.want {
				t.Errorf("read %s: %q, code %d; want %q, code %d", r.path, file.Content, code, r.want, r.code)
			}
		}
		for _, w := range writes {
			if code := a.code(acp.MethodWriteTextFile, wire.FileParams{SessionID: "s", Path: w.path, Content: w.text}, nil); code != w.code {
				t.Errorf("write %s: code %d, want %d", w.path, code, w.code)
			}
		}
		return wire.EndTurn
	})
	if err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(outside); string(text) != "secret" {
		t.Errorf("the file outside became %q", text)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "sub", "new")); string(text) != "new" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestTerminals(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	left := make(chan error, 1)
	_, _, err := converse(t, editor.Options{Dir: dir}, func(a *agent) string {
		for _, cwd := range []string{outside, dir + "/out", "sub", dir + "/none"} {
			if code := a.code(acp.MethodTerminalCreate, wire.TerminalParams{Command: "true", Cwd: &cwd}, nil); code != jsonrpc2.CodeInvalidParams {
				t.Errorf("cwd %s: code %d", cwd, code)
			}
		}
		limit := 6
		var made wire.TerminalResult
		a.code(acp.MethodTerminalCreate, wire.TerminalParams{
			Command: "sh", Args: []string{"-c", `echo hello $WHO; exit 5`}, OutputByteLimit: &limit,
			Env: []wire.EnvVariable{{Name: "WHO", Value: "world"}},
		}, &made)
		it := wire.TerminalParams{TerminalID: made.TerminalID}
		var exit wire.ExitStatus
		var out wire.OutputResult
		a.code(acp.MethodTerminalWaitForExit, it, &exit)
		a.code(acp.MethodTerminalOutput, it, &out)
		if *exit.ExitCode != 5 || out.Output != "world\n" || !out.Truncated || *out.ExitStatus.ExitCode != 5 {
			t.Errorf("exit %+v, output %+v", exit, out)
		}
		if code := a.code(acp.MethodTerminalRelease, it, nil); code != 0 {
			t.Errorf("release: %d", code)
		}
		if code := a.code(acp.MethodTerminalOutput, it, nil); code != wire.CodeNotFound {
			t.Errorf("output after release: %d", code)
		}

		a.code(acp.MethodTerminalCreate, wire.TerminalParams{Command: "sleep", Args: []string{"600"}}, &made)
		it.TerminalID = made.TerminalID
		var running wire.OutputResult
		a.code(acp.MethodTerminalOutput, it, &running)
		a.code(acp.MethodTerminalKill, it, nil)
		a.code(acp.MethodTerminalWaitForExit, it, &exit)
		if running.ExitStatus != nil || exit.Signal == nil {
			t.Errorf("running %+v, killed %+v", running, exit)
		}
		// One is left running: the editor does not wait for its end, but
		// says how it came.
		a.code(acp.MethodTerminalCreate, wire.TerminalParams{Command: "sleep", Args: []string{"600"}}, &made)
		wait, err := a.conn.DispatchCall(a.ctx, acp.MethodTerminalWaitForExit, wire.TerminalParams{TerminalID: made.TerminalID})
		if err != nil {
			t.Error(err)
		}
		go func() {
			var exit wire.ExitStatus
			err := wait.Wait(a.ctx, &exit)
			if err == nil && exit.Signal == nil {
				err = fmt.Errorf("exit %+v", exit)
			}
			left <- err
		}()
		return wire.EndTurn
	})
	if err := errors.Join(err, <-left); err != nil {
		t.Error(err)
	}
}

func TestNotOffered(t *testing.T) {
	_, _, err := converse(t, editor.Options{NoFiles: true, NoTerminal: true}, func(a *agent) string {
		for _, method := range []string{acp.MethodReadTextFile, acp.MethodWriteTextFile, acp.MethodTerminalCreate, "nonsense"} {
			if code := a.code(method, map[string]any{"path": a.dir}, nil); code != jsonrpc2.CodeMethodNotFound {
				t.Errorf("%s: code %d", method, code)
			}
		}
		return wire.EndTurn
	})
	if err != nil {
		t.Error(err)
	}
}

func TestEnds(t *testing.T) {
	result, _, err := converse(t, editor.Options{}, func(*agent) string { return "refusal" })
	if err != nil || result.ExitCode() != 1 {
		t.Errorf("refusal: %v, %+v", err, result)
	}
	_, _, err = converse(t, editor.Options{}, func(*agent) string { return "" })
	if !errors.Is(err, editor.ErrRefused) || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("error: %q", err)
	}
	_, _, err = converse(t, editor.Options{}, func(a *agent) string { a.conn.Close(); return wire.EndTurn })
	if !errors.Is(err, editor.ErrGone) {
		t.Errorf("gone: %v", err)
	}
}

// TestLastReply has an agent that asks for something right before it ends the
// turn, and does not read until the editor has nothing left to do but to wait.
func TestLastReply(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		agentIn, clientOut := io.Pipe()
		clientIn, agentOut := io.Pipe()
		var replies []string
		go func() {
			defer agentOut.Close()
			for lines := bufio.NewScanner(agentIn); lines.Scan(); {
				var req jsonrpc2.Request
				if err := json.Unmarshal(lines.Bytes(), &req); err != nil {
					replies = append(replies, lines.Text())
					continue
				}
				result := `{"protocolVersion":1,"sessionId":"s"}`
				if req.Method == acp.MethodSessionPrompt {
					fmt.Fprintln(agentOut, `{"jsonrpc":"2.0","id":"last","method":"terminal/release","params":{"sessionId":"s","terminalId":"t"}}`)
					result = `{"stopReason":"end_turn"}`
				}
				fmt.Fprintf(agentOut, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", wire.Raw(req.ID), result)
				synctest.Wait()
			}
		}()
		_, err := editor.Converse(t.Context(), clientIn, clientOut, editor.Options{Dir: dir, Prompt: "go"})
		synctest.Wait()
		if err != nil || len(replies) != 1 || !strings.Contains(replies[0], `"id":"last"`) {
			t.Errorf("%v; the agent got %q, want one answer", err, replies)
		}
	})
}

// TestHostileText prints what an agent should not send.
func TestHostileText(t *testing.T) {
	const evil = `\u001b]52;c;eA==\u0007\u001b[2J\u009b31m\u202emoor\u200b\r\u0000`
	_, screen, err := converse(t, editor.Options{Width: 60}, func(a *agent) string {
		a.update(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"say %s"}}`, evil)
		a.update(`{"sessionUpdate":"agent_message_chunk","content":{"type":"resource_link","uri":"file:///%s","name":"n"}}`, evil)
		a.update(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"title %s\nsecond line","kind":"%s","locations":[{"path":"%s"}]}`, evil, evil, evil)
		a.update(`{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed","content":[{"type":"content","content":{"type":"text","text":"out %s"}}]}`, evil)
		a.update(`{"sessionUpdate":"plan","entries":[{"content":"step %s","priority":"high","status":"%s"}]}`, evil, evil)
		a.update(`{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"%s","description":""}]}`, evil)
		a.update(`{"sessionUpdate":"session_info_update","title":"%s"}`, evil)
		a.update(`{"sessionUpdate":"current_mode_update","currentModeId":"%s"}`, evil)
		a.update(`{"sessionUpdate":"usage_update","used":1,"size":2,"cost":{"amount":1,"currency":"%s"}}`, evil)
		a.update(`{"sessionUpdate":"%s"}`, evil)
		a.update(`{"sessionUpdate":"plan","entries":"%s"}`, evil)
		a.update(`{"sessionUpdate":"tool_call","toolCallId":"d","title":7}`)
		var p json.RawMessage = []byte(fmt.Sprintf(`{"sessionId":"s","toolCall":{"toolCallId":"e","title":"%[1]s","content":[{"type":"diff","path":"/%[1]s","newText":"+%[1]s"}]},
			"options":[{"optionId":"%[1]s","name":"%[1]s","kind":"allow_once"}]}`, evil))
		a.code(acp.MethodRequestPermission, p, nil)
		return wire.EndTurn + "\x1b[2J"
	})
	if err != nil {
		t.Error(err)
	}
	for _, r := range screen {
		if r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e' || r == '\u200b') {
			t.Errorf("%U got through:\n%q", r, screen)
		}
	}
	for _, want := range []string{"␛]52;c;eA==␇␛[2J‹CSI›31m‹RLO›moor‹ZWSP›", "␀↵second", "update   ", "cannot be read", "end      end_turn␛[2J"} {
		if !strings.Contains(screen, want) {
			t.Errorf("no %q in\n%s", want, screen)
		}
	}
}

// TestMessages prints what an agent streams in odd ways.
func TestMessages(t *testing.T) {
	_, screen, err := converse(t, editor.Options{Width: 40}, func(a *agent) string {
		say := func(id, text string) {
			a.update(`{"sessionUpdate":"agent_message_chunk","messageId":"%s","content":{"type":"text","text":%s}}`, id, wire.Raw(text))
		}
		for _, piece := range []string{"one", " message\n", "\nits second para", "graph is long enough to be wrapped", "\n- an item of a list that is long, too\n- and another"} {
			say("1", piece)
		}
		say("2", "another message")
		a.update(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"Look","content":[]}`)
		a.update(`{"sessionUpdate":"tool_call_update","toolCallId":"c","title":"Look closer"}`)
		a.update(`{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"failed"}`)
		say("2", "and on")
		return wire.EndTurn
	})
	want := `agent    one message

         its second paragraph is long
         enough to be wrapped
         - an item of a list that is
           long, too
         - and another
agent    another message
tool     Look · pending
tool     Look closer · failed
agent    and on
end      end_turn
`
	if _, got, _ := strings.Cut(screen, "you      go\n"); err != nil || got != want {
		t.Errorf("%v, got\n%s", err, got)
	}
}
