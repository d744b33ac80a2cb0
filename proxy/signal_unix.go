//go:build unix

package proxy

import "syscall"

// endsAgent says whether sig asks a program to end.
func endsAgent(sig syscall.Signal) bool {
	switch sig {
	case syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT:
		return true
	}
	return false
}
