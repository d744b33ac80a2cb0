package conform

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"strconv"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

var errNoFrame = errors.New("not a frame with its dir")

// Plain says whether the first line of a recording is one of another program's:
// an object with a dir, which says who sent it, client or agent, and no event. The
// frame is its member frame, or else the object itself. It may have the member ms:
// when the frame came, in milliseconds since some time.
func Plain(line []byte) bool {
	from, frame, isEvent := readPlain(bytes.TrimSpace(line))
	return from != 0 && frame != nil && !isEvent
}

// PlainEvents reads such a recording.
func PlainEvents(r io.Reader) iter.Seq2[journal.Event, error] {
	return func(yield func(journal.Event, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		for n := 1; ; n++ {
			line, end := in.ReadBytes('\n')
			if end != nil && end != io.EOF {
				yield(journal.Event{}, end)
				return
			}
			if line = bytes.TrimSpace(line); len(line) > 0 {
				if e, err := plainEvent(n, line); !yield(e, err) {
					return
				}
			}
			if end != nil {
				return
			}
		}
	}
}

func plainEvent(n int, line []byte) (journal.Event, error) {
	from, frame, _ := readPlain(line)
	if from == 0 || frame == nil {
		return journal.Event{}, &journal.LineError{Line: n, Err: errNoFrame}
	}
	var f acp.Frame
	acp.Scan(frame, &f)
	return journal.Event{
		Time: when(line), Seq: uint64(n), Type: journal.FrameEvent, Dir: from, Kind: f.Kind, Method: string(f.Method), ID: f.ID,
		Session: string(f.Session), Bytes: int64(len(frame)), Form: journal.FrameBody, Body: frame,
	}, nil
}

// when reads when a frame came; zero when the line does not say.
func when(line []byte) time.Time {
	for name, value := range acp.Members(line) {
		if ms, err := strconv.ParseFloat(string(value), 64); err == nil && string(name) == "ms" && ms >= 0 && ms < 1e12 {
			return time.UnixMicro(int64(ms * 1000)).UTC()
		}
	}
	return time.Time{}
}

// readPlain gives who sent the frame of a line.
func readPlain(line []byte) (from acp.Direction, frame []byte, isEvent bool) {
	rest := []byte{'{'}
	for name, value := range acp.Members(line) {
		switch string(name) {
		case "dir":
			switch string(value) {
			case `"client"`:
				from = acp.Client
			case `"agent"`:
				from = acp.Agent
			}
			continue
		case "frame":
			frame = value
		case "event":
			isEvent = true
		}
		if len(rest) > 1 {
			rest = append(rest, ',')
		}
		rest = append(append(append(append(rest, '"'), name...), `":`...), value...)
	}
	if frame == nil && from != 0 {
		frame = append(rest, '}')
	}
	return from, frame, isEvent
}
