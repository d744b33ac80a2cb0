package journal

import (
	"runtime/debug"
	"sync"
	"sync/atomic"
)

const (
	chunkSize  = 128 << 10 // bytes of a standard chunk
	freeChunks = 64        // standard chunks kept for reuse
	hugeChunk  = 16 << 20  // above this many bytes memory is given back at once
)

// Pool hands out chunks. The zero value is ready; any goroutine may use it.
type Pool struct {
	mu   sync.Mutex
	free []*Chunk
}

// NewPool makes an empty pool.
func NewPool() *Pool { return new(Pool) }

// Get gives a chunk of at least size bytes, held once by the caller. Up to
// 128 KiB it is a standard chunk, whose memory is used again; a larger one is
// made to size and left to the collector.
func (p *Pool) Get(size int) *Chunk {
	if size > chunkSize {
		return newChunk(p, size)
	}
	p.mu.Lock()
	last := len(p.free) - 1
	if last < 0 {
		p.mu.Unlock()
		return newChunk(p, chunkSize)
	}
	c := p.free[last]
	p.free = p.free[:last]
	p.mu.Unlock()
	c.refs.Store(1)
	return c
}

func (p *Pool) put(c *Chunk) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) < freeChunks {
		p.free = append(p.free, c)
	}
}

// Chunk is memory that frames lie in. A pump fills it and the journal reads
// it later; it goes back to its pool when nobody holds it any more.
type Chunk struct {
	b    []byte
	refs atomic.Int64
	pool *Pool
}

func newChunk(p *Pool, size int) *Chunk {
	c := &Chunk{b: make([]byte, size), pool: p}
	c.refs.Store(1)
	return c
}

// Bytes is the whole memory of the chunk. Only its first holder writes to it,
// and only where no frame lies yet.
func (c *Chunk) Bytes() []byte { return c.b }

// Hold keeps the memory until one more Release. Only a holder may call it.
func (c *Chunk) Hold() { c.hold(1) }

// Release gives up one hold. After the last one the memory belongs to the
// next Get; the last release of a chunk above 16 MiB returns it to the system,
// which takes some milliseconds.
func (c *Chunk) Release() { c.release(1) }

func (c *Chunk) hold(n int64) { c.refs.Add(n) }

func (c *Chunk) release(n int64) {
	left := c.refs.Add(-n)
	switch {
	case left > 0:
	case left < 0:
		panic("journal: chunk released more often than held")
	case len(c.b) == chunkSize:
		c.pool.put(c)
	default:
		huge := len(c.b) > hugeChunk
		c.b = nil
		if huge {
			debug.FreeOSMemory()
		}
	}
}
