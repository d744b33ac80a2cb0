package export

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/journal"
)

// Bounds of what is open at once; what is beyond them has no span.
const (
	maxOpenSpans = 16384
	maxOpenTurns = 4096
	maxUndecided = 256  // permissions that were answered
	maxOpenTools = 1024 // of a turn
)

// tracer makes spans of what one proxy recorded.
type tracer struct {
	instance      string
	agent, client string
	out           *document
	fold          session.Fold
	story         *session.Story
	open          map[asker][]*span // requests without an answer
	count         int               // of them
	turns         map[string]*turn  // by session id, escapes resolved
	asked         map[string]*span  // permissions that were answered, whose decision was not told yet, by id
	now           time.Time
}

// asker is by whom and under which id a request waits.
type asker struct {
	from acp.Direction
	id   string
}

// turn is what is done for one prompt, until the agent says that it is over: by
// its answer, and in version 2 by a state of idle, long after that.
type turn struct {
	span    *span
	tools   map[string]*span // that are not over, by id
	ids     map[string]string
	refused map[string]bool // tool calls whose last permission was not given, by id
}

func newTracer(instance string, out *document) *tracer {
	t := &tracer{instance: instance, out: out, open: map[asker][]*span{}, turns: map[string]*turn{}, asked: map[string]*span{}}
	t.story = session.NewStory(&t.fold)
	return t
}

func (t *tracer) frame(e *journal.Event) {
	var f acp.Frame
	if !e.Replay(&f) {
		return
	}
	at := e.Time
	if at.IsZero() {
		at = t.now
	}
	fact := t.fold.Frame(at, e.Dir, &f)
	told := t.story.Frame(at, e.Seq, e.Dir, &f, &fact)
	client, agent := t.fold.Peers()
	t.client, t.agent = client.Name, agent.Name
	s, _ := acp.Unquote([]byte(`"` + fact.Session + `"`))
	switch f.Kind {
	case acp.Request:
		t.request(at, e, &f, s)
	case acp.Response, acp.Error:
		t.response(at, e, &f, s)
	case acp.Notification:
		if string(f.Method) == acp.MethodSessionUpdate && !fact.Replay {
			t.update(at, e, &f, s, told.Entry)
		}
	}
	t.turnOver(at, s, told.Entry)
}

// begin is a span that belongs to the turn of its session, or to a trace of its
// own.
func (t *tracer) begin(at time.Time, name string, kind int, seq uint64, session string) *span {
	s := &span{name: name, kind: kind, start: at, seq: seq, id: ident(8, t.instance, seq, name), trace: ident(16, t.instance, seq, "trace")}
	if turn := t.turns[session]; turn != nil {
		s.trace, s.parent, s.state, s.flags = turn.span.trace, turn.span.id, turn.span.state, turn.span.flags
	}
	s.set("acp.session", session)
	return s
}

func (t *tracer) request(at time.Time, e *journal.Event, f *acp.Frame, session string) {
	if t.count >= maxOpenSpans {
		return
	}
	kind := kindClient
	if e.Dir == acp.Agent {
		kind = kindServer
	}
	method := string(f.Method)
	prompt := method == acp.MethodSessionPrompt && e.Dir == acp.Client
	name := method
	if prompt {
		name = "turn"
	}
	s := t.begin(at, name, kind, e.Seq, session)
	s.set("acp.method", method)
	s.set("acp.from", e.Dir.String())
	s.set("rpc.system", "jsonrpc")
	s.set("rpc.jsonrpc.request_id", string(f.ID))
	s.count("acp.request.bytes", e.Bytes)
	if method == acp.MethodRequestPermission {
		p := acp.ReadPermission(f.Params)
		s.name = "permission"
		s.set("acp.tool.title", p.Title)
		s.set("acp.tool.kind", p.Call.Kind.Value)
		s.set("acp.tool.id", p.Call.ID.Value)
		s.asks(&p)
		if turn := t.turns[session]; turn != nil && turn.ids[p.Call.ID.Value] != "" {
			s.parent = turn.ids[p.Call.ID.Value]
		}
	}
	if s.adopt(f.Params); prompt && len(t.turns) < maxOpenTurns && t.turns[session] == nil && t.running(session) {
		t.turns[session] = &turn{span: s, tools: map[string]*span{}, ids: map[string]string{}, refused: map[string]bool{}}
	}
	key := keyOf(e.Dir, f.ID)
	t.open[key] = append(t.open[key], s)
	t.count++
}

func keyOf(from acp.Direction, id []byte) asker {
	key, _ := acp.IDKey(nil, id)
	return asker{from, string(key)}
}

func (t *tracer) response(at time.Time, e *journal.Event, f *acp.Frame, session string) {
	key := keyOf(e.Dir.Peer(), f.ID)
	waiting := t.open[key]
	if len(waiting) == 0 {
		return
	}
	s := waiting[0]
	if t.count--; len(waiting) == 1 {
		delete(t.open, key)
	} else {
		t.open[key] = waiting[1:]
	}
	if s.written { // a turn that was over before
		return
	}
	s.end = at
	s.count("acp.response.bytes", e.Bytes)
	answered(s, f)
	turn := t.turns[session]
	switch {
	case turn != nil && turn.span == s:
	case s.name == "permission":
		turn.permitted(s, f)
		t.undecided(key.id, s)
	default:
		t.out.write(t, s)
	}
}

// answered takes what an answer says.
func answered(s *span, f *acp.Frame) {
	if f.Kind == acp.Error {
		message, _ := acp.Unquote(member(f.Error, "message"))
		s.count("rpc.jsonrpc.error_code", acp.ErrorCode(f.Error))
		s.fail(message)
		return
	}
	for _, of := range []struct{ member, key string }{{"stopReason", "acp.stop_reason"}, {"sessionId", "acp.session.new"}} {
		value, _ := acp.Unquote(member(f.Result, of.member))
		s.set(of.key, value)
	}
	outcome := member(f.Result, "outcome")
	word, ok := acp.Unquote(member(outcome, "outcome"))
	if !ok {
		word, _ = acp.Unquote(outcome)
	}
	s.set("acp.permission.outcome", word)
	option, _ := acp.Unquote(member(outcome, "optionId"))
	s.set("acp.permission.option", option)
}

// undecided keeps a permission that was answered until it is told who did.
func (t *tracer) undecided(id string, s *span) {
	before := t.asked[id]
	if before != nil {
		t.out.write(t, before)
	}
	if before == nil && len(t.asked) >= maxUndecided {
		t.out.write(t, s)
		return
	}
	t.asked[id] = s
}

// decided takes who answered a permission.
func (t *tracer) decided(e *journal.Event) {
	if e.Decision == nil || e.Decision.Late {
		return
	}
	id := keyOf(acp.Agent, e.ID).id
	s := t.asked[id]
	if waiting := t.open[asker{acp.Agent, id}]; s == nil && len(waiting) > 0 {
		s = waiting[0]
	}
	if s == nil {
		return
	}
	s.set("acp.permission.by", e.Decision.By)
	s.set("acp.permission.option_kind", e.Decision.OptionKind)
	if t.asked[id] != nil {
		delete(t.asked, id)
		t.out.write(t, s)
	}
}

// permitted takes whether a tool call may run, by the answer to its permission.
func (t *turn) permitted(s *span, f *acp.Frame) {
	if t != nil && s.call != "" && len(t.refused) < maxOpenTools {
		t.refused[s.call] = !s.allows(f)
	}
}

// update takes what is said of a tool call.
func (t *tracer) update(at time.Time, e *journal.Event, f *acp.Frame, id string, made *session.Entry) {
	turn := t.turns[id]
	if turn == nil {
		return
	}
	call := acp.ReadUpdate(f.Params).Call
	s := t.toolOf(at, e.Seq, call.ID.Value, id)
	if s == nil {
		return
	}
	s.end = at
	s.put("acp.tool.kind", call.Kind.Value)
	s.put("acp.tool.title", call.Title.Value)
	s.put("acp.tool.status", call.Status.Value)
	refused := turn.refused[call.ID.Value]
	switch status := call.Status.Value; {
	case status != "failed" && status != "cancelled" && status != "completed":
		return
	case refused && t.hasTerminal(made):
		s.fail("ran although that was not allowed")
	case refused && status == "completed":
		s.fail("is said to be completed although that was not allowed")
	case status == "completed":
		s.code = codeOK
	case status == "failed":
		s.fail("the tool call failed")
	}
	delete(turn.tools, call.ID.Value)
	t.tool(s)
}

// toolOf is the span of a tool call of the turn of a session; nil: none.
func (t *tracer) toolOf(at time.Time, seq uint64, id, session string) *span {
	turn := t.turns[session]
	s := turn.tools[id]
	if s != nil || id == "" || turn.ids[id] != "" || len(turn.ids) >= maxOpenTools {
		return s
	}
	s = t.begin(at, "tool", kindInternal, seq, session)
	s.set("acp.tool.id", id)
	turn.tools[id], turn.ids[id] = s, s.id
	return s
}

// hasTerminal says that a tool call shows a terminal, which in version 1 is there
// only when the client has run something in it.
func (t *tracer) hasTerminal(made *session.Entry) bool {
	return made != nil && made.Tool != nil && len(made.Tool.Terminals) > 0 && t.fold.Version() < 2
}

// put sets an attribute that may have been set before.
func (s *span) put(key, value string) {
	i := slices.IndexFunc(s.attributes, func(p otlpPair) bool { return p.Key == key })
	if i >= 0 && value != "" {
		s.attributes = slices.Delete(s.attributes, i, i+1)
	}
	s.set(key, value)
}

func (t *tracer) tool(s *span) {
	for _, p := range s.attributes {
		if p.Key == "acp.tool.kind" && p.Value.String != nil {
			s.name = "tool " + *p.Value.String
		}
	}
	t.out.write(t, s)
}

// running says that a prompt of the session is being answered, as everywhere.
func (t *tracer) running(session string) bool {
	talk := t.story.Talk(session)
	return talk != nil && talk.Running
}

// turnOver ends the turn of a session when it is over. made is what the frame was
// told as.
func (t *tracer) turnOver(at time.Time, id string, made *session.Entry) {
	turn := t.turns[id]
	if turn == nil || t.running(id) {
		return
	}
	if made != nil && made.Kind == session.TurnEnd {
		turn.span.ends(made)
	}
	turn.span.end = at
	t.finish(id, turn)
}

// ends takes how a turn ended.
func (s *span) ends(how *session.Entry) {
	switch {
	case s.code == codeError: // the answer said so
	case how.Name == "error" || how.Name == "" && how.Text != "":
		s.fail(how.Text)
	default:
		s.put("acp.stop_reason", how.Name)
	}
}

func (t *tracer) finish(session string, turn *turn) {
	delete(t.turns, session)
	t.settle(func(id string, s *span) bool { return s.trace == turn.span.trace })
	for _, s := range inOrder(maps.Values(turn.tools)) {
		s.set("acp.open", "yes")
		t.tool(s)
	}
	turn.span.count("acp.tools", int64(len(turn.ids)))
	turn.span.written = true
	t.out.write(t, turn.span)
}

// settle writes the permissions that were answered, of which nobody says who did.
func (t *tracer) settle(which func(id string, s *span) bool) {
	var settled []*span
	for id, s := range t.asked {
		if which(id, s) {
			settled = append(settled, s)
			delete(t.asked, id)
		}
	}
	for _, s := range inOrder(slices.Values(settled)) {
		t.out.write(t, s)
	}
}

// end ends what was never answered: it is an error, at the time of the last
// event.
func (t *tracer) end() {
	for _, waiting := range t.open {
		for _, s := range waiting {
			s.end = t.now
			s.fail("never answered")
		}
	}
	var left []*span
	for _, waiting := range t.open {
		left = append(left, waiting...)
	}
	turns := slices.SortedFunc(maps.Keys(t.turns), func(a, b string) int {
		return cmp.Compare(t.turns[a].span.seq, t.turns[b].span.seq)
	})
	for _, session := range turns {
		turn := t.turns[session]
		if turn.span.code != codeError {
			turn.span.fail("never ended")
		}
		turn.span.end = t.now
		t.finish(session, turn)
	}
	t.settle(func(string, *span) bool { return true })
	left = slices.DeleteFunc(left, func(s *span) bool { return s.written })
	for _, s := range inOrder(slices.Values(left)) {
		t.out.write(t, s)
	}
}

func inOrder(spans func(func(*span) bool)) []*span {
	return slices.SortedFunc(spans, func(a, b *span) int { return cmp.Compare(a.seq, b.seq) })
}
