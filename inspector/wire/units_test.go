package wire

import (
	"testing"
	"time"
)

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0B", 861: "861B", 999: "999B", 1000: "1.0K", 1023: "1.0K", 1638: "1.6K", 10180: "9.9K", 10200: "10K",
		24 << 10: "24K", 999 << 10: "999K", 1000 << 10: "1.0M", 1153434: "1.1M", 5 << 30: "5.0G", 1 << 62: "999P", -1: "-1B",
	} {
		if got := size(n); got != want {
			t.Errorf("%d bytes: got %s, want %s", n, got, want)
		}
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0ms", 0: "0ms", 40 * time.Microsecond: "0ms", 412 * time.Microsecond: "0.4ms", 9 * time.Millisecond: "9ms",
		999 * time.Millisecond: "999ms", 999600 * time.Microsecond: "1.00s", 1254 * time.Millisecond: "1.25s", 9999 * time.Millisecond: "10.0s",
		59 * time.Second: "59.0s", 74 * time.Second: "1:14", 3723 * time.Second: "1:02:03", 200 * time.Hour: "200h", 1<<63 - 1: "999999h",
	} {
		got := span(d)
		if got != want {
			t.Errorf("%v: got %s, want %s", d, got, want)
		}
		if len(got) > latencyWidth {
			t.Errorf("%s is wider than its column", got)
		}
	}
}

func TestClock(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0:00", 0: "0:00", time.Millisecond: "0:01", 51200 * time.Millisecond: "0:52", 10 * time.Minute: "10:00",
	} {
		if got := clock(d); got != want {
			t.Errorf("%v: got %s, want %s", d, got, want)
		}
	}
}
