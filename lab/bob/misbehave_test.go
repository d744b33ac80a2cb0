//go:build unix

package bob_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/acp"
	"bobproxy/lab/bob"
	"bobproxy/lab/wire"
)

func rogue(t *testing.T, names string) bob.Options {
	t.Helper()
	list, err := bob.ParseMisbehaviours(names)
	if err != nil || len(list) == 0 {
		t.Fatalf("%q: %v", names, err)
	}
	return bob.Options{Misbehave: list}
}

// TestFloodIsAtOnce answers nothing before everything has been asked.
func TestFloodIsAtOnce(t *testing.T) {
	o := rogue(t, "flood")
	o.Flood = 50
	c := dial(t, o)
	var all sync.WaitGroup
	all.Add(o.Flood)
	var turn sync.Mutex
	n := 0
	c.permission = func(p wire.PermissionParams) (any, *jsonrpc2.Error) {
		all.Done()
		all.Wait()
		turn.Lock()
		defer turn.Unlock()
		switch n++; n % 3 {
		case 0:
			return selected(p.Options[0].OptionID), nil
		case 1:
			return selected(p.Options[2].OptionID), nil
		}
		return nil, wire.Errorf(-32601, "what?")
	}
	s := c.newSession("/")
	if stop := c.prompt(s, "go"); stop != wire.EndTurn {
		t.Errorf("stopped with %s", stop)
	}
	said := c.said(s, wire.AgentChunk)
	for _, want := range []string{"50 permissions asked for", "16 × Allow once", "17 × Reject", "17 × error -32601: what?"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %q", want, said)
		}
	}
}

// TestThreeAtOnce answers the third, then the first, then the second, each in
// another way.
func TestThreeAtOnce(t *testing.T) {
	c := dial(t, rogue(t, "ask-three"))
	before := map[string]chan struct{}{}
	for _, title := range []string{"Step 3 of 3", "Step 1 of 3", "Step 2 of 3", "end"} {
		before[title] = make(chan struct{})
	}
	close(before["Step 3 of 3"])
	next := map[string]string{"Step 3 of 3": "Step 1 of 3", "Step 1 of 3": "Step 2 of 3", "Step 2 of 3": "end"}
	option := map[string]int{"Step 1 of 3": 0, "Step 2 of 3": 1, "Step 3 of 3": 2}
	c.permission = func(p wire.PermissionParams) (any, *jsonrpc2.Error) {
		title := p.ToolCall.Title
		<-before[title]
		_ = c.conn.Reply(c.ctx, c.idOf(title), selected(p.Options[option[title]].OptionID))
		close(before[next[title]])
		return nil, hold
	}
	s := c.newSession("/")
	c.prompt(s, "go")
	want := "in this order:\n\n- step 3: Reject\n- step 1: Allow once\n- step 2: Always allow such steps in this session"
	if said := c.said(s, wire.AgentChunk); !strings.HasSuffix(said, want) {
		t.Errorf("said %q, want the end %q", said, want)
	}
}

// TestReuseIDAtOnce answers the third question once the fourth has come under
// the same id, and the fourth first.
func TestReuseIDAtOnce(t *testing.T) {
	c := dial(t, rogue(t, "reuse-id"))
	fourth := make(chan struct{})
	c.permission = func(p wire.PermissionParams) (any, *jsonrpc2.Error) {
		switch {
		case strings.HasPrefix(p.ToolCall.Title, "Step 4"):
			_ = c.conn.Reply(c.ctx, jsonrpc2.ID{}, selected(p.Options[2].OptionID))
			close(fourth)
			return nil, hold
		case strings.HasPrefix(p.ToolCall.Title, "Step 3"):
			<-fourth
		}
		return selected(p.Options[0].OptionID), nil
	}
	s := c.newSession("/")
	c.prompt(s, "go")
	if len(c.ids) != 4 || slices.ContainsFunc(c.ids, func(id jsonrpc2.ID) bool { return id != jsonrpc2.ID{} }) {
		t.Errorf("asked under %v, want 0 four times", c.ids)
	}
	want := "- step 1: Allow once\n- step 2: Allow once\n- step 4: Reject\n- step 3: Allow once"
	if said := c.said(s, wire.AgentChunk); !strings.HasSuffix(said, want) {
		t.Errorf("said %q, want the end %q", said, want)
	}
}

// TestAnswersTooMany answers each of three twice before the last once.
func TestAnswersTooMany(t *testing.T) {
	c := dial(t, rogue(t, "ask-three"))
	var all sync.WaitGroup
	all.Add(3)
	first := make(chan struct{})
	c.permission = func(p wire.PermissionParams) (any, *jsonrpc2.Error) {
		all.Done()
		all.Wait()
		if p.ToolCall.Title == "Step 1 of 3" {
			for range 3 {
				_ = c.conn.Reply(c.ctx, c.idOf(p.ToolCall.Title), selected(p.Options[0].OptionID))
			}
			close(first)
			return nil, hold
		}
		<-first
		return selected(p.Options[2].OptionID), nil
	}
	s := c.newSession("/")
	c.prompt(s, "go")
	if said := c.said(s, wire.AgentChunk); !strings.HasSuffix(said, "- and 2 answers too many") {
		t.Errorf("said %q", said)
	}
}

// TestEscapeWithoutAnswers has a client that answers permissions alone.
func TestEscapeWithoutAnswers(t *testing.T) {
	o := rogue(t, "escape")
	dir := t.TempDir()
	o.Outside = t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		agentIn, out := io.Pipe()
		in, agentOut := io.Pipe()
		var agent sync.WaitGroup
		agent.Go(func() { _ = bob.Serve(t.Context(), agentIn, agentOut, o) })
		send := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
		agent.Go(func() {
			send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`)
			send(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":%s,"mcpServers":[]}}`, wire.Raw(dir))
			send(`{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"bob-session-1","prompt":[]}}`)
		})
		unanswered := 0
		for lines := bufio.NewScanner(in); lines.Scan(); {
			line := lines.Text()
			switch {
			case strings.Contains(line, acp.MethodRequestPermission):
				var req jsonrpc2.Request
				if err := json.Unmarshal(lines.Bytes(), &req); err != nil {
					t.Error(err)
				}
				send(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"cancelled"}}}`, wire.Raw(req.ID))
			case strings.Contains(line, `"said":"no answer within 3s"`):
				unanswered++
			case strings.Contains(line, "stopReason"):
				out.Close()
			}
		}
		agent.Wait()
		if unanswered != 19 {
			t.Errorf("%d attempts without an answer, want 19", unanswered)
		}
	})
}
