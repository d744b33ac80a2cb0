package bounds

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// withoutWaiting is nothing here.
const withoutWaiting = 0

// identity is what makes a file that one and no other, whatever its names.
// The zero identity is nothing's.
type identity struct{ info os.FileInfo }

func (id identity) same(as identity) bool {
	return id.info != nil && as.info != nil && os.SameFile(id.info, as.info)
}

// sameDevice spares a look at the file system, of which there is none here.
func (id identity) sameDevice(identity) bool { return true }

// identified is the identity of what was looked at.
func identified(info fs.FileInfo) identity { return identity{info} }

// lstat looks at path without following it. What does not exist is an absent
// node.
func lstat(path string) (node, Code) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return node{}, Inside
	case err != nil:
		return node{}, Unreadable
	}
	return node{identity{info}, kindOf(info.Mode())}, Inside
}

// stat follows links.
func stat(path string) (identity, error) {
	info, err := os.Stat(path)
	return identity{info}, err
}

// readlink takes what a link or junction says when it is a plain path.
func readlink(path string) (string, Code) {
	target, err := os.Readlink(path)
	if err != nil || target == "" {
		return "", Unreadable
	}
	target = strings.ReplaceAll(target, "/", separator)
	if isAbs(target) {
		return target, malformed(target)
	}
	if target[0] == '\\' || strings.Contains(target, ":") {
		return "", Foreign
	}
	return target, Inside
}

// kindOf takes what is neither file nor directory, as junctions are, for a link:
// when it says nothing, it is refused.
func kindOf(mode fs.FileMode) kind {
	switch {
	case mode&(fs.ModeSymlink|fs.ModeIrregular) != 0:
		return link
	case mode.IsDir():
		return directoryKind
	case mode&fs.ModeDevice != 0:
		return device
	}
	return other
}
