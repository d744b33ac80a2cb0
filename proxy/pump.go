package proxy

import (
	"errors"
	"fmt"
	"io"
	"os"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// maxBatch is how many frames are entered and written at once.
const maxBatch = 256

// pump carries one direction. run is its goroutine.
type pump struct {
	dir  acp.Direction // who sends
	in   lines
	out  *outlet
	gate *gate // nil: everything passes

	batch []journal.Frame
	long  longLine
	pace  pace
}

// recordError says that a required recording failed.
type recordError struct{ err error }

func (e *recordError) Error() string {
	return fmt.Sprintf("recording is required and failed: %v", e.err)
}
func (e *recordError) Unwrap() error { return e.err }

// writeError says that the destination takes no more.
type writeError struct{ err error }

func (e *writeError) Error() string { return e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }

// run carries bytes until the source ends, which is no error, or until a
// [writeError] or [recordError].
func (p *pump) run() error {
	defer p.in.release()
	defer p.out.end()
	defer p.endLong()
	for {
		n, err := p.in.fill()
		p.pace.took(n)
		if err := p.carry(err != nil); err != nil {
			return err
		}
		p.pace.carried()
		if err != nil {
			return sourceError(err)
		}
	}
}

func sourceError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// carry passes on what has been read; at the end of the stream that includes a
// line without an end.
func (p *pump) carry(end bool) error {
	if p.long.size > 0 {
		if err := p.carryLong(end); err != nil || p.long.size > 0 {
			return err
		}
	}
	for more := true; more; {
		var err error
		if more, err = p.carryBatch(end); err != nil {
			return err
		}
	}
	if p.in.tooLong() {
		return p.carryLong(end)
	}
	return nil
}

// carryBatch passes on frames up to one that is to be decided on, and then that
// one; more says that there may be others.
func (p *pump) carryBatch(end bool) (more bool, err error) {
	frames, from := p.batch[:0], p.in.start
	to := from
	concerned := false
	for len(frames) < maxBatch && !concerned {
		line, ok := p.in.next()
		if !ok && end {
			line = p.in.rest()
		}
		if len(line) == 0 {
			break
		}
		frames = append(frames, journal.Frame{})
		f := &frames[len(frames)-1]
		p.scan(f, line)
		if concerned = p.gate != nil && p.gate.concerns(f); !concerned {
			to = p.in.start
		}
	}
	p.batch = frames
	if to > from {
		n := len(frames)
		if concerned {
			n--
		}
		err = p.out.pass(frames[:n], p.in.buf[from:to])
	}
	if concerned && err == nil {
		err = p.gate.pass(&frames[len(frames)-1])
	}
	if len(p.in.buf) > journal.LargeChunk {
		clear(frames) // a huge line's memory is not kept until the next one
	}
	return len(frames) > 0, err
}

func (p *pump) scan(f *journal.Frame, line []byte) {
	f.Dir, f.Line, f.Chunk = p.dir, line, p.in.chunk
	acp.Scan(line, &f.Scan)
}
