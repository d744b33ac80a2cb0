//go:build unix

package main

import (
	"os"
	"syscall"
)

// lockFolder waits until nobody else has the lock of a folder, and gives what
// lets go of it. Where there are no locks, nothing is waited for.
func lockFolder(dir string) (unlock func()) {
	f, err := os.Open(dir)
	if err != nil {
		return func() {}
	}
	for err = syscall.EINTR; err == syscall.EINTR; {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	}
	return func() { f.Close() }
}
