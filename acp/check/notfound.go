package check

import (
	"fmt"
	"slices"

	"bobproxy/acp"
)

const methodNotFound = -32601

// baseline is what every agent and client has, by the version: in version 2 an
// agent that offers sessions.
var baseline = [3][]string{
	1: {acp.MethodInitialize, acp.MethodSessionNew, acp.MethodSessionPrompt, acp.MethodRequestPermission},
	2: {acp.MethodInitialize, acp.MethodRequestPermission},
}

// sessions are the methods that come with the capability session of version 2.
var sessions = []string{
	acp.MethodSessionNew, acp.MethodSessionList, acp.MethodSessionResume, acp.MethodSessionClose, acp.MethodSessionPrompt,
}

// notFound judges the error that there is no such method.
func (c *Checker) notFound(a *ask) {
	f := c.now.frame
	if f.Kind != acp.Error || f.Cut || acp.ErrorCode(f.Error) != methodNotFound || c.missed {
		return
	}
	version := 1
	if c.v2() {
		version = 2
	}
	if slices.Contains(baseline[version], a.method) {
		c.say("method/not-found", Error, fmt.Sprintf("%s is answered with the error %d, and every %s has it", a.method, methodNotFound, c.now.from))
	} else if why := c.announced(a, version); why != "" {
		c.say("method/not-found", Error, fmt.Sprintf("%s is answered with the error %d, and the %s offers it by %s", a.method, methodNotFound, c.now.from, why))
	}
}

// announced is what the sender has offered the method by; empty: nothing.
func (c *Checker) announced(a *ask, version int) string {
	path := needs[a.method][version-1]
	if a.needs != "" {
		path = a.needs
	}
	if version == 2 && slices.Contains(sessions, a.method) {
		path = "session"
	}
	t := c.talks[a.session]
	switch {
	case path != "" && c.hello.offers[c.now.from][path]:
		return path
	case a.method == acp.MethodAuthenticate && version == 1, (a.method == acp.MethodAuthLogin || a.method == acp.MethodAuthLogout) && version == 2:
		if len(c.auth) > 0 {
			return "authMethods"
		}
	case a.method == acp.MethodSessionSetMode && version == 1 && t != nil && len(t.modes) > 0:
		return "modes"
	case a.method == acp.MethodSessionSetConfigOption && t != nil && len(t.options) > 0:
		return "configOptions"
	}
	return ""
}
