package bounds

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// What speaks against opening what is inside.
var (
	// ErrIrregular says that a path names no regular file.
	ErrIrregular = errors.New("not a regular file")
	// ErrReplaced says that a root was replaced between two looks at it.
	ErrReplaced = errors.New("it was replaced just now")
	// ErrTwoFiles says that a path names one file as the kernel reads its ".."
	// and another one as programs do that clean paths first.
	ErrTwoFiles = errors.New(`names different files depending on how ".." is read`)
)

// Open opens the regular file that path names for reading, when it lies in s;
// otherwise there is no file, and either the verdict or the error says why. An
// error is [fs.ErrNotExist] when there is nothing by that name.
//
// What is opened lies in a root that is the pinned directory, whatever is moved
// meanwhile: it is reached from there, and no link is followed out of it. Neither
// a pipe without a writer nor a device is waited for. A file system that hangs
// is.
func (s *Set) Open(path string) (*os.File, Verdict, error) {
	v := s.Check(path, Read)
	if !v.Inside() {
		return nil, v, nil
	}
	w, err := way(path)
	if err != nil {
		return nil, v, err
	}
	switch w.last().kind {
	case absent:
		return nil, v, fs.ErrNotExist
	case other:
	default:
		return nil, v, ErrIrregular
	}
	r, name := s.above(w.steps)
	if r == nil {
		return nil, v, ErrReplaced
	}
	f, err := r.open(name)
	return f, v, err
}

// way follows path. Both readings of it must lead to the same place.
func way(path string) (*walker, error) {
	w := &walker{access: Read}
	if w.walk(path) != Inside {
		return nil, ErrReplaced
	}
	if clean := (walker{access: Read}); hasDotDot(path) && (clean.walk(filepath.Clean(path)) != Inside || string(clean.path) != string(w.path)) {
		return nil, ErrTwoFiles
	}
	return w, nil
}

// above is the deepest root on the way to the last of steps, and the way on from
// there.
func (s *Set) above(steps []step) (*root, string) {
	name := ""
	for i := len(steps) - 1; i >= 0; i-- {
		for j := range s.roots {
			if r := &s.roots[j]; r.id.same(steps[i].identity) && r.unchanged() {
				return r, name
			}
		}
		name = filepath.Join(steps[i].name, name)
	}
	return nil, ""
}

// open opens a regular file in r.
func (r *root) open(name string) (*os.File, error) {
	dir, err := os.OpenRoot(r.real)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if at, err := dir.Stat("."); err != nil || !identified(at).same(r.id) {
		return nil, ErrReplaced
	}
	if at, err := dir.Lstat(name); err != nil || !at.Mode().IsRegular() {
		return nil, errors.Join(err, irregular(at))
	}
	f, err := dir.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, err
	}
	if at, err := f.Stat(); err != nil || !at.Mode().IsRegular() {
		f.Close()
		return nil, errors.Join(err, irregular(at))
	}
	return f, nil
}

func irregular(at fs.FileInfo) error {
	if at == nil || at.Mode().IsRegular() {
		return nil
	}
	return ErrIrregular
}
