//go:build linux

package keeper_test

import (
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"

	"bobproxy/proxy/keeper"
)

// Whoever calls a keeper by hand gets an error, and never a process that waits
// for what they type and takes no Ctrl-C.
func TestNoKeeperWithoutALink(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {"0"}, {"1"}, {"3"}, {"-1"}, {"99999999999999999999"}, {"x"}, {"3", "3"}} {
		in, held, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command(exe, append([]string{keeper.Arg}, args...)...)
		c.Stdin, c.ExtraFiles = in, []*os.File{in}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		late := time.AfterFunc(patience, func() { c.Process.Kill() })
		err = c.Wait()
		late.Stop()
		if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 125 {
			t.Errorf("with %q it ends with %v, want exit 125", args, err)
		}
		in.Close()
		held.Close()
	}
}
