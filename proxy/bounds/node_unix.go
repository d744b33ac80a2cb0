//go:build !windows

package bounds

import (
	"errors"
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// withoutWaiting opens a pipe without a writer at once, and makes no terminal
// ours.
const withoutWaiting = unix.O_NONBLOCK | unix.O_NOCTTY

// identity is what makes a file that one and no other, whatever its names.
// The zero identity is nothing's.
type identity struct{ dev, ino uint64 }

func (id identity) same(as identity) bool       { return id == as && id != identity{} }
func (id identity) sameDevice(as identity) bool { return id.dev == as.dev }

// lstat looks at path without following it. What does not exist is an absent
// node.
func lstat(path string) (node, Code) {
	var st unix.Stat_t
	err := retry(func() error { return unix.Lstat(path, &st) })
	switch {
	case errors.Is(err, unix.ENOENT):
		return node{}, Inside
	case err != nil:
		return node{}, refusal(err)
	}
	return node{identityOf(&st), kindOf(uint32(st.Mode))}, Inside
}

// stat follows links.
func stat(path string) (identity, error) {
	var st unix.Stat_t
	err := retry(func() error { return unix.Stat(path, &st) })
	return identityOf(&st), err
}

func readlink(path string) (string, Code) {
	b := make([]byte, maxPath+1)
	var n int
	err := retry(func() (err error) { n, err = unix.Readlink(path, b); return err })
	switch {
	case err != nil:
		return "", refusal(err)
	case n == 0:
		return "", Unreadable
	case n > maxPath:
		return "", TooLong
	}
	return string(b[:n]), Inside
}

func identityOf(st *unix.Stat_t) identity { return identity{uint64(st.Dev), st.Ino} }

// identified is the identity of what was looked at through package os.
func identified(info fs.FileInfo) identity {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return identity{}
	}
	return identity{uint64(st.Dev), st.Ino}
}

func kindOf(mode uint32) kind {
	switch mode & unix.S_IFMT {
	case unix.S_IFDIR:
		return directoryKind
	case unix.S_IFLNK:
		return link
	case unix.S_IFCHR, unix.S_IFBLK:
		return device
	}
	return other
}

func refusal(err error) Code {
	switch {
	case errors.Is(err, unix.ENAMETOOLONG):
		return TooLong
	case errors.Is(err, unix.ELOOP):
		return Loop
	case errors.Is(err, unix.ENOTDIR):
		return NotADirectory
	}
	return Unreadable
}

// retry makes a system call until no signal comes between; network and user
// file systems are not spared that.
func retry(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
