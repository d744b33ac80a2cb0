package main

import (
	"context"
	"sync"
	"time"
)

// rescan is how often somebody who waits looks for proxies that have started.
const rescan = 500 * time.Millisecond

// wait returns what all proxies say as soon as one of them, now running or
// started later, has a permission request that waits; found is false when ctx
// ended first.
func wait(ctx context.Context, p proxies) (s survey, found bool) {
	limit, stop := context.WithCancel(ctx)
	w := watch{p: p, opened: make(chan endpoint), watched: map[endpoint]bool{}}
	defer w.ended.Wait()
	defer stop()
	w.begin(limit)
	again := time.NewTicker(rescan)
	defer again.Stop()
	for ask := true; ; {
		if ask {
			// What ctx leaves is not what a proxy needs to answer.
			if s = look(context.WithoutCancel(ctx), p); len(s.waiting()) > 0 {
				return s, true
			}
		}
		ask = false
		select {
		case <-limit.Done():
			return s, false
		case e := <-w.opened:
			delete(w.watched, e)
			ask = true
		case <-again.C:
			w.begin(limit)
		}
	}
}

// watch has one goroutine for each proxy, which ends when the proxy has
// something to ask or cannot be watched, and is begun anew at the next rescan.
type watch struct {
	p       proxies
	watched map[endpoint]bool
	opened  chan endpoint
	ended   sync.WaitGroup
}

// begin watches the proxies that nobody watches.
func (w *watch) begin(ctx context.Context) {
	list, _ := w.p.find()
	for _, e := range list {
		if !w.watched[e] {
			w.watched[e] = true
			w.ended.Go(func() { w.one(ctx, e) })
		}
	}
}

func (w *watch) one(ctx context.Context, e endpoint) {
	// An error is worth a look as much: what cannot be watched may still answer.
	_ = w.p.asked(ctx, e)
	select {
	case w.opened <- e:
	case <-ctx.Done():
	}
}
