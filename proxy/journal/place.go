package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"time"
)

const (
	defaultMaxBytes = 1 << 30
	defaultMaxAge   = 30 * 24 * time.Hour
	segments        = 8 // files that MaxBytes are divided into
)

func (o Options) maxBytes() int64 {
	if o.MaxBytes > 0 {
		return o.MaxBytes
	}
	return defaultMaxBytes
}

func (o Options) maxAge() time.Duration {
	if o.MaxAge > 0 {
		return o.MaxAge
	}
	return defaultMaxAge
}

func (o Options) segment() int64 { return max(o.maxBytes()/segments, 1) }

// place decides where to record to. It touches no file.
func (o Options) place() (opener, error) {
	switch {
	case o.open != nil:
		return o.open, nil
	case o.Path != "" && o.Dir != "":
		return nil, errors.New("both a file and a directory are named")
	case o.Path != "":
		path, err := filepath.Abs(o.Path)
		if err != nil {
			return nil, err
		}
		return (&named{path: path}).open, nil
	case !instanceName(o.Instance):
		return nil, fmt.Errorf("instance %q is not 4 to 8 letters or digits", o.Instance)
	}
	f := &folder{dir: o.Dir, instance: o.Instance, maxBytes: o.maxBytes(), maxAge: o.maxAge()}
	if f.dir != "" {
		var err error
		f.dir, err = filepath.Abs(f.dir)
		return f.open, err
	}
	f.private = true
	return func(next bool) (file, error) { // a user without a home has no recording, not no agent
		var err error
		if f.dir, err = DefaultDir(); err != nil {
			return nil, err
		}
		return f.open(next)
	}, nil
}

func instanceName(s string) bool {
	for _, c := range []byte(s) {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return false
		}
	}
	return len(s) >= 4 && len(s) <= 8
}

// DefaultDir is where recordings go when nothing else is said. Without HOME
// the user database knows the home directory.
func DefaultDir() (string, error) {
	if state := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "bobproxy"), nil
	}
	home := os.Getenv("HOME")
	if home == "" {
		u, err := user.Current()
		if err != nil {
			return "", fmt.Errorf("no home directory: %w", err)
		}
		home = u.HomeDir
	}
	if !filepath.IsAbs(home) {
		return "", fmt.Errorf("home directory %q is not an absolute path", home)
	}
	return filepath.Join(home, ".local", "state", "bobproxy"), nil
}

// folder opens new files in a directory of recordings.
type folder struct {
	dir      string
	private  bool // it is ours alone, so it may be made tight
	instance string
	maxBytes int64
	maxAge   time.Duration
	base     string
	n        int // files opened
}

func (f *folder) open(bool) (file, error) {
	if err := prepareDir(f.dir, f.private); err != nil {
		return nil, err
	}
	now := time.Now()
	retain(f.dir, f.maxBytes-f.maxBytes/segments, f.maxAge, now)
	if f.base == "" {
		f.base = now.UTC().Format("20060102T150405Z") + "-" + f.instance
	}
	for {
		f.n++
		made, err := createFile(filepath.Join(f.dir, numbered(f.base, f.n, ".jsonl")))
		if !errors.Is(err, fs.ErrExist) {
			return made, err
		}
	}
}

// numbered is base and ext, from the second file on with a number between.
func numbered(base string, n int, ext string) string {
	if n == 1 {
		return base + ext
	}
	return fmt.Sprintf("%s.%d%s", base, n, ext)
}

// named opens a file that the user named, and numbered ones beside it when it
// gets too large. Of those it made or was given it keeps as many as belong
// to MaxBytes.
type named struct {
	path string
	n    int
	own  []ownFile
}

type ownFile struct {
	path string
	info fs.FileInfo
}

func (p *named) open(next bool) (file, error) {
	if !next || len(p.own) == 0 {
		return p.first()
	}
	ext := filepath.Ext(p.path)
	base := strings.TrimSuffix(p.path, ext)
	for {
		p.n++
		path := numbered(base, p.n+1, ext)
		made, err := createFile(path)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			p.keep(path)
		}
		return made, err
	}
}

func (p *named) first() (file, error) {
	f, err := openFile(p.path)
	if err == nil {
		p.own = nil
		p.keep(p.path)
	}
	return f, err
}

func (p *named) keep(path string) {
	info, err := os.Lstat(path)
	if err != nil {
		return
	}
	p.own = append(p.own, ownFile{path, info})
	if len(p.own) > segments {
		old := p.own[0]
		removeUnused(old.path, old.info)
		p.own = p.own[1:]
	}
}
