package proxy

import "syscall"

// Exit codes of our own, as env(1), timeout(1) and the shell use them.
const (
	ExitOurs          = 125 // our own failure, or we refused to start
	ExitNotExecutable = 126
	ExitNotFound      = 127
)

// exitCode is what a shell would make of status.
func exitCode(status syscall.WaitStatus) int {
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}
