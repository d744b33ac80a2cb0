//go:build linux

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"bobproxy/proxy/journal"
)

// mark puts something into the environment by which everything that p starts is
// known.
func (p *process) mark() string {
	mark := fmt.Sprintf("MARK=%s-%d", p.t.Name(), time.Now().UnixNano())
	p.Env = append(p.Env, mark)
	return mark
}

// marked lists the commands that run with mark in their environment.
func marked(mark string) (commands []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		env, _ := os.ReadFile(file)
		if !slices.Contains(strings.Split(string(env), "\x00"), mark) {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		commands = append(commands, strings.ReplaceAll(string(line), "\x00", " "))
	}
	return commands
}

func nothingLeft(t *testing.T, mark string) {
	t.Helper()
	var left []string
	until(t, "the end of everything that was started", func() bool { left = marked(mark); return len(left) == 0 })
}

// An agent deaf to the end of stdin and to TERM is killed, with all it started.
func TestDeafAgentIsKilled(t *testing.T) {
	t.Parallel()
	p := prepare(t, "run", "--", "sh", "-c", `trap '' TERM; setsid sleep 1001 & echo up; while :; do sleep 1000; done`)
	mark := p.mark()
	p.begin()
	p.expect("up\n")
	if rest, code := p.finish(); rest != "" || code != 137 {
		t.Errorf("rest %q, exit status %d; want nothing and 137", rest, code)
	}
	if left := marked(mark); len(left) > 0 {
		t.Errorf("left when the proxy had ended: %q", left)
	}
	if last := p.last(); last.Exit == nil || last.Exit.Signal != "killed" || last.Exit.Status != 137 {
		t.Errorf("the recording ends with %+v", last)
	}
}

// A launcher that does not pass signals on does not shield the real agent.
func TestLauncherDoesNotShieldTheAgent(t *testing.T) {
	for _, tt := range []struct{ name, script string }{
		{"waits", `peer echo <&3 & wait`},
		{"real agent is deaf", `sh -c 'trap "" TERM HUP INT; peer echo' <&3 & wait`},
		{"launcher is deaf", `trap '' TERM; sh -c 'trap - TERM; exec peer echo' <&3 & while :; do wait; done`},
		{"three of them", `sh -c 'exec 4<&3; sh -c "exec 5<&4; peer echo <&5 & wait" & wait' & wait`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := prepare(t, "run", "--", "sh", "-c", `exec 3<&0; `+tt.script)
			mark := p.mark()
			p.begin()
			p.send("hello\n")
			p.expect("hello\n")
			p.Process.Signal(syscall.SIGTERM)
			p.rest()
			if code := p.exit(); code != 143 && code != 137 {
				t.Errorf("exit status %d, want that of TERM or KILL", code)
			}
			if left := marked(mark); len(left) > 0 {
				t.Errorf("left when the proxy had ended: %q", left)
			}
		})
	}
}

// The editor vanishes without a word; another process of its own may even hold
// our stdin open.
func TestEditorKilled(t *testing.T) {
	for _, kind := range []string{"alone", "sibling"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := prepare(t, "run", "--", "sh", "-c", tree)
			p.Args = append([]string{"peer", "editor", kind, p.Path}, p.Args[1:]...)
			p.Path = filepath.Join(filepath.Dir(p.Path), "peer")
			mark := p.mark()
			p.begin()
			line := strings.Fields(p.line())
			p.Process.Kill()
			if kind == "sibling" {
				var holder int
				fmt.Sscan(line[0], &holder)
				defer syscall.Kill(holder, syscall.SIGKILL)
				until(t, "the end of all but the sibling", func() bool {
					return slices.Equal(marked(mark), []string{"sleep 1000 "})
				})
				return
			}
			nothingLeft(t, mark)
		})
	}
}

// A reader that leaves while the agent streams ends everything, although stdin
// stays open, and the recording is whole.
func TestReaderLeavesWhileTheAgentStreams(t *testing.T) {
	t.Parallel()
	p := prepare(t, "run", "--", "yes", `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s"}}`)
	mark := p.mark()
	p.begin()
	for range 1000 {
		p.line()
	}
	p.outEnd.Close()
	if code := p.exit(); code != 143 {
		t.Errorf("exit status %d, want 143", code)
	}
	if left := marked(mark); len(left) > 0 {
		t.Errorf("left when the proxy had ended: %q", left)
	}
	if p.errs.String() != "" {
		t.Errorf("stderr: %q", p.errs)
	}
	all := p.events()
	complete(t, all)
	if last := p.last(); last.Exit == nil || last.Exit.Status != 143 {
		t.Errorf("the recording ends with %+v", last)
	}
}

// Why the reader of stdout has left is often in the agent's last words on stderr:
// they arrive all the same.
func TestLastWordsForAReaderThatHasLeft(t *testing.T) {
	t.Parallel()
	p := start(t, "run", "--", "sh", "-c", `trap 'echo TERM >&2; peer chatter 500000 </dev/null; exit 3' TERM; echo ready; while :; do sleep 0.01; done`)
	p.expect("ready\n")
	p.outEnd.Close()
	if code := p.exit(); code != 3 {
		t.Errorf("exit status %d, want the agent's 3", code)
	}
	if says := p.errs.String(); len(says) != 500_005 {
		t.Errorf("%d bytes of stderr arrived, want 500005", len(says))
	}
	if last := p.last(); last.Exit == nil || last.Exit.Status != 3 {
		t.Errorf("the recording ends with %+v", last)
	}
}

// The last words of an agent arrive however busy the machine is.
func TestTailUnderLoad(t *testing.T) {
	const bytes = 300_000
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			for range 5 {
				p := start(t, "run", "--", "peer", "burst", fmt.Sprint(bytes), "7")
				got, err := io.ReadAll(p.out)
				if err != nil || len(got) != bytes {
					t.Errorf("%d bytes arrived, want %d; %v", len(got), bytes, err)
				}
				if code := p.exit(); code != 7 {
					t.Errorf("exit status %d, want 7", code)
				}
			}
		})
	}
	all.Wait()
}

// slowEditor starts an agent whose 120 000 bytes fit into the pipes, and returns
// when it has ended and been reaped although nobody has read anything.
func slowEditor(t *testing.T, script string) *process {
	t.Helper()
	p := start(t, "run", "--", "sh", "-c", `echo $$ >&2; `+script)
	var pid string
	until(t, "the agent's process id", func() bool {
		line, _, ok := strings.Cut(p.errs.String(), "\n")
		pid = line
		return ok
	})
	until(t, "the agent's end", func() bool {
		_, err := os.Stat("/proc/" + pid)
		return err != nil
	})
	return p
}

// An editor that begins to read only after the agent has gone gets every byte,
// and however long it took, no less.
func TestTailForASlowReader(t *testing.T) {
	for _, tt := range []struct {
		name  string
		pause time.Duration
	}{{"at once", 0}, {"after every wait of ours", defaultsAreOver}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := slowEditor(t, "exec peer burst 120000 7")
			<-time.After(tt.pause)
			if got := p.rest(); len(got) != 120_000 {
				t.Errorf("%d bytes arrived, want 120000", len(got))
			}
			if code := p.exit(); code != 7 {
				t.Errorf("exit status %d, want 7", code)
			}
		})
	}
}

// defaultsAreOver is longer than any wait after the agent's end.
const defaultsAreOver = 2500 * time.Millisecond

// When the agent has been reaped, a signal ends us and reaches nobody: neither
// whoever may have its number by now nor what it left in its group.
func TestSignalAfterTheAgentsEnd(t *testing.T) {
	t.Parallel()
	p := slowEditor(t, "sleep 1000 & echo $! >&2; exec peer burst 120000 7")
	left := strings.Fields(p.errs.String())[1]
	defer exec.Command("kill", "-9", left).Run()
	p.Process.Signal(syscall.SIGTERM)
	if code := p.exit(); code != 7 {
		t.Errorf("exit status %d, want the agent's 7", code)
	}
	if !alive(left) {
		t.Error("what the agent left on purpose got our signal")
	}
}

// An editor that has stopped reading, but is there, does not keep us from ending
// when we are told to.
func TestSignalWhileNobodyReads(t *testing.T) {
	for _, agent := range [][]string{{"yes"}, {"sh", "-c", "trap '' TERM; while :; do echo y; done"}} {
		t.Run(agent[0], func(t *testing.T) {
			t.Parallel()
			p := prepare(t, append([]string{"run", "--"}, agent...)...)
			mark := p.mark()
			p.begin()
			p.expect("y\n")
			p.Process.Signal(syscall.SIGTERM)
			if code := p.exit(); code != 143 && code != 137 {
				t.Errorf("exit status %d, want that of TERM or KILL", code)
			}
			if last := p.last(); last.Exit == nil {
				t.Errorf("the recording ends with %+v", last)
			}
			if left := marked(mark); len(left) > 0 {
				t.Errorf("left when the proxy had ended: %q", left)
			}
		})
	}
}

func TestLongStderr(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":1,"method":"initialize"}` + "\n"
	t.Run("read", func(t *testing.T) {
		t.Parallel()
		p := start(t, "run", "--", "peer", "chatter", "262144")
		p.send(ping)
		p.expect(ping)
		if rest, code := p.finish(); rest != "" || code != 0 {
			t.Errorf("rest %q, exit status %d", rest, code)
		}
		if want := strings.Repeat(strings.Repeat("e", 99)+"\n", 2621); p.errs.String() != want {
			t.Errorf("%d bytes of stderr arrived, want %d", len(p.errs.String()), len(want))
		}
		if n := count(p.events(), journal.StderrEvent); n != 2621 {
			t.Errorf("%d lines of stderr in the recording, want 2621", n)
		}
	})
	// Nobody reads: the conversation goes on, and what was dropped is told.
	for _, size := range []string{"262144", "10000000"} {
		t.Run(size+" unread", func(t *testing.T) {
			t.Parallel()
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer read.Close()
			defer write.Close()
			p := prepare(t, "run", "--", "peer", "chatter", size)
			p.Stderr = write
			p.begin()
			for range 10 {
				p.send(ping)
				p.expect(ping)
			}
			if rest, code := p.finish(); rest != "" || code != 0 {
				t.Errorf("rest %q, exit status %d", rest, code)
			}
			dropped := slices.ContainsFunc(p.events(), func(r journal.Event) bool {
				return r.Type == journal.WarningEvent && strings.Contains(r.Text, "nobody read stderr") && strings.Contains(r.Text, "dropped")
			})
			if want := size == "10000000"; dropped != want {
				t.Errorf("the recording tells of dropped bytes: %v, want %v", dropped, want)
			}
		})
	}
}

// The agent dies in the middle of a turn: what it said arrives, and nobody
// answers in its place or in the editor's.
func TestAgentKilledMidTurn(t *testing.T) {
	const (
		prompt = `{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}` + "\n"
		update = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{}}}` + "\n"
		ask    = `{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t"},"options":[{"optionId":"n","name":"No","kind":"reject_once"}]}}` + "\n"
		torn   = `{"jsonrpc":"2.0","method":"sess`
	)
	p := start(t, "run", "--", "sh", "-c", `read line; printf '%s' "$0"; kill -9 $$`, update+ask+torn)
	p.send(prompt)
	if got := p.rest(); got != update+ask+torn {
		t.Errorf("the editor got %q", got)
	}
	if code := p.exit(); code != 137 {
		t.Errorf("exit status %d, want 137", code)
	}
	all := p.events()
	complete(t, all)
	if n := count(all, journal.FrameEvent); n != 4 {
		t.Errorf("%d frames in the recording, want the four that passed", n)
	}
	for _, r := range all {
		if r.Added || r.Action != "" || r.Type == journal.DecisionEvent && r.Decision.By != "gone" {
			t.Errorf("made up: %+v", r)
		}
	}
	if n := count(all, journal.DecisionEvent); n != 1 {
		t.Errorf("%d decisions in the recording, want the one that the agent is gone", n)
	}
}

// The reason why an agent does not start is what it says on stderr.
func TestAgentFailsToStart(t *testing.T) {
	for range 20 {
		p := start(t, "run", "--", "sh", "-c", `echo auth missing >&2; exit 1`)
		if out, code := p.finish(); out != "" || code != 1 || p.errs.String() != "auth missing\n" {
			t.Errorf("stdout %q, stderr %q, exit status %d", out, p.errs, code)
		}
	}
}

// A signal ends us whenever it comes, silently, and nothing is left: neither an
// agent that was just being started nor its keeper.
func TestSignalWhileStarting(t *testing.T) {
	dir := bin(t)
	mark := "MARK=" + dir
	for i := range 90 {
		sig := []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}[i%3]
		p := prepare(t, "run", "--", "sleep", "1000")
		p.Env = append(p.Env, mark)
		p.begin()
		<-time.After(time.Duration(i*i) * 3 * time.Microsecond) // any moment will do
		p.Process.Signal(sig)
		if out := p.rest(); out != "" {
			t.Errorf("stdout: %q", out)
		}
		if code := p.exit(); code != 128+int(sig) || p.errs.String() != "" {
			t.Errorf("signal %d: exit status %d, stderr %q", sig, code, p.errs)
		}
	}
	nothingLeft(t, mark)
}

// The second signal that ends kills a tree that is deaf, without a word.
func TestSecondSignalKills(t *testing.T) {
	p := prepare(t, "run", "--", "sh", "-c", `trap '' TERM INT; setsid sh -c 'trap "" TERM; sleep 1000' & echo up; while :; do sleep 1000; done`)
	mark := p.mark()
	p.begin()
	p.expect("up\n")
	p.Process.Signal(syscall.SIGINT)
	p.Process.Signal(syscall.SIGTERM) // another one: two of a kind may become one
	p.rest()
	if code := p.exit(); code != 137 || p.errs.String() != "" {
		t.Errorf("exit status %d, stderr %q; want 137 and nothing", code, p.errs)
	}
	if left := marked(mark); len(left) > 0 {
		t.Errorf("left when the proxy had ended: %q", left)
	}
}

// seen is what one command, as an agent, sees of its own process.
func seen(t *testing.T, setup string, env []string, proxied bool, argv ...string) string {
	t.Helper()
	p := prepare(t)
	args := []string{"sh", "-c", setup + `; exec "$@"`, "sh"}
	if proxied {
		args = append(args, p.Path, "run", "--record", "off", "--")
	}
	c := exec.Command("/bin/sh")
	c.Args = append(args, argv...)
	c.Env, c.Dir = append(p.Env, env...), t.TempDir()
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%q: %v", c.Args, err)
	}
	return string(out)
}

// Everything a process inherits reaches the agent as if we were not there, and
// nothing of ours does.
func TestAgentInheritsWhatItWouldWithoutUs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	odd := []string{
		"BASH_FUNC_x%%=() {\n echo\n}", `QUOTES=a "b" 'c' $HOME \`, "BYTES=\xff\xfe", "EMPTY=", "noequals", "X=$HOME/a", "TILDE=~/x",
		"LONG=" + strings.Repeat("x", 100_000), "BOB_API_KEY=not touched by run", "BOBPROXY_RECORD_MAX_AGE=1h",
	}
	conditions := []struct {
		name, setup string
		env         []string
	}{
		{"plain", ":", nil},
		{"umask", "umask 027", nil},
		{"signals ignored, as by nohup", "trap '' HUP INT", nil},
		{"more open files", "exec 3<" + file + " 7>>" + file, nil},
		{"limits", "ulimit -Sn 200; ulimit -Sc 0; ulimit -Ss 4096", nil},
		{"odd environment", ":", odd},
	}
	views := []struct {
		name  string
		argv  []string
		lines []string // that begin like this; nil: all
	}{
		{"status", []string{"cat", "/proc/self/status"}, []string{"Umask", "Uid", "Gid", "Groups", "Sig", "Cap", "NoNewPrivs", "Seccomp", "Cpus_allowed"}},
		{"limits", []string{"cat", "/proc/self/limits"}, nil},
		{"open files", []string{"ls", "/proc/self/fd"}, nil},
		{"file number 3", []string{"sh", "-c", "readlink /proc/self/fd/3 /proc/self/fd/7 || :"}, nil},
		{"environment", []string{"cat", "/proc/self/environ"}, nil},
		{"priority", []string{"cat", "/proc/self/oom_score_adj"}, nil},
		{"arguments", []string{"sh", "-c", `printf '%s\n' "$@"`, "", "", "\xff\xfe", "a b", "--record", "--", "\n", "$HOME", "~/x"}, nil},
	}
	for _, c := range conditions {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, v := range views {
				want := seen(t, c.setup, c.env, false, v.argv...)
				got := seen(t, c.setup, c.env, true, v.argv...)
				got, want = lines(got, v.lines), lines(want, v.lines)
				if v.name == "environment" {
					got, want = environment(got), environment(want)
				}
				if got != want {
					t.Errorf("%s through us: %q\nwithout us: %q", v.name, clip(got), clip(want))
				}
			}
		})
	}
}

func lines(text string, begin []string) string {
	if begin == nil {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		// What is pending differs by itself.
		if slices.ContainsFunc(begin, func(s string) bool { return strings.HasPrefix(line, s) }) && !strings.HasPrefix(line, "SigQ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// environment leaves out what a test or a shell makes anew for each process.
func environment(text string) string {
	entries := strings.Split(text, "\x00")
	return strings.Join(slices.DeleteFunc(entries, func(e string) bool {
		return strings.HasPrefix(e, "XDG_STATE_HOME=") || strings.HasPrefix(e, "PATH=") || strings.HasPrefix(e, "_=") || strings.HasPrefix(e, "PWD=")
	}), "\n")
}

// Some editors give their agent a socket for each stream, some one for both.
func TestSocketsForPipes(t *testing.T) {
	for _, tt := range []struct {
		name  string
		pairs int
	}{{"one for each", 2}, {"one for both", 1}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var ours, theirs []*os.File
			for range tt.pairs {
				pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
				if err != nil {
					t.Fatal(err)
				}
				ours = append(ours, os.NewFile(uintptr(pair[0]), "ours"))
				theirs = append(theirs, os.NewFile(uintptr(pair[1]), "theirs"))
			}
			in, out := ours[0], ours[len(ours)-1]
			p := prepare(t, "run", "--", "sh", "-c", "cat; echo bye; exit 3")
			p.Stdin, p.Stdout = theirs[0], theirs[len(theirs)-1]
			p.begin()
			for _, f := range theirs {
				f.Close()
			}
			io.WriteString(in, "hello\n")
			syscall.Shutdown(int(in.Fd()), syscall.SHUT_WR)
			got, err := io.ReadAll(out)
			if string(got) != "hello\nbye\n" || err != nil {
				t.Errorf("got %q, %v", got, err)
			}
			if code := p.exit(); code != 3 {
				t.Errorf("exit status %d, want 3", code)
			}
		})
	}
}
