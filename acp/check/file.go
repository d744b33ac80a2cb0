package check

import (
	"fmt"

	"bobproxy/acp"
)

// file is fs/read_text_file and fs/write_text_file.
func (c *Checker) file() {
	params := c.now.frame.Params
	if f := acp.ReadFile(params); f.Path.OK && !absolute(f.Path.Value) {
		c.say("file/path", Error, "path is "+quoted(f.Path.Value)+", which is no absolute path")
	}
	if string(memberOf(params, "line")) == "0" {
		c.say("file/line", Error, "line is 0, and lines are counted from 1")
	}
}

// terminal is terminal/create.
func (c *Checker) terminal() {
	if t := acp.ReadTerminal(c.now.frame.Params); t.Cwd.OK && !absolute(t.Cwd.Value) {
		c.say("terminal/cwd", Error, "cwd is "+quoted(t.Cwd.Value)+", which is no absolute path")
	}
}

// created is the answer to it.
func (c *Checker) created(a *ask) {
	t := c.talks[a.session]
	if t == nil || c.now.frame.Kind != acp.Response {
		return
	}
	id, ok := acp.Unquote(memberOf(c.now.frame.Result, "terminalId"))
	if !ok || hidden(id) {
		c.missed = c.missed || c.now.frame.Cut || hidden(id)
		return
	}
	c.make()
	if len(t.terminals) >= maxKept {
		c.kept -= len(t.terminals)
		clear(t.terminals)
		c.missed = true
	}
	if t.terminals == nil {
		t.terminals = map[string]bool{}
	}
	if _, known := t.terminals[clip(id)]; !known {
		c.kept++
	}
	t.terminals[clip(id)] = false
}

// useTerminal is every other request about a terminal.
func (c *Checker) useTerminal(t *talk) {
	id, ok := acp.Unquote(memberOf(c.now.frame.Params, "terminalId"))
	if t == nil || !ok || hidden(id) {
		return
	}
	released, known := t.terminals[clip(id)]
	switch {
	case !known && !c.missed:
		c.say("terminal/unknown", Error, fmt.Sprintf("%s is about the terminal %s, which the client has not created", c.now.method, quoted(id)))
	case released:
		c.say("terminal/released", Error, fmt.Sprintf("%s is about the terminal %s, which was released", c.now.method, quoted(id)))
	case known && c.now.method == acp.MethodTerminalRelease:
		t.terminals[clip(id)] = true
	}
}
