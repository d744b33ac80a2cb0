package journal

// arena keeps many small pieces of memory in few blocks, oldest first. Blocks
// that nobody outside looks at are used again.
type arena struct {
	size    int // bytes of a block, which no piece may exceed
	blocks  []*block
	first   uint32 // number of blocks[0]
	spare   []*block
	watched bool // pieces are handed out as they come
}

type block struct {
	b      []byte
	shared bool // handed out: may not be used again
}

// piece is where something lies in an arena. It is small, since a tail has two
// in each row; 2³² blocks are more than 64 TB.
type piece struct{ block, off, n uint32 }

// put copies p and returns where it is.
func (a *arena) put(p []byte) piece {
	last := len(a.blocks) - 1
	if last < 0 || len(a.blocks[last].b)+len(p) > a.size {
		a.blocks = append(a.blocks, a.fresh())
		last++
	}
	b := a.blocks[last]
	off := len(b.b)
	b.b = append(b.b, p...)
	return piece{a.first + uint32(last), uint32(off), uint32(len(p))}
}

func (a *arena) fresh() *block {
	if last := len(a.spare) - 1; last >= 0 {
		b := a.spare[last]
		a.spare = a.spare[:last]
		b.shared = a.watched
		return b
	}
	return &block{b: make([]byte, 0, a.size), shared: a.watched}
}

// get gives a piece, or nil when its block was dropped. The caller may hand
// it out only after share.
func (a *arena) get(p piece) []byte {
	if p.block < a.first || len(a.blocks) == 0 {
		return nil
	}
	return a.blocks[p.block-a.first].b[p.off : p.off+p.n : p.off+p.n]
}

// share makes everything in the arena safe to hand out.
func (a *arena) share() {
	for _, b := range a.blocks {
		b.shared = true
	}
}

// keep drops the oldest blocks above n.
func (a *arena) keep(n int) {
	for len(a.blocks) > n {
		a.drop()
	}
}

// dropBefore drops the blocks before number.
func (a *arena) dropBefore(number uint32) {
	for len(a.blocks) > 0 && a.first < number {
		a.drop()
	}
}

func (a *arena) drop() {
	b := a.blocks[0]
	a.blocks = append(a.blocks[:0], a.blocks[1:]...)
	a.first++
	if !b.shared && len(a.spare) < 2 {
		b.b = b.b[:0]
		a.spare = append(a.spare, b)
	}
}
