package editor

import (
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/lab/wire"
)

// dialogs are the permission requests that are open. Each is settled once: by
// the rule, by a person, by $/cancel_request, or by the end of the turn.
type dialogs struct {
	c *conversation

	mu      sync.Mutex
	pending map[jsonrpc2.ID]*dialog
	over    bool // the turn has ended or is being cancelled: nothing is asked any more
	queue   []*dialog
	waiting chan struct{} // holds one token while queue may hold something
	result  Result        // the counts
}

// dialog is one of them.
type dialog struct {
	id      jsonrpc2.ID
	ask     wire.PermissionParams
	settled chan struct{}
}

func newDialogs(c *conversation) *dialogs {
	return &dialogs{c: c, pending: map[jsonrpc2.ID]*dialog{}, waiting: make(chan struct{}, 1)}
}

// open shows a request and sees to its answer. It runs on the reader, so it
// does not wait.
func (ds *dialogs) open(req *jsonrpc2.Request) {
	d := &dialog{id: req.ID, settled: make(chan struct{})}
	if err := params(req, &d.ask); err != nil {
		ds.c.replies.Go(func() { ds.c.reply(req.ID, nil, err) })
		return
	}
	ds.c.screen.permission(d.ask)
	if !ds.add(d) {
		ds.c.screen.decision("cancelled", "the turn is over")
		ds.answer(d, wire.Outcome{Outcome: wire.Cancelled})
		return
	}
	switch rule := ds.c.opts.Allow; {
	case rule == None:
		ds.c.screen.decision("waiting", "for somebody else")
	case rule == Ask:
		ds.enqueue(d)
	case ds.c.opts.Pace > 0:
		ds.c.replies.Go(func() { ds.byRuleLater(d) })
	default:
		ds.byRule(d)
	}
}

// add registers d; when the turn is over it says no.
func (ds *dialogs) add(d *dialog) bool {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if ds.over {
		return false
	}
	ds.pending[d.id] = d
	return true
}

// claim takes d for settling. Only the first claim succeeds.
func (ds *dialogs) claim(d *dialog, count func(*Result)) bool {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if ds.pending[d.id] != d {
		return false
	}
	delete(ds.pending, d.id)
	close(d.settled)
	count(&ds.result)
	return true
}

func (ds *dialogs) answer(d *dialog, o wire.Outcome) {
	ds.c.replies.Go(func() { ds.c.reply(d.id, wire.PermissionResult{Outcome: o}, nil) })
}

func (ds *dialogs) byRule(d *dialog) {
	option, ok := choose(ds.c.opts.Allow, d.ask.Options)
	ds.choose(d, option, ok, "by rule")
}

func (ds *dialogs) byRuleLater(d *dialog) {
	timer := time.NewTimer(ds.c.opts.Pace)
	defer timer.Stop()
	select {
	case <-timer.C:
		ds.byRule(d)
	case <-d.settled:
	case <-ds.c.life.Done():
	}
}

// choose answers d with an option, or with cancelled when there is none.
func (ds *dialogs) choose(d *dialog, option wire.PermissionOption, found bool, why string) {
	outcome, name := wire.Outcome{Outcome: wire.Cancelled}, "cancelled"
	if found {
		outcome, name = wire.Outcome{Outcome: wire.Selected, OptionID: option.OptionID}, option.Name
	}
	count := func(r *Result) {
		if found && allows(option) {
			r.Permitted++
		} else {
			r.Refused++
		}
	}
	if ds.claim(d, count) {
		ds.c.screen.decision(name, why)
		ds.answer(d, outcome)
	}
}

// withdraw drops a dialog that somebody else has settled.
func (ds *dialogs) withdraw(id jsonrpc2.ID) {
	ds.mu.Lock()
	d := ds.pending[id]
	ds.mu.Unlock()
	if d == nil || !ds.claim(d, func(r *Result) { r.Elsewhere++ }) {
		return
	}
	ds.c.screen.decision("withdrawn", "settled elsewhere")
	ds.c.replies.Go(func() {
		ds.c.reply(id, nil, wire.Errorf(wire.CodeCancelled, "request cancelled"))
	})
}

// cancelAll answers what is open, and everything that is still to come, with
// cancelled.
func (ds *dialogs) cancelAll() {
	ds.mu.Lock()
	ds.over = true
	var open []*dialog
	for _, d := range ds.pending {
		open = append(open, d)
	}
	ds.mu.Unlock()
	for _, d := range open {
		if ds.claim(d, func(*Result) {}) {
			ds.c.screen.decision("cancelled", "the turn is over")
			ds.answer(d, wire.Outcome{Outcome: wire.Cancelled})
		}
	}
}

func (ds *dialogs) counts() (permitted, refused, elsewhere int) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	return ds.result.Permitted, ds.result.Refused, ds.result.Elsewhere
}
