package terminal

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"time"
)

// drain is how long output is still awaited from descendants once the command
// itself has ended.
const drain = time.Second

// Command is what to run.
type Command struct {
	Path  string   // a name found on PATH, or a path; relative to Dir when it holds a separator
	Args  []string // without the command itself
	Dir   string
	Env   []string // added to the environment of this process
	Limit int      // bytes of output kept; zero means 1 MiB
}

// Exit is how a command ended: Code, or Signal when a signal ended it.
type Exit struct {
	Code   int
	Signal string
}

// Terminal is a started command. Its methods may be called at once.
type Terminal struct {
	cmd  *exec.Cmd
	out  *tail
	done chan struct{}
	exit Exit // valid once done is closed
}

// Start runs c until it ends, is killed, or ctx ends.
func Start(ctx context.Context, c Command) (*Terminal, error) {
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Dir = c.Dir
	cmd.Env = append(os.Environ(), c.Env...)
	out := &tail{limit: c.Limit}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = drain
	Isolate(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	t := &Terminal{cmd: cmd, out: out, done: make(chan struct{})}
	stop := context.AfterFunc(ctx, t.Kill)
	go t.wait(stop)
	return t, nil
}

func (t *Terminal) wait(stop func() bool) {
	err := t.cmd.Wait()
	stop()
	t.exit = exitOf(t.cmd.ProcessState)
	if errors.Is(err, exec.ErrWaitDelay) {
		// Something it left behind still holds the output open.
		KillTree(t.cmd)
	}
	close(t.done)
}

// Output returns the newest output, as valid UTF-8, and whether older output
// was dropped.
func (t *Terminal) Output() (text string, truncated bool) { return t.out.text() }

// Wait returns how the command ended, or the error of ctx.
func (t *Terminal) Wait(ctx context.Context) (Exit, error) {
	select {
	case <-t.done:
		return t.exit, nil
	case <-ctx.Done():
		return Exit{}, ctx.Err()
	}
}

// Exited returns how the command ended, if it has.
func (t *Terminal) Exited() (Exit, bool) {
	select {
	case <-t.done:
		return t.exit, true
	default:
		return Exit{}, false
	}
}

// Kill ends the command and its descendants. It does not wait.
func (t *Terminal) Kill() {
	if _, ended := t.Exited(); !ended {
		KillTree(t.cmd)
	}
}
