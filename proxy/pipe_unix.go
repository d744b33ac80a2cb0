//go:build unix

package proxy

import (
	"os"

	"golang.org/x/sys/unix"
)

// forAgent makes the agent's end of a pipe an ordinary one: os.Pipe makes both
// ends non-blocking, and few programs expect that of their stdin.
func forAgent(f *os.File) error { return unix.SetNonblock(int(f.Fd()), false) }

// waiting is how many bytes a pipe holds.
func waiting(f *os.File) int {
	raw, err := f.SyscallConn()
	if err != nil {
		return 0
	}
	var n int
	raw.Control(func(fd uintptr) { n, _ = unix.IoctlGetInt(int(fd), inQueue) })
	return n
}
