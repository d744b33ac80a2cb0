package check

import (
	"fmt"
	"slices"
	"strings"

	"bobproxy/acp"
)

// hello is what initialize said.
type hello struct {
	asked  int  // version that the client asked for
	sent   bool // the client has sent it
	agreed bool // and the agent has answered it with a result
	others bool // the client has sent other requests
	offers [3]map[string]bool
}

// capabilities are those that the protocol asks for before something is sent.
var capabilities = [3][]string{
	acp.Client: {
		"fs.readTextFile", "fs.writeTextFile", "terminal", "session.notices", "session.compaction", "session.configOptions.boolean",
		"elicitation.form", "elicitation.url", "plan", "subagents", "_meta.terminal_output",
	},
	acp.Agent: {
		"loadSession", "promptCapabilities.image", "promptCapabilities.audio", "promptCapabilities.embeddedContext",
		"mcpCapabilities.http", "mcpCapabilities.sse", "mcpCapabilities.acp",
		"sessionCapabilities.list", "sessionCapabilities.delete", "sessionCapabilities.resume", "sessionCapabilities.close",
		"sessionCapabilities.additionalDirectories", "sessionCapabilities.fork", "sessionCapabilities.archive",
		"sessionCapabilities.status", "sessionCapabilities.title", "auth.logout", "auth.status", "providers",
		"session", "session.prompt.image", "session.prompt.audio", "session.prompt.embeddedContext", "session.mcp.stdio", "session.mcp.http", "session.mcp.acp",
		"session.delete", "session.fork", "session.archive", "session.status", "session.title", "session.additionalDirectories",
	},
}

// needs says which capability of the receiver a method needs, in version 1 and
// in version 2.
var needs = map[string][2]string{
	acp.MethodReadTextFile:        {"fs.readTextFile"},
	acp.MethodWriteTextFile:       {"fs.writeTextFile"},
	acp.MethodTerminalCreate:      {"terminal"},
	acp.MethodTerminalOutput:      {"terminal"},
	acp.MethodTerminalRelease:     {"terminal"},
	acp.MethodTerminalWaitForExit: {"terminal"},
	acp.MethodTerminalKill:        {"terminal"},
	acp.MethodSessionLoad:         {"loadSession"},
	acp.MethodSessionList:         {"sessionCapabilities.list"},
	acp.MethodSessionResume:       {"sessionCapabilities.resume"},
	acp.MethodSessionClose:        {"sessionCapabilities.close"},
	acp.MethodSessionDelete:       {"sessionCapabilities.delete", "session.delete"},
	acp.MethodSessionFork:         {"sessionCapabilities.fork", "session.fork"},
	acp.MethodSessionArchive:      {"sessionCapabilities.archive", "session.archive"},
	acp.MethodSessionUnarchive:    {"sessionCapabilities.archive", "session.archive"},
	acp.MethodSessionStatus:       {"sessionCapabilities.status", "session.status"},
	acp.MethodSessionSetTitle:     {"sessionCapabilities.title", "session.title"},
	acp.MethodLogout:              {"auth.logout"},
	acp.MethodAuthStatus:          {"auth.status", "auth.status"},
	acp.MethodProvidersList:       {"providers", "providers"},
	acp.MethodProvidersSet:        {"providers", "providers"},
	acp.MethodProvidersDisable:    {"providers", "providers"},
}

// updateNeeds is the same for the variants of session/update in version 1.
var updateNeeds = map[string]string{
	"notice": "session.notices", "compaction_update": "session.compaction", "compaction_summary_chunk": "session.compaction",
	"plan_update": "plan", "plan_removed": "plan", "subagent_update": "subagents",
}

// blockNeeds is the same for content blocks in a prompt.
var blockNeeds = map[string][2]string{
	"image":    {"promptCapabilities.image", "session.prompt.image"},
	"audio":    {"promptCapabilities.audio", "session.prompt.audio"},
	"resource": {"promptCapabilities.embeddedContext", "session.prompt.embeddedContext"},
}

// serverNeeds is the same for MCP servers.
var serverNeeds = map[string][2]string{
	"http":  {"mcpCapabilities.http", "session.mcp.http"},
	"sse":   {"mcpCapabilities.sse"},
	"acp":   {"mcpCapabilities.acp", "session.mcp.acp"},
	"stdio": {"", "session.mcp.stdio"},
}

// askHello is the client's initialize.
func (c *Checker) askHello(a *ask) {
	h := acp.ReadHello(c.now.frame.Params)
	switch {
	case c.hello.sent && c.v2() && c.hello.others:
		c.say("initialize/again", Error, "initialize is sent again after other requests")
	case c.hello.sent:
		c.say("initialize/again", Warning, "initialize is sent again")
	}
	c.hello.sent, c.hello.asked, a.version = true, h.Version, h.Version
	c.learn(acp.Client, c.now.frame.Params, "clientCapabilities", "capabilities")
}

// answerHello is the agent's answer to it.
func (c *Checker) answerHello(a *ask) {
	f := c.now.frame
	if f.Kind != acp.Response {
		c.unwelcome(a)
		return
	}
	c.hello.agreed = true
	if v := acp.ReadHello(f.Result).Version; v > a.version && a.version > 0 {
		c.say("initialize/version", Error, fmt.Sprintf("the agent answers with version %d, and the client asked for %d at most", v, a.version))
	}
	c.learn(acp.Agent, f.Result, "agentCapabilities", "capabilities")
	if c.auth = nil; !f.Cut {
		c.auth = []string{}
	}
	for entry := range acp.Elements(memberOf(f.Result, "authMethods")) {
		for _, name := range []string{"id", "methodId"} {
			if s, ok := acp.Unquote(memberOf(entry, name)); ok && len(c.auth) < maxChoice {
				c.auth = append(c.auth, clip(s))
			}
		}
	}
}

// unwelcome judges an error for initialize. That is how version 2 wants a version
// to be refused, with a code of its own; other codes are for other reasons.
func (c *Checker) unwelcome(a *ask) {
	code := acp.ErrorCode(c.now.frame.Error)
	words, _ := acp.Unquote(memberOf(c.now.frame.Error, "message"))
	if a.version >= 2 && code != unsupportedVersion && strings.Contains(strings.ToLower(words), "version") {
		c.say("initialize/version", Warning, fmt.Sprintf("the error %d says %s, and a version that is not supported has the code %d", code, quoted(words), unsupportedVersion))
	}
}

const unsupportedVersion = -32022

// learn remembers what one side offers. Of a frame that was cut nobody knows.
func (c *Checker) learn(of acp.Direction, value []byte, names ...string) {
	c.hello.offers[of] = nil
	if c.now.frame.Cut {
		return
	}
	offers := map[string]bool{}
	for _, name := range names {
		caps := memberOf(value, name)
		for _, path := range capabilities[of] {
			offers[path] = offers[path] || offered(caps, path)
		}
	}
	c.hello.offers[of] = offers
}

// offered says that a capability is there: true, or an object.
func offered(caps []byte, path string) bool {
	for name := range strings.SplitSeq(path, ".") {
		caps = memberOf(caps, name)
	}
	return len(caps) > 0 && (caps[0] == '{' || caps[0] == 't' || string(caps) == string(maskedToken))
}

// memberOf is the value of a member; nil when there is none.
func memberOf(object []byte, name string) (value []byte) {
	for n, v := range acp.Members(object) {
		if string(n) == name {
			value = v
		}
	}
	return value
}

// lacks says that the receiver does not offer what is needed.
func (c *Checker) lacks(needed [2]string) (path string, lacks bool) {
	path = needed[0]
	if c.v2() {
		path = needed[1]
	}
	offers := c.hello.offers[c.now.from.Peer()]
	if c.missed || offers == nil || path == "" || !c.hello.agreed {
		return path, false
	}
	return path, !offers[path]
}

// offered judges whether the receiver offers the method.
func (c *Checker) offered(a *ask) {
	if needed, ok := needs[c.now.method]; ok {
		if path, lacks := c.lacks(needed); lacks {
			c.say("capability/method", Error, fmt.Sprintf("%s needs %s, which the %s does not offer", c.now.method, path, c.now.from.Peer()))
		}
	}
	if c.now.method == acp.MethodElicitationCreate {
		mode, _ := acp.Unquote(memberOf(c.now.frame.Params, "mode"))
		if mode != "form" && mode != "url" {
			return
		}
		path := "elicitation." + mode
		if a != nil {
			a.needs = path
		}
		if _, lacks := c.lacks([2]string{path, path}); lacks {
			c.say("capability/method", Error, fmt.Sprintf("%s needs %s, which the client does not offer", c.now.method, path))
		}
	}
}

// greeted judges whether a message may come already.
func (c *Checker) greeted() {
	h := &c.hello
	if c.now.method == acp.MethodInitialize || c.missed {
		return
	}
	if c.now.from == acp.Client && c.now.frame.Kind == acp.Request {
		h.others = true
	}
	switch {
	case h.agreed || c.now.method == acp.MethodCancelRequest || c.now.method == acp.MethodProxyInitialize:
	case !h.sent:
		c.say("initialize/first", Error, c.now.method+" is sent before initialize")
	case c.now.from == acp.Client && c.now.frame.Kind == acp.Request:
		c.say("initialize/early", Warning, c.now.method+" is sent before initialize was answered")
	case c.now.from == acp.Agent && c.now.frame.Kind == acp.Request:
		c.say("initialize/early", Error, c.now.method+" is sent before initialize was answered")
	}
}

// login judges the way to log in.
func (c *Checker) login() {
	way, ok := acp.Unquote(memberOf(c.now.frame.Params, "methodId"))
	if ok && c.auth != nil && !c.missed && !hidden(way) && !slices.Contains(c.auth, clip(way)) && len(c.auth) < maxChoice {
		c.say("auth/unknown-method", Error, "the agent has not offered to log in by "+quoted(way))
	}
}
