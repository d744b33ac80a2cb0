package check

import (
	"fmt"

	"bobproxy/acp"
)

// prompt is session/prompt.
func (c *Checker) prompt(t *talk) {
	for block := range acp.Elements(memberOf(c.now.frame.Params, "prompt")) {
		kind, _ := acp.Unquote(memberOf(block, "type"))
		needed, known := blockNeeds[kind]
		if path, lacks := c.lacks(needed); known && lacks {
			c.say("capability/content", Error, "a prompt with "+kind+" needs "+path+", which the agent does not offer")
		}
	}
	if t == nil {
		return
	}
	if t.prompts > 0 && !c.v2() {
		c.say("turn/overlap", Warning, "a prompt is sent while another one of its session is being answered")
	}
	t.prompts++
	t.begun, t.cancelled = c.now.at, false
	t.running = t.running && c.v2()
}

// cancel is session/cancel.
func (c *Checker) cancel(t *talk) {
	if t == nil {
		return
	}
	t.cancels++
	t.waiting, t.stopped = 0, c.now.at
	t.cancelled = t.cancelled || t.prompts > 0 || t.running
}

// turnOver is the answer to session/prompt. In version 2 it says only that the
// prompt was taken.
func (c *Checker) turnOver(a *ask) {
	f := c.now.frame
	t := c.talks[a.session]
	if t == nil {
		return
	}
	t.prompts = max(t.prompts-1, 0)
	if c.now.added {
		t.running = true // the agent knows nothing of that
		return
	}
	if c.v2() {
		if f.Kind == acp.Response {
			t.running = true // until the agent says that it is idle
		}
		return
	}
	c.unfinished(t)
	stop, known := acp.Unquote(memberOf(f.Result, "stopReason"))
	switch {
	case a.cancels == t.cancels || f.Cut:
	case f.Kind == acp.Error && acp.ErrorCode(f.Error) != -32800:
		c.say("turn/cancel", Error, "a prompt that was cancelled is answered with an error, and should be with the stop reason cancelled")
	case f.Kind == acp.Response && known && stop != "cancelled" && !hidden(stop):
		c.say("turn/cancel", Warning, "a prompt that was cancelled ends with the stop reason "+quoted(stop)+", and should with cancelled")
	}
	if t.prompts == 0 {
		c.leftOpen(t)
		t.cancelled = false
	}
}

// leftOpen tells of requests for permission that nobody can mean any more.
func (c *Checker) leftOpen(t *talk) {
	if t.waiting > 0 && !t.running && !t.cancelled && !c.now.frame.Cut {
		c.say("permission/left-open", Warning, fmt.Sprintf("the turn ends while %s waits for an answer", requests(t.waiting)))
	}
	t.waiting = 0
}

func requests(n int) string {
	if n == 1 {
		return "a request for permission"
	}
	return fmt.Sprintf("one of %d requests for permission", n)
}

// unfinished tells of tool calls that are not over when their turn is.
func (c *Checker) unfinished(t *talk) {
	stop, _ := acp.Unquote(memberOf(c.now.frame.Result, "stopReason"))
	if stop != "end_turn" {
		return
	}
	if t.open > 0 {
		c.say("tool-call/unfinished", Info, fmt.Sprintf("the turn ends, and the agent has not said how %d of its tool calls ended", t.open))
	}
}

// state is a state_update of version 2.
func (c *Checker) state(t *talk, u []byte) {
	word, _ := acp.Unquote(memberOf(u, "state"))
	t.blocked = word == "requires_action"
	if word != "idle" {
		t.running = word == "running" || word == "requires_action"
		return
	}
	stop, said := acp.Unquote(memberOf(u, "stopReason"))
	if t.cancelled && said && stop != "cancelled" && !hidden(stop) {
		c.say("turn/cancel", Warning, "a turn that was cancelled ends with the stop reason "+quoted(stop)+", and should with cancelled")
	}
	t.running, t.cancelled = false, false
}
