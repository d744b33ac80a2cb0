//go:build linux || darwin

package control

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// available says whether there can be a control socket on this system.
const available = true

const noFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK

func owner(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Uid) }

// lockFile takes the lock on an ordinary file of ours, or says ErrInUse.
func lockFile(file *os.File) error {
	info, err := file.Stat()
	switch {
	case err != nil:
		return reason(err)
	case !info.Mode().IsRegular():
		return errors.New("is not an ordinary file; it is left alone")
	case owner(info) != os.Geteuid():
		return fmt.Errorf("belongs to user %d", owner(info))
	}
	err = onDescriptor(file, func(fd int) error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) })
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrInUse
	}
	return err
}

// refused says that nobody listens at a socket.
func refused(err error) bool { return errors.Is(err, unix.ECONNREFUSED) }

// busy says that too many wait to be accepted at a socket.
func busy(err error) bool { return errors.Is(err, unix.EAGAIN) }

// onDescriptor calls f with the number of a file or connection.
func onDescriptor(c syscall.Conn, f func(fd int) error) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	if failed := raw.Control(func(fd uintptr) { err = f(int(fd)) }); failed != nil {
		return failed
	}
	return err
}

// peerOf is who is at the other end; the caller closes it.
func peerOf(conn *net.UnixConn) (credentials, error) {
	var who credentials
	err := onDescriptor(conn, func(fd int) (err error) {
		who, err = peerCredentials(fd)
		return err
	})
	return who, err
}
