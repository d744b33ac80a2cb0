package load

import (
	"context"
	"time"
)

// Usage is what a middle has taken from the machine; the package comment says
// what is counted.
type Usage struct {
	Processes int
	CPU       time.Duration // user and system
	Peak      int64         // bytes
	Resident  int64         // bytes
}

const (
	still   = 150 * time.Millisecond // longer than a recorder waits before it writes
	idleCPU = time.Millisecond       // what timers may use meanwhile
)

// Settle waits until the middle's CPU time has stood still for a while and
// returns its usage.
func (l *Link) Settle(ctx context.Context) (Usage, error) {
	tick := time.NewTicker(still / 10)
	defer tick.Stop()
	at, since := Usage{CPU: -idleCPU}, time.Now()
	for {
		now, err := l.Usage()
		if err != nil {
			return now, err
		}
		if now.CPU-at.CPU >= idleCPU {
			at, since = now, time.Now()
		}
		if time.Since(since) >= still {
			return now, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return now, ctx.Err()
		}
	}
}
