package journal

// spliceSize is from where a frame's body is not copied but written from
// where it lies.
const spliceSize = 16 << 10

// batch is a piece of recording on its way to the file: whole records.
type batch struct {
	buf    []byte
	splits []split
	ends   []end
	size   int64 // bytes of all records
	sync   bool  // has a decision, which belongs on the disk
}

func newBatch() *batch { return &batch{buf: make([]byte, 0, handBytes+2*spliceSize)} }

// split says that body comes in after buf[:at].
type split struct {
	at    int
	body  []byte
	chunk *Chunk // held; nil when body is nobody's chunk
}

// end is where a record ends, and what would be missing without it.
type end struct {
	at    int64
	seq   uint64
	count uint64 // records: 1, or those a gap stands for
	bytes uint64 // of the wire
}

// add encodes one event. Its chunk is held if its body is left where it is.
func (b *batch) add(enc *encoder, e *Event, c *Chunk) {
	before := len(b.buf)
	b.buf = enc.begin(b.buf, e)
	if e.Form == FrameBody && len(e.Body) >= spliceSize {
		b.buf = append(b.buf, `,"frame":`...)
		if c != nil {
			c.Hold()
		}
		b.splits = append(b.splits, split{len(b.buf), e.Body, c})
		b.size += int64(len(e.Body))
		b.buf = append(b.buf, "}\n"...)
	} else {
		b.buf = enc.body(b.buf, e)
	}
	b.size += int64(len(b.buf) - before)
	b.sync = b.sync || e.Type == DecisionEvent
	count, bytes := weight(e)
	b.ends = append(b.ends, end{b.size, e.Seq, count, bytes})
}

// weight is what a gap says when e is missing.
func weight(e *Event) (count, bytes uint64) {
	if e.Type == GapEvent && e.Gap != nil {
		return e.Gap.Count, e.Gap.Bytes
	}
	return 1, uint64(e.Bytes) + uint64(len(e.Text))
}

// slices appends what is to be written, in order.
func (b *batch) slices(bufs [][]byte) [][]byte {
	at := 0
	for _, s := range b.splits {
		bufs = append(bufs, b.buf[at:s.at], s.body)
		at = s.at
	}
	return append(bufs, b.buf[at:])
}

// last is the highest sequence number of a batch that is not empty.
func (b *batch) last() uint64 { return b.ends[len(b.ends)-1].seq }

// reset lets go of all chunks and makes b empty. A burst's memory is not kept.
func (b *batch) reset() {
	for _, s := range b.splits {
		if s.chunk != nil {
			s.chunk.Release()
		}
	}
	clear(b.splits)
	b.splits, b.ends, b.buf = b.splits[:0], b.ends[:0], b.buf[:0]
	b.size, b.sync = 0, false
	if cap(b.buf) > 4*handBytes {
		b.buf = nil
	}
	if cap(b.ends) > 4<<10 {
		b.ends = nil
	}
}
