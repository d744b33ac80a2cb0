package journal

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// recordingName says whether a recording made in a directory is called so: its
// time, an instance, the number of a continuation. Every proxy that records asks,
// and needs no regular expression for anything else.
func recordingName(name string) bool {
	name, ended := strings.CutSuffix(name, ".jsonl")
	at, rest, dashed := strings.Cut(name, "-")
	instance, number, continued := strings.Cut(rest, ".")
	return ended && dashed && len(at) == len("20060102T150405Z") && digits(at[:8]) && at[8] == 'T' && digits(at[9:15]) && at[15] == 'Z' &&
		instanceName(instance) && digits(number) == continued
}

// digits says that s consists of digits, and has some.
func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// recording is one that lies in a directory.
type recording struct {
	path string
	info fs.FileInfo
}

// retain removes recordings that were not written to for longer than maxAge,
// and then the oldest ones until the rest has at most maxBytes. It never
// touches what is no recording, what is not ours, and what another proxy is
// writing to; errors are left for the next time.
func retain(dir string, maxBytes int64, maxAge time.Duration, now time.Time) {
	var kept []recording
	total := int64(0)
	for _, r := range recordings(dir) {
		if now.Sub(r.info.ModTime()) > maxAge && removeUnused(r.path, r.info) {
			continue
		}
		kept = append(kept, r)
		total += r.info.Size()
	}
	for _, r := range kept {
		if total > maxBytes && removeUnused(r.path, r.info) {
			total -= r.info.Size()
		}
	}
}

// recordings lists a directory's, oldest first.
func recordings(dir string) []recording {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var all []recording
	for _, entry := range entries {
		if !recordingName(entry.Name()) || !entry.Type().IsRegular() {
			continue
		}
		if info, err := entry.Info(); err == nil && isOurs(info) {
			all = append(all, recording{filepath.Join(dir, entry.Name()), info})
		}
	}
	slices.SortFunc(all, func(a, b recording) int { return compareNames(filepath.Base(a.path), filepath.Base(b.path)) })
	return all
}

// compareNames puts names in the order of time, and those that differ only in
// their number in the order of that.
func compareNames(a, b string) int {
	a, numberA, _ := strings.Cut(strings.TrimSuffix(a, ".jsonl"), ".")
	b, numberB, _ := strings.Cut(strings.TrimSuffix(b, ".jsonl"), ".")
	return cmp.Or(strings.Compare(a, b), cmp.Compare(len(numberA), len(numberB)), strings.Compare(numberA, numberB))
}
