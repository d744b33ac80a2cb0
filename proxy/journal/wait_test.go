package journal

import (
	"testing"
	"testing/synctest"
	"time"

	"bobproxy/acp"
)

// Whatever keeps the journal goroutine, the wire is held for 250 ms at most;
// what does not fit is counted, and told once there is room.
func TestFullQueueHoldsTheWireOnlyOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue{instance: "abcde"}
		q.init()
		batch := frames(acp.Agent, update(1000))
		started := time.Now()
		n := uint64(0)
		for time.Since(started) == 0 {
			n = q.append(time.Now(), batch)
		}
		if waited := time.Since(started); waited != patience {
			t.Errorf("the wire was held for %v, want %v", waited, patience)
		}
		for range 10 {
			n = q.append(time.Now(), batch)
		}
		q.note(&Event{Type: StderrEvent, Text: "12345"}, false)
		q.note(&Event{Type: ExitEvent, Exit: &Exit{}}, false)
		if waited := time.Since(started); waited != patience {
			t.Errorf("the wire was held again: %v", waited-patience)
		}
		items, _ := q.take(nil)
		kept := uint64(len(items)) - 1 // the exit is kept, too
		q.append(time.Now(), batch)
		items, _ = q.take(nil)
		if len(items) != 2 || items[0].note == nil || items[0].note.Gap == nil {
			t.Fatalf("%d items, want a gap and a frame", len(items))
		}
		gap := *items[0].note
		if want := (Gap{n - kept + 1, (n-kept)*999 + 5}); *gap.Gap != want || gap.Seq != kept+1 {
			t.Errorf("gap %+v at %d, want %+v at %d", *gap.Gap, gap.Seq, want, kept+1)
		}
	})
}

// A queue that is full but goes on being emptied is waited for, however slow
// that is: nothing is dropped.
func TestSlowIsNotStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue{}
		q.init()
		batch := frames(acp.Agent, update(1000))
		for !q.full(1) {
			q.append(time.Now(), batch)
		}
		go func() { // through with a group every 200 ms, and with all after two seconds
			for range 10 {
				<-time.After(patience * 4 / 5)
				q.done.Add(1)
			}
			q.take(nil)
		}()
		started := time.Now()
		q.append(time.Now(), batch)
		if waited := time.Since(started); waited != 8*patience || q.dropped.Count != 0 {
			t.Errorf("waited for %v, dropped %d frames", waited, q.dropped.Count)
		}
	})
}

// Where a recording is required everything waits, and nothing is dropped.
func TestRequiredWaitsForRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue{required: true}
		q.init()
		const total = 3 * queueBytes / 1000
		go func() {
			for range total {
				q.append(time.Now(), frames(acp.Agent, update(1000)))
			}
			q.close()
		}()
		synctest.Wait() // the other side stands still as long as nobody takes anything
		n := 0
		for items, ok := q.take(nil); ok; items, ok = q.take(nil) {
			n += len(items)
		}
		if n != total {
			t.Errorf("%d frames, want %d", n, total)
		}
	})
}
