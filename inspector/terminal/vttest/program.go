//go:build unix

package vttest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// Patience is how long anything is waited for.
const Patience = 2 * time.Minute

// Program is a program that runs on a terminal of its own, in a session of its
// own. Its methods may be called by one goroutine.
type Program struct {
	t      testing.TB
	cmd    *exec.Cmd
	pty    *os.File
	before *term.State
	exited chan struct{} // closed when it has ended
	status int
	floods sync.WaitGroup
	read   chan struct{} // closed when there is no more output

	mu      sync.Mutex
	screen  *Screen
	raw     []byte
	changed chan struct{} // closed at the next output
}

// Start runs cmd on a terminal of w by h cells. It is killed at the end of the
// test.
func Start(t testing.TB, w, h int, cmd *exec.Cmd) *Program {
	t.Helper()
	master, slave := open(t)
	defer slave.Close()
	p := &Program{t: t, cmd: cmd, pty: master, screen: newScreen(w, h),
		exited: make(chan struct{}), read: make(chan struct{}), changed: make(chan struct{})}
	p.size(w, h)
	p.before = p.Settings()
	p.start(slave)
	go p.wait()
	go p.copy()
	t.Cleanup(p.end)
	return p
}

// open makes a terminal. What the library opened blocks, so that it could not be
// closed while it is read.
func open(t testing.TB) (master, slave *os.File) {
	t.Helper()
	blocking, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer blocking.Close()
	fd, err := unix.FcntlInt(blocking.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fd), "terminal"), slave
}

func (p *Program) start(slave *os.File) {
	p.t.Helper()
	if p.cmd.Stdin == nil {
		p.cmd.Stdin = slave
	}
	if p.cmd.Stdout == nil {
		p.cmd.Stdout = slave
	}
	if p.cmd.Stderr == nil {
		p.cmd.Stderr = slave
	}
	p.cmd.ExtraFiles = append(p.cmd.ExtraFiles, slave) // the standard streams may be others
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 2 + len(p.cmd.ExtraFiles)}
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
}

func (p *Program) wait() {
	defer close(p.exited)
	err := p.cmd.Wait()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		p.status = exit.ExitCode()
		if how, ok := exit.Sys().(syscall.WaitStatus); ok && how.Signaled() {
			p.status = 128 + int(how.Signal())
		}
	case err != nil:
		p.status = -1
	}
}

func (p *Program) copy() {
	defer close(p.read)
	buf := make([]byte, 32<<10)
	for {
		n, err := p.pty.Read(buf)
		p.got(buf[:n])
		if err != nil {
			return
		}
	}
}

func (p *Program) got(b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.raw = append(p.raw, b...)
	p.screen.write(b)
	close(p.changed)
	p.changed = make(chan struct{})
}

func (p *Program) end() {
	_ = p.cmd.Process.Kill()
	<-p.exited
	_ = p.pty.Close()
	p.floods.Wait()
	<-p.read
}

// Send types keys, or pastes, or whatever a terminal sends.
func (p *Program) Send(input string) {
	p.t.Helper()
	if _, err := p.pty.WriteString(input); err != nil {
		p.t.Fatalf("typing %q: %v", input, err)
	}
}

// Flood types input while the test goes on, as far as the program takes it.
func (p *Program) Flood(input string) {
	p.floods.Go(func() { _, _ = p.pty.WriteString(input) })
}

// Signal sends a signal to the program.
func (p *Program) Signal(sig os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(sig); err != nil {
		p.t.Fatal(err)
	}
}

// Resize makes the terminal w by h cells.
func (p *Program) Resize(w, h int) {
	p.t.Helper()
	p.mu.Lock()
	p.screen.resize(w, h)
	p.mu.Unlock()
	p.size(w, h)
}

func (p *Program) size(w, h int) {
	p.t.Helper()
	p.control(func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(w), Row: uint16(h)})
	})
}

// Hangup closes the terminal, as when its window is closed.
func (p *Program) Hangup() { _ = p.pty.Close() }

// Settings are the terminal's: raw or not, echo or not.
func (p *Program) Settings() *term.State {
	p.t.Helper()
	var state *term.State
	p.control(func(fd int) (err error) {
		state, err = term.GetState(fd)
		return err
	})
	return state
}

func (p *Program) control(do func(fd int) error) {
	p.t.Helper()
	conn, err := p.pty.SyscallConn()
	if err == nil {
		if failed := conn.Control(func(fd uintptr) { err = do(int(fd)) }); failed != nil {
			err = failed
		}
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// Restored says whether the terminal's settings are those from before the
// program started.
func (p *Program) Restored() bool { return *p.Settings() == *p.before }

// View is what the terminal has got so far.
type View struct {
	Screen string   // its lines, blanks at their ends left out
	Main   bool     // it is not the alternate screen
	Title  string   // of the window
	Bells  int      // how often it rang
	Notes  []string // notifications and clipboard, as they were sent
	Raw    []byte   // all of the output
}

// View is what the terminal has got so far.
func (p *Program) View() View {
	v, _, _ := p.view()
	return v
}

// view also says whether that is whole, and not in the middle of an update that
// a terminal shows at once, and gives a channel that is closed when there is
// more.
func (p *Program) view() (v View, whole bool, changed <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.screen
	s.flush()
	v = View{s.text(), s.main == nil, s.title, s.bells, append([]string(nil), s.notes...), bytes.Clone(p.raw)}
	return v, !s.modes["2026"], p.changed
}

// Until waits until holds is true of what the terminal shows, updates that belong
// together being shown at once, and fails when it
// never is. What is waited for is for the message.
func (p *Program) Until(what string, holds func(View) bool) View {
	p.t.Helper()
	timeout := time.NewTimer(Patience)
	defer timeout.Stop()
	for read := p.read; ; {
		v, whole, changed := p.view()
		if whole && holds(v) {
			return v
		}
		select {
		case <-changed:
		case <-read:
			if v := p.View(); holds(v) {
				return v
			}
			p.t.Fatalf("the program ended before %s; its screen:\n%s\nits last output: %q", what, v.Screen, tail(v.Raw))
		case <-timeout.C:
			p.t.Fatalf("waited for %s; the screen:\n%s\nthe last output: %q", what, v.Screen, tail(v.Raw))
		}
	}
}

func tail(raw []byte) []byte { return raw[max(0, len(raw)-600):] }

// Shows waits until the screen shows text.
func (p *Program) Shows(text string) View {
	p.t.Helper()
	return p.Until("the screen shows "+text, func(v View) bool { return strings.Contains(v.Screen, text) })
}

// Exit waits until the program has ended and all its output was read, and gives
// its status, as a shell has it.
func (p *Program) Exit() (status int, v View) {
	p.t.Helper()
	timeout := time.NewTimer(Patience)
	defer timeout.Stop()
	for _, ended := range []<-chan struct{}{p.exited, p.read} {
		select {
		case <-ended:
		case <-timeout.C:
			v := p.View()
			p.t.Fatalf("waited for the program to end; the screen:\n%s\nthe last output: %q", v.Screen, tail(v.Raw))
		}
	}
	return p.status, p.View()
}

// Deaf makes the terminal take nothing any more, as one that is stopped by
// Ctrl-S or behind a connection that hangs.
func (p *Program) Deaf() {
	p.t.Helper()
	p.deadline(time.Unix(1, 0))
	<-p.read
}

// Take makes a deaf terminal take n bytes, which the program has to send.
func (p *Program) Take(n int) {
	p.t.Helper()
	p.deadline(time.Now().Add(Patience))
	b := make([]byte, n)
	if _, err := io.ReadFull(p.pty, b); err != nil {
		p.t.Fatalf("waited for %d bytes: %v", n, err)
	}
	p.got(b)
}

func (p *Program) deadline(at time.Time) {
	p.t.Helper()
	if err := p.pty.SetReadDeadline(at); err != nil {
		p.t.Fatal(err)
	}
}
