package wire

import "fmt"

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
