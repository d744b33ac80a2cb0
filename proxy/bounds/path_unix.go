//go:build !windows

package bounds

import "strings"

const separator = "/"

func isAbs(path string) bool { return path[:min(1, len(path))] == separator }

// cutTop divides an absolute path.
func cutTop(path string) (top, rest string) { return separator, path[1:] }

// notAbsolute says what a path that is not absolute is.
func notAbsolute(path string) Code {
	if drive(path) || strings.HasPrefix(path, `\\`) {
		return Foreign
	}
	return Relative
}

// plainName says whether the system takes name as it is; here it always does.
func plainName(string) bool { return true }

// magic says whether a clean path is, by its text, one that means something
// else in each process.
func magic(path string) bool {
	if below(path, "/proc") {
		return true
	}
	if !below(path, "/dev") {
		return false
	}
	return below(path, "/dev/fd") || below(path, "/dev/stdin") || below(path, "/dev/stdout") || below(path, "/dev/stderr")
}
