package bounds

import (
	"strings"
	"unicode/utf8"
)

const (
	maxPath = 4095 // bytes
	maxName = 255  // bytes of one component
)

// malformed refuses what is no absolute path before any system call. Its result
// is Inside when nothing speaks against path.
func malformed(path string) Code {
	switch {
	case path == "":
		return Empty
	case strings.IndexByte(path, 0) >= 0:
		return NUL
	case len(path) > maxPath:
		return TooLong
	case !utf8.ValidString(path):
		return NotUTF8
	case !isAbs(path):
		return notAbsolute(path)
	}
	_, rest := cutTop(path)
	for name := range strings.SplitSeq(rest, separator) {
		if len(name) > maxName {
			return TooLong
		}
		if !plainName(name) {
			return Foreign
		}
	}
	return Inside
}

// hasDotDot says whether a component of path is "..".
func hasDotDot(path string) bool {
	_, rest := cutTop(path)
	for name := range strings.SplitSeq(rest, separator) {
		if name == ".." {
			return true
		}
	}
	return false
}

// drive says whether path starts with a drive letter and a separator.
func drive(path string) bool {
	return len(path) >= 3 && path[1] == ':' && (path[2] == '\\' || path[2] == '/') &&
		('a' <= path[0]|0x20 && path[0]|0x20 <= 'z')
}
