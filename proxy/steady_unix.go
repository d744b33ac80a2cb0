//go:build unix

package proxy

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// steady is one of our streams. Whoever shares its open file with us may make
// it non-blocking at any time, which must not look like its end.
type steady struct{ *os.File }

func (s steady) Read(b []byte) (int, error) {
	for {
		n, err := s.File.Read(b)
		if n > 0 || !errors.Is(err, syscall.EAGAIN) {
			return n, err
		}
		s.wait(unix.POLLIN)
	}
}

func (s steady) Write(b []byte) (int, error) {
	written := 0
	for {
		n, err := s.File.Write(b[written:])
		written += n
		if !errors.Is(err, syscall.EAGAIN) {
			return written, err
		}
		s.wait(unix.POLLOUT)
	}
}

// wait waits until the file may be ready; the next call tells.
func (s steady) wait(events int16) {
	unix.Poll([]unix.PollFd{{Fd: int32(descriptor(s.File)), Events: events}}, -1)
}
