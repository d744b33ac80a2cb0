package journal

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// recordingName is what a recording made in a directory is called.
var recordingName = regexp.MustCompile(`^\d{8}T\d{6}Z-[0-9A-Za-z]{4,8}(\.\d+)?\.jsonl$`)

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

// recordings lists a directory's, oldest first: the names sort by time.
func recordings(dir string) []recording {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var all []recording
	for _, entry := range entries {
		if !recordingName.MatchString(entry.Name()) || !entry.Type().IsRegular() {
			continue
		}
		if info, err := entry.Info(); err == nil && isOurs(info) {
			all = append(all, recording{filepath.Join(dir, entry.Name()), info})
		}
	}
	return all
}
