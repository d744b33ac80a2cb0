package model

import (
	"time"

	"bobproxy/inspector/lapse"
)

// Until is the time up to which what goes on in the session is measured: now, or
// when nothing went on any more, which over says.
func (s *Session) Until(now time.Time) (at time.Time, over bool) {
	if s.Proxy == nil {
		return now, false
	}
	phase, since := s.State(now)
	switch {
	case phase != IsGone:
		return now, false
	case since.IsZero() || since.After(now):
		return now, true
	}
	return since.In(now.Location()), true
}

// Clock is how much time is left to answer, or, where nobody need hurry, for how
// long it has waited: 0:52 left, for 0:08.
func (o *Permission) Clock(now time.Time) string {
	if left, limited := o.Left(now); limited {
		return lapse.Left(left) + " left"
	}
	return "for " + lapse.Clock(now.Sub(o.Opened))
}

// Left is how much time is left to answer; limited says that there is a time-out.
func (o *Permission) Left(now time.Time) (left time.Duration, limited bool) {
	if o.Card == nil || o.Card.Deadline == nil {
		return 0, false
	}
	return max(o.Card.Deadline.Sub(now), 0), true
}
