package talk_test

import (
	"encoding/json"
	"strings"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

var start = time.Date(2026, 9, 30, 12, 4, 15, 0, time.UTC)

// at is a moment of the scene, in seconds since it began.
func at(s float64) time.Time {
	return start.Add(time.Duration(s * float64(time.Second)).Round(time.Millisecond))
}

func seenBy(m *model.Model, s float64) pane.Context {
	return pane.Context{Now: at(s), Model: m, Focus: true, Home: "/home/me"}
}

// builder makes a session by hand, as the folds would.
type builder struct {
	m   *model.Model
	p   *model.Proxy
	s   *model.Session
	seq uint64
}

func newBuilder() *builder {
	p := &model.Proxy{
		Instance: "k4tq", Link: model.Live, Protocol: 1,
		Client: control.Program{Name: "zed", Title: "Zed", Version: "1.5.4"},
		Agent:  control.Program{Name: "bob", Title: "Bob", Version: "2.0.8"},
		State: control.State{
			PID: 51234, Version: "0.9.0", Command: []string{"bob", "acp"}, Cwd: "/home/me/src/api",
			Started: start.Add(-12 * time.Minute), Recording: "/home/me/.local/state/bobproxy/20260930T120415Z-k4tq.jsonl",
			Bounds: "enforce", Timeout: "2m0s", Watchers: 1,
		},
		Frames: [3]int{0, 40, 144},
	}
	s := &model.Session{Proxy: p, Talk: &session.Talk{Session: "sess_7f3a9c01", First: start}, Cwd: "/home/me/src/api"}
	p.Sessions = []*model.Session{s}
	return &builder{m: &model.Model{Proxies: []*model.Proxy{p}}, p: p, s: s}
}

func (b *builder) next() uint64 { b.seq += 10; return b.seq }

func (b *builder) say(k session.EntryKind, t float64, text string) *session.Entry {
	seq := b.next()
	e := &session.Entry{Kind: k, At: at(t), Last: at(t), Seq: seq, LastSeq: seq, Frames: 1, Text: text, Size: len(text)}
	b.s.Talk.Entries = append(b.s.Talk.Entries, e)
	return e
}

func (b *builder) named(k session.EntryKind, t float64, name, text string) *session.Entry {
	e := b.say(k, t, text)
	e.Name = name
	return e
}

func (b *builder) tool(t, took float64, status, kind, title string, paths ...string) *session.Entry {
	e := b.say(session.ToolEntry, t, "")
	e.Tool = &session.Tool{ID: "call_" + string(rune('a'+len(b.s.Talk.Entries))), Title: title, Kind: kind, Status: status, Started: at(t), Paths: paths}
	if took > 0 {
		e.Tool.Ended = at(t + took)
	}
	return e
}

var options = []control.Option{
	{Number: 1, ID: "once", Name: "Yes, run once", Kind: "allow_once"},
	{Number: 2, ID: "always", Name: "Yes, and don't ask again", Kind: "allow_always"},
	{Number: 3, ID: "no", Name: "No, tell Bob what to do", Kind: "reject_once"},
}

// ask opens a permission for a tool call.
func (b *builder) ask(e *session.Entry, t float64, within time.Duration) *model.Permission {
	seq := b.next()
	p := &model.Permission{Proxy: b.p, Session: b.s, Request: "k4tq:" + string(rune('a'+seq/10)), Opened: at(t), Seq: seq}
	if e != nil {
		p.Call, p.Title, p.Kind = e.Tool.ID, e.Tool.Title, e.Tool.Kind
	}
	p.Card = &control.Pending{Options: options}
	if within > 0 {
		deadline := p.Opened.Add(within)
		p.Card.Deadline = &deadline
	}
	b.p.Pending = append(b.p.Pending, p)
	return p
}

// settle closes a permission.
func (b *builder) settle(p *model.Permission, by string, option int, wait time.Duration) *model.Permission {
	d := &journal.Decision{Request: p.Request, By: by, Outcome: "cancelled", Wait: wait}
	if option > 0 {
		o := options[option-1]
		d.Outcome, d.OptionID, d.HasOption, d.OptionKind = "selected", o.ID, true, o.Kind
	}
	p.Decision, p.Closed = d, p.Opened.Add(wait)
	b.p.Closed = append(b.p.Closed, p)
	for i, q := range b.p.Pending {
		if q == p {
			b.p.Pending = append(b.p.Pending[:i:i], b.p.Pending[i+1:]...)
			break
		}
	}
	return p
}

func (b *builder) deed(e *session.Entry, v model.Verdict, asked ...*model.Permission) *model.Deed {
	d := &model.Deed{At: e.At, Seq: e.Seq, Entry: e, What: e.Tool.Kind, Title: e.Tool.Title, Asked: asked, Verdict: v}
	b.s.Deeds = append(b.s.Deeds, d)
	return d
}

func (b *builder) row(r *model.Row) *model.Row {
	r.Proxy = b.p
	if r.Seq == 0 {
		r.Seq = b.next()
	}
	b.p.Rows = append(b.p.Rows, r)
	return r
}

func (b *builder) stderr(t float64, lines ...string) {
	for _, l := range lines {
		b.p.Stderr = append(b.p.Stderr, model.Words{At: at(t), Seq: b.next(), Text: l})
	}
}

const self = 4711

// nilToken is a session in the middle of its first turn.
func nilToken() *builder {
	b := newBuilder()
	t := b.s.Talk
	b.row(&model.Row{Time: at(-13), Type: journal.FrameEvent, From: acp.Client, Kind: acp.Request, Method: acp.MethodInitialize, ID: "1",
		Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true}}}`)})
	b.row(&model.Row{Time: at(-12), Type: journal.FrameEvent, From: acp.Agent, Kind: acp.Response, Method: acp.MethodInitialize, ID: "1",
		Body: []byte(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"promptCapabilities":{"image":true,"audio":false}}}}`)})
	t.Title, t.Mode, t.Running, t.Since, t.Turns = "Fix nil token panic", "default", true, at(0), 1
	t.Modes = []session.Choice{{ID: "default", Name: "default", Description: "Asks before it edits or runs"}, {ID: "ask", Name: "Ask", Description: "Answers only"}, {ID: "plan", Name: "Plan"}}
	t.Options = []session.Option{{ID: "model", Name: "Model", Category: "model", Current: "bob-large"}}
	t.Commands = []session.Command{{Name: "init", Description: "Write AGENTS.md"}, {Name: "review", Description: "Review what changed", Hint: "[branch]"}, {Name: "compact"}, {Name: "explain"}}
	t.Usage = session.Usage{Used: 53000, Size: 200000, Cost: "0.05 USD"}
	t.Plans = []session.Plan{{Kind: "items", Steps: []session.Step{
		{Text: "Find where tokens are parsed", Status: "completed"}, {Text: "Reproduce the panic", Status: "completed"},
		{Text: "Guard Expired() against nil", Status: "in_progress"}, {Text: "Add a test", Status: "pending"},
	}}}
	b.say(session.UserMessage, 0, "The login crashes with a nil token. Fix it.")
	th := b.say(session.Thought, 1, "The user reports a crash on login.\nI should look at how tokens are parsed first, and at who calls Expired().")
	th.Last, th.Frames = at(9.4), 18
	b.say(session.AgentMessage, 3, "I will look at the token code first.")
	b.tool(4, .012, "completed", "read", "Read token.go", "/home/me/src/api/src/auth/token.go")
	b.tool(5, .088, "completed", "search", `"Expired("  7 hits`)
	x := b.tool(6, 6.31, "completed", "execute", "go test ./auth")
	x.Tool.Exit, x.Tool.Input = "1", []byte(`{"command":"go test ./auth","cwd":"/home/me/src/api"}`)
	x.Tool.Output = strings.Repeat("ok\n", 9) + "panic: runtime error: invalid memory address\ngoroutine 19 [running]:\nauth.(*Token).Expired(...)\n    token.go:42\nFAIL  api/auth  0.214s\n"
	x.Tool.OutputSize = len(x.Tool.Output)
	p := b.settle(b.ask(x, 6, 2*time.Minute), "panel", 1, 4*time.Second)
	p.Decision.Peer = &journal.Peer{PID: self, TTY: "/dev/pts/3"}
	b.deed(x, model.Allowed, p).Requests = []*model.Row{{Seq: b.seq + 1, Method: acp.MethodTerminalCreate, First: "go test ./auth"}}
	b.stderr(8, "bob: warning: telemetry is off")
	b.say(session.AgentMessage, 9, "The panic comes from calling Expired() on a nil *Token in middleware.go:88. I will guard it and keep the zero value meaning \"expired\".")
	e := b.tool(12, 0, "pending", "edit", "Edit src/auth/token.go", "/home/me/src/api/src/auth/token.go")
	e.Tool.Added, e.Tool.Removed, e.Tool.Diffs = 2, 1, 1
	q := b.ask(e, 12, time.Minute)
	b.deed(e, model.Asking, q)
	body, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 5, "method": acp.MethodRequestPermission, "params": map[string]any{"sessionId": "sess_7f3a9c01", "toolCall": map[string]any{
		"toolCallId": e.Tool.ID, "content": []any{map[string]any{"type": "diff", "path": "/home/me/src/api/src/auth/token.go",
			"oldText": "func (t *Token) Expired() bool {\n\treturn time.Now() > t.exp\n}\n",
			"newText": "func (t *Token) Expired() bool {\n\tif t == nil { return true }\n\treturn time.Now().After(t.exp)\n}\n"}}}}})
	r := b.row(&model.Row{Session: b.s, Time: at(12), Type: journal.FrameEvent, From: acp.Agent, Kind: acp.Request, Method: acp.MethodRequestPermission, ID: "5", Call: e.Tool.ID, Permission: q, Waiting: true, Body: body})
	e.LastSeq = r.Seq
	b.p.Open = []*model.Row{
		b.row(&model.Row{Session: b.s, Time: at(0), Type: journal.FrameEvent, From: acp.Client, Kind: acp.Request, Method: acp.MethodSessionPrompt, ID: "6", Waiting: true}), r}
	b.s.Files = []model.File{{Path: "/home/me/src/api/src/auth/token.go", Did: "proposed", Added: 2, Removed: 1}, {Path: "/home/me/src/api/src/auth/middleware.go", Did: "read"}}
	return b
}

// screen is a pane as it looks.
func screen(w, h int, draw func(paint.Area)) *paint.Grid {
	g := paint.NewGrid(w, h)
	draw(g.All())
	return g
}
