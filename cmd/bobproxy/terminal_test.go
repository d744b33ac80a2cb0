//go:build linux

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// console is a terminal that a process was started on.
type console struct {
	*process
	screen *output
	keys   *os.File
}

// onTerminal starts p with a terminal as its stdin, and where the test has not
// given it others, as its stdout and stderr.
func onTerminal(t testing.TB, p *process) *console {
	t.Helper()
	ours, theirs, err := pty.Open()
	if err != nil {
		t.Skip("no terminals here:", err)
	}
	if err := pty.Setsize(theirs, &pty.Winsize{Rows: 33, Cols: 77}); err != nil {
		t.Fatal(err)
	}
	p.Stdin = theirs
	if p.Stdout == nil {
		p.Stdout = theirs
	}
	if p.Stderr == nil {
		p.Stderr = theirs
	}
	p.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	p.begin()
	theirs.Close()
	c := &console{p, &output{}, interruptible(t, ours)}
	go io.Copy(c.screen, c.keys) // ends with the terminal's last user
	return c
}

// interruptible takes f over, in a mode in which Close ends a Read.
func interruptible(t testing.TB, f *os.File) *os.File {
	t.Helper()
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	again := os.NewFile(uintptr(fd), f.Name())
	t.Cleanup(func() { again.Close() })
	return again
}

func (c *console) shows(text string) {
	c.t.Helper()
	until(c.t, fmt.Sprintf("%q on the screen", text), func() bool { return strings.Contains(c.screen.String(), text) })
}

func (c *console) press(keys string) {
	c.t.Helper()
	if _, err := io.WriteString(c.keys, keys); err != nil {
		c.t.Fatal(err)
	}
}

// On a terminal `bobproxy acp` has nothing to do and says so.
func TestACPOnATerminal(t *testing.T) {
	for _, env := range []string{"", "BOB_ARGUMENTS=acp,--mode,plan"} {
		p := bobCommand(t, "acp")
		p.Env = append(p.Env, env)
		p.Stderr = p.errs
		stdout := &output{}
		p.Stdout = stdout
		onTerminal(t, p)
		if code := p.exit(); code != 2 {
			t.Errorf("exit status %d, want 2", code)
		}
		if out, says := stdout.String(), p.errs.String(); out != "" || !strings.Contains(says, "stdin is a terminal") || strings.Count(says, "\n") != 1 {
			t.Errorf("stdout %q, stderr %q; want nothing and one line", out, says)
		}
		if len(p.recordings()) > 0 {
			t.Error("a recording was made")
		}
	}
}

// With more arguments it is somebody's login: bob takes our place, so that the
// terminal is really its own.
func TestAgentTakesOurPlaceOnATerminal(t *testing.T) {
	const login = `#!/bin/sh
echo "pid $$ args $*"
stty size
test -t 0 && test -t 1 && test -t 2 && echo all terminals
echo "key $BOBSHELL_API_KEY"
stty -echo; printf 'Password: '; read password; stty echo
echo "got $password"
exit 7
`
	dir := program(t, "bob", login)
	for _, tt := range []struct {
		name string
		args []string
		want string // of the arguments
		key  string
	}{
		{"acp", []string{"acp", "login", "--browser"}, "acp login --browser", "k-12345678"},
		{"run", []string{"run", "--record", "x", "--", filepath.Join(dir, "bob"), "login"}, "login", ""},
		{"script without interpreter", []string{"run", "--", filepath.Join(program(t, "plain", strings.TrimPrefix(login, "#!/bin/sh\n")), "plain"), "login"}, "login", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := prepare(t, tt.args...)
			p.Env = append(p.Env, "PATH="+dir+":"+os.Getenv("PATH"), "BOB_API_KEY=k-12345678", "BOBSHELL_API_KEY="+tt.key)
			if tt.key != "" {
				p.Env = p.Env[:len(p.Env)-1]
			}
			c := onTerminal(t, p)
			c.shows(fmt.Sprintf("pid %d args %s\r\n33 77\r\nall terminals\r\nkey %s\r\n", p.Process.Pid, tt.want, tt.key))
			c.shows("Password: ")
			c.press("secret word\n")
			c.shows("got secret word")
			if code := p.exit(); code != 7 {
				t.Errorf("exit status %d, want 7", code)
			}
			if n := strings.Count(c.screen.String(), "secret word"); n != 1 {
				t.Errorf("the password is on the screen %d times; echo was off", n)
			}
			if len(p.recordings()) > 0 {
				t.Error("a recording was made")
			}
		})
	}
}

// With --pipe we stand between although it is a terminal.
func TestPipeOnATerminal(t *testing.T) {
	p := prepare(t, "--pipe", "run", "--", "sh", "-c", `test -t 0 || echo no terminal; read line; echo "got $line"; exit 4`)
	c := onTerminal(t, p)
	c.shows("no terminal")
	c.press("hello\n")
	c.shows("got hello")
	if code := p.exit(); code != 4 {
		t.Errorf("exit status %d, want 4", code)
	}
	if r := p.recording(); !strings.Contains(r, "got hello") {
		t.Errorf("the recording has nothing of it: %s", clip(r))
	}
}

// Ctrl-C reaches the proxy from the terminal and the agent from the proxy, once.
func TestInterruptFromATerminal(t *testing.T) {
	p := prepare(t, "--pipe", "run", "--", "sh", "-c", `trap 'echo interrupted; exit 130' INT; echo up; while :; do sleep 0.01; done`)
	mark := p.mark()
	c := onTerminal(t, p)
	c.shows("up")
	c.press("\x03")
	c.shows("interrupted")
	if code := p.exit(); code != 130 {
		t.Errorf("exit status %d, want the agent's 130", code)
	}
	if n := strings.Count(c.screen.String(), "interrupted"); n != 1 {
		t.Errorf("the agent was interrupted %d times", n)
	}
	nothingLeft(t, mark)
}

// The second Ctrl-C ends an agent that ignores the first, and nobody comments.
func TestInterruptTwiceFromATerminal(t *testing.T) {
	p := prepare(t, "--pipe", "run", "--", "sh", "-c", `trap 'echo not yet' INT; setsid sleep 1000 & echo up; while :; do sleep 0.01; done`)
	mark := p.mark()
	c := onTerminal(t, p)
	c.shows("up")
	c.press("\x03")
	c.shows("not yet")
	c.press("\x03")
	if code := p.exit(); code != 137 {
		t.Errorf("exit status %d, want 137", code)
	}
	if left := marked(mark); len(left) > 0 {
		t.Errorf("left when the proxy had ended: %q", left)
	}
	if screen := c.screen.String(); strings.Contains(screen, "bobproxy") {
		t.Errorf("the screen shows %q", screen)
	}
}

// The terminal goes away, as when its window is closed.
func TestTerminalCloses(t *testing.T) {
	p := prepare(t, "--pipe", "run", "--", "sh", "-c", tree)
	mark := p.mark()
	c := onTerminal(t, p)
	until(t, "three processes", func() bool { return len(strings.Fields(c.screen.String())) == 3 })
	c.keys.Close()
	nothingLeft(t, mark)
	if code := p.exit(); code != 129 && code != 143 { // whichever is seen first: the signal, or nobody to read
		t.Errorf("exit status %d, want that of HUP or TERM", code)
	}
}
