//go:build linux

package keeper_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"bobproxy/proxy/keeper"
)

const hostArg = "__host"

// host is a process of its own that starts an agent: `GRACE SCRIPT`. It prints
// when and how the agent ended, and is told by USR1 to end it.
func host(args []string) int {
	keeper.Adopt()
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR1)
	grace, _ := time.ParseDuration(args[0])
	a, err := keeper.Start(keeper.Spec{
		Path: "/bin/sh", Argv: []string{"sh", "-c", args[1]}, Env: os.Environ(),
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Grace: grace,
	})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	go func() {
		for range asked {
			a.End(syscall.SIGTERM)
		}
	}()
	exit := <-a.Exited()
	fmt.Println("ended")
	<-a.Gone()
	fmt.Println("status", int(exit.Status), exit.Lost)
	return 0
}

type hosted struct {
	*exec.Cmd
	out  *bufio.Reader
	mark string
}

func startHost(t *testing.T, grace time.Duration, script string) *hosted {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := &hosted{Cmd: exec.Command(exe, hostArg, grace.String(), script), mark: "KEEPER_TEST=" + t.Name()}
	h.Env = append(os.Environ(), h.mark)
	out, err := h.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	starting.Lock()
	err = h.Start()
	starting.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, pid := range marked(h.mark) {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		h.Wait()
	})
	h.out = bufio.NewReader(out)
	return h
}

func (h *hosted) line(t *testing.T) string {
	t.Helper()
	line, err := h.out.ReadString('\n')
	if err != nil {
		t.Fatalf("got %q and %v", line, err)
	}
	return line
}

// Whatever ends whoever started the agent, nothing of the tree stays; the agent
// is asked first.
func TestHostKilled(t *testing.T) {
	file := filepath.Join(t.TempDir(), "told")
	h := startHost(t, 200*time.Millisecond, `trap 'echo told >`+file+`' TERM
		setsid sh -c 'trap "" TERM; echo $$; while :; do sleep 1000; done' &
		while :; do sleep 0.01; done`)
	h.line(t)
	h.Process.Kill()
	until(t, "the end of the tree", func() bool { return len(marked(h.mark)) == 0 })
	if told, _ := os.ReadFile(file); string(told) != "told\n" {
		t.Errorf("the agent was not asked to end before it was killed (%q)", told)
	}
}

// A keeper that was stopped does its work all the same when its host is killed.
func TestHostKilledWhileTheKeeperIsStopped(t *testing.T) {
	h := startHost(t, 200*time.Millisecond, `setsid sleep 1000 & kill -STOP $PPID; echo $$; exec sleep 1000`)
	h.line(t)
	h.Process.Kill()
	until(t, "the end of the tree", func() bool { return len(marked(h.mark)) == 0 })
}

// Not even the keeper's death lets anything get away, and it is told.
func TestKeeperKilled(t *testing.T) {
	h := startHost(t, forever, tree)
	var all []int
	for len(all) < 4 {
		all = append(all, pids(t, h.line(t))...)
	}
	for _, pid := range marked(h.mark) {
		if strings.Contains(commandOf(pid), keeper.Arg) {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	h.line(t) // ended
	want := fmt.Sprintf("status %d the keeper was killed\n", int(syscall.SIGKILL))
	if got := h.line(t); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, pid := range all {
		if alive(pid) {
			t.Errorf("process %s survived: %s", strconv.Itoa(pid), commandOf(pid))
		}
	}
	io.Copy(io.Discard, h.out)
	h.Wait()
	if left := marked(h.mark); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// The keeper's death between the agent's end and that of its tree lets nothing
// get away either.
func TestKeeperKilledWhileTheTreeEnds(t *testing.T) {
	h := startHost(t, forever, `trap 'exit 7' TERM
		setsid sh -c 'trap "" TERM; echo $$; while :; do sleep 1000; done' &
		while :; do sleep 0.01; done`)
	deaf := pids(t, h.line(t))[0]
	h.Process.Signal(syscall.SIGUSR1)
	if got := h.line(t); got != "ended\n" {
		t.Fatalf("%q", got)
	}
	for _, pid := range marked(h.mark) {
		if strings.Contains(commandOf(pid), keeper.Arg) {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	if got, want := h.line(t), fmt.Sprintf("status %d <nil>\n", 7<<8); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if alive(deaf) {
		t.Errorf("process %d survived: %s", deaf, commandOf(deaf))
	}
}
