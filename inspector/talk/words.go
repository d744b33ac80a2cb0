package talk

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

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
