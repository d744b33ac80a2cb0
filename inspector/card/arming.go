package card

import "time"

// arming is the time that must pass, without a key, before keys that allow are
// taken. It is over when the screen has said so: what was typed before that,
// while the panel was stopped or the terminal took nothing, was typed at a card
// whose keys were shut. Its zero value waits to be shown.
type arming struct {
	delay time.Duration
	why   string    // what it waits after, in words that begin a sentence
	ready time.Time // zero: it has not been on the screen since
	open  bool      // the keys are open, and the screen says so
}

// lateness is how long after the time was over the screen may say so. When it is
// later, nobody knows when keys that come then were typed.
const lateness = 500 * time.Millisecond

// disarm makes it wait until the card is on the screen again.
func (a *arming) disarm(why string) { a.why, a.ready, a.open = why, time.Time{}, false }

// shown says that the whole card, as it was drawn at drawn, is on the screen.
func (a *arming) shown(drawn, now time.Time) {
	switch {
	case a.open:
	case a.ready.IsZero(), now.Sub(a.ready) > lateness:
		a.ready = now.Add(a.delay)
	case a.over(drawn):
		a.open = true
	}
}

// key starts the time anew while it runs.
func (a *arming) key(now time.Time) {
	if !a.open && !a.ready.IsZero() {
		a.ready = now.Add(a.delay)
	}
}

// over says that the time is over, and that the screen may say so.
func (a *arming) over(now time.Time) bool {
	return a.open || !a.ready.IsZero() && !now.Before(a.ready) && now.Sub(a.ready) <= lateness
}
