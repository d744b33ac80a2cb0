package home

import (
	"encoding/json"
	"fmt"
	"time"

	"bobproxy/acp"
	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

var dawn = time.Date(2026, 9, 30, 12, 4, 2, 0, time.UTC)

// world is a model that proxies tell of themselves to.
type world struct {
	m   *model.Model
	now time.Time
}

func newWorld() *world { return &world{m: model.New(), now: dawn} }

func (w *world) wait(d time.Duration) { w.now = w.now.Add(d) }

func (w *world) context() pane.Context {
	return pane.Context{Now: w.now, Model: w.m, Focus: true, Home: "/home/me"}
}

// teller is one proxy that tells.
type teller struct {
	*world
	state control.State
	seq   uint64
}

func (w *world) proxy(instance, cwd string, pid int) *teller {
	t := &teller{world: w, state: control.State{
		Instance: instance, PID: pid, Command: []string{"bob", "acp"}, Cwd: cwd, Started: w.now,
		Recording: "/home/me/.local/state/bobproxy/2026-09-30T120402Z-" + instance + ".jsonl",
	}}
	w.m.Attach(w.now, control.Greeting{Instance: instance, PID: pid, Answers: "all"}, t.state, nil)
	t.tell(journal.Event{Type: journal.StartEvent, Start: &journal.Start{Command: t.state.Command, PID: pid, Cwd: cwd}}, nil)
	return t
}

func (t *teller) tell(e journal.Event, card *control.Pending) {
	t.seq++
	e.Time, e.Seq, e.Instance = t.now, t.seq, t.state.Instance
	t.m.Take(t.state.Instance, []control.Delta{{Event: e, Pending: card}})
}

func (t *teller) frame(from acp.Direction, format string, args ...any) {
	body := fmt.Appendf(nil, format, args...)
	var f acp.Frame
	acp.Scan(body, &f)
	t.tell(journal.Event{Type: journal.FrameEvent, Dir: from, Kind: f.Kind, EOL: acp.LF, Method: string(f.Method), ID: f.ID,
		Session: string(f.Session), Bytes: int64(len(body)), Form: journal.FrameBody, Body: body}, nil)
}

func (t *teller) client(format string, args ...any) *teller {
	t.frame(acp.Client, format, args...)
	return t
}

func (t *teller) agent(format string, args ...any) *teller {
	t.frame(acp.Agent, format, args...)
	return t
}

func (t *teller) hello(editor string) *teller {
	t.client(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientInfo":{"name":%q,"version":"1"}}}`, editor)
	return t.agent(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentInfo":{"name":"bob","title":"Bob","version":"2"},"authMethods":[]}}`)
}

// session opens one in a folder.
func (t *teller) session(id, cwd string) *teller {
	t.client(`{"jsonrpc":"2.0","id":"new-%s","method":"session/new","params":{"cwd":%q,"mcpServers":[]}}`, id, cwd)
	return t.agent(`{"jsonrpc":"2.0","id":"new-%s","result":{"sessionId":%q}}`, id, id)
}

// prompt begins a turn.
func (t *teller) prompt(id, text string) *teller {
	return t.client(`{"jsonrpc":"2.0","id":"prompt-%s","method":"session/prompt","params":{"sessionId":%q,"prompt":[{"type":"text","text":%s}]}}`, id, id, quote(text))
}

// done ends it.
func (t *teller) done(id string) *teller {
	return t.agent(`{"jsonrpc":"2.0","id":"prompt-%s","result":{"stopReason":"end_turn"}}`, id)
}

func (t *teller) say(id, text string) *teller {
	return t.agent(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":%s}}}}`, id, quote(text))
}

// ask opens a permission that has a minute.
func (t *teller) ask(n int, session, kind, title string) *teller {
	t.agent(`{"jsonrpc":"2.0","id":%d,"method":"session/request_permission","params":{"sessionId":%q,"toolCall":{"toolCallId":"c%d","title":%s,"kind":%q},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"}]}}`, n, session, n, quote(title), kind)
	due := t.now.Add(time.Minute)
	card := &control.Pending{Request: fmt.Sprintf("%s:%d", t.state.Instance, n), Instance: t.state.Instance, ID: json.RawMessage(fmt.Sprint(n)),
		Session: session, Title: title, Kind: kind, Opened: t.now, Deadline: &due, Digest: fmt.Sprintf("%032x", n)}
	t.tell(journal.Event{Type: journal.OpenedEvent, Method: acp.MethodRequestPermission, ID: fmt.Append(nil, n), Session: session,
		Decision: &journal.Decision{Request: card.Request, Digest: card.Digest}}, card)
	return t
}

// settle says how a permission that was asked for ended.
func (t *teller) settle(n int, session string) *teller {
	t.tell(journal.Event{Type: journal.DecisionEvent, Method: acp.MethodRequestPermission, ID: fmt.Append(nil, n), Session: session,
		Decision: &journal.Decision{Request: fmt.Sprintf("%s:%d", t.state.Instance, n), Digest: fmt.Sprintf("%032x", n), By: "panel", Outcome: "selected", OptionID: "y", HasOption: true}}, nil)
	return t
}

func (t *teller) stderr(text string) *teller {
	t.tell(journal.Event{Type: journal.StderrEvent, Text: text}, nil)
	return t
}

func (t *teller) exit(e journal.Exit) *teller {
	t.tell(journal.Event{Type: journal.ExitEvent, Exit: &e}, nil)
	return t
}

func (t *teller) gone(why string) *teller {
	t.m.Gone(t.now, t.state.Instance, why)
	return t
}

func quote(s string) string {
	q, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(q)
}

// crowd is one session of every sort.
func crowd() *world {
	w := newWorld()
	w.wait(-50 * time.Hour)
	w.proxy("old1", "/home/me/src/cli", 50100).hello("nvim").stderr("Error: session token expired\n").exit(journal.Exit{Status: 1}).gone("")
	w.now = dawn.Add(-3 * time.Hour)
	w.proxy("old2", "/srv/x", 50101).hello("emacs").session("s-kill", "/srv/x").prompt("s-kill", "Explain").exit(journal.Exit{Status: 137, Signal: "killed"}).gone("")
	w.now = dawn
	web := w.proxy("web1", "/home/me/src/web", 51300).hello("WebStorm")
	web.session("sess_c0ffee02", "/home/me/src/web").prompt("sess_c0ffee02", "Explain the build").done("sess_c0ffee02")
	web.session("sess_c0ffee03", "/home/me/src/web").prompt("sess_c0ffee03", "Explain the build").done("sess_c0ffee03")
	web.client(`{"jsonrpc":"2.0","id":9,"method":"session/close","params":{"sessionId":"sess_c0ffee03"}}`).agent(`{"jsonrpc":"2.0","id":9,"result":{}}`)
	w.wait(14 * time.Minute)
	w.proxy("mute", "/home/me/src/tool", 51400)
	w.proxy("auth", "/home/me/src/lib", 51500).hello("Zed").client(`{"jsonrpc":"2.0","id":2,"method":"authenticate","params":{"methodId":"sso"}}`)
	w.wait(42 * time.Second)
	yolo := w.proxy("yolo", "/home/me/src/a/very/long/way/down/to/the/place/of/work", 51600)
	yolo.state.AutoApprove = "--yolo"
	w.m.Attach(w.now, control.Greeting{Instance: "yolo", PID: 51600, Answers: "all"}, yolo.state, nil)
	yolo.hello("Zed").session("sess_y010", "/home/me/src/a/very/long/way/down/to/the/place/of/work").prompt("sess_y010", "Clean up \x1b[31mall\x1b[0m of it, and then some more of what is lying around in the place of work")
	api := w.proxy("api1", "/home/me/src/api", 51234).hello("Zed")
	api.session("sess_7f3a9c01", "/home/me/src/api").prompt("sess_7f3a9c01", "Fix nil token panic\nplease")
	api.agent(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"sess_7f3a9c01","update":{"sessionUpdate":"subagent_update","sessionId":"sess_sub1","title":"Look for callers"}}}`)
	w.wait(5 * time.Second)
	api.ask(7, "sess_7f3a9c01", "edit", "Edit src/auth/token.go")
	w.wait(8 * time.Second)
	lost := w.proxy("lost", "/home/me/src/docs", 51700).hello("acpx").session("sess_d0c5", "/home/me/src/docs").prompt("sess_d0c5", "Write the manual")
	w.m.Lost(w.now, lost.state.Instance, "the connection broke")
	return w
}
