package check

import (
	"strconv"

	"bobproxy/acp"
)

// updated is session/update.
func (c *Checker) updated(t *talk) {
	u := memberOf(c.now.frame.Params, "update")
	kind, ok := acp.Unquote(memberOf(u, "sessionUpdate"))
	if !ok || t == nil {
		return
	}
	c.updateOffered(kind)
	c.outside(t, kind)
	switch kind {
	case "tool_call", "tool_call_update":
		c.toolCall(t, kind, u)
	case "current_mode_update":
		c.mode(t, memberOf(u, "currentModeId"))
	case "config_option_update":
		c.learnOptions(t, u)
	case "state_update":
		c.state(t, u)
	case "subagent_update":
		if child, ok := acp.Unquote(memberOf(u, "sessionId")); ok {
			if t := c.session(clip(child)); t != nil {
				t.running = true // nobody asks it, so its turns are not known
			}
		}
	}
}

func (c *Checker) updateOffered(kind string) {
	if path, lacks := c.lacks([2]string{updateNeeds[kind]}); lacks {
		c.say("capability/update", Error, "the update "+kind+" needs "+path+", which the client does not offer")
	}
}

// outside judges updates of a turn that come while there is none.
func (c *Checker) outside(t *talk, kind string) {
	if t.busy() || c.v2() || c.missed || c.opening > 0 {
		return
	}
	switch kind {
	case "user_message_chunk", "agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan":
		c.say("turn/outside", Warning, "the update "+kind+" comes while no prompt of the session is being answered")
	}
}

// toolCall is tool_call and tool_call_update.
func (c *Checker) toolCall(t *talk, kind string, u []byte) {
	call := acp.ReadUpdate(c.now.frame.Params).Call
	c.paths(call)
	c.embedded(t, call.Content)
	if !call.ID.OK || hidden(call.ID.Value) {
		return
	}
	before, known := t.calls[clip(call.ID.Value)]
	status := call.Status.Value
	switch {
	case kind == "tool_call" && known && before != "":
		c.say("tool-call/same-id", Info, "the tool call "+quoted(call.ID.Value)+" is announced again")
		before = ""
	case kind == "tool_call_update" && !known && !c.v2() && !c.missed && t.loads == 0:
		c.say("tool-call/unknown", Error, "the tool call "+quoted(call.ID.Value)+" is updated, which nobody has announced")
	}
	if status == "" && kind == "tool_call" {
		status = "pending"
	}
	c.forward(before, status)
	c.remember(t, call.ID.Value, status)
}

// forward judges a change of status.
func (c *Checker) forward(before, after string) {
	back := after == "pending" && before == "in_progress"
	switch before {
	case "completed", "failed", "cancelled":
		back = after == "pending" || after == "in_progress" || after == "paused"
	}
	if back {
		c.say("tool-call/backwards", Warning, "a tool call that is "+before+" becomes "+after)
	}
}

// remember keeps the status of a tool call.
func (c *Checker) remember(t *talk, id, status string) {
	id = clip(id)
	before, known := t.calls[id]
	if !known {
		c.make()
		if len(t.calls) >= maxKept {
			c.kept -= len(t.calls)
			t.open = 0
			clear(t.calls)
			c.missed = true
		}
		if t.calls == nil {
			t.calls = map[string]string{}
		}
		c.kept++
	}
	if len(status) > 16 || status == "" && known {
		status = before
	}
	t.open += going(status) - going(before)
	t.calls[id] = status
}

// going is 1 for the status of a tool call that is not over.
func going(status string) int {
	if status == "pending" || status == "in_progress" {
		return 1
	}
	return 0
}

// make makes room for one more tool call or terminal.
func (c *Checker) make() {
	if c.kept < maxAll {
		return
	}
	for _, t := range c.talks {
		t.calls, t.terminals, t.open = nil, nil, 0
	}
	c.kept, c.missed = 0, true
}

// paths judges the paths of a tool call.
func (c *Checker) paths(call acp.ToolCall) {
	relative := func(what, path string) {
		c.say("tool-call/path", Error, what+" names "+quoted(path)+", which is no absolute path")
	}
	for _, path := range call.Locations {
		if path.OK && !absolute(path.Value) {
			relative("a location", path.Value)
			break
		}
	}
	for _, d := range call.Diffs {
		if d.Path.OK && !absolute(d.Path.Value) {
			relative("a diff", d.Path.Value)
			break
		}
	}
}

// embedded judges the terminals that a tool call shows.
func (c *Checker) embedded(t *talk, content []byte) {
	if c.v2() || c.missed || t.loads > 0 || c.hello.offers[acp.Client]["_meta.terminal_output"] {
		return
	}
	n := 0
	for entry := range acp.Elements(content) {
		if kind, _ := acp.Unquote(memberOf(entry, "type")); kind == "terminal" {
			id, ok := acp.Unquote(memberOf(entry, "terminalId"))
			if _, known := t.terminals[clip(id)]; ok && !known && !hidden(id) {
				c.say("terminal/unknown", Error, "content "+strconv.Itoa(n)+" shows the terminal "+quoted(id)+", which the client has not created")
			}
		}
		n++
	}
}
