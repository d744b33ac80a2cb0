//go:build unix

package lab

import (
	"os"
	"syscall"
	"unsafe"
)

// columns is how wide the terminal behind f is; ok tells whether there is one.
func columns(f *os.File) (width int, ok bool) {
	var size struct{ rows, columns, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if errno != 0 {
		return 0, false
	}
	if size.columns == 0 {
		return 80, true
	}
	return int(size.columns), true
}
