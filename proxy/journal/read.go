package journal

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
)

// LineError tells which line of a recording cannot be read, and why.
type LineError struct {
	Line int // from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// Line is one event of a recording and the record that tells of it.
type Line struct {
	Event
	Record []byte // without its line end
}

// Read reads a recording back. A line that is damaged yields a *LineError and
// reading goes on; only the last line may be torn without a word, as it is
// when the proxy was killed. An error of r itself comes last. Lines may be of
// any length, one of them being in memory at a time; events may be kept.
func Read(r io.Reader) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for line, err := range Lines(r) {
			if !yield(line.Event, err) {
				return
			}
		}
	}
}

// Lines is Read for who needs the records as well. They may be kept.
func Lines(r io.Reader) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		for n := 1; ; n++ {
			line, end := in.ReadBytes('\n')
			if end != nil && end != io.EOF {
				yield(Line{}, end)
				return
			}
			if !yieldLine(n, line, end == nil, yield) || end != nil {
				return
			}
		}
	}
}

// yieldLine yields what line number n says; a blank one says nothing, nor does a
// damaged one that is not whole.
func yieldLine(n int, line []byte, whole bool, yield func(Line, error) bool) bool {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return true
	}
	e, err := parse(line)
	switch {
	case err == nil:
		return yield(Line{e, line}, nil)
	case whole:
		return yield(Line{}, &LineError{n, err})
	}
	return true
}
