//go:build linux

package control_test

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

const stranger = 12345

// asStranger runs f in a thread that belongs to another user.
func asStranger(t *testing.T, f func() error) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can act as another user")
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never back: the thread ends with the goroutine
		keep := ^uintptr(0)
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, keep, stranger, keep); errno != 0 {
			done <- errno
			return
		}
		done <- f()
	}()
	must(t, wait(t, "the other user", done))
}

// Whom the modes of folder and socket do not stop is stopped by the kernel's word.
func TestAnotherUserConnects(t *testing.T) {
	p := run(t, nil)
	p.open(1)
	dir := filepath.Dir(p.Path())
	var conn net.Conn
	dial := func() (err error) {
		conn, err = net.Dial("unix", p.Path())
		return err
	}
	asStranger(t, func() error {
		if dial() == nil {
			t.Error("folder and socket let another user in")
		}
		return nil
	})
	must(t, os.Chmod(p.dir, 0o711), os.Chmod(dir, 0o711), os.Chmod(p.Path(), 0o666))
	asStranger(t, dial)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	io.WriteString(conn, hello+"\n"+decide+"\n")
	all, _ := io.ReadAll(conn)
	if !strings.Contains(string(all), "belongs to another user than 12345") || strings.Contains(string(all), "result") {
		t.Errorf("it is told %s", all)
	}
	if len(p.decisions()) > 0 {
		t.Errorf("the proxy was asked: %v", p.decisions())
	}
}

// A client does not talk to another user's server.
func TestAnotherUserListens(t *testing.T) {
	dir := folder(t)
	must(t, os.Chmod(dir, 0o777))
	path := filepath.Join(dir, "forged.sock")
	var listener net.Listener
	asStranger(t, func() (err error) {
		listener, err = net.Listen("unix", path)
		return err
	})
	defer listener.Close()
	c, err := control.Dial(deadline(t), control.Endpoint{Instance: "forged", Path: path}, broker.ByCommand)
	if err == nil || !strings.Contains(err.Error(), "the socket belongs to user 12345") {
		t.Errorf("got %v, %v", c, err)
	}
}
