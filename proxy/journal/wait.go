package journal

import "time"

// waitForRoom is called with mu held and says whether there is room. While the
// journal goroutine goes on it waits, so that a flood is slowed to what can be
// recorded. When that goroutine has stood still for patience, and recording is
// not required, it waits no more until half of the queue is free again, and
// what does not fit is counted. So whatever the journal goroutine is stuck in,
// the wire goes on.
func (q *queue) waitForRoom() bool {
	if q.dropping {
		if q.full(2) {
			return false
		}
		q.resume()
	}
	if q.full(1) && !q.closed {
		q.waitWhileFull()
	}
	q.dropping = q.full(1) && !q.closed
	return !q.dropping && !q.closed
}

// full says that a part of the queue is: all of it, or a half.
func (q *queue) full(part int) bool {
	return q.bytes >= queueBytes/part || len(q.items) >= queueItems/part
}

func (q *queue) waitWhileFull() {
	over := false
	if !q.required {
		seen := q.done.Load()
		var timer *time.Timer
		timer = time.AfterFunc(patience, func() {
			q.mu.Lock()
			defer q.mu.Unlock()
			if done := q.done.Load(); done != seen {
				seen = done
				timer.Reset(patience)
				return
			}
			over = true
			q.room.Broadcast()
		})
		defer timer.Stop()
	}
	for q.full(1) && !q.closed && !over {
		q.wakeNow()
		q.room.Wait()
	}
}

// drop counts frames that do not fit.
func (q *queue) drop(frames []Frame) {
	for i := range frames {
		q.seq++
		body, _ := splitEOL(frames[i].Line)
		q.dropped.add(q.seq, 1, uint64(max(len(body), frames[i].Size)))
	}
}

// resume tells how much was dropped, now that there is room.
func (q *queue) resume() {
	q.dropping = false
	if q.dropped.Count == 0 {
		return
	}
	e := gapEvent(q.dropped, time.Now().UTC(), q.instance)
	q.items = append(q.items, item{note: &e, seq: e.Seq})
	q.dropped = gap{}
}
