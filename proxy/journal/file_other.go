//go:build !unix

package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// osFile is a file of the operating system, which keeps others from removing
// it while it is open. Who may read it follows from its directory.
type osFile struct {
	*os.File
	atFirst fs.FileInfo
}

func createFile(path string) (file, error) {
	return adopt(os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600))
}

func openFile(path string) (file, error) {
	return adopt(os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600))
}

func adopt(f *os.File, err error) (file, error) {
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return &osFile{f, info}, nil
}

func (o *osFile) regular() bool { return o.atFirst.Mode().IsRegular() }
func (o *osFile) close() error  { return o.Close() }
func (o *osFile) name() string  { return o.Name() }
func (o *osFile) torn() bool    { return false }
func (o *osFile) gone() bool    { return false }
func (o *osFile) sole() bool    { return o.regular() }

func (o *osFile) sync() error {
	if !o.regular() {
		return nil
	}
	return o.Sync()
}

func (o *osFile) size() int64 {
	if !o.regular() {
		return 0
	}
	return o.atFirst.Size()
}

var errShared = errors.New("the file may not be ours alone")

func (o *osFile) cut(int64) error { return errShared }

func isOurs(fs.FileInfo) bool { return true }

func prepareDir(dir string, private bool) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a directory", dir)
	}
	return err
}

// removeUnused relies on the system not to remove what is open.
func removeUnused(path string, info fs.FileInfo) bool {
	now, err := os.Lstat(path)
	return err == nil && os.SameFile(now, info) && os.Remove(path) == nil
}
