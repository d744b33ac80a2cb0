//go:build !unix

package terminal

import (
	"os"
	"os/exec"
)

// Isolate does nothing here.
func Isolate(*exec.Cmd) {}

// KillTree kills the command alone.
func KillTree(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func exitOf(state *os.ProcessState) Exit { return Exit{Code: state.ExitCode()} }
