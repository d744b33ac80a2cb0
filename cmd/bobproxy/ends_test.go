//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The exit status is the agent's, or 128 and the signal that killed it.
func TestExitStatusIsTheAgents(t *testing.T) {
	for _, tt := range []struct {
		name string
		cmd  []string
		want int
	}{
		{"zero", []string{"sh", "-c", "exit 0"}, 0},
		{"three", []string{"sh", "-c", "exit 3"}, 3},
		{"255", []string{"sh", "-c", "exit 255"}, 255},
		{"TERM", []string{"sh", "-c", "kill -15 $$"}, 143},
		{"KILL", []string{"sh", "-c", "kill -9 $$"}, 137},
		{"SEGV", []string{"sh", "-c", "kill -11 $$"}, 139},
		{"at the end of stdin", []string{"peer", "late"}, 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := start(t, append([]string{"run", "--"}, tt.cmd...)...)
			if _, got := p.finish(); got != tt.want {
				t.Errorf("exit status %d, want %d; stderr: %s", got, tt.want, p.errs)
			}
		})
	}
}

func TestCommandThatCannotRun(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	os.WriteFile(plain, []byte("text"), 0o644)
	for _, tt := range []struct {
		name string
		args []string
		env  string
		want int
		says string
	}{
		{"not in PATH", []string{"run", "--", "npxx"}, "PATH=/usr/bin:/bin", 127, `"npxx" was not found in PATH (/usr/bin:/bin)`},
		{"no such file", []string{"run", "--", "/no/such"}, "", 127, "cannot run /no/such: no such file"},
		{"not executable", []string{"run", "--", plain}, "", 126, "permission denied"},
		{"not executable in PATH", []string{"run", "--", "plain"}, "PATH=" + dir, 126, plain + " is not executable"},
		{"a folder", []string{"run", "--", dir}, "", 126, "cannot run " + dir},
		{"bob not found", []string{"acp"}, "PATH=/usr/bin", 127, "--bob FILE or BOB_PATH"},
		{"named bob not found", []string{"--bob", "/no/bob", "acp"}, "", 127, "cannot run /no/bob"},
		{"no dashes", []string{"run", "goose", "acp"}, "", 2, "bobproxy run -- goose acp"},
		{"no command", []string{"run", "--"}, "", 2, "which agent?"},
		{"unknown flag", []string{"run", "--recrod", "x", "--", "cat"}, "", 2, "recrod"},
		{"unknown command", []string{"goose", "acp"}, "", 2, "bobproxy run -- goose"},
		{"bad switch", []string{"run", "--", "cat"}, "BOBPROXY_RECORD_REQUIRED=maybe", 2, "neither true nor false"},
		{"bad size", []string{"--record-max-size", "big", "run", "--", "cat"}, "", 2, "500MB or 1GiB"},
		{"tilde", []string{"run", "--record", "~/x", "--", "cat"}, "", 2, "whole path"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := prepare(t, tt.args...)
			if tt.env != "" {
				p.Env = append(p.Env, tt.env)
			}
			p.begin()
			out, code := p.finish()
			if code != tt.want || out != "" {
				t.Errorf("code %d, stdout %q; want %d and nothing", code, out, tt.want)
			}
			if says := p.errs.String(); !strings.Contains(says, tt.says) || strings.Count(says, "\n") != 1 {
				t.Errorf("stderr %q; want one line that says %q", says, tt.says)
			}
		})
	}
}

// What the agent wrote before it ended arrives, also when it ends at once.
func TestTailOfAnAgentThatEndsAtOnce(t *testing.T) {
	const bytes = 300_000
	for range 50 {
		p := start(t, "run", "--", "peer", "burst", fmt.Sprint(bytes), "7")
		if got := p.rest(); len(got) != bytes {
			t.Fatalf("%d bytes arrived, want %d", len(got), bytes)
		}
		if code := p.exit(); code != 7 {
			t.Fatalf("exit status %d, want 7", code)
		}
	}
}

// A process that the agent leaves behind and that holds its stdout does not
// keep the proxy, and is left alone.
func TestGrandchildHoldsStdout(t *testing.T) {
	p := start(t, "run", "--", "sh", "-c", `sleep 1000 & echo $!; exit 3`)
	pid := strings.TrimSpace(p.line())
	rest, code := p.rest(), p.exit()
	if rest != "" || code != 3 {
		t.Errorf("rest %q, exit status %d; want nothing and 3", rest, code)
	}
	if !alive(pid) {
		t.Error("what the agent left running on purpose was killed")
	}
	var n int
	fmt.Sscan(pid, &n)
	syscall.Kill(n, syscall.SIGKILL)
	if r := p.recording(); !strings.Contains(r, `"left"`) || !strings.Contains(r, "sleep 1000") {
		t.Errorf("the recording does not tell what was left: %s", clip(r[strings.LastIndex(strings.TrimSpace(r), "\n")+1:]))
	}
}

// The agent's exit ends the proxy although the editor's stdin stays open.
func TestAgentLeavesFirst(t *testing.T) {
	p := start(t, "run", "--", "true")
	if rest, code := p.rest(), p.exit(); rest != "" || code != 0 {
		t.Errorf("rest %q, exit status %d", rest, code)
	}
}

// tree is an agent with a child, and a grandchild in a session of its own; it
// prints the process ids of all three.
const tree = `setsid sh -c 'echo $$; exec sleep 1000' & sleep 1001 & echo $$ $!; exec sleep 1002`

func startTree(t *testing.T) (*process, []string) {
	p := prepare(t, "run", "--", "sh", "-c", tree)
	p.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.begin()
	pids := strings.Fields(p.line() + p.line())
	if len(pids) != 3 {
		t.Fatalf("got %q, want three process ids", pids)
	}
	return p, pids
}

func gone(t *testing.T, pids []string) {
	t.Helper()
	for _, pid := range pids {
		until(t, "the end of process "+pid, func() bool { return !alive(pid) })
	}
}

// However the proxy ends, nothing of the agent's tree stays.
func TestNothingSurvivesTheProxy(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(*process)
	}{
		{"TERM", func(p *process) { p.Process.Signal(syscall.SIGTERM) }},
		{"INT", func(p *process) { p.Process.Signal(syscall.SIGINT) }},
		{"HUP", func(p *process) { p.Process.Signal(syscall.SIGHUP) }},
		{"KILL", func(p *process) { p.Process.Kill() }},
		{"KILL of the group", func(p *process) { syscall.Kill(-p.Process.Pid, syscall.SIGKILL) }},
		{"end of stdin and of stdout", func(p *process) { p.in.Close(); p.outEnd.Close() }},
		{"nobody reads stdout", func(p *process) { p.outEnd.Close() }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, pids := startTree(t)
			tt.end(p)
			gone(t, pids)
			p.Wait()
		})
	}
}

// TERM to every descendant, as some clients do, reaches the keeper too; the
// tree still goes and the status still arrives.
func TestTermToEveryDescendant(t *testing.T) {
	p, pids := startTree(t)
	for _, pid := range descendants(p.Process.Pid) {
		syscall.Kill(pid, syscall.SIGTERM)
	}
	p.Process.Signal(syscall.SIGTERM)
	p.rest()
	if code := p.exit(); code != 143 {
		t.Errorf("exit status %d, want 143", code)
	}
	gone(t, pids)
}

func TestKeeperKilled(t *testing.T) {
	p, pids := startTree(t)
	for _, pid := range children(p.Process.Pid) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	p.rest()
	if code := p.exit(); code != 137 {
		t.Errorf("exit status %d, want 137", code)
	}
	gone(t, pids)
}

// A signal goes to the agent, which may do with it what it likes; the second
// one that ends kills.
func TestSignalsReachTheAgent(t *testing.T) {
	p := start(t, "run", "--", "peer", "signals")
	ready := strings.Fields(p.line())
	p.Process.Signal(syscall.SIGUSR1)
	p.expect("user defined signal 1\n")
	p.Process.Signal(syscall.SIGTERM)
	p.expect("terminated\n")
	p.Process.Signal(syscall.SIGINT)
	p.rest()
	if code := p.exit(); code != 137 {
		t.Errorf("exit status %d, want 137", code)
	}
	gone(t, ready[1:])
}

// An agent that ignores the end of its stdin is ended, but not while it owes an
// answer.
func TestEndOfStdinIsAHalfClose(t *testing.T) {
	p := start(t, "run", "--", "sh", "-c", `cat >/dev/null; echo '{"jsonrpc":"2.0","id":1,"result":{}}'; exit 4`)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize"}` + "\n")
	p.in.Close()
	p.expect(`{"jsonrpc":"2.0","id":1,"result":{}}` + "\n")
	if rest, code := p.rest(), p.exit(); rest != "" || code != 4 {
		t.Errorf("rest %q, exit status %d; want nothing and 4", rest, code)
	}
}

func TestAgentIgnoresTheEndOfStdin(t *testing.T) {
	p := start(t, "run", "--", "sh", "-c", `exec sleep 1000`)
	if rest, code := p.finish(); rest != "" || code != 143 {
		t.Errorf("rest %q, exit status %d; want nothing and 143", rest, code)
	}
}

// An agent that has closed its stdin may go on talking, and the editor learns
// of it as it would from a pipe.
func TestAgentClosesItsStdin(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	p := start(t, "run", "--", "sh", "-c", `exec 0<&-; echo closed; read x <`+fifo+`; echo still here`)
	p.expect("closed\n")
	until(t, "the editor's write to fail", func() bool {
		_, err := io.WriteString(p.in, "x\n")
		return err != nil
	})
	if err := os.WriteFile(fifo, []byte("go\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.expect("still here\n")
	if code := p.exit(); code != 0 {
		t.Errorf("exit status %d", code)
	}
}

func TestAgentClosesItsStdout(t *testing.T) {
	p := start(t, "run", "--", "sh", "-c", `echo last; exec >&-; read line && exit 6; exit 9`)
	if got := p.rest(); got != "last\n" {
		t.Errorf("got %q", got)
	}
	p.send("go on\n")
	if code := p.exit(); code != 6 {
		t.Errorf("exit status %d, want 6", code)
	}
}

// An agent that has closed its stdin is not taken for one whose editor has
// left: it may be silent for as long as it likes.
func TestAgentThatReadsNothingIsLeftAlone(t *testing.T) {
	t.Parallel()
	p := start(t, "run", "--", "sh", "-c", `exec 0<&-; echo closed; sleep 6; echo still here; exit 3`)
	p.expect("closed\n")
	until(t, "the editor's write to fail", func() bool {
		_, err := io.WriteString(p.in, "x\n")
		return err != nil
	})
	p.expect("still here\n")
	if code := p.exit(); code != 3 {
		t.Errorf("exit status %d, want 3", code)
	}
}

// What cannot be written although the editor is there is an error, and never
// exit status 0.
func TestStdoutOnAFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	p := prepare(t, "run", "--", "seq", "1", "100000")
	p.Stdout = full
	p.begin()
	if code := p.exit(); code != 125 {
		t.Errorf("exit status %d, want 125", code)
	}
	if says := p.errs.String(); says != "bobproxy: write /dev/stdout: no space left on device\n" {
		t.Errorf("stderr %q", says)
	}
}

// Somebody who shares our open files may make them non-blocking; nothing ends
// or is lost by that.
func TestStreamsMadeNonBlocking(t *testing.T) {
	in, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	read, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	p := prepare(t, "run", "--", "sh", "-c", "read x; echo $x; read x; seq 1 100000; echo $x")
	p.Stdin, p.Stdout = in, out
	p.begin()
	answers := bufio.NewReader(read)
	io.WriteString(write, "first\n")
	if got, err := answers.ReadString('\n'); got != "first\n" {
		t.Fatalf("got %q, %v", got, err)
	}
	for _, f := range []*os.File{in, out} {
		if err := syscall.SetNonblock(int(f.Fd()), true); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	io.WriteString(write, "second\n")
	got, err := io.ReadAll(answers)
	if err != nil || len(got) != 588895+len("second\n") || !strings.HasSuffix(string(got), "\n100000\nsecond\n") {
		t.Errorf("%d bytes arrive, %v", len(got), err)
	}
	if code := p.exit(); code != 0 {
		t.Errorf("exit status %d", code)
	}
}
