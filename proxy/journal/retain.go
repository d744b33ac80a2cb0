package journal

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// recordingName is what a recording made in a directory is called. It is compiled
// when there is something to look for, not while the proxy starts.
var recordingName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\d{8}T\d{6}Z-[0-9A-Za-z]{4,8}(\.\d+)?\.jsonl$`)
})

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
		if !recordingName().MatchString(entry.Name()) || !entry.Type().IsRegular() {
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
