//go:build unix

package load

import (
	"os/exec"
	"syscall"
)

// ownGroup makes cmd, when it is cancelled, take the rest of its pipeline along.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
