package talk

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// took is how long something took, in three digits: 12ms, 6.31s, 1m04s, 2h05m.
func took(d time.Duration) string {
	d = max(d, 0)
	switch {
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + "ms"
	case d < 10*time.Second:
		return fmt.Sprintf("%.2fs", d.Truncate(10*time.Millisecond).Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Truncate(100*time.Millisecond).Seconds())
	}
	return long(d)
}

// seconds is how long something goes on or was waited for: 40ms, 0.4s, 8.2s,
// 41s, 1m04s.
func seconds(d time.Duration) string {
	d = max(d, 0)
	switch {
	case d > 0 && d < 100*time.Millisecond:
		return took(d)
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Truncate(100*time.Millisecond).Seconds())
	case d < time.Minute:
		return strconv.Itoa(int(d.Seconds())) + "s"
	}
	return long(d)
}

func long(d time.Duration) string {
	m := int(d.Minutes())
	switch {
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", m, int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh%02dm", m/60, m%60)
	}
	return fmt.Sprintf("%dd", m/60/24)
}

// clock is a time that runs, as minutes and seconds, or hours, minutes and
// seconds.
func clock(d time.Duration) string {
	s := int(max(d, 0).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// size is a number of bytes in at most three digits.
func size(n int) string {
	f := float64(n)
	for _, unit := range []string{"B", "K", "M"} {
		switch {
		case f < 9.95 && unit != "B":
			return fmt.Sprintf("%.1f%s", f, unit)
		case f < 999.5:
			return fmt.Sprintf("%.0f%s", f, unit)
		}
		f /= 1024
	}
	return fmt.Sprintf("%.1fG", f)
}

// tokens is a number of tokens: 812, 53k, 1.2M.
func tokens(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(max(n, 0), 10)
	case n < 999500:
		return strconv.FormatInt((n+500)/1000, 10) + "k"
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1e6), ".0") + "M"
}

// age is how long something has been so, in one unit: 8s, 12m, 3h, 5d.
func age(d time.Duration) string {
	switch d = max(d, 0); {
	case d < time.Minute:
		return count(int(d.Seconds())) + "s"
	case d < time.Hour:
		return count(int(d.Minutes())) + "m"
	case d < 48*time.Hour:
		return count(int(d.Hours())) + "h"
	}
	return count(int(d.Hours())/24) + "d"
}

func count(n int) string { return strconv.Itoa(n) }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}

// head is s, or the beginning of it when it is longer than n bytes.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// firstLine is s up to its first line break.
func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return strings.TrimSuffix(line, "\r")
}
