package wire

import (
	"fmt"
	"time"
)

// size is a number of bytes in at most four cells: 861B 1.6K 24K 1.1M.
func size(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%dB", n)
	}
	v := float64(n)
	for _, unit := range "KMGTP" {
		v /= 1024
		switch {
		case v < 9.95:
			return fmt.Sprintf("%.1f%c", v, unit)
		case v < 999.5:
			return fmt.Sprintf("%.0f%c", v, unit)
		}
	}
	return "999P"
}

// span is a duration in at most seven cells, three digits where there is no
// colon: 0.4ms 9ms 402ms 1.25s 12.3s 1:14 1:02:03.
func span(d time.Duration) string {
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
	return clock(d)
}

// clock is a duration in minutes and seconds, begun seconds counting: 0:52.
func clock(d time.Duration) string {
	s := max(int64(d/time.Second), 0)
	if d > 0 && d%time.Second > 0 {
		s++
	}
	switch {
	case s < 3600:
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	case s < 100*3600:
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%dh", min(s/3600, 999999))
}
