package bounds

import (
	"path/filepath"
	"strings"
)

const (
	maxLinks = 40   // in one path, as on Linux
	maxSteps = 4096 // names looked up for one path; a longer way is refused
)

// walker follows a path as the kernel does, one name at a time, without opening
// anything. Everything that exists on the way is looked at with lstat, so a link
// whose target is missing leads to where a write would make a file.
type walker struct {
	set    *Set // may be nil
	access Access

	path  []byte // where it has come to, links followed
	steps []step // the same, from the top of the file system
	rest  string // what is still to go
	more  bool   // rest counts; it may be empty, after a separator at the end

	looked int    // names looked up
	links  int    // links followed
	later  string // what [Verdict.Later] is to say
}

// step is one directory on the way, or what the way ends with.
type step struct {
	name string
	end  int // of its path in walker.path
	node
}

// node is what a name stands for. The zero node is absent.
type node struct {
	identity
	kind kind
}

type kind uint8

const (
	absent kind = iota
	directoryKind
	link
	device
	other
)

// walk goes along path, which must not be malformed. When the result is not
// Inside, the walk ends where the reason is: the last step is the directory in
// which the next name could not be followed.
func (w *walker) walk(path string) Code {
	top, rest := cutTop(path)
	if code := w.start(top); code != Inside {
		return code
	}
	w.rest, w.more = rest, true
	for w.more {
		var name string
		name, w.rest, w.more = strings.Cut(w.rest, separator)
		if code := w.step(name); code != Inside {
			return code
		}
	}
	w.noteLater(nil)
	return Inside
}

func (w *walker) start(top string) Code {
	w.path, w.steps = w.path[:0], w.steps[:0]
	return w.enter("", top)
}

func (w *walker) last() *step { return &w.steps[len(w.steps)-1] }

func (w *walker) step(name string) Code {
	at := w.last().kind
	switch {
	case at == other:
		return NotADirectory
	case name == "" || name == ".":
	case name == ".." && at == absent:
		return MissingDotDot
	case name == "..":
		w.up()
	case at == absent:
		w.push(name, w.join(name), node{})
	default:
		return w.enter(name, w.join(name))
	}
	return Inside
}

// enter goes to what path, which is name in the last step, stands for.
func (w *walker) enter(name, path string) Code {
	if w.looked++; w.looked > maxSteps {
		return TooLong
	}
	if magic(path) { // also where the file system cannot be asked
		return MagicLink
	}
	n, code := lstat(path)
	switch {
	case code != Inside:
		return code
	case n.kind == link:
		return w.follow(name, path)
	case n.kind == device:
		return Device
	}
	if code := w.mounted(n, path); code != Inside {
		return code
	}
	w.push(name, path, n)
	return Inside
}

// mounted looks at the file system where n, at path, begins another one.
func (w *walker) mounted(n node, path string) Code {
	if n.kind == absent || len(w.steps) > 0 && w.last().sameDevice(n.identity) {
		return Inside
	}
	return fileSystem(path)
}

// follow puts what the link name, at path, says in front of what is still to
// go. A link may be anywhere when only its last name is absent, so it counts
// even when nothing is there.
func (w *walker) follow(name, path string) Code {
	if w.links++; w.links > maxLinks {
		return Loop
	}
	target, code := readlink(path)
	if code != Inside {
		return code
	}
	w.noteLater(&name)
	if w.more {
		w.rest = target + separator + w.rest
	} else {
		w.rest, w.more = target, true
	}
	if !isAbs(target) {
		if magic(filepath.Join(string(w.path), target)) {
			return MagicLink
		}
		return Inside
	}
	// Told before the walk leaves the link's directory: when that is inside,
	// the agent knows what the link says.
	if magic(filepath.Clean(target)) {
		return MagicLink
	}
	var top string
	top, w.rest = cutTop(w.rest)
	return w.start(top)
}

func (w *walker) up() {
	if n := len(w.steps) - 1; n > 0 {
		w.steps = w.steps[:n]
		w.path = w.path[:w.last().end]
	}
}

func (w *walker) push(name, path string, n node) {
	w.path = append(w.path[:0], path...)
	w.steps = append(w.steps, step{name, len(path), n})
}

func (w *walker) join(name string) string {
	if len(w.steps) == 1 { // the top ends in a separator
		return string(w.path) + name
	}
	return string(w.path) + separator + name
}
