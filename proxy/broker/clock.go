package broker

import (
	"slices"
	"time"
)

const (
	// Grace is how long the editor may take to answer what it, or the agent, has
	// cancelled.
	Grace = 2 * time.Second
	// Look is how long a request stays open at least after the proxy was
	// suspended.
	Look = 10 * time.Second
)

// Next is when Expire has something to do; zero: not as things are.
func (b *Broker) Next() time.Time {
	var next time.Time
	for _, e := range b.live {
		if due := e.due(); !due.IsZero() && (next.IsZero() || due.Before(next)) {
			next = due
		}
	}
	return next
}

// Expire answers what has run out of time at now.
func (b *Broker) Expire(now time.Time) []Effect {
	var do []Effect
	for _, e := range slices.Clone(b.live) {
		if due := e.due(); !due.IsZero() && !now.Before(due) {
			do = append(do, b.expire(now, e)...)
		}
	}
	return do
}

func (b *Broker) expire(now time.Time, e *entry) []Effect {
	switch e.stage {
	case cancelling:
		return b.settle(now, e, ByCancel, cancelled, nil, "the editor cancelled the session and left this unanswered")
	case withdrawn:
		return b.settle(now, e, ByAgent, cancelled, nil, "the agent withdrew this, and the editor left it unanswered")
	}
	return b.settle(now, e, ByTimeout, e.refusal(), nil, "nobody answered")
}

// Resumed takes note that the process, or the machine, stood still for gap
// until now. It is called before Expire. Nothing has been answered, and
// nothing read, in that time, so each open request is left open for another
// [Look], and what was cancelled for another [Grace]. Deadlines are not moved
// by gap: whether the clock stood still too depends on the system.
func (b *Broker) Resumed(now time.Time, gap time.Duration) {
	if gap <= 0 {
		return
	}
	for _, e := range b.live {
		e.Deadline = atLeast(e.Deadline, now.Add(Look))
		e.grace = atLeast(e.grace, now.Add(Grace))
	}
}

// atLeast is due, but not before least; zero stays never.
func atLeast(due, least time.Time) time.Time {
	if due.IsZero() || due.After(least) {
		return due
	}
	return least
}
