package check

import (
	"cmp"
	"fmt"
	"slices"

	"bobproxy/acp"
)

// End gives what is wrong at the end of the conversation: requests that nobody
// answered, and terminals that nobody released.
func (c *Checker) End() []Finding {
	var all []Finding
	for _, by := range []acp.Direction{acp.Client, acp.Agent} {
		for id, a := range c.asked[by] {
			f := Finding{
				Rule: "json-rpc/unanswered", Severity: Info, By: by.Peer(), Seq: a.seq, Session: a.session, Method: a.method, Version: max(c.version(), 1),
				Text: fmt.Sprintf("%s with the id %s has no answer at the end", a.method, quoted(id[min(1, len(id)):])),
			}
			if c.forgotten(a) {
				f.Rule, f.Severity = "permission/after-cancel", Warning
				f.Text = "a permission request that was open at session/cancel was never answered, and should be with cancelled"
			}
			all = append(all, f)
		}
	}
	for id, t := range c.talks {
		open := 0
		for _, released := range t.terminals {
			if !released {
				open++
			}
		}
		if open > 0 {
			all = append(all, Finding{
				Rule: "terminal/not-released", Severity: Info, By: acp.Agent, Seq: c.now.seq, Session: id, Method: acp.MethodTerminalRelease, Version: max(c.version(), 1),
				Text: fmt.Sprintf("%d terminals are not released at the end", open),
			})
		}
	}
	slices.SortFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Text, b.Text))
	})
	return all[:min(len(all), maxEnd)]
}

// forgotten says that a is a permission request that was open when its session
// was cancelled, and still is when the turn is over.
func (c *Checker) forgotten(a *ask) bool {
	t := c.talks[a.session]
	return !c.v2() && a.method == acp.MethodRequestPermission && c.cancelledSince(a) && t != nil && t.prompts == 0
}

// maxEnd is how much is said of the end.
const maxEnd = 100
