package journal

import (
	"runtime"
	"testing"
	"time"

	"bobproxy/acp"
)

func TestAppendAllocatesNothing(t *testing.T) {
	_, fs := batchOf(NewPool(), 200)
	q := new(queue)
	q.init()
	q.items = make([]item, 0, queueItems)
	n := testing.AllocsPerRun(100, func() {
		q.append(time.Now(), fs)
		releaseRuns(q.items)
		q.items, q.bytes = q.items[:0], 0
	})
	if n != 0 {
		t.Errorf("%v allocations for %d frames", n, len(fs))
	}
}

// A million frames through tail and recording leave no trace on the heap:
// what is allocated is counted, not how long it takes.
func TestMillionFrames(t *testing.T) {
	const total = 1_000_000
	f := new(nowhere)
	j := begin(t, Options{Instance: "test1", Secrets: []string{"never-to-be-seen"}, open: f.open})
	pool := NewPool()
	c, fs := batchOf(pool, 200)
	send := func(total int) {
		for n := 0; n < total; n += len(fs) {
			j.Append(time.Now(), fs[:min(len(fs), total-n)])
			j.Kick()
		}
	}
	send(100_000) // everything grows to its size
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	send(total)
	runtime.ReadMemStats(&after)
	closed(t, j)
	c.Release()
	if n := after.Mallocs - before.Mallocs; n > total/100 && !racing {
		t.Errorf("%d allocations for %d frames", n, total)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if after.HeapAlloc > 32<<20 {
		t.Errorf("%d bytes on the heap", after.HeapAlloc)
	}
	if f.n < total*200 {
		t.Errorf("%d bytes recorded", f.n)
	}
	if len(pool.standard) != 1 || c.refs.Load() != 0 {
		t.Errorf("%d chunks came back, %d holds left", len(pool.standard), c.refs.Load())
	}
}

func TestChunks(t *testing.T) {
	pool := NewPool()
	a := pool.Get(1)
	if len(a.Bytes()) != StandardChunk {
		t.Errorf("%d bytes", len(a.Bytes()))
	}
	a.Hold()
	a.Release()
	if b := pool.Get(1); b == a {
		t.Error("a chunk in use was handed out")
	}
	a.Release()
	if b := pool.Get(StandardChunk); b != a {
		t.Error("a free chunk was not used again")
	}
	big := pool.Get(hugeChunk + 1)
	if len(big.Bytes()) != hugeChunk+1 {
		t.Errorf("%d bytes", len(big.Bytes()))
	}
	big.Release()
	if big.b != nil || len(pool.standard) != 0 {
		t.Error("a large chunk is kept")
	}
	var all []*Chunk
	for range freeStandard + 5 {
		all = append(all, pool.Get(1))
	}
	for _, c := range all {
		c.Release()
	}
	if len(pool.standard) != freeStandard {
		t.Errorf("%d chunks are kept", len(pool.standard))
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for one release too many")
		}
	}()
	big.Release()
}

func TestNumbersAreInCallOrder(t *testing.T) {
	j := begin(t, Options{Off: true})
	for i, want := range []uint64{3, 4, 6} {
		var got uint64
		if i == 1 {
			got = j.Note(Event{Type: WarningEvent})
		} else {
			got = j.Append(time.Now(), frames(acp.Client, lines[:3-i/2]...))
		}
		if got != want {
			t.Errorf("call %d gives %d, want %d", i, got, want)
		}
	}
}
