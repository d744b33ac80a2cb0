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
	dir      acp.Direction // who sends
	in       lines
	out      io.Writer
	ledger   *ledger
	required bool // a frame waits for its record

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
	for {
		frames, from := p.batch[:0], p.in.start
		for len(frames) < maxBatch {
			line, ok := p.in.next()
			if !ok && end {
				line = p.in.rest()
			}
			if len(line) == 0 {
				break
			}
			frames = append(frames, journal.Frame{})
			p.scan(&frames[len(frames)-1], line)
		}
		p.batch = frames
		if len(frames) == 0 {
			break
		}
		if err := p.forward(frames, p.in.buf[from:p.in.start]); err != nil {
			return err
		}
	}
	if p.in.tooLong() {
		return p.carryLong(end)
	}
	return nil
}

func (p *pump) scan(f *journal.Frame, line []byte) {
	f.Dir, f.Line, f.Chunk = p.dir, line, p.in.chunk
	acp.Scan(line, &f.Scan)
}

// forward enters frames and writes data, which is their bytes.
func (p *pump) forward(frames []journal.Frame, data []byte) error {
	seq := p.ledger.enter(frames)
	if p.required {
		p.ledger.journal.Kick()
		if err := p.ledger.journal.Wait(seq); err != nil {
			return &recordError{err}
		}
	}
	_, err := p.out.Write(data)
	if len(p.in.buf) > journal.LargeChunk {
		clear(frames) // a huge line's memory is not kept until the next one
	}
	p.ledger.journal.Kick()
	if err != nil {
		return &writeError{err}
	}
	return nil
}
