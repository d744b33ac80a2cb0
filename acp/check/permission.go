package check

import (
	"fmt"
	"slices"

	"bobproxy/acp"
)

// permission is session/request_permission.
func (c *Checker) permission(t *talk, a *ask) {
	f := c.now.frame
	p := acp.ReadPermission(f.Params)
	if t != nil {
		if !t.busy() && !c.v2() && !c.missed {
			c.say("permission/outside-turn", Warning, "permission is asked for while no prompt of the session is being answered")
		}
		if call := p.Call.ID; call.OK {
			c.remember(t, call.Value, p.Call.Status.Value)
			if a.seq > 0 && !a.unclear && !hidden(call.Value) {
				c.wait(t, a, call.Value)
			}
		}
		if a.seq > 0 && !a.unclear && t.prompts > 0 {
			a.waits = true
			t.waiting++
		}
	}
	c.paths(p.Call)
	if f.Cut {
		return
	}
	a.judged = !p.NoOptions && len(p.Options) <= maxChoice
	c.options(p, a)
}

// options judges and remembers what can be chosen.
func (c *Checker) options(p acp.Permission, a *ask) {
	severity := Warning
	if c.v2() {
		severity = Error
	}
	if len(p.Options) == 0 && !p.NoOptions && !c.v2() {
		c.say("permission/no-options", Warning, "there is no option to choose, so it can only be cancelled")
	}
	for _, o := range p.Options {
		switch {
		case len(a.options) >= maxChoice:
			return
		case o.Odd || hidden(o.ID.Value):
			a.judged = false
			continue
		case slices.Contains(a.options, clip(o.ID.Value)):
			c.say("permission/same-option", severity, "two options have the id "+quoted(o.ID.Value))
		case o.ID.Value == "" || o.Name == "":
			c.say("permission/empty-option", Warning, "an option has an empty id or name")
		}
		a.options, a.kinds = append(a.options, clip(o.ID.Value)), append(a.kinds, clip(o.Kind))
	}
}

// decided is the answer to it.
func (c *Checker) decided(a *ask) {
	f := c.now.frame
	o := acp.ReadOutcome(f.Result)
	c.ruled(a, o)
	switch {
	case f.Kind != acp.Response || o.Kind != "selected":
		return
	case c.cancelledSince(a) && !c.v2():
		c.say("permission/after-cancel", Error, "an option is selected after session/cancel, which is to be answered with cancelled")
	}
	if a.judged && o.HasOption && !hidden(o.Option) && !slices.Contains(a.options, clip(o.Option)) {
		c.say("permission/not-offered", Error, fmt.Sprintf("the option %s is selected, which was not offered", quoted(o.Option)))
	}
}

// cancelledSince says that the session was cancelled after a was asked.
func (c *Checker) cancelledSince(a *ask) bool {
	t := c.talks[a.session]
	return t != nil && t.cancels != a.cancels
}
