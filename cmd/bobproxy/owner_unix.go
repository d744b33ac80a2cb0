//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// hasModes says whether a file's mode tells who may read and write it.
const hasModes = true

// trusted is a file that only we or root can have written.
func trusted(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (stat.Uid == 0 || int(stat.Uid) == os.Geteuid())
}
