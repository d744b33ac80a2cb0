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
	last  atomic.Int64 // when it last read something, in Unix nanoseconds
}

// took notes a read of n bytes.
func (p *pace) took(n int) {
	p.busy.Store(true)
	if n > 0 {
		p.bytes.Add(int64(n))
		p.last.Store(time.Now().UnixNano())
	}
}

// silent is for how long nothing has been read, measured from since if nothing
// ever was. A reader that is still busy with what it read is not silent.
func (p *pace) silent(since time.Time) time.Duration {
	if p.busy.Load() {
		return 0
	}
	if last := time.Unix(0, p.last.Load()); last.After(since) {
		since = last
	}
	return time.Since(since)
}
