package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"unsafe"
)

const terminals = true

// terminal is a pseudo-terminal: ours is its keyboard and screen.
type terminal struct{ ours, theirs *os.File }

func openTerminal() (*terminal, error) {
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	var n, unlocked uint32
	err = control(ours, syscall.TIOCGPTN, &n)
	if err == nil {
		err = control(ours, syscall.TIOCSPTLCK, &unlocked)
	}
	if err != nil {
		return nil, err
	}
	theirs, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	return &terminal{ours, theirs}, err
}

func control(f *os.File, request uintptr, arg *uint32) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var errno syscall.Errno
	err = raw.Control(func(fd uintptr) {
		_, _, errno = syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(arg)))
	})
	if errno != 0 {
		return errno
	}
	return err
}

// attach makes t the terminal that cmd is started on.
func (t *terminal) attach(cmd *exec.Cmd) {
	cmd.Stdin = t.theirs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
}

// onTerminal gives the client of cmd a terminal instead of its stdin and stderr,
// if it insists on one, with a user that types what p says once the screen
// shows what p says. What it shows goes where stderr went.
func (p program) onTerminal(cmd *exec.Cmd) (finish func(), err error) {
	if p.when == "" {
		return func() {}, nil
	}
	t, err := openTerminal()
	if err != nil {
		return nil, err
	}
	words := cmd.Stderr
	cmd.Stdin, cmd.Stderr = t.theirs, t.theirs
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		var screen []byte
		buf := make([]byte, 4096)
		for {
			n, err := t.ours.Read(buf)
			words.Write(buf[:n])
			screen = append(screen, buf[:n]...)
			if _, rest, found := bytes.Cut(screen, []byte(p.when)); found {
				screen = rest
				io.WriteString(t.ours, p.stdin)
			}
			if err != nil {
				return // the last who had it is gone
			}
		}
	}()
	return func() {
		t.theirs.Close()
		<-shown
		t.ours.Close()
	}, nil
}

func (t *terminal) close() {
	t.ours.Close()
	t.theirs.Close()
}
