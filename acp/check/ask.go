package check

import (
	"fmt"

	"bobproxy/acp"
)

// allowed judges whether the sender may send this method in this way, and says
// whether it is to be looked at closer.
func (c *Checker) allowed() bool {
	f, from := c.now.frame, c.now.from
	name := string(f.Method)
	c.now.method = name
	m, known := acp.FindMethod(f.Method)
	switch {
	case len(name) > 0 && name[0] == '_':
		c.greeted()
		return false
	case !known && (f.Kind == acp.Request || len(name) < 2 || name[:2] != "$/"):
		c.say("method/unknown", Warning, quoted(name)+" is no method of the protocol")
		return false
	case !known:
		return false
	case !m.Allows(from, f.Kind) && (m.Requests | m.Notifies).Has(from):
		c.say("method/kind", Error, fmt.Sprintf("%s is sent as a %s", name, f.Kind))
		c.open()
		return false
	case !m.Allows(from, f.Kind):
		c.say("method/sender", Error, fmt.Sprintf("%s is sent by the %s, and only the %s may", name, from, from.Peer()))
		return false
	}
	c.surface(m)
	return true
}

// surface judges whether the method is of the version that was agreed on.
func (c *Checker) surface(m acp.Method) {
	stable, draft, other := acp.V1, acp.V1Draft, acp.V2|acp.V2Draft
	if c.v2() {
		stable, draft, other = acp.V2, acp.V2Draft, acp.V1|acp.V1Draft
	}
	switch {
	case c.version() == 0 || m.Published&stable != 0:
	case m.Published == 0:
		c.firstUse(m.Name, "method/withdrawn", "was withdrawn from the protocol")
	case m.Published&draft != 0:
		c.firstUse(m.Name, "method/draft", "is only in the draft")
	case m.Published&other != 0:
		c.say("method/version", Error, fmt.Sprintf("%s is not in version %d of the protocol", m.Name, c.version()))
	}
}

func (c *Checker) firstUse(name, rule, text string) {
	if !c.methods[name] && !c.now.added {
		c.methods[name] = true
		c.say(rule, Info, name+" "+text)
	}
}

// asks judges a request or a notification that its sender may send.
func (c *Checker) asks() {
	f := c.now.frame
	c.greeted()
	if c.now.method == acp.MethodInitialize && c.fold.Version() == 0 {
		c.hello.asked = acp.ReadHello(f.Params).Version
	}
	kind := " request"
	if f.Kind == acp.Notification {
		kind = " notification"
	}
	if m, ok := c.shapes().methods[c.now.method+kind]; ok {
		c.shape(f.Params, m.params)
	}
	var a *ask
	if f.Kind == acp.Request {
		a = c.open()
	}
	t := c.named()
	c.offered(a)
	c.particular(t, a)
}

// particular judges what is particular to the method. a is nil of a notification,
// and of a request that cannot be remembered.
func (c *Checker) particular(t *talk, a *ask) {
	if a == nil {
		a = &ask{}
	}
	switch c.now.method {
	case acp.MethodInitialize:
		c.askHello(a)
	case acp.MethodAuthenticate, acp.MethodAuthLogin:
		c.login()
	case acp.MethodSessionNew, acp.MethodSessionLoad, acp.MethodSessionResume, acp.MethodSessionFork:
		c.setup(t)
	case acp.MethodSessionPrompt:
		c.prompt(t)
	case acp.MethodSessionCancel:
		c.cancel(t)
	case acp.MethodSessionSetMode, acp.MethodSessionSetConfigOption:
		c.choose(t)
	case acp.MethodSessionUpdate:
		c.updated(t)
	case acp.MethodRequestPermission:
		c.permission(t, a)
	case acp.MethodReadTextFile, acp.MethodWriteTextFile:
		c.file()
	case acp.MethodTerminalCreate:
		c.terminal()
	case acp.MethodTerminalOutput, acp.MethodTerminalRelease, acp.MethodTerminalWaitForExit, acp.MethodTerminalKill:
		c.useTerminal(t)
	case acp.MethodToolCallCancel, acp.MethodTerminalCancel:
		c.stop(t)
	case acp.MethodElicitationCreate:
		c.elicit(a)
	case acp.MethodElicitationComplete:
		c.completed()
	case acp.MethodCancelRequest:
		c.withdraw()
	}
}

// open remembers a request.
func (c *Checker) open() *ask {
	f, from := c.now.frame, c.now.from
	if f.Kind != acp.Request || hidden(string(f.ID)) {
		return nil
	}
	if c.now.fact.Reused {
		severity := Warning
		if c.v2() {
			severity = Error
		}
		c.say("json-rpc/id-reuse", severity, "the id "+shown(f.ID)+" is used again before it was answered")
	}
	if len(c.asked[from]) >= maxAsked {
		clear(c.asked[from])
		c.missed, c.opening = true, 0
	}
	a := &ask{method: clip(c.now.method), session: c.now.key, seq: c.now.seq, at: c.now.at}
	if t := c.talks[a.session]; t != nil {
		a.cancels = t.cancels
	}
	c.ask(id(f.ID), a)
	return a
}

// ask makes a the request that is open under id.
func (c *Checker) ask(id string, a *ask) {
	if before := c.asked[c.now.from][id]; before != nil {
		c.released(before)
		if a.unclear = true; before.opens() {
			c.opening--
		}
	}
	if c.asked[c.now.from][id] = a; a.opens() {
		c.opening++
	}
}

// opens says that a opens a session whose id is not known yet.
func (a *ask) opens() bool {
	return a.method == acp.MethodSessionNew || a.method == acp.MethodSessionFork
}

// id is what an id is remembered by.
func id(raw []byte) string {
	k, _ := acp.IDKey(nil, raw)
	return string(k)
}

// withdraw is $/cancel_request.
func (c *Checker) withdraw() {
	raw := acp.ReadCancelRequest(c.now.frame.Params)
	if raw == nil || hidden(string(raw)) {
		return
	}
	if a := c.asked[c.now.from][id(raw)]; a != nil {
		c.released(a)
		a.withdrawn = true
		return
	}
	if !c.missed && !c.answeredBefore(c.now.from, id(raw)) {
		c.say("cancel-request/unknown", Warning, "the id "+shown(raw)+" is of none of the sender's own requests")
	}
}

func (c *Checker) answeredBefore(from acp.Direction, id string) bool {
	return c.done[from].has(id)
}
