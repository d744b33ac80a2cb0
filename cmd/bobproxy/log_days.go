package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"bobproxy/proxy/journal"
)

// extent is how much was read, and of when it is.
type extent struct {
	events      int
	first, last time.Time
}

func (x *extent) take(at time.Time) {
	x.events++
	if at.IsZero() {
		return
	}
	if x.first.IsZero() {
		x.first = at
	}
	x.last = at
}

// inDaysOf makes times of day those of the recording, which begins at first. What
// still goes on is of today.
func (l *logging) inDaysOf(first time.Time) {
	if l.follow || l.source.file == "" || first.IsZero() {
		return
	}
	l.sieve.world.From, l.sieve.world.To = first, first
	if last := lastTime(l.source); last.After(first) {
		l.sieve.world.To = last
	}
}

// nothing tells people that nothing was printed, and of when the recording is.
func (l *logging) nothing(seen *extent) {
	if l.json || seen.events == 0 {
		return
	}
	text := fmt.Sprintf("nothing matches in %s", field(l.source.name))
	if !seen.first.IsZero() {
		const layout = "2006-01-02 15:04:05"
		zone := l.now.Location()
		text += fmt.Sprintf(", which is of %s to %s", seen.first.In(zone).Format(layout), seen.last.In(zone).Format(layout))
	}
	fmt.Fprintf(l.std.err, "bobproxy: %s\n", text)
}

// unsure tells people that the filter did not see all of what was left out.
func (l *logging) unsure() {
	if n := l.sieve.unsure; n > 0 {
		fmt.Fprintf(l.std.err, "bobproxy: %s may match as well: of very long ones only the beginning is looked at; --raw without -e prints all of them\n", howMany(n, "other frame"))
	}
}

// lastTime is when the last event of a recording came, as far as it is found at
// the end of its last file; zero: it is not.
func lastTime(from source) time.Time {
	if from.file == "-" {
		return time.Time{}
	}
	for _, path := range slices.Backward(journal.Continued(from.file)) {
		at, err := endOf(path, from.instance)
		if !errors.Is(err, fs.ErrNotExist) {
			return at
		}
	}
	return time.Time{}
}

// endOf is when the last event near the end of a file came, of instance alone
// unless that is empty.
func endOf(path, instance string) (at time.Time, err error) {
	const near = 1 << 20
	f, err := os.Open(path)
	if err != nil {
		return at, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return at, err
	} else if _, err := f.Seek(max(info.Size()-near, 0), io.SeekStart); err != nil {
		return at, err
	}
	for line, err := range journal.Lines(f) {
		if err == nil && (instance == "" || line.Instance == instance) && line.Time.After(at) {
			at = line.Time
		}
	}
	return at, nil
}
