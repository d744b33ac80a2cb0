//go:build unix

package bob_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/acp"
	"bobproxy/lab/bob"
	"bobproxy/lab/retrybudget"
	"bobproxy/lab/wire"
)

func exercise(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "exercise")
	if err := retrybudget.Materialise(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func source(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, retrybudget.File))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestNineCommands(t *testing.T) {
	c := dial(t, bob.Options{})
	s := c.newSession("/")
	c.must(acp.MethodSessionList, map[string]any{}, nil) // answered after the update
	updates := c.updatesOf(s, wire.CommandsUpdate)
	if len(updates) != 1 {
		t.Fatalf("%d updates", len(updates))
	}
	var u wire.Commands
	if err := json.Unmarshal(updates[0], &u); err != nil {
		t.Fatal(err)
	}
	names := ""
	for _, command := range u.AvailableCommands {
		names += " " + command.Name
	}
	if len(u.AvailableCommands) != 9 || !strings.Contains(names, " create-skill") ||
		!strings.Contains(names, " create-mode") || !strings.Contains(names, " security") {
		t.Errorf("got%s", names)
	}
}

func TestLoadReplaysAndResumeDoesNot(t *testing.T) {
	c := dial(t, bob.Options{})
	dir := exercise(t)
	s := c.newSession(dir)
	c.prompt(s, "repair it")
	said, thought := c.said(s, wire.AgentChunk), c.said(s, wire.ThoughtChunk)
	calls := len(c.updatesOf(s, wire.ToolCallNew))
	c.must(acp.MethodSessionClose, wire.SessionParams{SessionID: s}, nil)

	c.forget(s)
	where := map[string]any{"sessionId": s, "cwd": dir, "mcpServers": []any{}}
	c.must(acp.MethodSessionResume, where, nil)
	if n := len(c.updatesOf(s, wire.AgentChunk)); n != 0 {
		t.Errorf("resume replayed %d chunks", n)
	}
	c.must(acp.MethodSessionLoad, where, nil)
	if c.said(s, wire.UserChunk) != "repair it" || c.said(s, wire.AgentChunk) != said || c.said(s, wire.ThoughtChunk) != thought {
		t.Error("load replays something else than was said")
	}
	if got := len(c.updatesOf(s, wire.ToolCallNew)); got != calls || calls != 5 {
		t.Errorf("%d tool calls replayed, want %d", got, calls)
	}
	if plans := c.updatesOf(s, wire.PlanUpdate); len(plans) == 0 || strings.Contains(string(plans[len(plans)-1]), "pending") {
		t.Errorf("the plan replayed last is not done: %s", plans)
	}
}

func TestSessions(t *testing.T) {
	c := dial(t, bob.Options{})
	here, there := t.TempDir(), t.TempDir()
	a, b := c.newSession(here), c.newSession(there)
	list := func(params any) (ids string) {
		var page wire.Sessions
		c.must(acp.MethodSessionList, params, &page)
		for _, row := range page.Sessions {
			ids += row.SessionID + " "
		}
		return ids
	}
	if got := list(map[string]any{}); got != a+" "+b+" " {
		t.Errorf("list: %s", got)
	}
	if got := list(map[string]any{"cwd": there}); got != b+" " {
		t.Errorf("list of one directory: %s", got)
	}
	c.must(acp.MethodSessionClose, wire.SessionParams{SessionID: a}, nil)
	prompt := wire.PromptParams{SessionID: a, Prompt: []wire.Block{wire.Text("/explain")}}
	if code := c.code(acp.MethodSessionPrompt, prompt); code != wire.CodeNotFound {
		t.Errorf("prompt in a closed session: %d", code)
	}
	c.must(acp.MethodSessionResume, map[string]any{"sessionId": a, "cwd": here}, nil)
	c.must(acp.MethodSessionPrompt, prompt, nil)
	c.must(acp.MethodSessionDelete, wire.SessionParams{SessionID: a}, nil)
	if got := list(map[string]any{}); got != b+" " {
		t.Errorf("list after delete: %s", got)
	}
	for range 60 {
		c.newSession(here)
	}
	var page wire.Sessions
	c.must(acp.MethodSessionList, map[string]any{}, &page)
	if len(page.Sessions) != 50 || page.NextCursor == "" {
		t.Fatalf("first page: %d rows, cursor %q", len(page.Sessions), page.NextCursor)
	}
	c.must(acp.MethodSessionList, wire.SessionParams{Cursor: page.NextCursor}, &page)
	if len(page.Sessions) != 11 {
		t.Errorf("second page: %d rows", len(page.Sessions))
	}
}

// TestTwoSessionsAtOnce has both turns wait for their first permission before
// either is answered.
func TestTwoSessionsAtOnce(t *testing.T) {
	c := dial(t, bob.Options{})
	both := make(chan struct{})
	var mu sync.Mutex
	waiting := 0
	c.permission = func(p wire.PermissionParams) (any, *jsonrpc2.Error) {
		mu.Lock()
		if waiting++; waiting == 2 {
			close(both)
		}
		mu.Unlock()
		<-both
		return selected(p.Options[0].OptionID), nil
	}
	dirs := []string{exercise(t), exercise(t)}
	sessions := []string{c.newSession(dirs[0]), c.newSession(dirs[1])}
	var turns sync.WaitGroup
	for _, s := range sessions {
		turns.Go(func() {
			if stop := c.prompt(s, "repair"); stop != wire.EndTurn {
				t.Errorf("%s: %s", s, stop)
			}
		})
	}
	turns.Wait()
	for i, s := range sessions {
		if source(t, dirs[i]) != retrybudget.Fixed() || !strings.Contains(c.said(s, wire.AgentChunk), retrybudget.Verified) {
			t.Errorf("%s is not repaired", s)
		}
	}
}

func TestErrors(t *testing.T) {
	early := dialRaw(t, bob.Options{})
	if code := early.code(acp.MethodSessionList, map[string]any{}); code != jsonrpc2.CodeInvalidRequest {
		t.Errorf("before initialize: %d", code)
	}
	if code := early.code(acp.MethodInitialize, map[string]any{}); code != jsonrpc2.CodeInvalidParams {
		t.Errorf("initialize without version: %d", code)
	}

	c := dial(t, bob.Options{})
	s := c.newSession("/")
	for _, test := range []struct {
		method string
		params string
		code   int64
	}{
		{"nonsense", `{}`, jsonrpc2.CodeMethodNotFound},
		{"_bob/nonsense", `{}`, jsonrpc2.CodeMethodNotFound},
		{acp.MethodAuthenticate, `{"methodId":"x"}`, jsonrpc2.CodeMethodNotFound},
		{acp.MethodSessionNew, `{"mcpServers":[]}`, jsonrpc2.CodeInvalidParams},
		{acp.MethodSessionNew, `{"cwd":"here","mcpServers":[]}`, jsonrpc2.CodeInvalidParams},
		{acp.MethodSessionNew, `{"cwd":"/"}`, jsonrpc2.CodeInvalidParams},
		{acp.MethodSessionNew, `{"cwd":7,"mcpServers":[]}`, jsonrpc2.CodeInvalidParams},
		{acp.MethodSessionLoad, `{"sessionId":"none","cwd":"/","mcpServers":[]}`, wire.CodeNotFound},
		{acp.MethodSessionPrompt, `{"prompt":[]}`, jsonrpc2.CodeInvalidParams},
		{acp.MethodSessionPrompt, `{"sessionId":"` + s + `"}`, jsonrpc2.CodeInvalidParams},
		{acp.MethodSessionPrompt, `{"sessionId":"none","prompt":[]}`, wire.CodeNotFound},
		{acp.MethodSessionSetMode, `{"sessionId":"` + s + `","modeId":"none"}`, jsonrpc2.CodeInvalidParams},
		{acp.MethodSessionSetConfigOption, `{"sessionId":"` + s + `","configId":"none","value":"plan"}`, jsonrpc2.CodeInvalidParams},
		{acp.MethodSessionSetConfigOption, `{"sessionId":"` + s + `","configId":"mode","value":"plan"}`, 0},
		{acp.MethodSessionList, `{"cursor":"none"}`, jsonrpc2.CodeInvalidParams},
		{acp.MethodSessionList, `[]`, jsonrpc2.CodeInvalidParams},
	} {
		if code := c.code(test.method, json.RawMessage(test.params)); code != test.code {
			t.Errorf("%s %s: got %d, want %d", test.method, test.params, code, test.code)
		}
	}
	for _, method := range []string{"nonsense", acp.MethodCancelRequest, acp.MethodSessionCancel} {
		if err := c.conn.Notify(c.ctx, method, map[string]any{"sessionId": "none", "requestId": 1}); err != nil {
			t.Fatal(err)
		}
	}
	c.must(acp.MethodSessionList, map[string]any{}, nil)
}

func TestWhatIsNoPermission(t *testing.T) {
	option := func(kind string) func(wire.PermissionParams) (any, *jsonrpc2.Error) {
		return func(p wire.PermissionParams) (any, *jsonrpc2.Error) {
			for _, o := range p.Options {
				if o.Kind == kind {
					return selected(o.OptionID), nil
				}
			}
			return nil, hold
		}
	}
	for _, test := range []struct {
		name   string
		answer func(wire.PermissionParams) (any, *jsonrpc2.Error)
		stop   string
	}{
		{"reject", option(wire.RejectOnce), wire.EndTurn},
		{"an option nobody offered", func(wire.PermissionParams) (any, *jsonrpc2.Error) { return selected("allow_once"), nil }, wire.EndTurn},
		{"no outcome", func(wire.PermissionParams) (any, *jsonrpc2.Error) { return struct{}{}, nil }, wire.EndTurn},
		{"an error", func(wire.PermissionParams) (any, *jsonrpc2.Error) {
			return nil, wire.Errorf(jsonrpc2.CodeInternalError, "no")
		}, wire.EndTurn},
		{"cancelled", func(wire.PermissionParams) (any, *jsonrpc2.Error) {
			return wire.PermissionResult{Outcome: wire.Outcome{Outcome: wire.Cancelled}}, nil
		}, wire.Cancelled},
		{"request cancelled", func(wire.PermissionParams) (any, *jsonrpc2.Error) {
			return nil, wire.Errorf(wire.CodeCancelled, "cancelled")
		}, wire.Cancelled},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := dial(t, bob.Options{})
			c.permission = test.answer
			dir := exercise(t)
			s := c.newSession(dir)
			if stop := c.prompt(s, "repair"); stop != test.stop {
				t.Errorf("got %s, want %s", stop, test.stop)
			}
			if len(c.asked) != 1 || source(t, dir) != retrybudget.Broken() {
				t.Errorf("went on: asked %d times", len(c.asked))
			}
			calls := c.updatesOf(s, wire.ToolCallUpdate)
			if last := string(calls[len(calls)-1]); !strings.Contains(last, wire.Failed) {
				t.Errorf("the call did not fail: %s", last)
			}
		})
	}
}

// TestCancelWithdrawsThePermission has a client that never answers.
func TestCancelWithdrawsThePermission(t *testing.T) {
	c := dial(t, bob.Options{})
	open := make(chan string, 1)
	c.permission = func(p wire.PermissionParams) (any, *jsonrpc2.Error) {
		open <- p.SessionID
		return nil, hold
	}
	s := c.newSession(exercise(t))
	go func() {
		session := <-open
		again := wire.PromptParams{SessionID: session, Prompt: []wire.Block{wire.Text("again")}}
		if code := c.code(acp.MethodSessionPrompt, again); code != jsonrpc2.CodeInvalidRequest {
			t.Errorf("a second prompt: %d", code)
		}
		_ = c.conn.Notify(c.ctx, acp.MethodSessionCancel, wire.SessionParams{SessionID: session})
	}()
	if stop := c.prompt(s, "repair"); stop != wire.Cancelled {
		t.Errorf("stopped with %s", stop)
	}
	c.mu.Lock()
	withdrew := len(c.withdrew)
	c.mu.Unlock()
	if withdrew != 1 {
		t.Errorf("withdrew %d requests, want 1", withdrew)
	}
	if stop := c.prompt(s, "/explain"); stop != wire.EndTurn {
		t.Errorf("the next turn stopped with %s", stop)
	}
}

func TestCloseEndsTheTurn(t *testing.T) {
	c := dial(t, bob.Options{})
	s := c.newSession(exercise(t))
	c.permission = func(wire.PermissionParams) (any, *jsonrpc2.Error) {
		c.conn.Call(c.ctx, acp.MethodSessionClose, wire.SessionParams{SessionID: s}, nil)
		return nil, hold
	}
	if stop := c.prompt(s, "repair"); stop != wire.Cancelled {
		t.Errorf("stopped with %s", stop)
	}
}

func TestSourceThatSomebodyElseChanged(t *testing.T) {
	c := dial(t, bob.Options{})
	dir := exercise(t)
	const mine = "package retrybudget // mine\n"
	c.permission = func(p wire.PermissionParams) (any, *jsonrpc2.Error) {
		if p.ToolCall.Kind == "edit" {
			_ = os.WriteFile(filepath.Join(dir, retrybudget.File), []byte(mine), 0o644)
		}
		return selected(p.Options[0].OptionID), nil
	}
	s := c.newSession(dir)
	c.prompt(s, "repair")
	if source(t, dir) != mine || !strings.Contains(c.said(s, wire.AgentChunk), "changed since I read it") {
		t.Errorf("source %q, said %q", source(t, dir), c.said(s, wire.AgentChunk))
	}
}

func TestDirectoryWithoutExercise(t *testing.T) {
	c := dial(t, bob.Options{})
	s := c.newSession(t.TempDir())
	if stop := c.prompt(s, "repair"); stop != wire.EndTurn || len(c.asked) != 0 {
		t.Errorf("stopped with %s, asked %d times", stop, len(c.asked))
	}
	if !strings.Contains(c.said(s, wire.AgentChunk), "did not work") {
		t.Errorf("said %q", c.said(s, wire.AgentChunk))
	}
}

// TestPermissionFrames pins what the four requests are about.
func TestPermissionFrames(t *testing.T) {
	c := dial(t, bob.Options{})
	dir := exercise(t)
	c.prompt(c.newSession(dir), "repair")
	kinds, ids := "", map[string]bool{}
	for _, p := range c.asked {
		kinds += p.ToolCall.Kind + " "
		for _, o := range p.Options {
			if ids[o.OptionID] || strings.Contains(o.OptionID, "allow") {
				t.Errorf("option id %q is not opaque or not new", o.OptionID)
			}
			ids[o.OptionID] = true
		}
	}
	if kinds != "execute edit other execute " {
		t.Fatalf("asked for %s", kinds)
	}
	edit := c.asked[1].ToolCall
	want := filepath.Join(dir, retrybudget.File)
	if d := edit.Content[0]; d.Type != "diff" || d.Path != want || *d.OldText != retrybudget.Broken() || *d.NewText != retrybudget.Fixed() {
		t.Errorf("diff: %+v", d)
	}
	if len(edit.Locations) != 1 || edit.Locations[0].Path != want || edit.Locations[0].Line == 0 {
		t.Errorf("locations: %+v", edit.Locations)
	}
}

// TestPipelinedFrames sends everything at once and ends its output at once.
func TestPipelinedFrames(t *testing.T) {
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}
not a frame
{"jsonrpc":"2.0","id":"two","method":"session/new","params":{"cwd":"/","mcpServers":[]}}
{"jsonrpc":"2.0","id":3,"method":"session/list","params":{}}`
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out bytes.Buffer
	if err := bob.Serve(ctx, strings.NewReader(in), &out, bob.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"id":1`, `-32700`, `"id":"two"`, `"id":3`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}
}

func TestRandomIDs(t *testing.T) {
	c := dial(t, bob.Options{RandomIDs: true})
	if a, b := c.newSession("/"), c.newSession("/"); a == b || a == "bob-session-1" {
		t.Errorf("ids %q and %q", a, b)
	}
}
