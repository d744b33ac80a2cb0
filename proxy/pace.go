package proxy

import (
	"sync/atomic"
	"time"
)

// pace is what others may know of a goroutine that reads a pipe. The zero value
// has read nothing.
type pace struct {
	busy  atomic.Bool  // between a read and the next
	bytes atomic.Int64 // read so far
	last  atomic.Int64 // when it was last through with something, in nanoseconds since the program began
}

// began is what paces count their time from: a clock that is set meanwhile does
// not matter to it.
var began = time.Now()

// took notes a read of n bytes.
func (p *pace) took(n int) {
	p.busy.Store(true)
	p.bytes.Add(int64(n))
}

// carried notes that what was read has gone where it should.
func (p *pace) carried() {
	p.last.Store(int64(time.Since(began)))
	p.busy.Store(false)
}

// silent is for how long nothing has come, measured from since if nothing came
// after it. A reader that is still busy with what it read is not silent: what
// it reads from may be waiting for it.
func (p *pace) silent(since time.Time) time.Duration {
	if p.busy.Load() {
		return 0
	}
	if last := began.Add(time.Duration(p.last.Load())); last.After(since) {
		since = last
	}
	return time.Since(since)
}
