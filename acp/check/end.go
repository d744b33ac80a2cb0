package check

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"bobproxy/acp"
)

// maxEnd is how much is said of the end.
const maxEnd = 100

// grace is how long before its end an agent may be asked something, and not be
// blamed for having no time for it.
const grace = time.Second

// End gives what is wrong at the end of the conversation: requests that nobody
// answered, turns that did not end, and terminals that nobody released.
func (c *Checker) End() []Finding {
	var all []Finding
	for _, by := range []acp.Direction{acp.Client, acp.Agent} {
		for id, a := range c.asked[by] {
			all = append(all, c.unanswered(by, id, a))
		}
	}
	for id, t := range c.talks {
		if f, ok := c.busyYet(id, t); ok {
			all = append(all, f)
		}
		if f, ok := c.unreleased(id, t); ok {
			all = append(all, f)
		}
	}
	slices.SortFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Text, b.Text))
	})
	return all[:min(len(all), maxEnd)]
}

// unanswered is what is said of a request of by that has no answer.
func (c *Checker) unanswered(by acp.Direction, id string, a *ask) Finding {
	f := Finding{
		Rule: "json-rpc/unanswered", Severity: Info, By: by.Peer(), Seq: a.seq, Session: a.session, Method: a.method, Version: max(c.version(), 1),
		Text: fmt.Sprintf("%s with the id %s has no answer at the end", a.method, quoted(id[min(1, len(id)):])),
	}
	t := c.talks[a.session]
	switch {
	case c.forgotten(a):
		f.Rule, f.Severity = "permission/after-cancel", Warning
		if c.ended {
			f.Severity = Error
		}
		f.Text = "a permission request that was open at session/cancel was never answered, and should be with cancelled"
	case a.method == acp.MethodSessionPrompt && c.ended && !c.v2() && c.cancelledSince(a):
		f.Rule, f.Severity = "turn/cancel", Warning
		if c.hadTime(t.stopped) {
			f.Severity = Error
		}
		f.Text = "a prompt that was cancelled was never answered before the agent ended, and should be with the stop reason cancelled"
	case c.ended && c.hadTime(a.at) && !atLeisure(a.method):
		f.Severity = Warning
		f.Text = fmt.Sprintf("%s with the id %s was never answered before the agent ended", a.method, quoted(id[min(1, len(id)):]))
	}
	return f
}

// hadTime says that what came at that time came long enough before the end.
func (c *Checker) hadTime(at time.Time) bool {
	return !at.IsZero() && c.endedAt.Sub(at) >= grace
}

// atLeisure says that the answer waits for people, or for another program.
func atLeisure(method string) bool {
	switch method {
	case acp.MethodRequestPermission, acp.MethodElicitationCreate, acp.MethodTerminalWaitForExit, acp.MethodAuthenticate, acp.MethodAuthLogin, acp.MethodMCPMessage:
		return true
	}
	return len(method) > 0 && method[0] == '_'
}

// forgotten says that a is a permission request that was open when its session
// was cancelled, and still is when the turn is over.
func (c *Checker) forgotten(a *ask) bool {
	t := c.talks[a.session]
	return !c.v2() && a.method == acp.MethodRequestPermission && c.cancelledSince(a) && t != nil && t.prompts == 0
}

// busyYet is for a session of version 2 that has not become idle when the agent
// has ended.
func (c *Checker) busyYet(id string, t *talk) (f Finding, ok bool) {
	if !c.v2() || !c.ended || c.missed || !t.running || t.closed || t.prompts > 0 {
		return f, false
	}
	f = Finding{
		Rule: "turn/idle", Severity: Warning, By: acp.Agent, Seq: c.now.seq, Session: id, Method: acp.MethodSessionUpdate, Version: c.version(),
		Text: "the agent has not said that the session is idle before it ended",
	}
	switch {
	case t.cancelled:
		f.Rule = "turn/cancel"
		if c.hadTime(t.stopped) {
			f.Severity = Error
		}
		f.Text = "a turn that was cancelled did not end before the agent did, and should with an idle state_update and the stop reason cancelled"
	case t.blocked || !c.hadTime(t.begun):
		return f, false
	}
	return f, true
}

// unreleased is for the terminals of a session that are not released.
func (c *Checker) unreleased(id string, t *talk) (f Finding, ok bool) {
	open := 0
	for _, released := range t.terminals {
		if !released {
			open++
		}
	}
	return Finding{
		Rule: "terminal/not-released", Severity: Info, By: acp.Agent, Seq: c.now.seq, Session: id, Method: acp.MethodTerminalRelease, Version: max(c.version(), 1),
		Text: fmt.Sprintf("%d terminals are not released at the end", open),
	}, open > 0
}
