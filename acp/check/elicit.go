package check

import "bobproxy/acp"

// links are the elicitations by URL that an agent has asked for: those that wait
// for what happens outside, and those that are over.
type links struct {
	open   map[string]bool
	over   map[string]bool
	forgot bool
}

// elicit is elicitation/create.
func (c *Checker) elicit(a *ask) {
	id, ok := acp.Unquote(memberOf(c.now.frame.Params, "elicitationId"))
	if mode, _ := acp.Unquote(memberOf(c.now.frame.Params, "mode")); mode != "url" || !ok || hidden(id) {
		c.links.forgot = c.links.forgot || c.now.frame.Cut || mode == "url"
		return
	}
	l, id := &c.links, clip(id)
	if l.open[id] {
		c.say("elicitation/same-id", Error, "the elicitation "+quoted(id)+" has the id of one that is open")
	}
	if l.open == nil || len(l.open)+len(l.over) >= maxChoice {
		l.forgot = l.open != nil
		l.open, l.over = map[string]bool{}, map[string]bool{}
	}
	delete(l.over, id)
	l.open[id], a.link = true, id
}

// elicited is the answer to it. What was not accepted is over.
func (c *Checker) elicited(a *ask) {
	action, _ := acp.Unquote(memberOf(c.now.frame.Result, "action"))
	if a.link != "" && action != "accept" {
		c.links.close(a.link)
	}
}

// close ends an elicitation that is known.
func (l *links) close(id string) {
	if l.open[id] {
		delete(l.open, id)
		l.over[id] = true
	}
}

// completed is elicitation/complete. Clients pass over one that comes again.
func (c *Checker) completed() {
	id, ok := acp.Unquote(memberOf(c.now.frame.Params, "elicitationId"))
	if l := &c.links; ok && !hidden(id) && !c.missed && !l.forgot && !l.open[clip(id)] && !l.over[clip(id)] {
		c.say("elicitation/unknown", Error, "the elicitation "+quoted(id)+" is completed, which nobody has asked for")
	}
	c.links.close(clip(id))
}
