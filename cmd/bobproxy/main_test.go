//go:build linux

package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestMain makes the test binary all that the tests start: by the name it is
// called with it is bobproxy or one of the agents of peers_test.go.
func TestMain(m *testing.M) {
	switch name := filepath.Base(os.Args[0]); {
	case name == "peer":
		os.Exit(peer(os.Args[1:]))
	case name == "bobproxy", len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-test."):
		main() // by its name, or where bobproxy started its own executable
	}
	// A process under the race detector otherwise sleeps a second before it ends.
	os.Setenv("GORACE", strings.TrimSpace("atexit_sleep_ms=0 "+os.Getenv("GORACE")))
	os.Setenv("XDG_CONFIG_HOME", "/nonexistent") // not with the settings of whoever runs the tests
	os.Exit(apart(m.Run))
}

// apart runs the tests with a runtime directory, whose path leaves room for a
// socket's name, and recordings of their own.
func apart(run func() int) int {
	dir, err := os.MkdirTemp("", "b")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv("XDG_RUNTIME_DIR", dir)
	os.Unsetenv("BOBPROXY_RUNTIME_DIR") // which tests that name a folder would not get past
	os.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	return run()
}

// patience is how long a test waits for what must happen, whatever the
// machine; nothing is expected to take it.
const patience = 2 * time.Minute

// bin is a folder in which the test binary is called bobproxy and peer.
func bin(t testing.TB) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"bobproxy", "peer"} {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// process is bobproxy, or anything else, as an editor sees it.
type process struct {
	*exec.Cmd
	t      testing.TB
	in     io.WriteCloser
	out    *bufio.Reader
	outEnd io.Closer // our end of its stdout
	errs   *output
	state  string // where it records by default
}

// output collects what a process writes while it is being read.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// start starts `bobproxy ARGS…` with a PATH on which peer is found.
func start(t testing.TB, args ...string) *process {
	t.Helper()
	p := prepare(t, args...)
	p.begin()
	return p
}

// prepare is start without starting, for a test that changes the command.
func prepare(t testing.TB, args ...string) *process {
	t.Helper()
	dir := bin(t)
	c := exec.CommandContext(watched(t).ctx, filepath.Join(dir, "bobproxy"), args...)
	state := filepath.Join(t.TempDir(), "state")
	c.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "XDG_STATE_HOME="+state)
	return &process{Cmd: c, t: t, errs: &output{}, state: filepath.Join(state, "bobproxy")}
}

func (p *process) begin() {
	p.t.Helper()
	var err error
	if p.Stdin == nil {
		if p.in, err = p.StdinPipe(); err != nil {
			p.t.Fatal(err)
		}
	}
	if p.Stdout == nil {
		out, err := p.StdoutPipe()
		if err != nil {
			p.t.Fatal(err)
		}
		p.out, p.outEnd = bufio.NewReaderSize(signs{out, watched(p.t)}, 1<<20), out
	}
	if p.Stderr == nil {
		p.Stderr = p.errs
	}
	if err := p.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { p.Process.Kill() })
}

func (p *process) send(text string) {
	p.t.Helper()
	var err error
	watched(p.t).during(func() { _, err = io.WriteString(p.in, text) })
	if err != nil {
		p.t.Fatalf("writing to %s: %v", p.Args, err)
	}
}

// line reads one line, its end included.
func (p *process) line() string {
	p.t.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil {
		p.t.Fatalf("waiting for a line, got %q: %v; stderr: %s", clip(line), err, p.errs)
	}
	return line
}

func (p *process) expect(want string) {
	p.t.Helper()
	if got := p.line(); got != want {
		p.t.Fatalf("got %q, want %q", clip(got), clip(want))
	}
}

// rest reads stdout to its end.
func (p *process) rest() string {
	p.t.Helper()
	all, err := io.ReadAll(p.out)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(all)
}

// exit waits for the end, stdout read to its end before, and gives the code a
// shell would show.
func (p *process) exit() int {
	p.t.Helper()
	var err error
	watched(p.t).during(func() { err = p.Wait() })
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatalf("waiting for %s: %v", p.Args, err)
	}
	status := p.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}

// close closes stdin, reads the rest and waits.
func (p *process) finish() (rest string, code int) {
	p.t.Helper()
	p.in.Close()
	rest = p.rest()
	return rest, p.exit()
}

func clip(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}

// recordings are the files in the default place.
func (p *process) recordings() []string {
	p.t.Helper()
	files, err := filepath.Glob(filepath.Join(p.state, "*.jsonl"))
	if err != nil {
		p.t.Fatal(err)
	}
	return files
}

// recording is the text of the one recording in the default place.
func (p *process) recording() string {
	p.t.Helper()
	files := p.recordings()
	if len(files) != 1 {
		p.t.Fatalf("%d recordings in %s, want 1", len(files), p.state)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

// until waits for what another process does and cannot tell.
func until(t testing.TB, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !done(); {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
		<-time.After(5 * time.Millisecond)
	}
}

// alive says whether a process runs, a zombie not counted.
func alive(pid string) bool {
	stat, err := os.ReadFile("/proc/" + strings.TrimSpace(pid) + "/stat")
	if err != nil {
		return false
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	return len(fields) > 0 && fields[0] != "Z"
}

// children lists the processes whose parent is pid.
func children(pid int) (pids []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		stat, _ := os.ReadFile(file)
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(pid) {
			child, _ := strconv.Atoi(strings.Split(file, "/")[2])
			pids = append(pids, child)
		}
	}
	return pids
}

// descendants lists everything below pid.
func descendants(pid int) (pids []int) {
	for _, child := range children(pid) {
		pids = append(append(pids, child), descendants(child)...)
	}
	return pids
}
