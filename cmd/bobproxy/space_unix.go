//go:build unix

package main

import "golang.org/x/sys/unix"

// freeSpace is how many bytes a user can still write on the file system of a
// folder; negative: it is not known.
func freeSpace(dir string) int64 {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return -1
	}
	return int64(s.Bavail) * int64(s.Bsize)
}

// writeError says why nothing can be made in a folder; nil: it can.
func writeError(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }
