//go:build unix

package feed

import (
	"errors"
	"os"
	"syscall"
)

// openOwn opens a regular file of this user's. Anything else a path can lead to
// would block, or be somebody's else to fill.
func openOwn(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		owner, ok := info.Sys().(*syscall.Stat_t)
		if !info.Mode().IsRegular() || !ok || int(owner.Uid) != os.Geteuid() {
			err = errors.New("not a file of ours")
		}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
