package load

import (
	"bytes"
	"fmt"
	"io"
	"time"
)

// prompted is the size in bytes of the prompt that starts a measured turn.
const prompted = 200

// Expect is the volume of a turn in which the agent, Turns, writes what turn
// writes.
func Expect(turn func(w io.Writer) error) (Volume, error) {
	var v Volume
	if err := turn(&v); err != nil {
		return v, err
	}
	v.Write(appendAnswer(nil, appendPrompt(nil, 2, prompted)))
	return v, nil
}

// Turn sends a prompt and reads the turn, whose volume must be want. It returns
// the time from before the prompt was written until the last byte had come.
// After each eighth of the bytes it calls eighth, if that is not nil; the time
// spent there counts.
func (l *Link) Turn(want Volume, eighth func(n int)) (time.Duration, error) {
	var got Volume
	buf := make([]byte, batch)
	called := 0
	begin := time.Now()
	if _, err := l.in.Write(appendPrompt(nil, 2, prompted)); err != nil {
		return 0, fmt.Errorf("prompt: %w", err)
	}
	for got.Bytes < want.Bytes {
		n, err := l.out.Read(buf)
		got.Write(buf[:n])
		if err != nil {
			return 0, fmt.Errorf("turn, after %d of %d bytes: %w", got.Bytes, want.Bytes, err)
		}
		for eighth != nil && got.Bytes*8 >= want.Bytes*int64(called+1) {
			called++
			eighth(called)
		}
	}
	took := time.Since(begin)
	if got != want {
		return 0, fmt.Errorf("turn: %+v came through, want %+v; it ends in %.100q", got, want, bytes.TrimSpace(buf))
	}
	return took, nil
}
