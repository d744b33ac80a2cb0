package bounds

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
// any goroutine. The nil Set has no roots.
type Set struct{}

// Pin makes a set of dirs, leaving out those that cannot be roots: relative or
// empty paths, paths of another system, what is no directory, procfs.
func Pin(dirs []Dir) (*Set, []Problem) { return &Set{}, nil }

// Paths are the roots' paths as they were given, in order.
func (s *Set) Paths() []string { return nil }

// Check says whether path lies in s. It does I/O: a few system calls for each
// component of path.
func (s *Set) Check(path string, access Access) Verdict { return Verdict{} }

// Verdict is the judgement on one path.
type Verdict struct {
	Code   Code
	Root   string // the root, as given, that it lies in; empty when outside
	Target string // where path leads, links followed, when that is another path; for people, not for the agent
}

// Inside says that the path may be used.
func (v Verdict) Inside() bool { return v.Code == Inside }

// Code is a verdict's reason. Its String is a word for recordings; its Text a
// sentence's end for people and models ("leads out of the workspace through a
// link").
type Code uint8

const (
	Inside Code = iota + 1
	Escape      // it lies, or leads, outside
)
