package journal

import "errors"

// ErrSlow is why a watcher that did not keep up was cut loose.
var ErrSlow = errors.New("watcher is too slow")

const watchBytes = 2 << 20 // of bodies that a watcher may have waiting

// Watcher receives events as they happen. Its methods may be called from any
// goroutine.
type Watcher struct {
	ch    chan Event
	tail  *tail
	err   error // set before ch is closed
	sizes []int // of the events sent last, by number modulo its length
	sent  int   // events
	seen  int   // events known to be received
	bytes int   // of events sent and not seen
}

func newWatcher(t *tail, buffer int) *Watcher {
	buffer = max(buffer, 1)
	return &Watcher{ch: make(chan Event, buffer), tail: t, sizes: make([]int, buffer)}
}

// Events is closed when the journal is closed, after Stop, and when the
// watcher is cut loose; what was sent before can still be received.
func (w *Watcher) Events() <-chan Event { return w.ch }

// Err says, once Events is closed, why: nil or ErrSlow.
func (w *Watcher) Err() error { return w.err }

// Stop ends the watching. It may be called more than once.
func (w *Watcher) Stop() { w.tail.remove(w) }

// send reports false when the watcher has no room. It is called with the
// tail locked.
func (w *Watcher) send(e Event, size int) bool {
	for ; w.seen < w.sent-len(w.ch); w.seen++ {
		w.bytes -= w.sizes[w.seen%len(w.sizes)]
	}
	if len(w.ch) == cap(w.ch) || w.bytes+size > watchBytes && len(w.ch) > 0 {
		return false
	}
	w.sizes[w.sent%len(w.sizes)] = size
	w.sent++
	w.bytes += size
	w.ch <- e // there is room, and nobody else sends
	return true
}
