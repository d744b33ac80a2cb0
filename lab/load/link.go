package load

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Link is the editor's end of a started middle. One goroutine may use it.
type Link struct {
	in  io.WriteCloser // to the agent
	out io.Reader      // from the agent

	started time.Time
	agent   []string
	cmd     *exec.Cmd
	stderr  bytes.Buffer // may be read after Close only
}

// Start starts agent behind m, with dir as the middle's own directory. When ctx
// ends, the middle is killed and whatever waits on the link returns an error.
// The caller closes the link.
func Start(ctx context.Context, m Middle, agent []string, dir string) (*Link, error) {
	argv := m.Command(agent, dir)
	l := &Link{agent: agent, cmd: exec.CommandContext(ctx, argv[0], argv[1:]...)}
	l.cmd.Env = environment(dir)
	l.cmd.Stderr = &l.stderr
	l.cmd.WaitDelay = 5 * time.Second
	ownGroup(l.cmd)

	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		inR.Close()
		inW.Close()
		return nil, err
	}
	l.cmd.Stdin, l.cmd.Stdout = inR, outW
	l.in, l.out = inW, outR
	// Fd puts a file into blocking mode.
	inW.Fd()
	outR.Fd()
	l.started = time.Now()
	err = l.cmd.Start()
	inR.Close()
	outW.Close()
	if err != nil {
		inW.Close()
		outR.Close()
		return nil, fmt.Errorf("starting %s: %w", m.Name, err)
	}
	return l, nil
}

// environment is ours, without what configures the proxy and with every
// directory it may look for in dir.
func environment(dir string) []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "BOB") && !strings.HasPrefix(v, "XDG_") && !strings.HasPrefix(v, "HOME=") {
			env = append(env, v)
		}
	}
	return append(env, "HOME="+dir, "XDG_RUNTIME_DIR="+dir)
}

// Open performs what comes before the first prompt and returns the time from
// the start of the middle until the agent's first answer began to arrive.
func (l *Link) Open() (time.Duration, error) {
	if _, err := io.WriteString(l.in, initialize); err != nil {
		return 0, fmt.Errorf("initialize: %w", err)
	}
	first := make([]byte, 1)
	if _, err := io.ReadFull(l.out, first); err != nil {
		return 0, fmt.Errorf("initialize: %w", err)
	}
	took := time.Since(l.started)
	if err := l.expect([]byte(idHead + "0" + initialized)[1:]); err != nil {
		return 0, fmt.Errorf("initialize: %w", err)
	}
	cwd, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	if _, err := fmt.Fprintf(l.in, idHead+`1,"method":"session/new","params":{"cwd":%q,"mcpServers":[]}}`+"\n", cwd); err != nil {
		return 0, fmt.Errorf("session/new: %w", err)
	}
	if err := l.expect([]byte(idHead + "1" + opened)); err != nil {
		return 0, fmt.Errorf("session/new: %w", err)
	}
	return took, nil
}

// expect reads exactly want.
func (l *Link) expect(want []byte) error {
	got := make([]byte, len(want))
	if _, err := io.ReadFull(l.out, got); err != nil {
		return err
	}
	if !bytes.Equal(got, want) {
		return fmt.Errorf("%.200q came back, want %.200q", got, want)
	}
	return nil
}

// Close ends the client's side, reads to the end of the agent's and waits for
// the middle. It is an error when there was still something to read, or when
// the middle did not exit with status 0.
func (l *Link) Close() error {
	l.in.Close()
	rest, readErr := Sink(l.out)
	if f, ok := l.out.(io.Closer); ok {
		f.Close()
	}
	switch err := l.cmd.Wait(); {
	case err != nil:
		return fmt.Errorf("%w; stderr: %.500q", err, l.stderr.String())
	case readErr != nil:
		return readErr
	case rest.Bytes > 0:
		return fmt.Errorf("%d bytes more than the agent sent", rest.Bytes)
	}
	return nil
}
