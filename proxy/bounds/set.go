package bounds

import (
	"os"
	"path/filepath"
)

// Access is what a path is wanted for.
type Access uint8

const (
	Read Access = iota + 1
	Write
)

// Dir is a directory that is to be a root.
type Dir struct {
	Path     string
	ReadOnly bool // only Read is inside
}

// Problem is a directory that cannot be a root, and why, in words for the user.
type Problem struct {
	Path string
	Text string
}

// Set is the roots of one workspace, pinned: each is the directory that its
// path named when the set was made. A Set does not change and may be used from
// any goroutine. The nil Set has no roots. On Linux a Set holds a descriptor for
// each root until it is garbage.
type Set struct{ roots []root }

// root is a pinned directory.
type root struct {
	Dir
	real string   // its path when it was pinned, links followed
	id   identity // what it was
	held *os.File // keeps id from being given to another directory; nil where that cannot be done
}

// Pin makes a set of dirs, leaving out those that cannot be roots: relative or
// empty paths, paths of another system, what is no directory, procfs. A path
// with ".." in it is left out when it names another directory after
// [filepath.Clean] than before.
func Pin(dirs []Dir) (*Set, []Problem) {
	s := &Set{}
	var problems []Problem
	for _, d := range dirs {
		r, problem := pin(d)
		if problem != "" {
			problems = append(problems, Problem{d.Path, problem})
			continue
		}
		s.roots = append(s.roots, r)
	}
	return s, problems
}

func pin(d Dir) (r root, problem string) {
	if code := malformed(d.Path); code != Inside {
		return r, code.Text()
	}
	clean := filepath.Clean(d.Path)
	at, problem := directory(d.Path)
	if problem != "" {
		return r, problem
	}
	if other, _ := directory(clean); !other.same(at.identity) {
		return r, `names different directories depending on how ".." is read`
	}
	held, err := hold(d.Path, at.identity)
	if err != nil {
		return r, "cannot be opened: " + err.Error()
	}
	return root{Dir: d, real: at.path, id: at.identity, held: held}, ""
}

// place is a directory and its path, links followed.
type place struct {
	path string
	identity
}

// directory finds the one that path names.
func directory(path string) (p place, problem string) {
	w := walker{}
	if code := w.walk(path); code != Inside {
		return p, code.Text()
	}
	switch last := w.last(); last.kind {
	case absent:
		return p, "does not exist"
	case directoryKind:
		return place{string(w.path), last.identity}, ""
	default:
		return p, "is not a directory"
	}
}

// unchanged says whether r's path still names the directory that was pinned.
func (r *root) unchanged() bool {
	id, err := stat(r.Path)
	return err == nil && id.same(r.id)
}

// Paths are the roots' paths as they were given, in order.
func (s *Set) Paths() []string {
	if s == nil {
		return nil
	}
	var paths []string
	for _, r := range s.roots {
		paths = append(paths, r.Path)
	}
	return paths
}
