package terminal

import "time"

// frame is how far two drawings are apart at least.
const frame = time.Second / 30

// pace says when to draw: at once after a while in which nothing was drawn, at
// most once a frame, and never when nothing happened.
type pace struct {
	last  time.Time // when it was drawn
	dirty bool      // something happened since
}

func (p *pace) drawn(now time.Time) { p.last, p.dirty = now, false }

// due is when to draw, given when the app wants it; zero: when something
// happens.
func (p *pace) due(next time.Time) time.Time {
	soonest := p.last.Add(frame)
	if p.dirty || !next.IsZero() && next.Before(soonest) {
		return soonest
	}
	return next
}
