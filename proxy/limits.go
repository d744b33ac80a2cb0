package proxy

import "time"

// MaxFrame is the longest line, in bytes, that is held as a whole. A longer one
// passes while it arrives.
const MaxFrame = 128 << 20

// limits are the waits of a run, most of them of the shutdown ladder; tests
// shorten them.
type limits struct {
	hello time.Duration // after the start: silence of the agent until a hint is recorded
	idle  time.Duration // editor's stdin ended, no answer owed: silence of the agent until it is ended
	grace time.Duration // between the signal and the kill
	quiet time.Duration // after the agent's exit: silence of its pipes until they are given up
	drain time.Duration // after the agent's exit: most that a pipe others hold is read on
	close time.Duration // most that the recording is waited for
	frame int           // MaxFrame
}

var defaults = limits{
	hello: 10 * time.Second,
	idle:  5 * time.Second,
	grace: 2 * time.Second,
	quiet: 250 * time.Millisecond,
	drain: 2 * time.Second,
	close: time.Second,
	frame: MaxFrame,
}
