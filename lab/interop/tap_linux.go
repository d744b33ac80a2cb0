package main

import "syscall"

// diesWithUs hands a SIGKILL on, which a tap cannot do itself.
func diesWithUs() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
