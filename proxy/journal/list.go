package journal

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Recording is what one proxy recorded in a directory.
type Recording struct {
	Instance string
	Files    []string // paths, in order
	Written  time.Time
}

// List gives a directory's recordings of this user, oldest first. One that
// cannot be read has none.
func List(dir string) (all []Recording) {
	base := ""
	for _, r := range recordings(dir) {
		own, _, _ := strings.Cut(filepath.Base(r.path), ".")
		if own != base {
			_, instance, _ := strings.Cut(own, "-")
			all, base = append(all, Recording{Instance: instance}), own
		}
		last := &all[len(all)-1]
		last.Files = append(last.Files, r.path)
		if written := r.info.ModTime(); written.After(last.Written) {
			last.Written = written
		}
	}
	return all
}

// Continued gives the files of a recording that goes on in numbered ones, in
// order, from the one named path on, which is the first whether it is there or
// not.
func Continued(path string) (files []string) {
	ext := filepath.Ext(path)
	base, from := unnumbered(strings.TrimSuffix(path, ext))
	files = append(files, path)
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return files
	}
	var numbers []int
	for _, entry := range entries {
		name, alike := strings.CutSuffix(entry.Name(), ext)
		if stem, n := unnumbered(name); alike && n > from && stem == filepath.Base(base) && entry.Type().IsRegular() {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		files = append(files, numbered(base, n, ext))
	}
	return files
}

// First is the path of the first file of the recording that path, the name of
// one of its files, belongs to; it may have been removed.
func First(path string) string {
	ext := filepath.Ext(path)
	base, _ := unnumbered(strings.TrimSuffix(path, ext))
	return base + ext
}

// number is compiled when it is first asked for: a proxy that starts needs none.
var number = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.+)\.([2-9]|[1-9]\d{1,8})$`) })

// unnumbered takes the number of a continuation from a name without its ending;
// 1: it has none.
func unnumbered(name string) (base string, n int) {
	m := number().FindStringSubmatch(name)
	if m == nil {
		return name, 1
	}
	n, err := strconv.Atoi(m[2])
	if err != nil {
		return name, 1
	}
	return m[1], n
}
