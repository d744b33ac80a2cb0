package replay

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
)

// conversation makes a recording of lines that begin with C or A for who sent
// them. Frames are a second apart and numbered from 1.
func conversation(lines ...string) (frames []Frame) {
	for i, line := range lines {
		f := Frame{Number: uint64(i + 1), At: time.Unix(int64(i), 0), From: acp.Client, Line: []byte(line[2:])}
		if line[0] == 'A' {
			f.From = acp.Agent
		}
		frames = append(frames, f)
	}
	return frames
}

// talk is a short turn with a permission in it.
var talk = conversation(
	`C {"id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"terminal":true}}}`,
	`A {"id":0,"result":{"protocolVersion":1}}`,
	`C {"id":1,"method":"session/new","params":{"cwd":"/ws","mcpServers":[]}}`,
	`A {"id":1,"result":{"sessionId":"s"}}`,
	`C {"id":2,"method":"session/set_mode","params":{"sessionId":"s","modeId":"code"}}`,
	`A {"id":2,"result":{}}`,
	`C {"id":3,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"do it"}]}}`,
	`A {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"Edit","kind":"edit","locations":[{"path":"/ws/a"}]}}}`,
	`A {"id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]}}`,
	`C {"id":7,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}`,
	`A {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed"}}}`,
	`A {"id":3,"result":{"stopReason":"end_turn"}}`,
)

// played is a part on its own, without streams or time.
type played struct {
	part
	found []Finding
	sent  []string
}

// go on until the part waits or is over.
func (p *played) goOn() (m move) {
	for m = p.next(); m.line != nil; m = p.next() {
		p.done()
		p.sent = append(p.sent, strings.TrimSuffix(string(m.line), "\n"))
	}
	return m
}

// say lets the peer say lines, and gives what was sent since.
func (p *played) say(lines ...string) []string {
	p.goOn()
	p.sent = nil
	for _, line := range lines {
		p.hear([]byte(line))
		p.goOn()
	}
	return p.sent
}

// told are the findings as text, the notes with a -.
func (p *played) told() (list []string) {
	for _, f := range p.found {
		text := f.String()
		if !f.Divergence {
			text = "- " + text
		}
		list = append(list, text)
	}
	return list
}

func playAgent(t *testing.T, recording []Frame, strict bool) *played {
	t.Helper()
	p := &played{}
	a, err := newAgent(recording, Options{Strict: strict, Found: func(f Finding) { p.found = append(p.found, f) }})
	if err != nil {
		t.Fatal(err)
	}
	p.part = a
	return p
}

// Live frames of a client.
const (
	hello   = `{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"terminal":true}}}`
	open    = `{"jsonrpc":"2.0","id":"b","method":"session/new","params":{"cwd":"/live","mcpServers":[]}}`
	setMode = `{"jsonrpc":"2.0","id":"c","method":"session/set_mode","params":{"sessionId":"s","modeId":"code"}}`
	prompt  = `{"jsonrpc":"2.0","id":"d","method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"do it"}]}}`
	cancel  = `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}`
	yes     = `{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}`
	no      = `{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"selected","optionId":"n"}}}`
	never   = `{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"cancelled"}}}`
)

func TestAgentPlaysAsRecorded(t *testing.T) {
	p := playAgent(t, talk, true)
	for _, step := range []struct {
		say  string
		want []string
	}{
		{hello, []string{`{"jsonrpc":"2.0","id":"a","result":{"protocolVersion":1}}`}},
		{open, []string{`{"jsonrpc":"2.0","id":"b","result":{"sessionId":"s"}}`}},
		{setMode, []string{`{"jsonrpc":"2.0","id":"c","result":{}}`}},
		{prompt, []string{
			`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"Edit","kind":"edit","locations":[{"path":"/live/a"}]}}}`,
			`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]}}`,
		}},
		{yes, []string{
			`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed"}}}`,
			`{"jsonrpc":"2.0","id":"d","result":{"stopReason":"end_turn"}}`,
		}},
	} {
		if got := p.say(step.say); !slices.Equal(got, step.want) {
			t.Fatalf("to %s\ngot  %s\nwant %s", step.say, strings.Join(got, "\n     "), strings.Join(step.want, "\n     "))
		}
	}
	if m := p.goOn(); !m.over || !m.stay {
		t.Errorf("it is not over: %+v", m)
	}
	if len(p.found) > 0 {
		t.Errorf("found %q", p.told())
	}
}

// TestAgentTellsWhatTheClientDoesOtherwise goes by what is found, and by the last
// frame that is sent.
func TestAgentTellsWhatTheClientDoesOtherwise(t *testing.T) {
	const ended = `{"jsonrpc":"2.0","id":"d","result":{"stopReason":"end_turn"}}`
	for name, test := range map[string]struct {
		say  []string
		want []string
		last string
	}{
		"a capability is missing": {
			[]string{strings.Replace(hello, "true", "false", 1)},
			[]string{`frame 1, initialize: expected the capability terminal, came none; the recorded side may use it all the same; going on as recorded`},
			`{"jsonrpc":"2.0","id":"a","result":{"protocolVersion":1}}`,
		},
		"another version": {
			[]string{strings.Replace(hello, `:1,`, `:2,`, 1)},
			[]string{`frame 1, initialize: expected protocol version 1, came 2; going on as recorded`},
			`{"jsonrpc":"2.0","id":"a","result":{"protocolVersion":1}}`,
		},
		"another mode": {
			[]string{hello, open, strings.Replace(setMode, "code", "ask", 1)},
			[]string{`frame 5, session/set_mode "code": expected modeId "code", came "ask"; going on as recorded`},
			`{"jsonrpc":"2.0","id":"c","result":{}}`,
		},
		"a request is left out": {
			[]string{hello, open, prompt, yes},
			[]string{`frame 5, the client: expected session/set_mode "code", came session/prompt; it leaves the first out; so does the replay`},
			ended,
		},
		"and comes late": {
			[]string{hello, open, prompt, yes, setMode},
			[]string{
				`frame 5, the client: expected session/set_mode "code", came session/prompt; it leaves the first out; so does the replay`,
				`frame 5, session/set_mode "code": comes later than it did; answered as recorded`,
			},
			`{"jsonrpc":"2.0","id":"c","result":{}}`,
		},
		"another answer": {
			[]string{hello, open, setMode, prompt, no},
			[]string{`frame 10, the answer to session/request_permission "edit Edit /ws/a": expected "Yes" (allow_once), came "No" (reject_once); whoever was asked decided otherwise; going on as recorded`},
			ended,
		},
		"an error for an answer": {
			[]string{hello, open, setMode, prompt, `{"id":1,"error":{"code":-32601,"message":"what?"}}`},
			[]string{`frame 10, the answer to session/request_permission "edit Edit /ws/a": expected "Yes" (allow_once), came the error -32601 "what?"; whoever was asked decided otherwise; going on as recorded`},
			ended,
		},
		"an answer to nothing": {
			[]string{hello, open, setMode, prompt, `{"id":99,"result":{}}`},
			[]string{`the client: answers the id 99, which waits for no answer`},
			`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]}}`,
		},
		"a request more": {
			[]string{hello, open, setMode, prompt, yes, strings.Replace(setMode, `"c"`, `"z"`, 1)},
			[]string{`the client: session/set_mode; the recording has fewer of them; answered like the last one`},
			`{"jsonrpc":"2.0","id":"z","result":{}}`,
		},
		"a prompt more": {
			[]string{hello, open, setMode, prompt, yes, strings.Replace(prompt, `"d"`, `"z"`, 1)},
			[]string{`the client: session/prompt; the recording has fewer of them; answered with an error`},
			`{"jsonrpc":"2.0","id":"z","error":{"code":-32603,"message":"this recording has no more session/prompt"}}`,
		},
		"an unknown request": {
			[]string{hello, `{"id":5,"method":"_x/y"}`},
			[]string{`the client: _x/y; the recording has no such request; answered with an error`},
			`{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"this recording has no _x/y"}}`,
		},
		"an unknown notification": {
			[]string{hello, `{"method":"_x/y"}`},
			[]string{`the client: _x/y; the recording has no such notification`},
			`{"jsonrpc":"2.0","id":"a","result":{"protocolVersion":1}}`,
		},
		"a withdrawal, which may be ignored": {
			[]string{hello, `{"method":"$/cancel_request","params":{"requestId":"d"}}`},
			[]string{`- the client: $/cancel_request; the recording has no such notification`},
			`{"jsonrpc":"2.0","id":"a","result":{"protocolVersion":1}}`,
		},
		"the turn is cancelled": {
			[]string{hello, open, setMode, prompt, cancel, never},
			[]string{`frame 7, session/prompt: session/cancel; this turn was not cancelled; its rest is left out`},
			`{"jsonrpc":"2.0","id":"d","result":{"stopReason":"cancelled"}}`,
		},
		"another prompt is no divergence": {
			[]string{hello, open, setMode, strings.Replace(prompt, "do it", "do that", 1), yes},
			[]string{`- frame 7, session/prompt: expected the prompt "do it", came "do that"`},
			ended,
		},
		"another order": {
			[]string{hello, setMode, open},
			[]string{
				`frame 3, the client: expected session/new, came session/set_mode; it leaves the first out; so does the replay`,
				`frame 3, session/new: comes later than it did; answered as recorded`,
			},
			`{"jsonrpc":"2.0","id":"b","result":{"sessionId":"s"}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := playAgent(t, talk, false)
			p.goOn()
			for _, line := range test.say {
				p.hear([]byte(line))
				p.goOn()
			}
			if got := p.told(); !slices.Equal(got, test.want) {
				t.Errorf("found\ngot  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(test.want, "\n     "))
			}
			if got := p.sent[len(p.sent)-1]; got != test.last {
				t.Errorf("sent last\ngot  %s\nwant %s", got, test.last)
			}
		})
	}
}

func TestAgentIsStrictAboutTexts(t *testing.T) {
	p := playAgent(t, talk, true)
	p.say(hello, open, setMode, strings.Replace(prompt, "do it", "do that", 1))
	if got, want := p.told(), []string{`frame 7, session/prompt: expected the prompt "do it", came "do that"; going on as recorded`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAgentTellsWhatTheClientLeftWithout(t *testing.T) {
	for name, test := range map[string]struct {
		say  []string
		want []string
	}{
		"before it has asked":   {[]string{hello}, []string{`frame 3, the client: expected session/new, came the end of its output`}},
		"before it answers":     {[]string{hello, open, setMode, prompt}, []string{`frame 10, the client: expected the answer to session/request_permission "edit Edit /ws/a", came the end of its output`}},
		"when all was done":     {[]string{hello, open, setMode, prompt, yes}, nil},
		"without a single word": {nil, []string{`frame 1, the client: expected initialize, came the end of its output`}},
	} {
		t.Run(name, func(t *testing.T) {
			p := playAgent(t, talk, false)
			p.say(test.say...)
			p.gone()
			p.goOn()
			p.part.(*agent).leave()
			if got := p.told(); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestAgentKnowsSessionsApart sends the second session's prompt first.
func TestAgentKnowsSessionsApart(t *testing.T) {
	p := playAgent(t, conversation(
		`C {"id":1,"method":"session/new","params":{"cwd":"/ws"}}`,
		`A {"id":1,"result":{"sessionId":"s1"}}`,
		`C {"id":2,"method":"session/new","params":{"cwd":"/ws"}}`,
		`A {"id":2,"result":{"sessionId":"s2"}}`,
		`C {"id":3,"method":"session/prompt","params":{"sessionId":"s1"}}`,
		`C {"id":4,"method":"session/prompt","params":{"sessionId":"s2"}}`,
		`A {"id":3,"result":{"stopReason":"end_turn"}}`,
		`A {"id":4,"result":{"stopReason":"refusal"}}`,
	), true)
	p.say(`{"id":1,"method":"session/new","params":{"cwd":"/x"}}`, `{"id":2,"method":"session/new","params":{"cwd":"/x"}}`)
	got := p.say(`{"id":3,"method":"session/prompt","params":{"sessionId":"s2"}}`, `{"id":4,"method":"session/prompt","params":{"sessionId":"s1"}}`)
	want := []string{`{"jsonrpc":"2.0","id":4,"result":{"stopReason":"end_turn"}}`, `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"refusal"}}`}
	if !slices.Equal(got, want) || len(p.found) > 0 {
		t.Errorf("got %q, want %q; found %q", got, want, p.told())
	}
}

func TestAgentTakesTheClientsNames(t *testing.T) {
	p := playAgent(t, conversation(
		`C {"id":1,"method":"session/load","params":{"sessionId":"old","cwd":"/ws"}}`,
		`A {"method":"session/update","params":{"sessionId":"old","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"in /ws"}}}}`,
		`A {"id":1,"result":{}}`,
		`A {"id":5,"method":"terminal/create","params":{"sessionId":"old","command":"ls"}}`,
		`C {"id":5,"result":{"terminalId":"term-1"}}`,
		`A {"id":6,"method":"terminal/output","params":{"sessionId":"old","terminalId":"term-1"}}`,
		`C {"id":6,"result":{"output":""}}`,
		`A {"method":"$/cancel_request","params":{"requestId":6}}`,
	), true)
	got := p.say(`{"id":9,"method":"session/load","params":{"sessionId":"mine","cwd":"/x"}}`, `{"id":1,"result":{"terminalId":"T"}}`, `{"id":2,"result":{"output":""}}`)
	want := []string{
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"mine","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"in /x"}}}}`,
		`{"jsonrpc":"2.0","id":9,"result":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"terminal/create","params":{"sessionId":"mine","command":"ls"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"terminal/output","params":{"sessionId":"mine","terminalId":"T"}}`,
		`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":2}}`,
	}
	if !slices.Equal(got, want) || len(p.found) > 0 {
		t.Errorf("got\n%s\nwant\n%s\nfound %q", strings.Join(got, "\n"), strings.Join(want, "\n"), p.told())
	}
}

// TestAgentEndsACancelledTurnOfVersion2 says so in an update.
func TestAgentEndsACancelledTurnOfVersion2(t *testing.T) {
	p := playAgent(t, conversation(
		`C {"id":0,"method":"initialize","params":{"protocolVersion":2}}`,
		`A {"id":0,"result":{"protocolVersion":2}}`,
		`C {"id":1,"method":"session/new","params":{"cwd":"/ws"}}`,
		`A {"id":1,"result":{"sessionId":"s"}}`,
		`C {"id":2,"method":"session/prompt","params":{"sessionId":"s"}}`,
		`A {"id":2,"result":{"messageId":"m"}}`,
		`A {"id":3,"method":"session/request_permission","params":{"sessionId":"s","title":"Run","options":[]}}`,
		`C {"id":3,"result":{"outcome":{"outcome":"cancelled"}}}`,
		`A {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}}}`,
	), false)
	p.say(`{"id":0,"method":"initialize","params":{"protocolVersion":2}}`, `{"id":1,"method":"session/new","params":{"cwd":"/ws"}}`, `{"id":2,"method":"session/prompt","params":{"sessionId":"s"}}`)
	got := p.say(cancel, `{"id":1,"result":{"outcome":{"outcome":"cancelled"}}}`)
	want := []string{`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"idle","stopReason":"cancelled"}}}`}
	if !slices.Equal(got, want) || len(p.found) != 1 {
		t.Errorf("got %q, want %q; found %q", got, want, p.told())
	}
	if m := p.goOn(); !m.over {
		t.Errorf("it is not over: %+v", m)
	}
}

func TestAgentRefusesMoreThanItKeeps(t *testing.T) {
	p := playAgent(t, talk, false)
	p.hear([]byte(hello))
	for i := range 2 * maxWaiting {
		p.hear([]byte(fmt.Sprintf(`{"id":%d,"method":"session/prompt","params":{"sessionId":"s"}}`, i)))
	}
	if a := p.part.(*agent); len(a.waiting) > maxWaiting {
		t.Errorf("%d requests are kept", len(a.waiting))
	}
}

func TestNothingToPlay(t *testing.T) {
	if _, err := newAgent(nil, Options{}); err != ErrEmpty {
		t.Errorf("got %v, want %v", err, ErrEmpty)
	}
	large := Frame{Line: make([]byte, MaxSize/2)}
	if _, err := newClient([]Frame{large, large}, Options{}); err != ErrTooLarge {
		t.Errorf("got %v, want %v", err, ErrTooLarge)
	}
}
