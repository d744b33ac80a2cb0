package card

import "time"

// arming is the time that must pass, without a key, before keys that allow are
// taken. Its zero value waits to be shown.
type arming struct {
	delay time.Duration
	why   string    // what it waits after, in words that begin a sentence
	ready time.Time // zero: it has not been on the screen since
}

// disarm makes it wait until the card is on the screen again.
func (a *arming) disarm(why string) { a.why, a.ready = why, time.Time{} }

// shown says that the whole card is on the screen.
func (a *arming) shown(now time.Time) {
	if a.ready.IsZero() {
		a.ready = now.Add(a.delay)
	}
}

// key starts the time anew while it runs.
func (a *arming) key(now time.Time) {
	if !a.ready.IsZero() && now.Before(a.ready) {
		a.ready = now.Add(a.delay)
	}
}

func (a *arming) armed(now time.Time) bool { return !a.ready.IsZero() && !now.Before(a.ready) }
