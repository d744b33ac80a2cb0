package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
)

// rules are those that were found, each once.
func rules(found []Finding) (names []string) {
	for _, f := range found {
		if !slices.Contains(names, f.Rule) {
			names = append(names, f.Rule)
		}
	}
	return names
}

func TestVersion2(t *testing.T) {
	prompted := greeting2 + opened2 + prompt + "\nagent " + `{"id":2,"result":{"messageId":"m"}}`
	for _, test := range []struct {
		name, conversation string
		want               []string
	}{
		{"a turn", prompted + update(`"sessionUpdate":"state_update","state":"running"`) +
			update(`"sessionUpdate":"tool_call_update","toolCallId":"c","title":"T","status":"paused"`) +
			update(`"sessionUpdate":"tool_call_update","toolCallId":"c","status":null`) +
			update(`"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"`), nil},
		{"a chunk without its message", prompted + chunk(`"a"`), []string{"shape/missing"}},
		{"words of the future", prompted + update(`"sessionUpdate":"weather","sun":true`), []string{"shape/unknown-word"}},
		{"no prompt overlaps", prompted + strings.ReplaceAll(prompt, `"id":2`, `"id":3`) + "\nagent " + `{"id":3,"result":{"messageId":"n"}}`, nil},
		{"an id that is null", greeting2 + "\nclient " + `{"id":null,"method":"session/list"}`, []string{"json-rpc/odd-id", "json-rpc/unanswered"}},
		{"no options", prompted + "\nagent " + `{"id":3,"method":"session/request_permission","params":{"sessionId":"s","title":"T","options":[]}}` + "\nclient " + `{"id":3,"result":{"outcome":{"outcome":"cancelled"}}}`,
			[]string{"shape/empty"}},
		{"a cancelled turn that ends well", prompted + cancel + update(`"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"`), []string{"turn/cancel"}},
		{"initialize after other requests", greeting2 + opened2 + "\nclient " + `{"id":5,"method":"initialize","params":{"protocolVersion":2,"info":{"name":"c","version":"1"},"capabilities":{}}}`,
			[]string{"initialize/again", "json-rpc/unanswered"}},
		{"a version that the agent does not have", "\nclient " + `{"id":0,"method":"initialize","params":{"protocolVersion":2,"clientCapabilities":{},"info":{"name":"c","version":"1"},"capabilities":{}}}` +
			"\nagent " + `{"id":0,"result":{"protocolVersion":1,"agentCapabilities":{}}}`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if found := play(New(), test.conversation); !slices.Equal(rules(found), test.want) {
				t.Errorf("got %v, want %v", found, test.want)
			}
		})
	}
}

func TestNothingIsWrong(t *testing.T) {
	for _, test := range []struct{ name, conversation string }{
		{"an id of the same number from both sides", running + call + strings.ReplaceAll(asked+yes, `"id":7`, `"id":2`) + endCancelled},
		{"an update before session/new is answered", greeting + "\nclient " + `{"id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}` +
			"\nagent " + `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"available_commands_update","availableCommands":[]}}}` +
			"\nagent " + `{"id":1,"result":{"sessionId":"s"}}`},
		{"an old session is loaded", greeting + "\nclient " + `{"id":1,"method":"session/load","params":{"sessionId":"s","cwd":"/w","mcpServers":[]}}` +
			update(`"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"hi"}`) + update(`"sessionUpdate":"tool_call_update","toolCallId":"old","status":"completed"`) +
			"\nagent " + `{"id":1,"result":null}`},
		{"a session of the list", greeting + "\nclient " + `{"id":1,"method":"session/list","params":{}}` + "\nagent " + `{"id":1,"result":{"sessions":[{"sessionId":"s","cwd":"/w"}]}}` +
			"\nclient " + `{"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}` + end},
		{"masked values", greeting + "\nclient " + `{"id":1,"method":"session/new","params":{"cwd":"/w/[masked]","mcpServers":[{"name":"m","command":"c","args":[],"env":"[masked]"}]}}` +
			"\nagent " + `{"id":1,"result":{"sessionId":"[masked]"}}` + "\nclient " + `{"id":2,"method":"session/prompt","params":{"sessionId":"[masked]","prompt":"[masked]"}}` +
			"\nagent " + `{"id":2,"result":{"stopReason":"[masked]"}}`},
		{"an error without an id", greeting + "\nagent " + `{"id":null,"error":{"code":-32700,"message":"what"}}`},
		{"options in groups", greeting + "\nclient " + `{"id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}` +
			"\nagent " + `{"id":1,"result":{"sessionId":"s","configOptions":[{"id":"m","name":"M","type":"select","currentValue":"a","options":[{"group":"g","name":"G","options":[{"value":"a","name":"A"}]}]}]}}` +
			"\nclient " + `{"id":2,"method":"session/set_config_option","params":{"sessionId":"s","configId":"m","value":"a"}}` + "\nagent " + `{"id":2,"result":{"configOptions":[]}}`},
		{"the answer to a cancelled permission is an error", running + call + asked + cancel + "\nclient " + `{"id":7,"error":{"code":-32800,"message":"cancelled"}}` + endCancelled},
		{"a tool call that a permission request tells of first", running + asked + yes + update(`"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed"`) + end},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, f := range play(New(), test.conversation) {
				t.Errorf("%v %s: %s", f.By, f.Rule, f.Text)
			}
		})
	}
}

// TestMissed shows the checker every conversation from every place on: once it
// knows that it has missed something, it says nothing that it does not say to
// who has seen all.
func TestMissed(t *testing.T) {
	whole := running + call + asked + yes + update(`"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed"`) + created + released + end
	lines := strings.SplitAfter(strings.TrimPrefix(whole, "\n"), "\n")
	for from := range lines {
		c := New()
		c.Missed()
		for _, f := range play(c, strings.Join(lines[from:], "")) {
			if f.Severity > Info {
				t.Errorf("from line %d on: %v %s: %s", from, f.By, f.Rule, f.Text)
			}
		}
	}
}

// TestCut cuts every frame of a conversation at every byte.
func TestCut(t *testing.T) {
	whole := running + call + asked + yes + created + released + end
	lines := strings.Split(strings.TrimPrefix(whole, "\n"), "\n")
	for at, line := range lines {
		_, text, _ := strings.Cut(line, " ")
		text = `{"jsonrpc":"2.0",` + text[1:]
		for n := range len(text) {
			c := New()
			for i, line := range lines {
				who, frame, _ := strings.Cut(line, " ")
				from := acp.Client
				if who == "agent" {
					from = acp.Agent
				}
				frame = `{"jsonrpc":"2.0",` + frame[1:]
				var f acp.Frame
				acp.Scan([]byte(frame), &f)
				if i == at {
					frame = frame[:n]
					f.Params, f.Result, f.Error, f.Session, f.Update, f.Cut = nil, nil, nil, nil, nil, true
					acp.Mend([]byte(frame), &f)
				}
				for _, found := range c.Frame(time.Time{}, uint64(i), from, &f, []byte(frame)) {
					if found.Severity > Info {
						t.Fatalf("frame %d cut at %d: %v %s: %s", at, n, found.By, found.Rule, found.Text)
					}
				}
			}
		}
	}
}

func TestShapeOfAFinding(t *testing.T) {
	for text, want := range map[string]string{
		`the tool call "a 1" is updated`: `the tool call "" is updated`,
		`content[12].x is 7`:             `content[#].x is #`,
	} {
		if got := (&Finding{Text: text}).Shape(); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestBounds floods a checker with everything that it remembers.
func TestBounds(t *testing.T) {
	var b strings.Builder
	b.WriteString(running)
	for n := range 3 * maxKept {
		b.WriteString(update(fmt.Sprintf(`"sessionUpdate":"tool_call","toolCallId":"c%d","title":"T"`, n)))
		fmt.Fprintf(&b, "\nagent "+`{"id":%d,"method":"_x"}`, n)
		fmt.Fprintf(&b, "\nagent "+`{"id":"r%d","method":"terminal/create","params":{"sessionId":"s%d","command":"c"}}`, n, n)
		fmt.Fprintf(&b, "\nclient "+`{"id":"r%d","result":{"terminalId":"t%d"}}`, n, n)
	}
	c := New()
	play(c, b.String())
	if len(c.talks) > maxTalks || len(c.asked[acp.Agent]) > maxAsked || c.kept > maxAll || len(c.done[acp.Agent].all) > maxDone {
		t.Errorf("got %d sessions, %d requests, %d kept, %d ids", len(c.talks), len(c.asked[acp.Agent]), c.kept, len(c.done[acp.Agent].all))
	}
}

func FuzzCheck(f *testing.F) {
	for _, seed := range []string{running + call + asked + yes + end, greeting2 + opened2, greeting + opened + created + released, "client ![{}]", "agent !{\"id\":1}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, conversation string) {
		n := strings.Count(conversation, "\n") + 1
		found := play(New(), conversation)
		if len(found) > n*MaxFindings+maxEnd {
			t.Errorf("%d findings of %d lines", len(found), n)
		}
		for _, x := range found {
			if _, ok := FindRule(x.Rule); !ok || x.Severity < Info || x.Severity > Error || x.Text == "" || len(x.Text) > 4<<10 {
				t.Errorf("%+v", x)
			}
		}
	})
}

func BenchmarkChunk(b *testing.B) {
	c := New()
	play(c, running)
	line := []byte(`{"jsonrpc":"2.0",` + chunk(`"some words of an answer"`)[len("\nagent {"):])
	var f acp.Frame
	acp.Scan(line, &f)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		c.Frame(time.Time{}, 1, acp.Agent, &f, line)
	}
}

// TestAdded has the proxy answer for the others. Nobody is blamed for that, nor for
// what the agent, which knows nothing of it, does next.
func TestAdded(t *testing.T) {
	c := New()
	if found := play(c, running+call); len(rules(found)) != 1 { // the prompt has no answer yet
		t.Fatal(found)
	}
	show := func(from acp.Direction, frame string, added bool) []Finding {
		var f acp.Frame
		acp.Scan([]byte(frame), &f)
		if added {
			c.Added(time.Time{}, 99, from, &f, []byte(frame))
			return nil
		}
		return c.Frame(time.Time{}, 99, from, &f, []byte(frame))
	}
	show(acp.Agent, `{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"no answer in time"}}`, true)
	show(acp.Agent, `{"jsonrpc":"2.0","id":"nobody's","result":{}}`, true)
	if found := show(acp.Agent, `{"jsonrpc":"2.0",`+strings.TrimPrefix(chunk(`"a"`), "\nagent {"), false); len(found) > 0 {
		t.Errorf("got %v", found)
	}
}

func TestPages(t *testing.T) {
	f := Finding{Rule: "turn/cancel", Version: 2}
	if got, want := f.Spec(), "https://agentclientprotocol.com/protocol/v2/prompt-lifecycle#cancellation"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPermissionsThatStayOpenAfterCancel(t *testing.T) {
	for _, test := range []struct {
		name, conversation string
		want               []string
	}{
		{"the turn is over", running + call + asked + cancel + endCancelled, []string{"permission/after-cancel"}},
		{"it goes on", running + call + asked + cancel, []string{"json-rpc/unanswered"}},
		{"nothing was cancelled", running + call + asked + endCancelled, []string{"permission/left-open", "json-rpc/unanswered"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if found := play(New(), test.conversation); !slices.Equal(rules(found), test.want) {
				t.Errorf("got %v, want %v", found, test.want)
			}
		})
	}
}
