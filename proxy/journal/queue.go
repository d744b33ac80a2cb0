package journal

import (
	"sync"
	"sync/atomic"
	"time"

	"bobproxy/acp"
)

const (
	queueBytes = 2 << 20 // of lines in the queue; as much again may be in work
	queueItems = 8192    // the same for their number

	wakeBytes = 64 << 10              // a kick with this much in the queue wakes at once
	settle    = 20 * time.Millisecond // a kick with less waits this long for more
	backstop  = 50 * time.Millisecond // without any kick
)

// item is a frame or a note on its way to the journal goroutine.
type item struct {
	note *Event // nil for a frame

	seq   uint64
	at    int64 // Unix nanoseconds
	line  []byte
	chunk *Chunk

	id, method, session []byte // as scanned
	asked, joined       string // method and session where the frame itself does not say
	action, reason      string
	size                int

	dir    acp.Direction
	kind   acp.Kind
	eol    acp.EOL
	odd    acp.Reason
	strict bool
	added  bool
}

// queue numbers what comes in and carries it to the journal goroutine. What a
// pump pays for is one lock and one copy of the envelope per frame; waking
// the other side is put off until the bytes are on the wire.
type queue struct {
	mu     sync.Mutex
	room   sync.Cond // signalled when items were taken and when closed
	items  []item
	bytes  int
	seq    uint64 // the last one given
	closed bool
	asleep bool // the journal goroutine waits for a wake-up

	done     atomic.Uint64 // groups of events that the other side is through with
	required bool          // nothing is dropped, however long it takes
	dropping bool          // the other side did not take anything for too long
	dropped  gap
	instance string

	wake      chan struct{}
	soon      *time.Timer // armed by a small kick
	late      *time.Timer // armed by an append
	soonSet   bool
	lateSet   bool
	impatient int // callers of Wait, who need every record at once
}

func (q *queue) init() {
	q.room.L = &q.mu
	q.wake = make(chan struct{}, 1)
	q.soon = stoppedTimer()
	q.late = stoppedTimer()
}

func stoppedTimer() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// append numbers frames and queues them. A batch is never cut: it is let in
// whole as soon as the queue is not full.
func (q *queue) append(at time.Time, frames []Frame) uint64 {
	now := at.UnixNano()
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.waitForRoom() {
		q.drop(frames)
		return q.seq
	}
	for i := range frames {
		q.seq++
		q.push(&frames[i], now)
	}
	holdRuns(frames)
	q.arm(&q.lateSet, q.late, backstop)
	return q.seq
}

func (q *queue) push(f *Frame, now int64) {
	q.bytes += len(f.Line)
	q.items = append(q.items, item{
		seq:     q.seq,
		at:      now,
		line:    f.Line,
		chunk:   f.Chunk,
		id:      f.Scan.ID,
		method:  f.Scan.Method,
		session: f.Scan.Session,
		asked:   f.Method,
		joined:  f.Session,
		action:  f.Action,
		reason:  f.Reason,
		size:    f.Size,
		dir:     f.Dir,
		kind:    f.Scan.Kind,
		eol:     f.Scan.EOL,
		odd:     f.Scan.Reason,
		strict:  f.Scan.Strict,
		added:   f.Added,
	})
}

// holdRuns holds the chunk of each frame; frames in a row mostly share one.
func holdRuns(frames []Frame) {
	for i := 0; i < len(frames); {
		c, n := frames[i].Chunk, 1
		for i+n < len(frames) && frames[i+n].Chunk == c {
			n++
		}
		if c != nil {
			c.hold(int64(n))
		}
		i += n
	}
}

// releaseRuns is the counterpart of holdRuns.
func releaseRuns(items []item) {
	for i := 0; i < len(items); {
		c, n := items[i].chunk, 1
		for i+n < len(items) && items[i+n].chunk == c {
			n++
		}
		if c != nil {
			c.release(int64(n))
		}
		i += n
	}
}

// note queues an event. With force it does not wait for room, for the sake of
// the recorder, whom the taker of the queue may be waiting for. Of notes only
// the agent's words are dropped.
func (q *queue) note(e *Event, force bool) uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	room := force || q.waitForRoom()
	q.seq++
	e.Seq = q.seq
	switch {
	case q.closed:
		return q.seq
	case !room && e.Type == StderrEvent:
		count, bytes := weight(e)
		q.dropped.add(q.seq, count, bytes)
		return q.seq
	}
	q.bytes += len(e.Text)
	q.items = append(q.items, item{note: e, seq: q.seq})
	if e.Type == DecisionEvent {
		q.wakeNow()
	} else {
		q.arm(&q.soonSet, q.soon, settle)
	}
	return q.seq
}

// kick lets the journal goroutine run: at once when there is much to do or
// somebody waits for it, else a little later, so that an exchange of small
// frames does not pay for a wake-up and a file write each.
func (q *queue) kick() {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case !q.asleep || len(q.items) == 0:
	case q.bytes >= wakeBytes || len(q.items) >= queueItems/2 || q.impatient > 0:
		q.wakeNow()
	default:
		q.arm(&q.soonSet, q.soon, settle)
	}
}

// hurry makes the journal goroutine run at once, and at every kick until
// unhurry.
func (q *queue) hurry() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.impatient++
	q.wakeNow()
}

func (q *queue) unhurry() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.impatient--
}

// wakeNow is called with mu held.
func (q *queue) wakeNow() {
	if !q.asleep {
		return
	}
	q.asleep = false
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// arm is called with mu held. No timer runs while there is nothing to do.
func (q *queue) arm(set *bool, t *time.Timer, d time.Duration) {
	if !*set && q.asleep {
		*set = true
		t.Reset(d)
	}
}

// take waits for items and exchanges them for spare, which must be empty. It
// reports false when the queue is closed and drained.
func (q *queue) take(spare []item) ([]item, bool) {
	for {
		q.mu.Lock()
		if len(q.items) > 0 {
			items := q.items
			q.items, q.bytes, q.asleep = spare, 0, false
			q.room.Broadcast()
			q.mu.Unlock()
			return items, true
		}
		if q.closed {
			q.mu.Unlock()
			return nil, false
		}
		q.asleep = true
		q.mu.Unlock()
		q.sleep()
	}
}

func (q *queue) sleep() {
	select {
	case <-q.wake:
	case <-q.soon.C:
		q.clear(&q.soonSet)
	case <-q.late.C:
		q.clear(&q.lateSet)
	}
}

func (q *queue) clear(set *bool) {
	q.mu.Lock()
	*set = false
	q.mu.Unlock()
}

// close lets nothing more in.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.resume()
	}
	q.closed = true
	q.wakeNow()
	q.room.Broadcast()
}
