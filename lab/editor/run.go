package editor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"bobproxy/lab/terminal"
)

// lastWords is how long output of descendants is awaited once the agent itself
// has gone.
const lastWords = 250 * time.Millisecond

// ErrStart says that the agent could not be started.
var ErrStart = errors.New("starting agent")

// Run starts the agent of o.Command, converses with it and sees it off. An
// error means that there was no turn whose end could be reported.
func Run(ctx context.Context, o Options) (Result, error) {
	if len(o.Command) == 0 {
		return Result{}, fmt.Errorf("%w: no command", ErrStart)
	}
	dir, err := o.dir()
	if err != nil {
		return Result{}, err
	}
	a, err := startAgent(o, dir)
	if err != nil {
		return Result{}, fmt.Errorf("%w: %w", ErrStart, err)
	}
	result, err := Converse(ctx, a.stdout, a.stdin, o)
	result.Killed = a.leave(o.grace())
	if errors.Is(err, ErrGone) {
		err = fmt.Errorf("%w (%s)", err, a.cmd.ProcessState)
	}
	return result, err
}

// agent is the process at the other end.
type agent struct {
	cmd           *exec.Cmd
	stdin, stdout *os.File
	gone          chan struct{}
}

// startAgent uses pipes of its own, so that Wait may be called while output is
// still being read.
func startAgent(o Options, dir string) (*agent, error) {
	path, err := program(o.Command[0])
	if err != nil {
		return nil, err
	}
	theirIn, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	stdout, theirOut, err := os.Pipe()
	if err != nil {
		_, _ = theirIn.Close(), stdin.Close()
		return nil, err
	}
	cmd := exec.Command(path, o.Command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), o.Env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirIn, theirOut, o.Stderr
	cmd.WaitDelay = lastWords
	terminal.Isolate(cmd)
	err = cmd.Start()
	_, _ = theirIn.Close(), theirOut.Close()
	if err != nil {
		_, _ = stdin.Close(), stdout.Close()
		return nil, err
	}
	a := &agent{cmd: cmd, stdin: stdin, stdout: stdout, gone: make(chan struct{})}
	go a.wait()
	return a, nil
}

// program makes a path that is relative to our directory hold in the session's,
// too.
func program(name string) (string, error) {
	if filepath.Base(name) == name {
		return name, nil
	}
	return filepath.Abs(name)
}

func (a *agent) wait() {
	_ = a.cmd.Wait()
	// What the agent left behind may hold its output open for ever.
	time.AfterFunc(lastWords, func() { _ = a.stdout.Close() })
	close(a.gone)
}

// leave waits for an agent whose input has ended and reports whether it had to
// be killed.
func (a *agent) leave(grace time.Duration) (killed bool) {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-a.gone:
	case <-timer.C:
		terminal.KillTree(a.cmd)
		killed = true
		<-a.gone
	}
	return killed
}
