package journal

import (
	"errors"
	"fmt"
	"syscall"
	"time"
)

// file is what records are written to. Only the recorder goroutine calls it.
type file interface {
	// write writes bufs in order and at once, so that nobody else's records
	// come in between. It says how many bytes got there before an error.
	write(bufs [][]byte) (int64, error)
	// cut takes the last n bytes off again. It fails when that cannot be done
	// without harm to somebody else's records.
	cut(n int64) error
	sync() error
	gone() bool // it was removed
	sole() bool // a regular file that nobody else records to
	size() int64
	torn() bool // what was there before ends within a line
	name() string
	close() error
}

// opener opens the file to record to; next asks for a new one because the
// last is large enough.
type opener func(next bool) (file, error)

// writer is the recorder goroutine's side of the recording: one file at a
// time, and what to do when it fails.
type writer struct {
	recorder *recorder
	open     opener
	segment  int64 // bytes after which a new file is begun; 0 is never
	enc      *encoder
	instance string

	file  file
	size  int64 // of file
	full  bool  // the next file is to be a new one
	torn  bool  // the file ends within a line
	dirty bool  // there is something to sync
	dead  bool  // required, and failed
	owed  gap   // records missing since the last one written
	retry time.Time
	pause time.Duration // zero when all is well
	head  []byte
	bufs  [][]byte
}

// write writes a batch, or counts it as missing.
func (w *writer) write(b *batch) {
	if w.dead {
		return
	}
	if !w.ready() {
		w.miss(b.ends)
		return
	}
	w.begin()
	w.bufs = b.slices(append(w.bufs[:0], w.head))
	n, err := w.file.write(w.bufs)
	clear(w.bufs)
	w.size += n
	if err != nil {
		w.short(b, n, err)
		return
	}
	w.recovered()
	w.owed, w.torn, w.dirty = gap{}, false, true
	if b.sync && !w.sync() {
		return
	}
	if len(b.ends) > 0 {
		w.recorder.reached(b.last())
	}
	w.turn()
}

// ready makes sure that there is a file to write to. In trouble it tries
// again only after a pause, or when there is no later time for it.
func (w *writer) ready() bool {
	if w.pause > 0 && time.Now().Before(w.retry) && !w.recorder.ending() {
		return false
	}
	if w.file != nil && w.file.gone() {
		w.drop()
	}
	if w.file != nil {
		return true
	}
	f, err := w.open(w.full)
	if err != nil {
		w.trouble(err)
		return false
	}
	w.file, w.full = f, false
	w.size, w.torn = f.size(), f.torn()
	w.recorder.named(f.name())
	return true
}

// begin makes what comes before a batch: the end of a torn line, and a record
// of what is missing.
func (w *writer) begin() {
	w.head = w.head[:0]
	if w.torn {
		w.head = append(w.head, '\n')
	}
	if w.owed.Count > 0 {
		e := gapEvent(w.owed, time.Now().UTC(), w.instance)
		w.head = w.enc.body(w.enc.begin(w.head, &e), &e)
	}
}

// short deals with a batch of which only n bytes, head included, were written:
// the last whole record stays, what is torn is cut off or made a line of its own.
func (w *writer) short(b *batch, n int64, err error) {
	whole, rest := int64(0), b.ends
	if n >= int64(len(w.head)) {
		whole = int64(len(w.head))
		w.owed, w.torn = gap{}, false
		for len(rest) > 0 && int64(len(w.head))+rest[0].at <= n {
			whole = int64(len(w.head)) + rest[0].at
			w.recorder.reached(rest[0].seq)
			rest = rest[1:]
		}
		w.dirty = true
	}
	if n > whole {
		w.mend(n - whole)
	}
	w.miss(rest)
	w.trouble(err)
}

func (w *writer) mend(torn int64) {
	if w.file.cut(torn) == nil {
		w.size -= torn
		return
	}
	n, err := w.file.write([][]byte{{'\n'}})
	w.size += n
	w.torn = err != nil
}

func (w *writer) miss(ends []end) {
	for _, e := range ends {
		w.owed.add(e.seq, e.count, e.bytes)
	}
}

// trouble is told once for each time of trouble. A full disk may have room
// again; any other error asks for the file to be opened anew.
func (w *writer) trouble(err error) {
	if w.recorder.required {
		w.dead = true
		w.recorder.fail(err)
		w.recorder.warn(fmt.Sprintf("recording failed, and it is required: %v", err))
		return
	}
	if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EAGAIN) && w.file != nil {
		w.drop()
	}
	if w.pause == 0 {
		w.recorder.warn(fmt.Sprintf("recording interrupted, traffic goes on: %v", err))
		w.pause = retryFirst / 2
	}
	w.pause = min(2*w.pause, retryLast)
	w.retry = time.Now().Add(w.pause)
}

func (w *writer) recovered() {
	if w.pause == 0 {
		return
	}
	w.pause = 0
	w.recorder.warn(fmt.Sprintf("recording again; %d records (%d bytes) are missing", w.owed.Count, w.owed.Bytes))
}

// sync reports whether what was written is on the disk. A file whose sync
// failed is not trusted again.
func (w *writer) sync() bool {
	err := w.file.sync()
	if err == nil {
		w.dirty = false
		return true
	}
	w.trouble(err)
	if w.file != nil {
		w.drop()
	}
	return false
}

// turn begins a new file when this one is large enough.
func (w *writer) turn() {
	if w.segment == 0 || w.size < w.segment || !w.file.sole() {
		return
	}
	// The old file is left to the kernel: to wait for the disk would hold up
	// everything at a time of much traffic.
	w.drop()
	w.full = true
}

func (w *writer) drop() {
	w.file.close() // what was not written is known already
	w.file, w.size, w.torn, w.dirty = nil, 0, false, false
}

// end makes a last attempt at what is owed and puts everything on the disk.
// It returns what is missing for good.
func (w *writer) end() Gap {
	if w.owed.Count > 0 {
		w.write(new(batch))
	}
	if w.file == nil {
		return w.owed.Gap
	}
	if w.dirty {
		w.sync()
	}
	if w.file != nil {
		w.drop()
	}
	return w.owed.Gap
}
