package export

import (
	"errors"
	"io"
	"iter"

	"bobproxy/proxy/journal"
)

// Events are events as journal.Read gives them.
type Events = iter.Seq2[journal.Event, error]

// Scrubbed are events as they may be given away; damaged lines are counted and
// left out, since nobody knows what is in them.
func (s *Scrubber) Scrubbed(events Events, damaged *int) Events {
	return func(yield func(journal.Event, error) bool) {
		for e, err := range events {
			var line *journal.LineError
			switch {
			case errors.As(err, &line):
				*damaged++
				continue
			case err == nil:
				e = s.Event(e)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// JSONL writes a recording of events, and gives their number.
func JSONL(w io.Writer, events Events) (n int, err error) {
	var record []byte
	for e, err := range events {
		if err != nil {
			return n, err
		}
		record = append(e.AppendRecord(record[:0]), '\n')
		if _, err := w.Write(record); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
