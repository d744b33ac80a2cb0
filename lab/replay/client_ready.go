package replay

import (
	"slices"

	"bobproxy/acp"
)

// ready says whether everything has come that the client had when it sent step i.
func (c *client) ready(i int) bool {
	for _, r := range c.pending {
		t := &c.steps[r]
		if t.reply != none && t.reply < i && !c.replied[r] || t.end != none && t.end < i {
			return false
		}
	}
	if c.steps[i].scan.Kind != acp.Notification {
		return true
	}
	d := c.demand(i)
	for _, k := range d.asked {
		if !c.asks.used[k] {
			return false
		}
	}
	return !d.stirred || c.stirred[d.prompt]
}

// demand is what the client had of a turn when it sent a notification within it.
type demand struct {
	prompt  int
	within  bool  // the turn went on; else it wants nothing
	asked   []int // requests that had no answer yet
	stirred bool  // there were updates
}

// demand looks back from the notification of step i, once.
func (c *client) demand(i int) *demand {
	if d, ok := c.demands[i]; ok {
		return d
	}
	d := &demand{}
	c.demands[i] = d
	if d.prompt = c.steps[i].prompt; d.prompt == none {
		return d
	}
	end := c.steps[d.prompt].end
	if d.within = end == none || end > i; !d.within {
		return d
	}
	for k := d.prompt + 1; k < i; k++ {
		t := &c.steps[k]
		if t.From != acp.Agent || t.session != c.steps[i].session {
			continue
		}
		d.stirred = d.stirred || t.update != ""
		if t.scan.Kind == acp.Request && (t.reply == none || t.reply > i) {
			d.asked = append(d.asked, k)
		}
	}
	return d
}

// pointless says whether a notification is of a turn that has ended already. It
// says so aloud.
func (c *client) pointless(i int) bool {
	t := &c.steps[i]
	if t.scan.Kind != acp.Notification {
		return false
	}
	d := c.demand(i)
	if _, went := c.sentAs[d.prompt]; !d.within || !went || slices.Contains(c.pending, d.prompt) {
		return false
	}
	c.found(Finding{Divergence: true, Frame: t.Number, About: "the agent", Expected: "that its turn goes on until " + t.label(),
		Came: "the end of the turn", Then: "this is left out"})
	return true
}
