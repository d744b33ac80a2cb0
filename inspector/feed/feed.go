package feed

import (
	"context"
	"sync"
	"time"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// Options say what is followed.
type Options struct {
	Lookup  func(string) (string, bool) // the environment; nil: ours
	Every   time.Duration               // between looks for proxies; zero: 400 ms
	Only    string                      // the instance to follow; empty: all
	As      broker.By                   // panel or command; empty: panel
	Protect func()                      // deferred in each goroutine of the feed; nil: nothing

	find func() ([]control.Endpoint, []control.Problem) // for tests; nil: control.Find
}

func (o Options) every() time.Duration {
	if o.Every > 0 {
		return o.Every
	}
	return 400 * time.Millisecond
}

func (o Options) as() broker.By {
	if o.As != "" {
		return o.As
	}
	return broker.ByPanel
}

// Feed follows proxies. Its methods may be called from any goroutine.
type Feed struct {
	opts     Options
	ctx      context.Context // done when the feed ends
	stop     context.CancelFunc
	messages chan any
	recalls  chan struct{} // holds a token for each recording that is being read
	running  sync.WaitGroup

	mu        sync.Mutex
	closed    bool
	followers map[control.Endpoint]*follower
}

// Start begins to follow, until Close or the end of ctx.
func Start(ctx context.Context, o Options) *Feed {
	if o.Protect == nil {
		o.Protect = func() {}
	}
	if o.find == nil {
		o.find = func() ([]control.Endpoint, []control.Problem) { return control.Find(o.Lookup) }
	}
	f := &Feed{
		opts: o, messages: make(chan any, mostQueued), recalls: make(chan struct{}, 2),
		followers: map[control.Endpoint]*follower{},
	}
	f.ctx, f.stop = context.WithCancel(ctx)
	f.running.Add(1)
	go f.look()
	return f
}

// Messages are what happens. The channel is never closed.
func (f *Feed) Messages() <-chan any { return f.messages }

// Close ends the feed and waits for its goroutines, and for calls that are under
// way. What was not read is lost.
func (f *Feed) Close() {
	f.stop()
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.running.Wait()
}

// send waits until m can be queued; false when the feed ends.
func (f *Feed) send(m any) bool {
	select {
	case f.messages <- m:
		return true
	case <-f.ctx.Done():
		return false
	}
}

// pause waits for d; false when the feed ends.
func (f *Feed) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-f.ctx.Done():
		return false
	}
}

// enter takes part in what Close waits for, unless the feed is closed.
func (f *Feed) enter() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return false
	}
	f.running.Add(1)
	return true
}
