//go:build unix

package terminal

import (
	"os"
	"os/exec"
	"syscall"
)

// Isolate gives cmd a process group of its own. Call it before cmd.Start.
func Isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// KillTree kills an isolated command with everything in its group.
func KillTree(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}

func exitOf(state *os.ProcessState) Exit {
	status, ok := state.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return Exit{Code: 128 + int(status.Signal()), Signal: status.Signal().String()}
	}
	return Exit{Code: state.ExitCode()}
}
