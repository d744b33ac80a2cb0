package journal

import (
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Sizes of chunks in bytes.
const (
	StandardChunk = 128 << 10
	LargeChunk    = 2 << 20  // where frames are large
	hugeChunk     = 16 << 20 // above this memory is given back at once
)

// How many chunks are kept for reuse.
const (
	freeStandard = 64
	freeLarge    = 4
)

// Pool hands out chunks. The zero value is ready; any goroutine may use it.
type Pool struct {
	mu              sync.Mutex
	standard, large []*Chunk
}

// NewPool makes an empty pool.
func NewPool() *Pool { return new(Pool) }

// Get gives a chunk of at least size bytes, held once by the caller: a
// standard or a large one, whose memory is used again, or one made to size and
// left to the collector.
func (p *Pool) Get(size int) *Chunk {
	free, size := p.class(size)
	if free == nil {
		return newChunk(p, size)
	}
	p.mu.Lock()
	last := len(*free) - 1
	if last < 0 {
		p.mu.Unlock()
		return newChunk(p, size)
	}
	c := (*free)[last]
	*free = (*free)[:last]
	p.mu.Unlock()
	c.refs.Store(1)
	return c
}

// class is the list that chunks for size bytes are kept in, none for the
// largest, and their real size.
func (p *Pool) class(size int) (free *[]*Chunk, real int) {
	switch {
	case size <= StandardChunk:
		return &p.standard, StandardChunk
	case size <= LargeChunk:
		return &p.large, LargeChunk
	}
	return nil, size
}

// put keeps c for the next Get, if there is room.
func (p *Pool) put(c *Chunk) bool {
	free, _ := p.class(len(c.b))
	if free == nil {
		return false
	}
	most := freeStandard
	if free == &p.large {
		most = freeLarge
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(*free) >= most {
		return false
	}
	*free = append(*free, c)
	return true
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
	case c.pool.put(c):
	default:
		huge := len(c.b) > hugeChunk
		c.b = nil
		if huge {
			debug.FreeOSMemory()
		}
	}
}
