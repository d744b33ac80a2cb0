//go:build unix

package proxy

import (
	"os"

	"golang.org/x/sys/unix"
)

// readerWatch tells when nobody can read our stdout any more, without a write
// having to fail first.
type readerWatch struct {
	gone chan struct{} // closed when the reader is gone
	done chan struct{} // closed when the watch has ended
	wake *os.File
}

// watchReader watches out, which stays its owner's. A file that has no reader
// (a regular file, a device) never tells.
func watchReader(out *os.File) *readerWatch {
	w := &readerWatch{gone: make(chan struct{}), done: make(chan struct{})}
	asleep, wake, err := os.Pipe()
	if err != nil {
		close(w.done)
		return w
	}
	w.wake = wake
	go w.run(descriptor(out), asleep)
	return w
}

// descriptor is f's number, which f keeps in its present mode; Fd would make it
// blocking.
func descriptor(f *os.File) int {
	number := -1
	if raw, err := f.SyscallConn(); err == nil {
		raw.Control(func(fd uintptr) { number = int(fd) })
	}
	return number
}

func (w *readerWatch) run(out int, asleep *os.File) {
	defer close(w.done)
	defer asleep.Close()
	fds := []unix.PollFd{{Fd: int32(out)}, {Fd: int32(descriptor(asleep))}}
	for {
		_, err := unix.Poll(fds, -1)
		if err != nil && err != unix.EINTR {
			return
		}
		if fds[1].Revents != 0 {
			return
		}
		if fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
			close(w.gone)
			return
		}
		if fds[0].Revents&unix.POLLNVAL != 0 {
			return // closed; nothing to be known any more
		}
	}
}

// stop ends the watch and waits for it. It may be called again.
func (w *readerWatch) stop() {
	if w.wake != nil {
		w.wake.Close()
	}
	<-w.done
}
