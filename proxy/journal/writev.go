//go:build linux || darwin

package journal

import (
	"io"

	"golang.org/x/sys/unix"
)

const maxSlices = 1024 // that one writev takes

// write uses one system call as far as the kernel takes all of it.
func (o *osFile) write(bufs [][]byte) (int64, error) {
	bufs = full(bufs)
	if len(bufs) == 1 {
		n, err := o.Write(bufs[0])
		return int64(n), err
	}
	conn, err := o.SyscallConn()
	if err != nil {
		return 0, err
	}
	total := int64(0)
	for len(bufs) > 0 {
		var n int
		var failed error
		err := conn.Write(func(fd uintptr) bool {
			n, failed = unix.Writev(int(fd), bufs[:min(len(bufs), maxSlices)])
			return failed != unix.EAGAIN
		})
		total += int64(max(n, 0))
		switch {
		case failed == unix.EINTR:
		case failed != nil:
			return total, failed
		case err != nil:
			return total, err
		case n == 0:
			return total, io.ErrShortWrite
		}
		bufs = after(bufs, max(n, 0))
	}
	return total, nil
}

// full leaves out empty slices.
func full(bufs [][]byte) [][]byte {
	kept := bufs[:0]
	for _, b := range bufs {
		if len(b) > 0 {
			kept = append(kept, b)
		}
	}
	return kept
}

// after leaves out the first n bytes.
func after(bufs [][]byte, n int) [][]byte {
	for len(bufs) > 0 && n >= len(bufs[0]) {
		n -= len(bufs[0])
		bufs = bufs[1:]
	}
	if len(bufs) > 0 {
		bufs[0] = bufs[0][n:]
	}
	return bufs
}
