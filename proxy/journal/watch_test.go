package journal

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"bobproxy/acp"
)

func TestSnapshotThenDeltas(t *testing.T) {
	const total = 6_000 // whose bodies a watcher that is not scheduled may lag by
	j := begin(t, Options{Off: true})
	var wg sync.WaitGroup
	for range 2 { // the two pumps
		wg.Go(func() {
			for n := 0; n < total/2; n += 10 {
				var batch []string
				for range 10 {
					batch = append(batch, update(120))
				}
				j.Append(time.Now(), frames(acp.Agent, batch...))
				j.Kick()
			}
		})
	}
	for range 8 { // watchers that come at any time
		wg.Go(func() {
			events, w := j.Watch(2 * total)
			defer w.Stop()
			next := uint64(1)
			if len(events) > 0 {
				next = events[0].Seq
			}
			check := func(e Event) {
				if e.Seq != next {
					t.Errorf("event %d comes where %d should", e.Seq, next)
				}
				next = e.Seq + 1
				if e.Body != nil && string(e.Body)+"\n" != update(120) {
					t.Errorf("event %d has the body %q", e.Seq, e.Body)
				}
			}
			for _, e := range events {
				check(e)
			}
			for next <= total {
				e, ok := <-w.Events()
				if !ok {
					t.Errorf("ended at %d: %v", next, w.Err())
					return
				}
				check(e)
			}
		})
	}
	wg.Wait()
}

func TestSlowWatcher(t *testing.T) {
	for _, tt := range []struct {
		name         string
		buffer, size int
	}{{"events", 10, 200}, {"bytes", 100_000, 60_000}} {
		t.Run(tt.name, func(t *testing.T) {
			j := begin(t, Options{Off: true})
			_, slow := j.Watch(tt.buffer)
			_, idle := j.Watch(1)
			idle.Stop()
			idle.Stop()
			for range 200 {
				j.Append(time.Now(), frames(acp.Agent, update(tt.size)))
			}
			closed(t, j)
			n := 0
			for e := range slow.Events() {
				if n++; e.Seq != uint64(n) {
					t.Fatalf("event %d comes as number %d", e.Seq, n)
				}
			}
			if slow.Err() != ErrSlow || n == 0 || n > max(tt.buffer, 1) || n*tt.size > watchBytes+tt.size {
				t.Errorf("%v after %d events", slow.Err(), n)
			}
			if _, ok := <-idle.Events(); ok || idle.Err() != nil {
				t.Errorf("stopped: %v", idle.Err())
			}
		})
	}
}

func TestWatcherOfAClosedJournal(t *testing.T) {
	j := begin(t, Options{Off: true})
	_, w := j.Watch(10)
	j.Append(time.Now(), frames(acp.Agent, "x\n"))
	closed(t, j)
	n := 0
	for range w.Events() {
		n++
	}
	if n != 1 || w.Err() != nil {
		t.Errorf("%d events, %v", n, w.Err())
	}
	events, late := j.Watch(10)
	if _, ok := <-late.Events(); ok || len(events) != 1 {
		t.Errorf("%d events", len(events))
	}
	late.Stop()
}

func TestTailIsBounded(t *testing.T) {
	for _, tt := range []struct {
		name     string
		line     func(i int) string
		n        int
		rows     int // exactly, or 0
		withBody int // at most
	}{
		{"small frames", func(int) string { return update(150) }, 50_000, tailRows, tailRows},
		{"large frames", func(int) string { return update(200_000) }, 500, 500, tailBodies / bodySize},
		{"long names", func(i int) string {
			return fmt.Sprintf(`{"id":"%s","method":"%s","params":{"sessionId":"%s"}}`, strings.Repeat("i", 2000), strings.Repeat("m", 2000), strings.Repeat("s", 2000))
		}, 5000, 0, 5000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := begin(t, Options{Off: true})
			for i := range tt.n {
				j.Append(time.Now(), frames(acp.Agent, tt.line(i)))
			}
			closed(t, j)
			events, _ := j.Watch(1)
			bodies, names, with := 0, 0, 0
			for i, e := range events {
				if e.Seq != uint64(tt.n-len(events)+i+1) {
					t.Fatalf("event %d at %d", e.Seq, i)
				}
				if e.Bytes != int64(len(strings.TrimSuffix(tt.line(0), "\n"))) {
					t.Fatalf("size %d", e.Bytes)
				}
				bodies += len(e.Body)
				names += len(e.ID) + len(e.Method) + len(e.Session)
				if e.Body != nil {
					with++
				}
			}
			if tt.rows > 0 && len(events) != tt.rows || with > tt.withBody || with == 0 || bodies > tailBodies || names > tailNames {
				t.Errorf("%d rows, %d with a body, %d bytes of bodies, %d of names", len(events), with, bodies, names)
			}
		})
	}
}

func TestSnapshotIsKept(t *testing.T) {
	j := begin(t, Options{Off: true})
	line := func(i int) string {
		return fmt.Sprintf(`{"id":"%06d","method":"m","params":"%s"}`, i, strings.Repeat("y", 1000))
	}
	fill := func() {
		for i := range 10_000 {
			j.Append(time.Now(), frames(acp.Agent, line(i)))
		}
	}
	fill()
	events, w := j.Watch(100_000)
	w.Stop()
	copies := make([]string, len(events))
	for i, e := range events {
		copies[i] = string(e.ID) + string(e.Body)
	}
	fill()
	fill()
	closed(t, j)
	for i, e := range events {
		if string(e.ID)+string(e.Body) != copies[i] {
			t.Fatalf("event %d has changed", e.Seq)
		}
	}
}

func TestClippedText(t *testing.T) {
	j := begin(t, Options{Off: true})
	j.Note(Event{Type: StderrEvent, Text: strings.Repeat("é", bodySize)})
	closed(t, j)
	events, _ := j.Watch(1)
	if text := events[0].Text; text != strings.Repeat("é", bodySize/2) {
		t.Errorf("%d bytes", len(text))
	}
	if !bytes.Equal(wholeRunes([]byte("aé\xe2\x82")), []byte("aé")) || string(wholeRunes([]byte("é"))) != "é" {
		t.Error("wholeRunes")
	}
}
