//go:build unix

package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

const appendOnly = os.O_WRONLY | os.O_APPEND | os.O_CREATE | unix.O_CLOEXEC

// osFile is a file of the operating system. Its lock is shared with whoever
// else records to it, and tells others that it is in use.
type osFile struct {
	*os.File
	regular bool
	atFirst fs.FileInfo
}

// createFile makes a file that was not there before.
func createFile(path string) (file, error) {
	f, err := os.OpenFile(path, appendOnly|os.O_EXCL|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	return adopt(f)
}

// openFile opens a file, device or FIFO that the user named, or makes the
// file. A link is followed only when we or root made it.
func openFile(path string) (file, error) {
	if err := safeDir(filepath.Dir(path)); err != nil {
		return nil, err
	}
	flags := appendOnly | unix.O_NOFOLLOW
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == fs.ModeSymlink {
		if !isOurs(info) && owner(info) != 0 {
			return nil, fmt.Errorf("%s is a link that another user made", path)
		}
		flags = appendOnly
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return nil, err
	}
	return adopt(f)
}

// adopt makes sure that only we can read f. Devices and FIFOs are left as
// they are.
func adopt(f *os.File) (file, error) {
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	o := &osFile{File: f, regular: info.Mode().IsRegular(), atFirst: info}
	if !o.regular {
		return o, nil
	}
	if !isOurs(info) {
		err = fmt.Errorf("%s belongs to another user", f.Name())
	} else if info.Mode().Perm() != 0o600 {
		err = f.Chmod(0o600)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	o.share()
	return o, nil
}

func (o *osFile) fd() int { return int(o.Fd()) }

func (o *osFile) sync() error {
	if !o.regular {
		return nil
	}
	return o.Sync()
}

func (o *osFile) close() error { return o.Close() }
func (o *osFile) name() string { return o.Name() }

func (o *osFile) size() int64 {
	if !o.regular {
		return 0
	}
	return o.atFirst.Size()
}

// torn looks at the last byte, through a descriptor of its own since this one
// cannot read.
func (o *osFile) torn() bool {
	if o.size() == 0 {
		return false
	}
	f, err := os.OpenFile(o.Name(), os.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	last := make([]byte, 1)
	info, err := f.Stat()
	if err != nil || !os.SameFile(info, o.atFirst) {
		return false
	}
	_, err = f.ReadAt(last, info.Size()-1)
	return err == nil && last[0] != '\n'
}

func (o *osFile) gone() bool {
	if !o.regular {
		return false
	}
	var st unix.Stat_t
	return unix.Fstat(o.fd(), &st) == nil && st.Nlink == 0
}

func (o *osFile) sole() bool {
	defer o.share()
	return o.alone()
}

// alone takes the lock from everybody else if nobody has it. Whether it does or
// not, share has to follow: an attempt that fails has lost the shared lock, too.
func (o *osFile) alone() bool {
	return o.regular && unix.Flock(o.fd(), unix.LOCK_EX|unix.LOCK_NB) == nil
}

// share takes the lock that others see. Where locks do not work the file counts
// as shared.
func (o *osFile) share() {
	if o.regular {
		unix.Flock(o.fd(), unix.LOCK_SH)
	}
}

var errShared = errors.New("the file is not ours alone")

func (o *osFile) cut(n int64) error {
	defer o.share()
	if !o.alone() {
		return errShared
	}
	info, err := o.Stat()
	if err != nil {
		return err
	}
	return o.Truncate(max(info.Size()-n, 0))
}

func owner(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Uid) }

func isOurs(info fs.FileInfo) bool { return owner(info) == os.Geteuid() }

// prepareDir makes the directory where it is missing, and refuses one that
// others could play tricks in. A private one is made tight.
func prepareDir(dir string, private bool) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
			return err
		}
		if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		private = true
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if private && info.IsDir() && isOurs(info) && info.Mode().Perm() != 0o700 {
		if err := os.Chmod(dir, 0o700); err != nil {
			return err
		}
	}
	return safeDir(dir)
}

// safeDir refuses a directory where another user could put something in the
// place of our file.
func safeDir(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	case !isOurs(info) && owner(info) != 0:
		return fmt.Errorf("%s belongs to another user", dir)
	case info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0:
		return fmt.Errorf("%s can be written to by everybody", dir)
	}
	return nil
}

// removeUnused removes a recording that nobody has open for writing.
func removeUnused(path string, info fs.FileInfo) bool {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	if now, err := f.Stat(); err != nil || !os.SameFile(now, info) {
		return false
	}
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		return false
	}
	return os.Remove(path) == nil
}
