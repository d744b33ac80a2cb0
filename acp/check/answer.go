package check

import (
	"fmt"

	"bobproxy/acp"
)

// answers judges a response or an error.
func (c *Checker) answers() {
	f, asker := c.now.frame, c.now.from.Peer()
	c.errorMember()
	if f.ID == nil || null(f.ID) || hidden(string(f.ID)) {
		return
	}
	k := id(f.ID)
	a := c.asked[asker][k]
	if a == nil {
		c.stray(k)
		return
	}
	if delete(c.asked[asker], k); a.opens() {
		c.opening--
	}
	c.done[asker].add(answered{k, a.method, a.session, !c.now.added, c.now.added})
	c.now.method = a.method
	if c.now.key == "" {
		c.now.key = a.session
	}
	if a.withdrawn {
		c.withdrawnAnswer()
	}
	c.notFound(a)
	if m, ok := c.shapes().methods[a.method+" request"]; ok && f.Kind == acp.Response {
		c.shape(f.Result, m.result)
	}
	c.settled(a)
}

// stray judges an answer to nothing.
func (c *Checker) stray(k string) {
	asker := c.now.from.Peer()
	switch {
	case c.missed || c.now.fact.Paired:
	case c.otherType(asker):
		c.say("json-rpc/id-type", Error, "the id "+string(c.now.frame.ID[:min(40, len(c.now.frame.ID))])+" is a string where the request has a number, or the reverse")
	case c.answeredBefore(asker, k):
		c.say("json-rpc/answered-twice", Error, "the request with the id "+shown(c.now.frame.ID)+" was answered before")
	default:
		c.say("json-rpc/unknown-id", Error, "nobody asked with the id "+shown(c.now.frame.ID))
	}
}

// otherType looks for a request with the same id as another type.
func (c *Checker) otherType(asker acp.Direction) bool {
	raw := c.now.frame.ID
	other := []byte(`"` + string(raw) + `"`)
	if len(raw) > 2 && raw[0] == '"' {
		other = raw[1 : len(raw)-1]
	}
	return c.asked[asker][id(other)] != nil
}

// withdrawnAnswer judges the answer to a request that its sender took back.
func (c *Checker) withdrawnAnswer() {
	if code := acp.ErrorCode(c.now.frame.Error); c.now.frame.Kind == acp.Error && code != -32800 && !c.now.frame.Cut {
		c.say("cancel-request/answer", Warning, fmt.Sprintf("a request that was taken back is answered with the error %d, and should be with a result or -32800", code))
	}
}

// errorMember judges the error of an error reply.
func (c *Checker) errorMember() {
	f := c.now.frame
	if f.Kind != acp.Error {
		return
	}
	c.shape(f.Error, c.shapes().types["Error"])
	switch code := acp.ErrorCode(f.Error); {
	case code < -32768 || code > -32100 || code == -32800:
	case code == -32700, code >= -32603 && code <= -32600:
	default:
		c.say("json-rpc/reserved-code", Warning, fmt.Sprintf("the error code %d is reserved and means nothing", code))
	}
}

// settled takes what the answer to a means for the conversation.
func (c *Checker) settled(a *ask) {
	f := c.now.frame
	switch a.method {
	case acp.MethodInitialize:
		c.answerHello(a)
	case acp.MethodSessionNew, acp.MethodSessionFork:
		c.opened()
	case acp.MethodSessionLoad, acp.MethodSessionResume:
		c.loaded()
	case acp.MethodSessionList:
		c.listed()
	case acp.MethodSessionClose, acp.MethodSessionDelete:
		if t := c.talks[a.session]; t != nil && f.Kind == acp.Response {
			t.closed = true
		}
	case acp.MethodSessionSetConfigOption:
		if t := c.talks[a.session]; t != nil {
			c.learnOptions(t, f.Result)
		}
	case acp.MethodSessionPrompt:
		c.turnOver(a)
	case acp.MethodRequestPermission:
		c.decided(a)
	case acp.MethodTerminalCreate:
		c.created(a)
	case acp.MethodElicitationCreate:
		c.elicited(a)
	}
}
