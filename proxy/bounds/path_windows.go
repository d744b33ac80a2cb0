package bounds

import (
	"path/filepath"
	"strings"
)

const separator = `\`

// isAbs takes X:\ alone: shares, devices, \\?\ and paths without a drive or
// with a drive and no separator have too many spellings.
func isAbs(path string) bool { return drive(path) }

// cutTop divides an absolute path, and turns slashes round.
func cutTop(path string) (top, rest string) {
	path = strings.ReplaceAll(path, "/", separator)
	return path[:3], path[3:]
}

// notAbsolute says what a path that is not absolute is.
func notAbsolute(path string) Code {
	if strings.ContainsAny(path[:1], `/\`) || len(path) > 1 && path[1] == ':' {
		return Foreign
	}
	return Relative
}

// plainName says whether the system takes name as it is: no stream, no device,
// nothing it would cut off at the end.
func plainName(name string) bool {
	switch name {
	case "", ".", "..":
		return true
	}
	return filepath.IsLocal(name) && !strings.Contains(name, ":") && strings.TrimRight(name, ". ") == name
}

// magic says whether a path means something else in each process; none does
// here.
func magic(string) bool { return false }
