//go:build unix

package lab_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"bobproxy/lab/retrybudget"
)

// TestInterrupt presses Ctrl-C in an editor that waits for somebody else.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	dir, self := exercise(t), executable(t)
	cmd := exec.CommandContext(ctx, self, "editor", "--allow", "none", "--grace", "1m", "--cwd", dir, "--", self, "agent")
	cmd.Env = append(os.Environ(), asEnv+"=command")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var screen strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		screen.WriteString(lines.Text() + "\n")
		if strings.Contains(lines.Text(), "→ waiting") {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.HasSuffix(screen.String(), "end      cancelled\n") {
		t.Errorf("exit %d\n%s", code, screen.String())
	}
	if source(t, dir) != retrybudget.Broken() {
		t.Error("source changed")
	}
}
