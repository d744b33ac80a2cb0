package load

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"
)

// Latency is how long round trips took.
type Latency struct {
	P50, P99 time.Duration
}

// RoundTrips sends one prompt of size bytes after another, each when the answer
// to the one before has come, and measures the last k after warm others. The
// agent is Echo.
func (l *Link) RoundTrips(size, warm, k int) (Latency, error) {
	var prompt, want []byte
	got := make([]byte, size)
	times := make([]time.Duration, 0, k)
	for i := range warm + k {
		id := 2 + i
		prompt = appendPrompt(prompt[:0], id, size)
		want = appendResult(want[:0], strconv.AppendInt(nil, int64(id), 10), len(prompt))
		if len(want) != size {
			return Latency{}, fmt.Errorf("a prompt of %d bytes: the smallest has %d", size, MinSize)
		}
		begin := time.Now()
		if _, err := l.in.Write(prompt); err != nil {
			return Latency{}, fmt.Errorf("prompt: %w", err)
		}
		if _, err := io.ReadFull(l.out, got); err != nil {
			return Latency{}, fmt.Errorf("prompt: %w", err)
		}
		took := time.Since(begin)
		if string(got) != string(want) {
			return Latency{}, fmt.Errorf("prompt %d: %.200q came back, want %.200q", id, got, want)
		}
		if i >= warm {
			times = append(times, took)
		}
	}
	return latency(times), nil
}

func latency(times []time.Duration) Latency {
	if len(times) == 0 {
		return Latency{}
	}
	slices.Sort(times)
	return Latency{P50: times[len(times)/2], P99: times[len(times)*99/100]}
}
