// Package lapse writes lengths of time, each kind in the same way all over the
// panel: how long something took ([Took]), how long something goes on ([Clock])
// or there still is ([Left]), and roughly how long ago something was ([Age]).
package lapse

import (
	"fmt"
	"time"
)

// Took is how long something took that is over, in at most seven cells and three
// digits where there is no colon: 0.4ms 9ms 402ms 1.25s 12.3s 1:14 1:02:03.
func Took(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch s := d.Seconds(); {
	case ms < 0.05:
		return "0ms"
	case ms < 0.95:
		return fmt.Sprintf("%.1fms", ms)
	case ms < 999.5:
		return fmt.Sprintf("%.0fms", ms)
	case s < 9.995:
		return fmt.Sprintf("%.2fs", s)
	case s < 59.95:
		return fmt.Sprintf("%.1fs", s)
	}
	return Clock(d.Round(time.Second))
}

// Clock is a time that runs, in whole seconds: 0:52 12:04 1:02:03 200h. One that
// has not begun is 0:00.
func Clock(d time.Duration) string { return clock(int64(d / time.Second)) }

// Left is a time that runs out, as a clock that reads 0:00 only when it has.
func Left(d time.Duration) string {
	s := int64(d / time.Second)
	if d%time.Second > 0 {
		s++
	}
	return clock(s)
}

// clock is a number of seconds.
func clock(s int64) string {
	s = max(s, 0)
	switch {
	case s < 3600:
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	case s < 100*3600:
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%dh", min(s/3600, 999999))
}

// Age is how long ago something was, in one unit: 8s 12m 3h 5d.
func Age(d time.Duration) string {
	switch d = max(d, 0); {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dd", d/(24*time.Hour))
}
