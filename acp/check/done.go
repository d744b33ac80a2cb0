package check

import (
	"slices"
	"time"

	"bobproxy/acp"
)

// done is the requests that were answered last.
type done struct {
	all  []answered
	next int
}

// answered is a request that was answered.
type answered struct {
	id, method, session string
	own                 bool // by the one that it was sent to, and not by the proxy
	owed                bool // whose own answer has not come yet
}

func (d *done) add(a answered) {
	if len(d.all) < maxDone {
		d.all = append(d.all, a)
		return
	}
	d.all[d.next] = a
	d.next = (d.next + 1) % maxDone
}

func (d *done) has(id string) bool {
	return slices.ContainsFunc(d.all, func(a answered) bool { return a.id == id })
}

// pay takes an answer that was owed.
func (d *done) pay(id string) bool {
	i := slices.IndexFunc(d.all, func(a answered) bool { return a.id == id && a.owed })
	if i >= 0 {
		d.all[i].owed = false
	}
	return i >= 0
}

// last is the newest one of that id.
func (d *done) last(id string) (a answered, ok bool) {
	for n := range d.all {
		if a = d.all[(d.next+len(d.all)-1-n)%len(d.all)]; a.id == id {
			return a, true
		}
	}
	return answered{}, false
}

// Swallowed takes an answer that the proxy did not pass on, because the request
// was settled already. For the conversation it counts for nothing. Its sender is
// blamed when it had answered before, and not when somebody else had, which it
// could not know.
func (c *Checker) Swallowed(at time.Time, seq uint64, from acp.Direction, f *acp.Frame, _ []byte) []Finding {
	if c.found = nil; from != acp.Client && from != acp.Agent || f.Kind != acp.Response && f.Kind != acp.Error {
		return nil
	}
	if f.ID == nil || null(f.ID) || hidden(string(f.ID)) {
		return nil
	}
	c.now = moment{seq: seq, from: from, frame: f, at: at}
	k, before := id(f.ID), &c.done[from.Peer()]
	if before.pay(k) || c.asked[from.Peer()][k] != nil {
		return nil
	}
	if a, ok := before.last(k); ok && a.own {
		c.now.method, c.now.key = a.method, a.session
		c.say("json-rpc/answered-twice", Error, "the request with the id "+shown(f.ID)+" was answered before, and this answer was not passed on")
	}
	return c.found
}
