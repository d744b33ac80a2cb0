package report

import (
	"fmt"
	"time"
)

// lasting is a length of time in three digits or so, at most 8 cells.
func lasting(ns int64) string {
	switch d := time.Duration(ns); {
	case d == 0:
		return "0"
	case d < 10*time.Microsecond:
		return "0.01 ms"
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.2f ms", d.Seconds()*1000)
	case d < time.Second:
		return fmt.Sprintf("%.0f ms", d.Seconds()*1000)
	case d < time.Minute:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%dm %02ds", d/time.Minute, d%time.Minute/time.Second)
	case d < 100*time.Hour:
		return fmt.Sprintf("%dh %02dm", d/time.Hour, d%time.Hour/time.Minute)
	case d < 10000*24*time.Hour:
		return fmt.Sprintf("%dd", d/(24*time.Hour))
	default:
		return fmt.Sprintf("%dy", d/(365*24*time.Hour))
	}
}

// sized is a number of bytes in three digits or so, at most 11 cells.
func sized(n int64) string {
	switch f := float64(n); {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 100<<10:
		return fmt.Sprintf("%.1f KiB", f/(1<<10))
	case n < 1<<20:
		return fmt.Sprintf("%.0f KiB", f/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MiB", f/(1<<20))
	case n < 1000<<30:
		return fmt.Sprintf("%.1f GiB", f/(1<<30))
	default:
		return fmt.Sprintf("%.0f TiB", f/(1<<40))
	}
}

// inUnits is a value of m.
func (m Measure) inUnits(v int64) string {
	if m.sized() {
		return sized(v)
	}
	return lasting(v)
}

// many is n of a thing.
func many(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
