package main

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// The kinds of value that a setting may have; each says in its error what it
// should have been.

// toggle is a switch.
type toggle bool

func (t *toggle) String() string   { return strconv.FormatBool(bool(*t)) }
func (t *toggle) IsBoolFlag() bool { return true }
func (t *toggle) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err != nil {
		return errors.New("is neither true nor false")
	}
	*t = toggle(on)
	return nil
}

// path is a file or folder name. Editors start us without a shell, so a ~ would
// be taken for a name and make a folder that nobody meant.
type path string

func (p *path) String() string { return string(*p) }
func (p *path) Set(text string) error {
	if strings.HasPrefix(text, "~") || strings.HasPrefix(text, "$") {
		return errors.New("~ and $ are not expanded here; write the whole path")
	}
	if text == "" {
		return errors.New("needs a name")
	}
	*p = path(text)
	return nil
}

// byteSize is a number of bytes, written 500000, 64KiB, 200MB, 1GiB. Zero means
// the default.
type byteSize int64

var units = []struct {
	suffix string
	bytes  int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1},
}

func (b *byteSize) String() string { return strconv.FormatInt(int64(*b), 10) }
func (b *byteSize) Set(text string) error {
	for _, u := range units {
		digits, ok := strings.CutSuffix(text, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || n <= 0 || n > (1<<62)/u.bytes {
			break
		}
		*b = byteSize(n * u.bytes)
		return nil
	}
	return errors.New("is not a size such as 500MB or 1GiB")
}

// age is a span of time, written 90m, 12h, 30d. Zero means the default.
type age time.Duration

func (a *age) String() string { return time.Duration(*a).String() }
func (a *age) Set(text string) error {
	d, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		n, err = strconv.Atoi(days)
		d = time.Duration(min(n, 36500)) * 24 * time.Hour
	}
	if err != nil || d <= 0 {
		return errors.New("is not an age such as 12h or 30d")
	}
	*a = age(d)
	return nil
}
