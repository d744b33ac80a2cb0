package broker

import (
	"slices"
	"time"

	"bobproxy/acp"
)

// CancelSession takes session/cancel, close or delete from the editor: what is
// open in that session is being cancelled from now on.
func (b *Broker) CancelSession(now time.Time, session string) []Effect {
	for _, e := range b.in(session) {
		if e.stage == open {
			e.grace = now.Add(Grace)
		}
		e.stage = cancelling
	}
	return nil
}

// SettleSession answers what is open in session with cancelled at once and
// withdraws it: its turn ran out of time.
func (b *Broker) SettleSession(now time.Time, session string) []Effect {
	var do []Effect
	for _, e := range b.in(session) {
		do = append(do, b.settle(now, e, ByTimeout, cancelled, nil, "the turn ran out of time")...)
	}
	return do
}

// in are the entries of session that the agent waits for.
func (b *Broker) in(session string) []*entry {
	key := sessionKey(session)
	var entries []*entry
	for _, e := range b.live {
		if e.session == key {
			entries = append(entries, e)
		}
	}
	return entries
}

// Withdrawn takes $/cancel_request from the agent. forward says whether it goes
// on to the editor: not when that has had one already for a request that was
// settled.
func (b *Broker) Withdrawn(now time.Time, id []byte) (forward bool, do []Effect) {
	key, ordinary := acp.IDKey(nil, id)
	l := b.lines[string(key)]
	if !ordinary || l == nil {
		return true, nil
	}
	forward = l.others > 0 || slices.ContainsFunc(l.owed, func(e *entry) bool { return e.stage != settled || !e.told })
	for _, e := range l.owed {
		if e.stage == open {
			e.stage, e.grace = withdrawn, now.Add(Grace)
		}
		e.told = true
	}
	return forward, nil
}

// Gone closes everything, and for good: the agent or the editor has left, so no
// answer reaches the agent any more.
func (b *Broker) Gone(now time.Time) []Effect {
	b.gone = true
	var do []Effect
	for _, e := range slices.Clone(b.live) {
		b.end(e, ByGone, answer{})
		b.shrink(e)
		do = append(do, e.left(now))
	}
	return do
}

// left is the decision that nobody can make one any more.
func (e *entry) left(now time.Time) Effect {
	note := e.decision(now, ByGone, answer{})
	note.Text = "an end of the conversation has left"
	return Effect{Note: note}
}
