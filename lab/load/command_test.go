package load_test

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"bobproxy/lab/load"
)

// TestMain makes the test binary what the tests start: "BINARY lab load MODE",
// or "BINARY lab load once MODE", which sees its stdin end after the first
// prompt.
func TestMain(m *testing.M) {
	if len(os.Args) < 3 || os.Args[1] != "lab" || os.Args[2] != "load" {
		// Each agent would wait a second at its end for late race reports.
		os.Setenv("GORACE", "atexit_sleep_ms=0")
		os.Exit(m.Run())
	}
	args, stdin := os.Args[3:], io.Reader(os.Stdin)
	if len(args) > 0 && args[0] == "once" {
		args, stdin = args[1:], &lines{os.Stdin, 3}
	}
	os.Exit(load.Command(args, stdin, os.Stdout, os.Stderr))
}

// lines reads the next n lines of r and no byte more.
type lines struct {
	r io.Reader
	n int
}

func (l *lines) Read(p []byte) (int, error) {
	if l.n == 0 {
		return 0, io.EOF
	}
	n, err := l.r.Read(p[:1])
	l.n -= bytes.Count(p[:n], []byte{'\n'})
	return n, err
}

func TestCommand(t *testing.T) {
	for name, c := range map[string]struct {
		args   string
		in     string
		status int
		out    int    // bytes
		starts string // of stdout, or of stderr after a failure
	}{
		"no mode":       {"", "", 2, 0, "usage"},
		"unknown":       {"noise", "", 2, 0, "usage"},
		"missing":       {"stream 1", "", 2, 0, "usage"},
		"no number":     {"stream x 200", "", 2, 0, "usage"},
		"copy nothing":  {"copy --", "", 2, 0, "usage"},
		"turn of turns": {"turn turn stream 1 200", "", 2, 0, "usage"},
		"too small":     {"stream 1 10", "", 125, 0, "load: a frame of 10 bytes"},
		"not there":     {"copy -- /nowhere", "", 125, 0, "copy: "},
		"echo":          {"echo", "a\nb", 0, 3, "a\nb"},
		"stream":        {"stream 2 200", "ignored", 0, 400, `{"jsonrpc"`},
		"pieces":        {"pieces 1000 7", "", 0, 1000, `{"jsonrpc"`},
		"turn":          {"turn pieces 1000 7", request(1, "session/prompt", strings.Repeat("x", 100)), 0, 1000 + 218, `{"jsonrpc"`},
		"not prompted":  {"turn stream 2 200", "", 0, 0, ""},
		"sink":          {"sink", "a\nb\n", 0, 89, `{"jsonrpc":"2.0","method":"_load/sunk","params":{"frames":2,"bytes":4,"sum":`},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			status := load.Command(strings.Fields(c.args), strings.NewReader(c.in), &stdout, &stderr)
			if status != c.status || stdout.Len() != c.out {
				t.Errorf("got status %d and %d bytes, want %d and %d; stderr: %s",
					status, stdout.Len(), c.status, c.out, stderr.String())
			}
			said := stdout.String()
			if status != 0 {
				said = stderr.String()
			}
			if !strings.HasPrefix(said, c.starts) {
				t.Errorf("got %.100q, want %q", said, c.starts)
			}
		})
	}
}

func TestCopy(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	in := strings.Repeat("one line\n", 100_000)
	var stdout, stderr bytes.Buffer
	status := load.Command([]string{"copy", "--", binary, "lab", "load", "echo"}, strings.NewReader(in), &stdout, &stderr)
	if status != 0 || stdout.String() != in {
		t.Errorf("got status %d and %d bytes, want %d; stderr: %s", status, stdout.Len(), len(in), stderr.String())
	}
	status = load.Command([]string{"copy", "--", binary, "lab", "load", "noise"}, strings.NewReader(""), &stdout, &stderr)
	if status != 2 {
		t.Errorf("got status %d, want the agent's, 2", status)
	}
}
