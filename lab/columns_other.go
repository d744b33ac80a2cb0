//go:build !unix

package lab

import "os"

// columns is how wide the terminal behind f is; ok tells whether there is one.
// Here the width is not asked for.
func columns(f *os.File) (width int, ok bool) {
	info, err := f.Stat()
	return 80, err == nil && info.Mode()&os.ModeCharDevice != 0
}
