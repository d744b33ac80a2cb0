package lapse

import (
	"testing"
	"time"
)

const longest = 7 // cells

func TestTook(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0ms", 0: "0ms", 40 * time.Microsecond: "0ms", 412 * time.Microsecond: "0.4ms", 9 * time.Millisecond: "9ms",
		999 * time.Millisecond: "999ms", 999600 * time.Microsecond: "1.00s", 1254 * time.Millisecond: "1.25s", 9999 * time.Millisecond: "10.0s",
		43200 * time.Millisecond: "43.2s", 59 * time.Second: "59.0s", 59960 * time.Millisecond: "1:00", 74 * time.Second: "1:14",
		82400 * time.Millisecond: "1:22", 3723 * time.Second: "1:02:03", 200 * time.Hour: "200h", 1<<63 - 1: "999999h",
	} {
		if got := Took(d); got != want || len(got) > longest {
			t.Errorf("%v: got %s, want %s", d, got, want)
		}
	}
}

func TestClocks(t *testing.T) {
	for _, tt := range []struct {
		d           time.Duration
		clock, left string
	}{
		{-time.Second, "0:00", "0:00"}, {0, "0:00", "0:00"}, {time.Millisecond, "0:00", "0:01"}, {51200 * time.Millisecond, "0:51", "0:52"},
		{9 * time.Minute, "9:00", "9:00"}, {time.Hour - 1, "59:59", "1:00:00"}, {100*time.Hour - time.Second, "99:59:59", "99:59:59"},
		{1<<63 - 1, "999999h", "999999h"},
	} {
		if got := Clock(tt.d); got != tt.clock {
			t.Errorf("%v: the clock is %s, want %s", tt.d, got, tt.clock)
		}
		if got := Left(tt.d); got != tt.left {
			t.Errorf("%v: left is %s, want %s", tt.d, got, tt.left)
		}
	}
}

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 8900 * time.Millisecond: "8s", 12 * time.Minute: "12m", 3 * time.Hour: "3h", 47 * time.Hour: "47h", 121 * time.Hour: "5d",
	} {
		if got := Age(d); got != want {
			t.Errorf("%v: got %s, want %s", d, got, want)
		}
	}
}
