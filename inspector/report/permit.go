package report

import (
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// permit is one half of how a permission was settled: its answer, which says
// exactly how long that took, or its decision, which says who gave it. The two
// stand side by side, in either order.
type permit struct {
	sheet    *Report
	answered bool
	by       string // empty: it was not told
	waited   time.Duration
}

// permission takes a request, under whose id another one may have been made
// before.
func (c *conversation) permission(e *journal.Event, f *acp.Frame) {
	if e.Dir == acp.Agent && string(f.Method) == acp.MethodRequestPermission {
		c.settle(c.id(acp.Agent, e.ID))
	}
}

// permitted takes the answer.
func (c *conversation) permitted(r *Report, e *journal.Event, waited time.Duration) {
	key := c.id(acp.Agent, e.ID)
	p := c.permits[key]
	switch {
	case c.instance == "": // nobody recorded who decided
		c.tally.add(r, Permission, "client", int64(waited))
	case p.by != "" && !p.answered:
		delete(c.permits, key)
		c.tally.add(p.sheet, Permission, p.by, int64(waited))
	case len(c.permits) < maxRequests:
		c.permits[key] = permit{sheet: r, answered: true, waited: waited}
	}
}

// decided takes a decision. One that came later settled nothing; and when the
// editor chose nothing by it, what was swallowed before it was no answer at all.
func (c *conversation) decided(r *Report, e *journal.Event) {
	d := e.Decision
	switch {
	case d == nil:
	case d.Closes():
		r.Counts.Late, r.Counts.Closed = max(r.Counts.Late-1, 0), r.Counts.Closed+1
	case !d.Late:
		c.ruled(r, c.id(acp.Agent, e.ID), d)
	}
}

// ruled takes the decision that settled the permission of that id.
func (c *conversation) ruled(r *Report, key string, d *journal.Decision) {
	p := c.permits[key]
	switch {
	case p.answered:
		delete(c.permits, key)
		c.tally.add(r, Permission, d.By, int64(p.waited))
	case p.by != "" || len(c.permits) >= maxRequests:
		c.tally.add(r, Permission, d.By, int64(d.Wait))
	default:
		c.permits[key] = permit{sheet: r, by: d.By, waited: d.Wait}
	}
}

// settle counts a decision whose answer never came, by what it says itself, and
// forgets an answer that nobody decided.
func (c *conversation) settle(key string) {
	if p := c.permits[key]; p.by != "" && !p.answered {
		c.tally.add(p.sheet, Permission, p.by, int64(p.waited))
	}
	delete(c.permits, key)
}
