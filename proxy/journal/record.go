package journal

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

const (
	bufferBytes  = 2 << 20   // of records waiting for the file
	headBytes    = 512       // of a record without its body, about
	handBytes    = 128 << 10 // records are handed over at this size at the latest
	spareBatches = bufferBytes / handBytes
	patience     = 250 * time.Millisecond // how long a full buffer may hold the wire
	retryFirst   = 100 * time.Millisecond // between attempts, doubling
	retryLast    = 5 * time.Second
)

// recorder takes records to the file. The journal goroutine encodes them into
// a batch; the recorder goroutine, and only that, touches the file.
type recorder struct {
	required bool
	warn     func(string)
	done     chan struct{}
	freed    chan struct{} // tells the journal goroutine that there is room

	// Of the journal goroutine.
	enc      *encoder
	filling  *batch
	headroom int64 // bytes that fit whatever the recorder goroutine does
	dropping bool
	dropped  gap

	mu      sync.Mutex
	changed sync.Cond // on mu; any of the fields below
	ready   []*batch  // to be written, oldest first
	spare   []*batch
	waiting int64 // bytes in ready and in the recorder goroutine's hand
	written uint64
	failed  error  // with required: why nothing is recorded any more
	ended   bool   // no more records come
	gaveUp  bool   // nothing is written any more, or Close waits no longer for it
	name    string // of the file
	lost    Gap    // at the end

	w writer
}

// gap adds up records that are missing in a row.
type gap struct {
	Gap
	seq uint64 // of the first
}

func (g *gap) add(seq, count, bytes uint64) {
	if g.Count == 0 {
		g.seq = seq
	}
	g.Count += count
	g.Bytes += bytes
}

func newRecorder(open opener, opts Options, warn func(string)) *recorder {
	r := &recorder{
		required: opts.Required,
		warn:     warn,
		done:     make(chan struct{}),
		freed:    make(chan struct{}, 1),
		enc:      newEncoder(),
	}
	r.changed.L = &r.mu
	r.w = writer{recorder: r, open: open, segment: opts.segment(), enc: newEncoder(), instance: opts.Instance}
	return r
}

// add encodes a group of events. When the buffer is full it waits, but no
// longer than 250 ms in a row; then records are counted until half of the
// buffer is free again.
func (r *recorder) add(events []Event, items []item) {
	for i := range events {
		e := &events[i]
		size := int64(len(e.Body)+len(e.Text)) + headBytes
		if !r.room(size) {
			count, bytes := weight(e)
			r.dropped.add(e.Seq, count, bytes)
			continue
		}
		if r.dropped.Count > 0 {
			r.resume(e.Time)
		}
		b := r.fill()
		b.add(r.enc, e, items[i].chunk)
		if b.size >= handBytes {
			r.flush()
		}
	}
}

// resume records how much was dropped.
func (r *recorder) resume(now time.Time) {
	e := gapEvent(r.dropped, now, r.w.instance)
	r.fill().add(r.enc, &e, nil)
	r.dropped = gap{}
}

func gapEvent(g gap, now time.Time, instance string) Event {
	return Event{Time: now, Seq: g.seq, Instance: instance, Type: GapEvent, Gap: &g.Gap}
}

// fill gives the batch that records are encoded into: the newest one that
// waits, while it is small, so that many short records make few writes.
func (r *recorder) fill() *batch {
	if r.filling != nil {
		return r.filling
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if last := len(r.ready) - 1; last >= 0 && r.ready[last].size < handBytes {
		r.filling, r.ready = r.ready[last], r.ready[:last]
		r.waiting -= r.filling.size
	} else if last := len(r.spare) - 1; last >= 0 {
		r.filling, r.spare = r.spare[last], r.spare[:last]
	} else {
		r.filling = newBatch()
	}
	return r.filling
}

// flush hands over what was encoded.
func (r *recorder) flush() {
	if r.filling == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ready = append(r.ready, r.filling)
	r.waiting += r.filling.size
	r.filling = nil
	r.changed.Broadcast()
}

// finish says that no more records come.
func (r *recorder) finish() {
	if r.dropped.Count > 0 {
		r.resume(time.Now().UTC())
	}
	r.flush()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	r.changed.Broadcast()
}

// run is the recorder goroutine. It ends when everything is written after
// finish; a file that hangs may keep it beyond the end of Close.
func (r *recorder) run() {
	defer close(r.done)
	for {
		b := r.next()
		if b == nil {
			r.end(r.w.end())
			return
		}
		r.w.write(b)
		r.put(b)
	}
}

// next waits for a batch to write; nil means that none comes any more.
func (r *recorder) next() *batch {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.ready) == 0 {
		if r.ended {
			return nil
		}
		r.changed.Wait()
	}
	b := r.ready[0]
	r.ready = append(r.ready[:0], r.ready[1:]...)
	return b
}

// put takes a batch back.
func (r *recorder) put(b *batch) {
	size := b.size
	b.reset()
	r.mu.Lock()
	r.waiting -= size
	if len(r.spare) < spareBatches {
		r.spare = append(r.spare, b)
	}
	r.mu.Unlock()
	r.free()
}

// free lets the journal goroutine look for room again.
func (r *recorder) free() {
	select {
	case r.freed <- struct{}{}:
	default:
	}
}

// end notes what is missing at the end, and that nothing is written any more.
func (r *recorder) end(missing Gap) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lost = missing
	r.gaveUp = true
	r.changed.Broadcast()
}

// reached notes how far the file has got.
func (r *recorder) reached(seq uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.written = seq
	r.changed.Broadcast()
}

// progress is how far the file has got.
func (r *recorder) progress() (seq uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.written
}

// fail ends a required recording.
func (r *recorder) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed == nil {
		r.failed = fmt.Errorf("recording: %w", err)
	}
	r.changed.Broadcast()
	r.free()
}

// wait returns when record seq is written or cannot be any more.
func (r *recorder) wait(seq uint64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.written < seq {
		switch {
		case r.failed != nil:
			return r.failed
		case r.gaveUp:
			return ErrClosed
		}
		r.changed.Wait()
	}
	return nil
}

func (r *recorder) path() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.name
}

// abandon makes everybody stop waiting for a file that hangs.
func (r *recorder) abandon(after time.Duration) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gaveUp = true
	r.changed.Broadcast()
	r.free()
	return fmt.Errorf("recording: still not written after %v", after)
}

// result is what Close says when all is over.
func (r *recorder) result() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed != nil {
		return r.failed
	}
	if r.lost.Count > 0 {
		return fmt.Errorf("recording: %w: %d records, %d bytes", errMissing, r.lost.Count, r.lost.Bytes)
	}
	return nil
}

var errMissing = errors.New("the end is missing")

// ending says that no more records come.
func (r *recorder) ending() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended
}

// named notes the file that is written to.
func (r *recorder) named(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.name = name
}
