// Package child starts an agent as an editor does: in a process group of its
// own, with pipes for its stdin and stdout, and sees it off.
//
// One goroutine for each child waits for its end and ends with it.
package child

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"bobproxy/lab/terminal"
)

// lastWords is how long output of descendants is awaited once the child itself
// has gone.
const lastWords = 250 * time.Millisecond

// Command is what to start.
type Command struct {
	Argv   []string  // the program and its arguments; not empty
	Dir    string    // where it starts; a program named by a relative path is looked for in ours
	Env    []string  // added to our environment
	Stderr io.Writer // nil drops it
}

// Child is a process that was started.
type Child struct {
	Stdin, Stdout *os.File // our ends; closing Stdin asks it to leave

	cmd  *exec.Cmd
	gone chan struct{}
}

// Start starts a child. Its pipes are ours to close, and Leave is to be called.
func Start(c Command) (*Child, error) {
	path, err := program(c.Argv[0])
	if err != nil {
		return nil, err
	}
	theirIn, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	stdout, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirIn.Close(), stdin.Close())
	}
	cmd := exec.Command(path, c.Argv[1:]...)
	cmd.Dir = c.Dir
	cmd.Env = append(os.Environ(), c.Env...)
	// Pipes of our own, so that Wait may be called while output is still read.
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirIn, theirOut, c.Stderr
	cmd.WaitDelay = lastWords
	terminal.Isolate(cmd)
	err = cmd.Start()
	_, _ = theirIn.Close(), theirOut.Close()
	if err != nil {
		return nil, errors.Join(err, stdin.Close(), stdout.Close())
	}
	child := &Child{cmd: cmd, Stdin: stdin, Stdout: stdout, gone: make(chan struct{})}
	go child.wait()
	return child, nil
}

// program makes a path that is relative to our directory hold in the child's,
// too.
func program(name string) (string, error) {
	if filepath.Base(name) == name {
		return name, nil
	}
	return filepath.Abs(name)
}

func (c *Child) wait() {
	_ = c.cmd.Wait()
	// What the child left behind may hold its output open for ever.
	time.AfterFunc(lastWords, func() { _ = c.Stdout.Close() })
	close(c.gone)
}

// Leave waits for a child whose input has ended, kills it and its group after
// grace, and reports whether it had to.
func (c *Child) Leave(grace time.Duration) (killed bool) {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-c.gone:
	case <-timer.C:
		terminal.KillTree(c.cmd)
		killed = true
		<-c.gone
	}
	return killed
}

// Ending says how a child that has left ended, such as "exit status 1".
func (c *Child) Ending() string { return c.cmd.ProcessState.String() }

// Status is the same as a shell's number: the exit status, or 128 and the number
// of the signal that ended it.
func (c *Child) Status() int {
	status, ok := c.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return c.cmd.ProcessState.ExitCode()
}

// PID is the number of its process.
func (c *Child) PID() int { return c.cmd.Process.Pid }
