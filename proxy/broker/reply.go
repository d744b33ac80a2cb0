package broker

import (
	"fmt"
	"time"

	"bobproxy/acp"
)

// Reply is the editor's answer to a permission request.
type Reply struct {
	ID         []byte // raw token
	Option     string // of the outcome selected
	HasOption  bool   // one is named, be it empty
	Outcome    string // the outcome's word; empty when there is none
	Unreadable bool   // peers could read different things from it
	Code       int64  // of an error
	Failed     bool   // it is an error
}

const requestCancelled = -32800 // the error that answers $/cancel_request

// outcome is what r says, in the words of recordings.
func (r Reply) outcome() string {
	switch {
	case r.Unreadable:
		return outcomeUnreadable
	case r.Failed:
		return outcomeError
	case r.Outcome == outcomeSelected, r.Outcome == outcomeCancelled:
		return r.Outcome
	}
	return outcomeUnknown
}

// typical says that r looks like an answer to a permission request rather than
// to another one. Errors look like both.
func (r Reply) typical() bool {
	return r.Unreadable || r.Outcome != "" || r.Failed && r.Code == requestCancelled
}

// Reply takes the editor's reply to a request that b owns. forward says whether
// it passes on to the agent; otherwise it is swallowed. reason says why, or what
// is odd about one that passes.
func (b *Broker) Reply(now time.Time, r Reply) (forward bool, reason string, do []Effect) {
	key, ordinary := acp.IDKey(nil, r.ID)
	l := b.lines[string(key)]
	switch {
	case !ordinary:
		return true, "", nil
	case l == nil:
		return b.surplus(now, string(key), r)
	case l.others > 0 && !r.typical():
		l.others--
		return true, "", nil
	}
	e := l.target(r)
	harmless := l.harmless(r)
	doubtful := e.doubtful || l.first(cancelling) != nil
	if e.replied && e.stage != settled || doubtful && e.stage == open && !harmless {
		return false, "may answer an earlier request", e.doubt(now, r)
	}
	b.paid(e)
	if e.stage == settled && !r.tellsWhich() {
		l.doubt()
	}
	switch {
	case e.stage == settled:
		return false, "settled before by " + string(e.by), e.late(now, r)
	case e.stage == cancelling && !harmless:
		return false, "not released after cancel", b.stop(now, e, r)
	}
	return b.claim(now, e, r)
}

// tellsWhich says that a reply taken for an old request cannot have been meant
// for a newer one under the same id: it answers our withdrawal, or else it
// selects, and then the next allow can only come when both were allowed.
func (r Reply) tellsWhich() bool {
	return r.outcome() == outcomeError && r.Code == requestCancelled || r.outcome() == outcomeSelected
}

// doubt keeps back an allow that may be the answer to an earlier request.
// Others still decide e, and the editor owes nothing for it any more.
func (e *entry) doubt(now time.Time, r Reply) []Effect {
	e.replied = true
	note := e.decision(now, ByEditor, e.read(r))
	note.Decision.Late = true
	note.Text = "the editor may have meant an earlier request with the same id: not released; this one is still open, and can be answered by command"
	return []Effect{{Note: note}, e.flagged(now, "answer not attributable", note.Text)}
}

// claim lets the editor answer e.
func (b *Broker) claim(now time.Time, e *entry, r Reply) (forward bool, reason string, do []Effect) {
	by, a := e.claimant(r), e.read(r)
	b.end(e, by, a)
	note := e.decision(now, by, a)
	do = []Effect{{Note: note}}
	if _, offered := e.kindOf(r.Option); a.outcome == outcomeSelected && !offered {
		reason = "option never offered"
		note.Text = fmt.Sprintf("the editor selects %q, which was never offered", clip(r.Option, maxWords))
		do = append(do, e.flagged(now, reason, note.Text))
	}
	return true, reason, do
}

// claimant is who a reply of the editor is recorded for.
func (e *entry) claimant(r Reply) By {
	switch {
	case e.stage == withdrawn:
		return ByAgent
	case e.stage == cancelling && r.outcome() != outcomeSelected:
		return ByCancel
	}
	return ByEditor
}

// read is what r says to e.
func (e *entry) read(r Reply) answer {
	a := answer{outcome: r.outcome()}
	if a.outcome == outcomeSelected {
		a.option = acp.String{Value: r.Option, OK: r.HasOption || r.Option != ""}
		a.kind, _ = e.kindOf(r.Option)
	}
	return a
}

// stop answers e, whose session was cancelled, in place of a reply that could
// approve.
func (b *Broker) stop(now time.Time, e *entry, r Reply) []Effect {
	late := e.decision(now, ByEditor, e.read(r))
	late.Decision.Late = true
	late.Text = "the editor answered like this after it had cancelled the session: not released"

	b.end(e, ByCancel, cancelled)
	note := e.decision(now, ByCancel, cancelled)
	return []Effect{{Note: note}, {ToAgent: cancelled.frame(e.ID)}, {Note: late},
		e.flagged(now, "answer after cancel", late.Text)}
}

// surplus judges a reply to an id whose reply has come before.
func (b *Broker) surplus(now time.Time, key string, r Reply) (forward bool, reason string, do []Effect) {
	request, ok := b.answered.get(key)
	if !ok || !r.typical() && !r.Failed {
		return true, "", nil
	}
	was, _ := b.settled.get(request)
	gone := &entry{opened: now}
	gone.ID, gone.Request, gone.Session, gone.Digest = r.ID, request, was.session, was.digest
	note := gone.decision(now, ByEditor, gone.read(r))
	note.Decision.Late, note.Text = true, "the editor has answered this request before"
	return false, "answered before", []Effect{{Note: note}}
}
