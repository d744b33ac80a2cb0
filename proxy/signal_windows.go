package proxy

import "syscall"

// endsAgent says whether sig asks a program to end.
func endsAgent(syscall.Signal) bool { return true }
