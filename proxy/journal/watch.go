package journal

import "errors"

// ErrSlow is why a watcher that did not keep up was cut loose.
var ErrSlow = errors.New("watcher is too slow")

// Watcher receives events as they happen.
type Watcher struct {
	ch chan Event
}

// Events is closed when the journal is closed, after Stop, and when the
// watcher is cut loose.
func (w *Watcher) Events() <-chan Event { return w.ch }

// Err says, once Events is closed, why: nil or ErrSlow.
func (w *Watcher) Err() error { return nil }

// Stop ends the watching. It may be called more than once.
func (w *Watcher) Stop() {}
