package proxy

import (
	"os"

	"golang.org/x/sys/unix"
)

const inQueue = unix.TIOCINQ // ioctl: how many bytes a pipe holds

// pipeSize is what the agent's stdin and stdout hold, in bytes. The kernel's
// own 64 KiB would make the agent wait while a large frame is scanned.
const pipeSize = 1 << 20

// widen makes a pipe hold pipeSize bytes, where the system allows it.
func widen(f *os.File) {
	if raw, err := f.SyscallConn(); err == nil {
		raw.Control(func(fd uintptr) { unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeSize) })
	}
}
