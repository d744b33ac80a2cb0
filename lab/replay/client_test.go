package replay

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func playClient(t *testing.T, recording []Frame, o Options) *played {
	t.Helper()
	p := &played{}
	o.Found = func(f Finding) { p.found = append(p.found, f) }
	if o.Dir == "" {
		o.Dir = "/live"
	}
	c, err := newClient(recording, o)
	if err != nil {
		t.Fatal(err)
	}
	p.part = c
	return p
}

// Live frames of an agent, which answer talk.
const (
	welcome = `{"id":0,"result":{"protocolVersion":1}}`
	opened  = `{"id":1,"result":{"sessionId":"L"}}`
	modeSet = `{"id":2,"result":{}}`
	edits   = `{"method":"session/update","params":{"sessionId":"L","update":{"sessionUpdate":"tool_call","toolCallId":"k","title":"Edit","kind":"edit","locations":[{"path":"/live/a"}]}}}`
	asks    = `{"id":"p","method":"session/request_permission","params":{"sessionId":"L","toolCall":{"toolCallId":"k"},"options":[{"optionId":"1","name":"No","kind":"reject_once"},{"optionId":"2","name":"Yes, always","kind":"allow_always"},{"optionId":"3","name":"Yes","kind":"allow_once"}]}}`
	edited  = `{"method":"session/update","params":{"sessionId":"L","update":{"sessionUpdate":"tool_call_update","toolCallId":"k","status":"completed"}}}`
	endTurn = `{"id":3,"result":{"stopReason":"end_turn"}}`
)

func TestClientPlaysAsRecorded(t *testing.T) {
	p := playClient(t, talk, Options{Strict: true})
	p.goOn()
	for i, step := range []struct {
		say  string
		want []string
	}{
		{"", []string{`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"terminal":true}}}`}},
		{welcome, []string{`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/live","mcpServers":[]}}`}},
		{opened, []string{`{"jsonrpc":"2.0","id":2,"method":"session/set_mode","params":{"sessionId":"L","modeId":"code"}}`}},
		{modeSet, []string{`{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"L","prompt":[{"type":"text","text":"do it"}]}}`}},
		{edits, nil},
		{asks, []string{`{"jsonrpc":"2.0","id":"p","result":{"outcome":{"outcome":"selected","optionId":"3"}}}`}},
		{edited, nil},
		{endTurn, nil},
	} {
		got := p.sent
		if i > 0 {
			got = p.say(step.say)
		}
		if !slices.Equal(got, step.want) {
			t.Fatalf("to %s\ngot  %q\nwant %q", step.say, got, step.want)
		}
	}
	if m := p.goOn(); !m.over {
		t.Errorf("it is not over: %+v", m)
	}
	p.part.(*client).leave()
	if len(p.found) > 0 {
		t.Errorf("found %q", p.told())
	}
}

func TestClientTellsWhatTheAgentDoesOtherwise(t *testing.T) {
	until := []string{welcome, opened, modeSet}
	turn := func(lines ...string) []string { return append(slices.Clone(until), lines...) }
	with := func(line string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(line) }
	for name, test := range map[string]struct {
		say  []string
		want []string
		last string // frame that is sent
	}{
		"it cannot make a session": {
			[]string{welcome, `{"id":1,"error":{"code":-32000,"message":"log in"}}`},
			[]string{`frame 4, the answer to session/new: expected {"sessionId":"s"}, came the error -32000 "log in"; ending here, since what follows needs the session`},
			"session/new",
		},
		"it speaks another version": {
			[]string{with(welcome, ":1", ":2")},
			[]string{`frame 2, the answer to initialize: expected protocol version 1, came 2`}, "session/new",
		},
		"it stops otherwise": {
			turn(edits, asks, edited, with(endTurn, "end_turn", "refusal")),
			[]string{`frame 12, the end of the turn: expected end_turn, came refusal`}, `"3"`,
		},
		"it asks for something else, which is refused": {
			turn(with(edits, "/live/a", "/live/b"), asks, edited, endTurn),
			[]string{
				`the agent: asks for session/request_permission "edit Edit /ws/b"; in the recording it does not; answered with "No"`,
				`frame 9, the agent: expected session/request_permission "edit Edit /ws/a", came nothing of the kind`,
				`frame 8, a tool call: expected "edit Edit /ws/a", came "edit Edit /ws/b"`,
			}, `"1"`,
		},
		"it calls the same thing otherwise": {
			turn(with(edits, `"Edit"`, `"Change a"`), asks, edited, endTurn),
			[]string{
				`frame 9, the agent: expected session/request_permission "edit Edit /ws/a", came "edit Change a /ws/a"; answered like the first`,
				`frame 8, a tool call: expected "edit Edit /ws/a", came "edit Change a /ws/a"`,
			}, `"3"`,
		},
		"it asks twice": {
			turn(edits, asks, with(asks, `"p"`, `"q"`), edited, endTurn),
			[]string{`the agent: asks for session/request_permission "edit Edit /ws/a"; in the recording it does not; answered with "No"`}, `"1"`,
		},
		"it does not offer what was chosen": {
			turn(edits, with(asks, "allow_once", "reject_always"), edited, endTurn),
			[]string{`frame 9, session/request_permission "edit Edit /ws/a": expected the option "Yes" (allow_once), came without what was chosen then; answered with "No"`}, `"1"`,
		},
		"the option has another name": {
			turn(edits, with(asks, `"Yes"`, `"Go on"`), edited, endTurn),
			nil, `"3"`,
		},
		"it does not ask": {
			turn(edits, edited, endTurn),
			[]string{`frame 9, the agent: expected session/request_permission "edit Edit /ws/a", came nothing of the kind`}, "session/prompt",
		},
		"its tool fails": {
			turn(edits, asks, with(edited, "completed", "failed"), endTurn),
			[]string{`frame 8, the tool call "edit Edit /ws/a": expected that it is completed in the end, came failed`}, `"3"`,
		},
		"it says something": {
			turn(edits, asks, edited, `{"method":"session/update","params":{"sessionId":"L","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"done"}}}}`, endTurn),
			[]string{`frame 7, turn 1: an update agent_message_chunk, which the recording does not have`}, `"3"`,
		},
		"it asks what no client knows": {
			turn(`{"id":8,"method":"_x/y"}`),
			[]string{`the agent: asks for _x/y; in the recording it does not; answered with an error`}, `-32601`,
		},
		"it reads a file that was not read": {
			turn(`{"id":8,"method":"fs/read_text_file","params":{"sessionId":"L","path":"/live/z"}}`),
			[]string{`the agent: asks for fs/read_text_file "/ws/z"; in the recording it does not; answered with an error`}, `-32002`,
		},
		"it answers nothing that was asked": {
			turn(`{"id":77,"result":{}}`),
			[]string{`the agent: answers the id 77, which waits for no answer`}, "session/prompt",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := playClient(t, talk, Options{})
			p.goOn()
			for _, line := range test.say {
				p.hear([]byte(line))
				p.goOn()
			}
			if p.goOn().over {
				p.part.(*client).leave()
			}
			if got := p.told(); !slices.Equal(got, test.want) {
				t.Errorf("found\ngot  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(test.want, "\n     "))
			}
			if got := p.sent[len(p.sent)-1]; !strings.Contains(got, test.last) {
				t.Errorf("sent last %s, want one with %s", got, test.last)
			}
		})
	}
}

// cancelled is a turn that the client cancels while a permission is open.
var cancelledTalk = append(slices.Clone(talk[:9]), conversation(
	`C {"method":"session/cancel","params":{"sessionId":"s"}}`,
	`C {"id":7,"result":{"outcome":{"outcome":"cancelled"}}}`,
	`A {"id":3,"result":{"stopReason":"cancelled"}}`,
)...)

func TestClientCancelsWhenItDid(t *testing.T) {
	p := playClient(t, cancelledTalk, Options{})
	if got := p.say(welcome, opened, modeSet, edits); len(got) != 3 {
		t.Fatalf("before the permission it sent %q", got)
	}
	got := p.say(asks)
	want := []string{
		`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"L"}}`,
		`{"jsonrpc":"2.0","id":"p","result":{"outcome":{"outcome":"cancelled"}}}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	p.say(`{"id":3,"result":{"stopReason":"cancelled"}}`)
	if m := p.goOn(); !m.over || len(p.found) > 0 {
		t.Errorf("over: %v, found %q", m.over, p.told())
	}
}

func TestClientHasNothingToCancel(t *testing.T) {
	p := playClient(t, cancelledTalk, Options{})
	p.say(welcome, opened, modeSet, edits, endTurn)
	if m := p.goOn(); !m.over {
		t.Error("it is not over")
	}
	if got, want := p.told(), []string{`frame 1, the agent: expected that its turn goes on until session/cancel, came the end of the turn; this is left out`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestClientAnswersWhatIsWithdrawn(t *testing.T) {
	p := playClient(t, append(slices.Clone(talk[:9]), conversation(
		`C {"method":"_note","params":{"sessionId":"s"}}`,
		`C {"id":7,"result":{"outcome":{"outcome":"cancelled"}}}`,
		`A {"id":3,"result":{"stopReason":"cancelled"}}`,
	)...), Options{})
	p.say(welcome, opened, modeSet, edits)
	p.hear([]byte(asks)) // and nothing is written before it is withdrawn
	p.hear([]byte(`{"method":"$/cancel_request","params":{"requestId":"p"}}`))
	p.sent = nil
	p.goOn()
	if got, want := p.sent[0], `{"jsonrpc":"2.0","id":"p","error":{"code":-32800,"message":"Request cancelled"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestClientServesFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("1\n2\n3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	p := playClient(t, talk, Options{Dir: dir, Files: true})
	c := p.part.(*client)
	var err error
	if c.files, err = os.OpenRoot(dir); err != nil {
		t.Fatal(err)
	}
	defer c.files.Close()
	for name, test := range map[string]struct{ method, params, want string }{
		"whole":            {"fs/read_text_file", `{"path":"DIR/a"}`, `"result":{"content":"1\n2\n3\n"}`},
		"some lines":       {"fs/read_text_file", `{"path":"DIR/a","line":2,"limit":1}`, `"result":{"content":"2\n"}`},
		"beyond the end":   {"fs/read_text_file", `{"path":"DIR/a","line":20}`, `"result":{"content":""}`},
		"not there":        {"fs/read_text_file", `{"path":"DIR/b"}`, `"code":-32002`},
		"a folder":         {"fs/read_text_file", `{"path":"DIR"}`, `"code":-32603`},
		"outside":          {"fs/read_text_file", `{"path":"` + outside + `"}`, `"code":-32602`},
		"by way of ..":     {"fs/read_text_file", `{"path":"DIR/../x"}`, `"code":-32602`},
		"by way of a link": {"fs/read_text_file", `{"path":"DIR/link"}`, `"code":-32603`},
		"relative":         {"fs/read_text_file", `{"path":"a"}`, `"code":-32602`},
		"written":          {"fs/write_text_file", `{"path":"DIR/new/b","content":"x"}`, `"result":{}`},
		"written outside":  {"fs/write_text_file", `{"path":"DIR/link","content":"x"}`, `"code":-32603`},
	} {
		t.Run(name, func(t *testing.T) {
			got := p.say(`{"id":5,"method":"` + test.method + `","params":` + strings.ReplaceAll(test.params, "DIR", dir) + `}`)
			if len(got) != 1 || !strings.Contains(got[0], test.want) {
				t.Errorf("got %q, want one with %s", got, test.want)
			}
		})
	}
	if got, _ := os.ReadFile(outside); string(got) != "secret" {
		t.Errorf("the file outside holds %q", got)
	}
}

func TestClientAnswersTerminalsAsRecorded(t *testing.T) {
	p := playClient(t, conversation(
		`C {"id":1,"method":"session/new","params":{"cwd":"/ws"}}`,
		`A {"id":1,"result":{"sessionId":"s"}}`,
		`C {"id":2,"method":"session/prompt","params":{"sessionId":"s"}}`,
		`A {"id":1,"method":"terminal/create","params":{"sessionId":"s","command":"ls","args":["/ws"]}}`,
		`C {"id":1,"result":{"terminalId":"t1"}}`,
		`A {"id":2,"method":"terminal/output","params":{"sessionId":"s","terminalId":"t1"}}`,
		`C {"id":2,"result":{"output":"/ws/a","truncated":false}}`,
		`A {"id":2,"result":{"stopReason":"end_turn"}}`,
	), Options{})
	got := p.say(`{"id":0,"result":{"sessionId":"L"}}`,
		`{"id":5,"method":"terminal/create","params":{"sessionId":"L","command":"ls","args":["/live"]}}`,
		`{"id":6,"method":"terminal/output","params":{"sessionId":"L","terminalId":"t1"}}`,
		`{"id":7,"method":"terminal/output","params":{"sessionId":"L","terminalId":"t1"}}`,
		`{"id":8,"method":"terminal/create","params":{"sessionId":"L","command":"rm","args":["/live"]}}`)
	want := []string{
		`{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"L"}}`,
		`{"jsonrpc":"2.0","id":5,"result":{"terminalId":"t1"}}`,
		`{"jsonrpc":"2.0","id":6,"result":{"output":"/live/a","truncated":false}}`,
		`{"jsonrpc":"2.0","id":7,"result":{"output":"/live/a","truncated":false}}`,
		`{"jsonrpc":"2.0","id":8,"error":{"code":-32603,"message":"this was not asked in the recording"}}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got, want := p.told(), []string{
		`- frame 6, the agent: asks once more for terminal/output "t1"; answered like the last time`,
		`the agent: asks for terminal/create "rm /ws"; in the recording it does not; answered with an error`,
	}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestClientTellsWhatTheAgentLeftWithout(t *testing.T) {
	for name, test := range map[string]struct {
		say  []string
		want string
	}{
		"before it was asked": {[]string{welcome}, `the agent: expected that it takes or gives session/set_mode "code", came the end of its output`},
		"within the turn":     {[]string{welcome, opened, modeSet, edits}, `the agent: expected that it takes or gives the answer to session/prompt, came the end of its output`},
	} {
		t.Run(name, func(t *testing.T) {
			p := playClient(t, talk, Options{})
			p.say(test.say...)
			p.gone()
			if m := p.goOn(); !m.over {
				t.Error("it goes on")
			}
			p.part.(*client).leave()
			if got := p.told(); len(got) == 0 || got[0] != test.want {
				t.Errorf("got %q, want %q first", got, test.want)
			}
		})
	}
}

func TestClientIsStrictAboutTexts(t *testing.T) {
	says := func(s string) string {
		return `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + s + `"}}}}`
	}
	recording := append(slices.Clone(talk[:7]), conversation(`A `+says("All is done, "), `A `+says("in /ws."), `A {"id":3,"result":{"stopReason":"end_turn"}}`)...)
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"the same in one piece":       {"All is done, in /live.", nil},
		"something else":              {"I gave up.", []string{`frame 7, what the agent says: expected "All is done, in /ws.", came "I gave up."`}},
		"another end of what is long": {strings.Repeat("long ", 100) + "a", []string{`frame 7, what the agent says: expected "All is done, in /ws.", came "long long long long long long long long long long long long long long long long long long…"`}},
		"another end":                 {"All is done, in /live, more or less.", []string{`frame 7, what the agent says: expected "All is done, in /ws.", came "All is done, in /ws, more or less."`}},
	} {
		t.Run(name, func(t *testing.T) {
			p := playClient(t, recording, Options{Strict: true})
			p.say(welcome, opened, modeSet, strings.ReplaceAll(says(test.text), `"s"`, `"L"`), endTurn)
			p.part.(*client).leave()
			if got := p.told(); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestWhereTextsPart(t *testing.T) {
	then := strings.Repeat("a", 50) + "bc"
	if got, want := apart(then, strings.Repeat("a", 50)+"xyz"), `"aaaaaaaaaaxyz" at byte 50`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := apart(then, strings.Repeat("a", 30)), `"aaaaaaaaaa" at byte 30`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
