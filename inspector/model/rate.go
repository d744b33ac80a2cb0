package model

import (
	"math"
	"time"

	"bobproxy/acp"
)

const (
	tick  = 100 * time.Millisecond
	ticks = 10 // a second of them
)

// rate counts the frames of the last second or so.
type rate struct {
	counts [ticks][3]int
	newest int64 // number of the tick that was counted last
}

func (r *rate) add(at time.Time, from acp.Direction) {
	n := at.UnixNano() / int64(tick)
	if r.advance(n); n > r.newest-ticks && n <= r.newest {
		r.counts[mod(n)][from]++
	}
}

// miss counts events of which nobody told us, as far as they fall into the last
// second. They count as the agent's, which are nearly all where any are missed.
func (r *rate) miss(since, until time.Time, count uint64) {
	if d := until.Sub(since); d > time.Second {
		count = uint64(float64(count) / d.Seconds())
	}
	n := until.UnixNano() / int64(tick)
	if r.advance(n); n > r.newest-ticks {
		r.counts[mod(n)][acp.Agent] += int(min(count, math.MaxInt32))
	}
}

// advance forgets what is more than a second before tick n.
func (r *rate) advance(n int64) {
	for i := max(r.newest, n-ticks) + 1; i <= n; i++ {
		r.counts[mod(i)] = [3]int{}
	}
	r.newest = max(r.newest, n)
}

func mod(n int64) int64 { return (n%ticks + ticks) % ticks }

// Rate is how many frames a second came from the agent (in, to the editor) and
// from the editor (out), over the last second; events that were missed are among
// them.
func (p *Proxy) Rate(now time.Time) (in, out float64) {
	r := p.mem.rate
	r.advance(now.UnixNano() / int64(tick))
	for _, c := range r.counts {
		in += float64(c[acp.Agent])
		out += float64(c[acp.Client])
	}
	return in, out
}
