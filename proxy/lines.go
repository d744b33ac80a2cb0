package proxy

import (
	"bytes"
	"io"

	"bobproxy/proxy/journal"
)

// minRead is the room that a read is given at least, in bytes.
const minRead = 16 << 10

// lines cuts a stream into lines without copying them: they lie in chunks that
// the journal may hold on to. Its cost is linear in the bytes whatever the
// pieces they come in; an unfinished line is searched for its end only where it
// is new, and its memory grows by half.
type lines struct {
	src  io.Reader
	pool *journal.Pool
	most int // longest line held as a whole

	chunk *journal.Chunk
	buf   []byte // the chunk's memory
	long  int    // the longest line taken from this chunk
	start int    // the first line not yet taken
	seen  int    // no line feed between start and here
	end   int    // what has been read
}

// fill reads once and says how many bytes came. It must not be called while a
// line that next returned is in use, unless its chunk is held.
func (l *lines) fill() (int, error) {
	l.room()
	n, err := l.src.Read(l.buf[l.end:])
	l.end += n
	return n, err
}

// room makes room for a read, moving an unfinished line to a new chunk when
// this one is used up.
func (l *lines) room() {
	if l.chunk != nil && len(l.buf)-l.end >= minRead && !l.tooLarge() {
		return
	}
	rest := l.buf[l.start:l.end]
	chunk := l.pool.Get(l.size(len(rest)))
	buf := chunk.Bytes()
	copy(buf, rest)
	l.release()
	l.chunk, l.buf = chunk, buf
	l.long, l.start, l.seen, l.end = 0, 0, l.seen-l.start, len(rest)
}

// tooLarge says that the chunk was made for a line that has been taken, and
// would keep its memory for as long as what follows fits.
func (l *lines) tooLarge() bool { return l.start == l.end && len(l.buf) > journal.LargeChunk }

// size is that of the next chunk, which an unfinished line of rest bytes is
// moved to. A line that fits into half of a chunk is not moved again.
func (l *lines) size(rest int) int {
	switch line := max(rest, l.long); {
	case line <= journal.StandardChunk/2:
		return journal.StandardChunk
	case rest <= journal.LargeChunk/2:
		return journal.LargeChunk
	}
	return min(rest+rest/2, l.most) + minRead
}

// next returns the next whole line, line feed included.
func (l *lines) next() (line []byte, ok bool) {
	i := bytes.IndexByte(l.buf[l.seen:l.end], '\n')
	if i < 0 {
		l.seen = l.end
		return nil, false
	}
	line = l.buf[l.start : l.seen+i+1 : l.seen+i+1]
	l.start = l.seen + i + 1
	l.seen = l.start
	l.long = max(l.long, len(line))
	return line, true
}

// rest returns and takes what is there of an unfinished line.
func (l *lines) rest() []byte {
	rest := l.buf[l.start:l.end:l.end]
	l.start, l.seen = l.end, l.end
	return rest
}

// tooLong says that the unfinished line will not be held as a whole.
func (l *lines) tooLong() bool { return l.end-l.start >= l.most }

func (l *lines) release() {
	if chunk := l.chunk; chunk != nil {
		l.chunk, l.buf = nil, nil // first, or a large chunk's memory is still in use when it is given back
		chunk.Release()
	}
}
