package check

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bobproxy/acp"
)

// talk is what is known of one session.
type talk struct {
	opened    bool // by session/new or session/fork
	closed    bool
	loads     int                   // load and resume requests under way
	prompts   int                   // prompts that wait for their answer
	running   bool                  // version 2: the agent says so
	blocked   bool                  // and that it waits for the user
	cancelled bool                  // since the turn began
	cancels   int                   // how often it was cancelled
	open      int                   // tool calls that are pending or in progress
	calls     map[string]*toolState // by tool call id
	terminals map[string]bool       // whether it was released, by terminal id
	shown     map[string]offer      // version 2: whether the agent's terminals can be cancelled, by id
	modes     []string              // nil: not known
	options   map[string]option     // nil: not known
	waiting   int                   // requests for permission that were made in this turn, and wait
	begun     time.Time             // when its last prompt was sent
	stopped   time.Time             // when it was cancelled last
}

// option is a config option: its values, nil when there is no list of them.
type option struct{ values []string }

// busy says that updates of a turn may come.
func (t *talk) busy() bool { return t.prompts > 0 || t.running || t.loads > 0 }

// session is the one of that id, made when there is none; nil when there is no
// id to know it by.
func (c *Checker) session(id string) *talk {
	if id == "" || hidden(id) {
		return nil
	}
	t := c.talks[id]
	if t == nil {
		if len(c.talks) >= maxTalks {
			clear(c.talks)
			c.kept, c.missed = 0, true
		}
		t = &talk{}
		c.talks[id] = t
	}
	return t
}

// named is the session that the frame names, and judges whether it may.
func (c *Checker) named() *talk {
	if c.now.key == "" || hidden(c.now.key) {
		return nil
	}
	switch c.now.method {
	case acp.MethodSessionLoad, acp.MethodSessionResume:
		t := c.session(c.now.key)
		t.loads++
		t.closed = false
		return t
	case acp.MethodSessionDelete, acp.MethodSessionFork, acp.MethodSessionArchive, acp.MethodSessionUnarchive, acp.MethodSessionStatus, acp.MethodSessionSetTitle:
		return c.session(c.now.key) // these may be of old ones
	}
	t := c.talks[c.now.key]
	switch {
	case t == nil && !c.missed && c.opening == 0:
		c.say("session/unknown", Error, fmt.Sprintf("%s is about the session %s, which nobody has opened", c.now.method, quoted(c.now.key)))
	case t != nil && t.closed && c.now.from == acp.Client && c.now.method != acp.MethodSessionCancel && c.now.method != acp.MethodSessionClose:
		c.say("session/closed", Error, fmt.Sprintf("%s is about the session %s, which was closed", c.now.method, quoted(c.now.key)))
	case t != nil && t.closed && c.now.from == acp.Agent:
		c.say("session/closed", Warning, fmt.Sprintf("%s is about the session %s, which was closed", c.now.method, quoted(c.now.key)))
	}
	return c.session(c.now.key)
}

// setup judges what a session is to be opened with.
func (c *Checker) setup(t *talk) {
	s := acp.ReadSetup(c.now.frame.Params)
	if s.Cwd.OK && !absolute(s.Cwd.Value) {
		c.say("session/cwd", Error, "cwd is "+quoted(s.Cwd.Value)+", which is no absolute path")
	}
	for _, dir := range s.Dirs {
		if dir.OK && !absolute(dir.Value) {
			c.say("session/directories", Error, "additionalDirectories has "+quoted(dir.Value)+", which is no absolute path")
			break
		}
	}
	if len(s.Dirs) > 0 && s.Dirs[0].OK {
		if path, lacks := c.lacks([2]string{"sessionCapabilities.additionalDirectories", "session.additionalDirectories"}); lacks {
			c.say("capability/directories", Error, "additionalDirectories needs "+path+", which the agent does not offer")
		}
	}
	for server := range acp.Elements(memberOf(c.now.frame.Params, "mcpServers")) {
		way, ok := acp.Unquote(memberOf(server, "type"))
		needed, known := serverNeeds[way]
		if path, lacks := c.lacks(needed); ok && known && lacks {
			c.say("capability/server", Error, "an MCP server of type "+way+" needs "+path+", which the agent does not offer")
		}
	}
}

// absolute says that path is one on some system, or that nobody knows.
func absolute(path string) bool {
	return strings.HasPrefix(path, "/") || strings.HasPrefix(path, `\`) || strings.Contains(path, string(masked)) ||
		len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}

// opened is the answer to session/new and session/fork.
func (c *Checker) opened() {
	f := c.now.frame
	switch k := key(f.Session); {
	case f.Kind != acp.Response:
		return
	case k == "" || hidden(k):
		c.missed = c.missed || f.Cut || hidden(k)
		return
	default:
		c.now.key = k
		t := c.session(k)
		if t.opened && !t.closed {
			c.say("session/same-id", Error, "the new session has the id "+quoted(k)+" of one that is open")
		}
		t.opened, t.closed = true, false
		c.learnModes(t, f.Result)
		c.learnOptions(t, f.Result)
	}
}

// loaded is the answer to session/load and session/resume.
func (c *Checker) loaded() {
	f := c.now.frame
	t := c.talks[c.now.key]
	if t == nil {
		return
	}
	if t.loads = max(t.loads-1, 0); f.Kind == acp.Response {
		c.learnModes(t, f.Result)
		c.learnOptions(t, f.Result)
	} else if len(t.calls) == 0 && t.prompts == 0 {
		delete(c.talks, c.now.key)
	}
}

// listed makes the sessions of a list known.
func (c *Checker) listed() {
	for entry := range acp.Elements(memberOf(c.now.frame.Result, "sessions")) {
		if s, ok := acp.Unquote(memberOf(entry, "sessionId")); ok {
			c.session(clip(s))
		}
	}
	c.missed = c.missed || c.now.frame.Cut
}

// choose is session/set_mode and session/set_config_option.
func (c *Checker) choose(t *talk) {
	if t == nil {
		return
	}
	params := c.now.frame.Params
	if c.now.method == acp.MethodSessionSetMode {
		c.mode(t, memberOf(params, "modeId"))
		return
	}
	name, ok := acp.Unquote(memberOf(params, "configId"))
	if !ok || t.options == nil || hidden(name) {
		return
	}
	o, known := t.options[clip(name)]
	value, isString := acp.Unquote(memberOf(params, "value"))
	switch {
	case !known:
		c.say("config/unknown", Error, "the agent has no config option "+quoted(name))
	case isString && len(o.values) > 0 && !hidden(value) && !slices.Contains(o.values, clip(value)):
		c.say("config/value", Error, "the config option "+quoted(name)+" has no value "+quoted(value))
	}
}

// mode judges whether there is such a mode.
func (c *Checker) mode(t *talk, token []byte) {
	if m, ok := acp.Unquote(token); ok && len(t.modes) > 0 && !hidden(m) && !slices.Contains(t.modes, clip(m)) {
		c.say("mode/unknown", Error, "the agent has no mode "+quoted(m))
	}
}
