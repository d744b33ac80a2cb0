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
	case "available_commands_update":
		c.commands(u)
	case "tool_call_content_chunk":
		c.piece(t, u)
	case "terminal_update", "terminal_output_chunk":
		c.display(t, kind, u)
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
	told := acp.ReadUpdate(c.now.frame.Params).Call
	c.paths(told)
	c.embedded(t, told.Content)
	if !told.ID.OK || hidden(told.ID.Value) {
		c.missed = c.missed || c.v2() && (c.now.frame.Cut || told.ID.OK) // which may announce it
		return
	}
	known := t.calls[clip(told.ID.Value)]
	before, status := "", told.Status.Value
	if known != nil {
		before = known.status
	}
	switch {
	case kind == "tool_call" && known != nil && before != "":
		c.say("tool-call/same-id", Info, "the tool call "+quoted(told.ID.Value)+" is announced again")
		if before = ""; known.over() {
			*known = toolState{waits: known.waits, asked: known.asked}
		}
	case kind == "tool_call_update" && known == nil && !c.v2() && !c.missed && t.loads == 0:
		c.say("tool-call/unknown", Error, "the tool call "+quoted(told.ID.Value)+" is updated, which nobody has announced")
	}
	if status == "" && kind == "tool_call" {
		status = "pending"
	}
	c.forward(before, status)
	c.obey(t, known, told.ID.Value, status, u)
	c.remember(t, told.ID.Value, status).cancel.learn(u, c.now.frame.Cut)
}

// piece is tool_call_content_chunk, which adds to a tool call that there is.
func (c *Checker) piece(t *talk, u []byte) {
	id, ok := acp.Unquote(memberOf(u, "toolCallId"))
	if ok && !hidden(id) && t.calls[clip(id)] == nil && !c.missed && t.loads == 0 {
		c.say("tool-call/unknown", Warning, "content is added to the tool call "+quoted(id)+", which nobody has announced")
		c.remember(t, id, "")
	}
}

// display is terminal_update and terminal_output_chunk of version 2. The agent may
// tell of its terminals in any order.
func (c *Checker) display(t *talk, kind string, u []byte) {
	id, ok := acp.Unquote(memberOf(u, "terminalId"))
	if !ok || hidden(id) {
		c.missed = c.missed || c.now.frame.Cut
		return
	}
	can, known := t.shown[clip(id)]
	if kind == "terminal_output_chunk" {
		if !known && !c.missed && t.loads == 0 {
			c.say("terminal/unannounced", Info, "output comes of the terminal "+quoted(id)+", which no terminal_update has told of")
		}
	} else {
		can.learn(u, c.now.frame.Cut)
	}
	if !known {
		c.make()
		if len(t.shown) >= maxKept {
			c.kept -= len(t.shown)
			clear(t.shown)
			c.missed = true
		}
		if t.shown == nil {
			t.shown = map[string]offer{}
		}
		c.kept++
	}
	t.shown[clip(id)] = can
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
func (c *Checker) remember(t *talk, id, status string) *toolState {
	id = clip(id)
	k := t.calls[id]
	known := k != nil
	if !known {
		c.make()
		if len(t.calls) >= maxKept {
			c.kept -= len(t.calls)
			t.open = 0
			clear(t.calls)
			c.missed = true
		}
		if t.calls == nil {
			t.calls = map[string]*toolState{}
		}
		c.kept++
		k = &toolState{}
		t.calls[id] = k
	}
	if len(status) > 16 || status == "" && known {
		status = k.status
	}
	t.open += going(status) - going(k.status)
	k.status = status
	return k
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
		t.calls, t.terminals, t.shown, t.open = nil, nil, nil, 0
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
