//go:build linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// built is bobproxy as it is shipped: without the race detector, which takes
// memory of its own, and without the tests.
func built(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("bobproxy cannot be built here: %v", err)
	}
	binary := filepath.Join(t.TempDir(), "bobproxy")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("building bobproxy: %v\n%s", err, out)
	}
	return binary
}

// neverReading watches at a socket and never reads.
func neverReading(t *testing.T, path string) net.Conn {
	t.Helper()
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, `{"jsonrpc":"2.0","id":1,"method":"hello","params":{"as":"panel"}}`+"\n"+
		`{"jsonrpc":"2.0","id":2,"method":"watch","params":{}}`+"\n"); err != nil {
		t.Fatal(err)
	}
	return c
}

// watching is how many watch s.
func (s *site) watching() int {
	s.t.Helper()
	c, err := control.Dial(s.t.Context(), control.Endpoint{Instance: s.instance(), Path: s.socket()}, broker.ByCommand)
	if err != nil {
		s.t.Fatal(err)
	}
	defer c.Close()
	state, err := c.State(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return state.Watchers
}

const (
	flooded   = 200_000  // updates, of a kilobyte and more
	withPanel = 48 << 20 // bytes of memory, with somebody who watches and does not read
)

// A panel that is stopped and a client that never reads hold up nobody: all that
// the agent says arrives as it was said, in bounded memory. They are cut loose,
// and whoever dials anew sees what is so then.
func TestStoppedWatchers(t *testing.T) {
	t.Parallel()
	s := &site{run: shortDir(t)}
	s.process = prepare(t, "run", "--", "peer", "obey")
	s.Path, s.Env = built(t), append(s.Env, "XDG_RUNTIME_DIR="+s.run, "TMPDIR=")
	s.begin()
	never := neverReading(t, s.socket())
	panel := s.command()
	panel.Path, panel.Args = filepath.Join(filepath.Dir(panel.Path), "peer"), []string{"peer", "panel", s.socket()}
	panel.begin()
	panel.line()
	until(t, "both to watch", func() bool { return s.watching() == 2 })
	panel.Process.Signal(syscall.SIGSTOP)

	s.send(fmt.Sprintf("flood %d\n", flooded))
	var want []byte
	for i := range flooded {
		got, err := s.out.ReadSlice('\n')
		if want = floodLine(want[:0], i); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("update %d is %q, want %q: %v", i, clip(string(got)), clip(string(want)), err)
		}
	}
	until(t, "both to be cut loose", func() bool { return s.watching() == 0 })
	within(t, s.process, withPanel)

	if _, err := io.Copy(io.Discard, deadlined(never)); err != nil { // what was on its way, then the end
		t.Errorf("the one that never read: %v", err)
	}
	panel.Process.Signal(syscall.SIGCONT)
	if rest, code := panel.finish(); code != 0 {
		t.Errorf("the stopped panel: exit status %d, %s", code, clip(rest))
	}
	req := s.asks(1, "7", "after the flood")
	c, err := control.Dial(t.Context(), control.Endpoint{Instance: s.instance(), Path: s.socket()}, broker.ByPanel)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	state, before, _, err := c.Watch(t.Context())
	if err != nil || len(state.Pending) != 1 || state.Pending[0].Request != req || len(before) == 0 {
		t.Errorf("who dials anew sees %d events and %+v: %v", len(before), state.Pending, err)
	}
	if n := len(before); n > 0 && before[n-1].Seq < flooded {
		t.Errorf("its newest event is number %d", before[n-1].Seq)
	}
	s.send(permitted("7", "no"))
	s.expect("heard " + permitted("7", "no"))
	s.ends()
	if got := s.count(`"event":"frame"`); got != flooded+5 {
		t.Errorf("%d frames recorded, want %d", got, flooded+5)
	}
}

func deadlined(c net.Conn) net.Conn {
	c.SetDeadline(time.Now().Add(patience))
	return c
}

// However many watch and do not read, the proxy ends when its agent does, and
// those who do read see the end.
func TestEndWithManyWatchers(t *testing.T) {
	t.Parallel()
	const watchers = 20
	s := operate(t, "")
	path := s.socket()
	for range watchers {
		neverReading(t, path)
	}
	reads := s.command()
	reads.Path, reads.Args = filepath.Join(filepath.Dir(reads.Path), "peer"), []string{"peer", "panel", path}
	reads.begin()
	reads.line()
	until(t, "all to watch", func() bool { return s.watching() == watchers+1 })
	// So much that whoever does not read has something on its way.
	s.send("flood 1000\n")
	for range 1000 {
		s.line()
	}
	s.ends()
	rest := bufio.NewScanner(reads.out)
	var last []string
	for rest.Scan() {
		last = append(last, rest.Text())
	}
	// On a machine that is too busy to give it its turn in time it is cut off.
	if got := strings.Join(last, "\n"); !strings.HasSuffix(got, "exit 0\nthe proxy is ending") && !strings.HasSuffix(got, "the proxy has gone") {
		t.Errorf("the one that reads sees %q", got)
	}
}
