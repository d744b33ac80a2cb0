package compare

import (
	"strconv"
	"strings"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/journal"
)

// request takes a request of either side.
func (c *conversation) request(p *part, e *journal.Event, f *acp.Frame, fact *session.Fact) {
	q := &question{part: p}
	switch {
	case fact.Method == acp.MethodSessionPrompt && e.Dir == acp.Client:
		q.item = c.prompt(p, e, f)
	case fact.Method == acp.MethodRequestPermission && e.Dir == acp.Agent:
		q.item, q.options = c.permission(p, e, f)
	case fact.Method == acp.MethodInitialize && e.Dir == acp.Client:
		q.item = c.hello(p, e, f.Params)
	case setsUp(fact.Method) && e.Dir == acp.Client:
		q.roots = rootsOf(f.Params)
		q.item = c.setup(e, f, fact.Method, q.roots)
	default:
		q.item = c.plain(p, e, f, fact.Method)
	}
	if len(c.asked) < maxOpen {
		c.asked[c.id(e.Dir, f.ID)] = q
	}
}

func setsUp(method string) bool {
	switch method {
	case acp.MethodSessionNew, acp.MethodSessionLoad, acp.MethodSessionResume, acp.MethodSessionFork:
		return true
	}
	return false
}

// prompt begins a turn.
func (c *conversation) prompt(p *part, e *journal.Event, f *acp.Frame) *item {
	p.turn++
	t := c.add(p, &item{kind: "prompt", frame: e.Seq})
	var types []string
	for block := range acp.Elements(member(f.Params, "prompt")) {
		if len(types) < maxFacts {
			types = append(types, word(block, "type"))
		}
		if c.opts.Texts {
			c.words(p, t, t.get("text")+word(block, "text"))
		}
	}
	c.set(p, t, "blocks", strings.Join(types, ", "))
	return t
}

// words is the text of an item.
func (c *conversation) words(p *part, t *item, text string) {
	c.size += max(0, min(len(text), maxWords)-len(t.get("text")))
	t.set("text", mapped(p.roots, text), maxWords)
}

// hello is what one side says of itself.
func (c *conversation) hello(p *part, e *journal.Event, value []byte) *item {
	t := c.add(p, &item{kind: "initialize", of: "of the " + e.Dir.String(), frame: e.Seq})
	c.leaves(p, t, value)
	return t
}

// leaves makes facts of a value.
func (c *conversation) leaves(p *part, t *item, value []byte) {
	flatten("", value, 0, func(path, value string) { c.set(p, t, path, value) })
}

// setup is a request for a session. It belongs to that when it is answered.
func (c *conversation) setup(e *journal.Event, f *acp.Frame, method string, roots []root) *item {
	t := &item{kind: "request", of: method, frame: e.Seq}
	flatten("", f.Params, 0, func(path, value string) { t.set(path, mapped(roots, value), maxValue) })
	return t
}

// plain is any other request. What it asks for counts where the protocol says
// what that is.
func (c *conversation) plain(p *part, e *journal.Event, f *acp.Frame, method string) *item {
	t := &item{kind: "request", of: clip(method, maxValue), frame: e.Seq}
	if _, known := acp.FindMethod([]byte(method)); known {
		c.leaves(p, t, f.Params)
		t.name = mapped(p.roots, about(method, f.Params))
	}
	if p.repeats(t) {
		return p.items[len(p.items)-1]
	}
	return c.add(p, t)
}

// about is what a request is told apart by.
func about(method string, params []byte) string {
	if method == acp.MethodTerminalCreate {
		terminal := acp.ReadTerminal(params)
		return clip(strings.Join(append([]string{terminal.Command.Value}, terminal.Args[:min(len(terminal.Args), maxFacts)]...), " "), maxValue)
	}
	for _, name := range []string{"path", "modeId", "modelId", "configId", "methodId"} {
		if s := word(params, name); s != "" {
			return s
		}
	}
	return ""
}

// repeats says that t asks again for what was asked for last: how often somebody
// looks is no difference.
func (p *part) repeats(t *item) bool {
	if len(p.items) == 0 || t.of != acp.MethodTerminalOutput && t.kind != "notification" {
		return false
	}
	last := p.items[len(p.items)-1]
	return last.key(0) == t.key(0)
}

// notification takes one that is no update.
func (c *conversation) notification(p *part, e *journal.Event, fact *session.Fact) {
	if fact.Method == acp.MethodSessionUpdate {
		return
	}
	t := &item{kind: "notification", of: clip(fact.Method, maxValue), frame: e.Seq}
	if !p.repeats(t) {
		c.add(p, t)
	}
}

// answer takes a result or an error.
func (c *conversation) answer(p *part, e *journal.Event, f *acp.Frame, fact *session.Fact) {
	key := c.id(e.Dir.Peer(), f.ID)
	q := c.asked[key]
	if q == nil || !fact.Paired {
		return
	}
	delete(c.asked, key)
	switch {
	case q.item.kind == "permission":
		c.answered(q, f)
	case setsUp(fact.Method) && e.Dir == acp.Agent:
		c.opened(p, e, f, q)
	case f.Kind == acp.Error:
		c.failed(q.part, q.item, f)
	case fact.Method == acp.MethodInitialize && e.Dir == acp.Agent:
		c.hello(q.part, e, f.Result)
	case q.item.kind == "request":
		c.came(q, fact.Method, f)
	}
}

// failed is that an error came. Why a turn failed is told where it ends.
func (c *conversation) failed(p *part, t *item, f *acp.Frame) {
	t.set("outcome", "error "+strconv.FormatInt(acp.ErrorCode(f.Error), 10), maxValue)
	if c.opts.Texts {
		c.set(p, t, "message", word(f.Error, "message"))
	}
}

// came is that a result came.
func (c *conversation) came(q *question, method string, f *acp.Frame) {
	q.item.set("outcome", "done", maxValue)
	if method != acp.MethodTerminalWaitForExit {
		return
	}
	for _, name := range []string{"exitCode", "signal"} {
		if v := leaf(member(f.Result, name)); v != "" && v != "null" {
			q.item.set("outcome", strings.TrimSuffix(name, "Code")+" "+v, maxValue)
		}
	}
}

// opened puts the request for a session where that begins.
func (c *conversation) opened(p *part, e *journal.Event, f *acp.Frame, q *question) {
	if f.Kind == acp.Error {
		c.failed(p, q.item, f)
		c.add(q.part, q.item)
		return
	}
	p.roots = q.roots
	q.item.set("outcome", "done", maxValue)
	c.leaves(p, q.item, settings(f.Result))
	c.add(p, q.item)
}

// settings is of the result that opens a session what a session is like; nothing
// where it does not say.
func settings(result []byte) []byte {
	b := []byte{'{'}
	for name, v := range acp.Members(result) {
		switch string(name) {
		case "modes", "models", "configOptions":
			if len(b) > 1 {
				b = append(b, ',')
			}
			b = append(append(append(append(b, '"'), name...), '"', ':'), v...)
		}
	}
	if len(b) == 1 {
		return nil
	}
	return append(b, '}')
}

// permission is a question to a person.
func (c *conversation) permission(p *part, e *journal.Event, f *acp.Frame) (*item, map[string]string) {
	asks := acp.ReadPermission(f.Params)
	kind, title := asks.Call.Kind.Value, asks.Title
	if call, ok := c.fold.Call(asks.Session.Value, asks.Call.ID.Value); ok {
		kind, title = orElse(kind, call.Kind), orElse(title, call.Title)
	}
	t := &item{kind: "permission", of: clip(kind, maxValue), name: mapped(p.roots, clip(title, maxValue)), frame: e.Seq}
	options, kinds := map[string]string{}, []string{}
	for _, o := range asks.Options[:min(len(asks.Options), 64)] {
		options[o.ID.Value] = o.Kind
		kinds = append(kinds, o.Kind+" "+quoted(clip(o.Name, maxValue)))
	}
	c.set(p, t, "title", title)
	c.set(p, t, "kind", kind)
	c.set(p, t, "options", strings.Join(kinds, ", "))
	c.add(p, t)
	if len(c.permissions) >= maxOpen {
		clear(c.permissions)
	}
	c.permissions[c.id(acp.Agent, f.ID)] = t
	return t, options
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// answered is what came of it.
func (c *conversation) answered(q *question, f *acp.Frame) {
	if f.Kind == acp.Error {
		q.item.set("answer", "error "+strconv.FormatInt(acp.ErrorCode(f.Error), 10), maxValue)
		return
	}
	o := acp.ReadOutcome(f.Result)
	answer := o.Kind
	if kind, ok := q.options[o.Option]; ok && o.HasOption {
		answer = orElse(kind, answer)
	}
	q.item.set("answer", answer, maxValue)
}
