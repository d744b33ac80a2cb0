package editor

import (
	"slices"
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
	pending []*dialog // oldest first; agents may have given several the same id
	over    bool      // the turn has ended or is being cancelled: nothing is asked any more
	stopped bool      // it is being cancelled
	queue   []*dialog
	waiting chan struct{} // holds one token while queue may hold something
	result  Result        // the counts
	shaped  int           // answers that were garbage
}

// dialog is one of them.
type dialog struct {
	id      jsonrpc2.ID
	ask     wire.PermissionParams
	settled chan struct{}
}

func newDialogs(c *conversation) *dialogs {
	return &dialogs{c: c, waiting: make(chan struct{}, 1)}
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
		ds.leave(d)
		return
	}
	switch rule := ds.c.opts.Allow; {
	case ds.c.opts.does(Cancel):
		ds.c.screen.decision("waiting", "and the turn is cancelled")
		ds.c.stop()
	case ds.c.opts.does(Late):
		ds.c.screen.decision("waiting", "for somebody else to settle it")
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
	if !ds.over {
		ds.pending = append(ds.pending, d)
	}
	return !ds.over
}

// claim takes d for settling. Only the first claim succeeds.
func (ds *dialogs) claim(d *dialog, count func(*Result)) bool {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	at := slices.Index(ds.pending, d)
	if at < 0 {
		return false
	}
	ds.pending = slices.Delete(ds.pending, at, at+1)
	close(d.settled)
	count(&ds.result)
	return true
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
	answers := ds.answers(d, option, found)
	if ds.claim(d, answers[0].count) {
		ds.give(d, answers, why)
	}
}

// withdraw drops the oldest dialog of an id, which somebody else has settled.
func (ds *dialogs) withdraw(id jsonrpc2.ID) {
	d := ds.find(id)
	switch {
	case d == nil:
		return
	case ds.c.opts.does(IgnoreWithdrawal), ds.afterCancel(AllowAfterCancel):
		ds.c.screen.decision("withdrawn", "and no notice taken of it")
		return
	case !ds.claim(d, func(r *Result) { r.Elsewhere++ }):
		return
	}
	ds.c.screen.decision("withdrawn", "settled elsewhere")
	if ds.afterCancel(SilentAfterCancel) {
		return
	}
	if ds.c.opts.does(Late) {
		ds.c.replies.Go(func() { ds.answerLate(d) })
		return
	}
	ds.c.replies.Go(func() {
		ds.c.reply(id, nil, wire.Errorf(wire.CodeCancelled, "request cancelled"))
	})
}

func (ds *dialogs) find(id jsonrpc2.ID) *dialog {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	for _, d := range ds.pending {
		if d.id == id {
			return d
		}
	}
	return nil
}

// stop says that the turn is about to be cancelled.
func (ds *dialogs) stop() {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	ds.stopped = true
}

// afterCancel reports whether the turn is being cancelled and the editor is to
// do m then.
func (ds *dialogs) afterCancel(m Misbehaviour) bool {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	return ds.stopped && ds.c.opts.does(m)
}

// closeAll ends what is open and has everything that is still to come ended at
// once, because the turn is over.
func (ds *dialogs) closeAll() {
	ds.mu.Lock()
	ds.over = true
	open := slices.Clone(ds.pending)
	ds.mu.Unlock()
	for _, d := range open {
		ds.close(d)
	}
}

// close ends an open dialog of a turn that is over. It counts nowhere, unless
// it is allowed on purpose.
func (ds *dialogs) close(d *dialog) {
	if ds.afterCancel(AllowAfterCancel) {
		option, ok := choose(ds.c.opts.Allow, d.ask.Options)
		ds.choose(d, option, ok, "after session/cancel")
		return
	}
	if ds.claim(d, func(*Result) {}) {
		ds.leave(d)
	}
}

// leave answers a dialog of a turn that is over with cancelled.
func (ds *dialogs) leave(d *dialog) {
	if ds.afterCancel(SilentAfterCancel) {
		ds.c.screen.decision("no answer", "after session/cancel")
		return
	}
	ds.give(d, []answer{cancelled}, "the turn is over")
}

func (ds *dialogs) counts() Result {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	return ds.result
}
