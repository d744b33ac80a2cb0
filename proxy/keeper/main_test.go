//go:build linux

package keeper_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"bobproxy/proxy/keeper"
)

// TestMain makes the test binary, with hostArg, a process that starts an agent
// and can be killed. It is a keeper without any help.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == hostArg {
		os.Exit(host(os.Args[2:]))
	}
	// A process under the race detector otherwise sleeps a second before it ends.
	os.Setenv("GORACE", strings.TrimSpace("atexit_sleep_ms=0 "+os.Getenv("GORACE")))
	os.Exit(m.Run())
}

// patience is how long a test waits for what must happen; nothing is expected
// to take it.
const patience = 60 * time.Second

// forever is a grace that no test outlives.
const forever = time.Hour

// agent is a running agent with our ends of its stdio.
type agent struct {
	*keeper.Agent
	t    *testing.T
	in   *os.File
	out  *bufio.Reader
	mark string // in the environment of everything below
}

// starting keeps forks apart: a link on its way to one keeper must not reach
// another one.
var starting sync.Mutex

// start runs argv, looked up in the usual folders, as change wants it.
func start(t *testing.T, change func(*keeper.Spec), argv ...string) *agent {
	t.Helper()
	a, err := tryStart(t, change, argv...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func tryStart(t *testing.T, change func(*keeper.Spec), argv ...string) (*agent, error) {
	t.Helper()
	mark := "KEEPER_TEST=" + filepath.Base(t.TempDir()) + strconv.FormatInt(time.Now().UnixNano(), 36)
	inRead, inWrite := pipe(t)
	outRead, outWrite := pipe(t)
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	spec := keeper.Spec{
		Path: lookup(argv[0]), Argv: argv, Env: append(os.Environ(), mark),
		Stdin: inRead, Stdout: outWrite, Stderr: null,
		Grace: forever,
	}
	if change != nil {
		change(&spec)
	}
	starting.Lock()
	started, err := keeper.Start(spec)
	starting.Unlock()
	inRead.Close()
	outWrite.Close()
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() {
		started.Kill()
		wait(t, "the end of the tree", started.Gone())
		for _, pid := range marked(mark) {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return &agent{started, t, inWrite, bufio.NewReader(outRead), mark}, nil
}

// shell runs a script as agent.
func shell(t *testing.T, script string, grace time.Duration) *agent {
	t.Helper()
	return start(t, func(s *keeper.Spec) { s.Grace = grace }, "sh", "-c", script)
}

// pipe is an ordinary one, as most programs expect it.
func pipe(t *testing.T) (read, write *os.File) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { read.Close(); write.Close() })
	return read, write
}

func lookup(name string) string {
	if strings.Contains(name, "/") {
		return name
	}
	for _, dir := range []string{"/bin", "/usr/bin"} {
		if file := filepath.Join(dir, name); exists(file) {
			return file
		}
	}
	return name
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// line reads what the agent says, without the line feed.
func (a *agent) line() string {
	a.t.Helper()
	got := make(chan string, 1)
	go func() {
		line, _ := a.out.ReadString('\n')
		got <- line
	}()
	line := wait(a.t, "a line of the agent", got)
	if !strings.HasSuffix(line, "\n") {
		a.t.Fatalf("the agent's stdout ended after %q", line)
	}
	return strings.TrimSuffix(line, "\n")
}

// exit is how the agent ended.
func (a *agent) exit() keeper.Exit {
	a.t.Helper()
	return wait(a.t, "the agent's end", a.Exited())
}

// done waits until nothing is left to wait for.
func (a *agent) done() {
	a.t.Helper()
	wait(a.t, "the end of the tree", a.Gone())
}

// alone fails when something of the agent's tree, or its keeper, still runs.
func (a *agent) alone() {
	a.t.Helper()
	for _, pid := range marked(a.mark) {
		a.t.Errorf("process %d survived: %s", pid, commandOf(pid))
	}
}

func wait[T any](t *testing.T, what string, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		t.Fatalf("waited in vain for %s", what)
		panic("unreachable")
	}
}

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !done(); {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
		<-time.After(2 * time.Millisecond)
	}
}

// marked lists the processes that have mark in their environment. A zombie has
// none any more.
func marked(mark string) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		if env, _ := os.ReadFile(file); slices.Contains(strings.Split(string(env), "\x00"), mark) {
			pid, _ := strconv.Atoi(strings.Split(file, "/")[2])
			pids = append(pids, pid)
		}
	}
	return pids
}

func commandOf(pid int) string {
	line, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	return string(bytes.ReplaceAll(line, []byte{0}, []byte{' '}))
}

// state is a process's, as one letter, and its parent; the letter of a process
// that is no more is X.
func state(pid int) (letter string, parent int) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "X", 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	parent, _ = strconv.Atoi(fields[1])
	return fields[0], parent
}

func alive(pid int) bool {
	letter, _ := state(pid)
	return letter != "X" && letter != "Z"
}

// keeperOf is the process id of an agent's keeper.
func keeperOf(t *testing.T, a *agent) int {
	t.Helper()
	_, parent := state(a.Pid)
	if !strings.Contains(commandOf(parent), keeper.Arg) {
		t.Fatalf("the agent's parent is %q, no keeper", commandOf(parent))
	}
	return parent
}

func pids(t *testing.T, line string) (pids []int) {
	t.Helper()
	for _, field := range strings.Fields(line) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatalf("%q is no list of process ids", line)
		}
		pids = append(pids, pid)
	}
	return pids
}
