package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// proxied is an agent behind bobproxy, as its editor sees it.
type proxied struct {
	*exec.Cmd
	in     *os.File
	out    *bufio.Reader
	outEnd *os.File
	stderr bytes.Buffer // to be read when it has ended
	record string
	bench  *bench
}

// start starts an agent behind bobproxy with these flags. When ctx ends the
// proxy is killed, so nothing that is done with it waits for ever.
func (b *bench) start(ctx context.Context, flags []string, agent ...string) (*proxied, error) {
	p := &proxied{bench: b, record: filepath.Join(b.dir, newInstance()+".jsonl")}
	args := append([]string{"run", "--record", p.record}, flags...)
	args = append(append(args, "--"), agent...)
	p.Cmd = exec.CommandContext(ctx, b.self, args...)
	p.Env, p.Dir, p.Cmd.Stderr = b.env, filepath.Join(b.dir, "work"), &p.stderr
	p.WaitDelay = time.Second // for what an agent has left
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirIn.Close(), in.Close())
	}
	p.Stdin, p.Stdout = theirIn, theirOut
	p.in, p.outEnd, p.out = in, out, bufio.NewReaderSize(out, 64<<10)
	err = errors.Join(p.Start(), theirIn.Close(), theirOut.Close())
	context.AfterFunc(ctx, func() { in.Close(); out.Close() })
	return p, err
}

// sh is a script as an agent.
func sh(script string, args ...string) []string {
	return append([]string{"sh", "-c", script, "sh"}, args...)
}

// exchange says all of text, reads to the end, and gives what was read and the
// exit status.
func (p *proxied) exchange(text []byte) (got []byte, code int, err error) {
	said := make(chan error, 1)
	go func() {
		_, err := p.in.Write(text)
		said <- errors.Join(err, p.in.Close())
	}()
	got, err = io.ReadAll(p.out)
	err = errors.Join(err, <-said)
	code, waited := p.finish()
	return got, code, errors.Join(err, waited)
}

// finish closes both ends and waits for the exit status.
func (p *proxied) finish() (int, error) {
	_ = p.in.Close() // was closed by who has said all
	defer p.outEnd.Close()
	err := p.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	return p.ProcessState.ExitCode(), nil
}

// kill ends it when a check is through with it, or has failed.
func (p *proxied) kill() {
	p.in.Close()
	p.outEnd.Close()
	if p.ProcessState == nil {
		p.Process.Kill()
		_ = p.Wait() // killed, which is an error
	}
}

func (p *proxied) line() (string, error) {
	line, err := p.out.ReadString('\n')
	if err != nil {
		return line, fmt.Errorf("waiting for a line: %w; stderr: %s", err, field(p.stderrEnd()))
	}
	return strings.TrimSuffix(line, "\n"), nil
}

// stderrEnd may only be asked of a process that has ended, or was killed here.
func (p *proxied) stderrEnd() string {
	p.kill()
	text := p.stderr.String()
	return text[max(0, len(text)-300):]
}

// connect reaches the proxy's control socket.
func (p *proxied) connect(ctx context.Context) (*control.Client, error) {
	lookup := func(name string) (string, bool) {
		return filepath.Join(p.bench.dir, "rt"), name == "BOBPROXY_RUNTIME_DIR"
	}
	for ctx.Err() == nil {
		found, _ := control.Find(lookup)
		for _, e := range found {
			c, err := control.Dial(ctx, e, broker.ByCommand)
			if err != nil {
				continue
			}
			if c.Greeting().PID == p.Process.Pid {
				return c, nil
			}
			_ = c.Close() // another proxy's
		}
		if err := pauseFor(ctx, 5*time.Millisecond); err != nil {
			break
		}
	}
	return nil, errors.New("the proxy has no control socket that answers")
}

// pauseFor lets another process go on.
func pauseFor(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// events reads its recording.
func (p *proxied) events() (all []journal.Event, err error) {
	file, err := os.Open(p.record)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for e, err := range journal.Read(file) {
		if err != nil {
			return all, err
		}
		all = append(all, e)
	}
	return all, nil
}
