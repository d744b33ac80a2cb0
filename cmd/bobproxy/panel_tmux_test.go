//go:build linux

package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bobproxy/inspector/terminal/vttest"
)

// tmux is a server of its own with a client on a terminal.
type tmux struct {
	*place
	socket string
}

// newTmux has one that passes on what a panel says to the terminal around it.
func newTmux(p *place) *tmux {
	p.t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		p.t.Skip("nothing can be tested inside tmux:", err)
	}
	conf := filepath.Join(p.home, "tmux.conf")
	if err := os.WriteFile(conf, []byte("set -g set-clipboard on\nset -g allow-passthrough on\nset -g focus-events on\nset -g status off\n"+
		"set -g default-terminal tmux-256color\nset -as terminal-features ',xterm*:clipboard:focus'\n"), 0o600); err != nil {
		p.t.Fatal(err)
	}
	m := &tmux{p, fmt.Sprintf("bobproxy-test-%d", os.Getpid())}
	p.t.Cleanup(func() { _ = m.tmux("kill-server").Run() })
	return m
}

func (m *tmux) tmux(args ...string) *exec.Cmd {
	c := exec.Command("tmux", append([]string{"-L", m.socket, "-f", filepath.Join(m.home, "tmux.conf")}, args...)...)
	c.Env, c.Dir = m.env("TMUX_TMPDIR="+m.run), m.home
	return c
}

func (m *tmux) does(args ...string) string {
	m.t.Helper()
	out, err := m.tmux(args...).CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// sees waits until the panel's screen shows all of the words.
func (m *tmux) sees(words ...string) {
	m.t.Helper()
	var v vttest.View
	defer func() {
		if m.t.Failed() {
			m.t.Logf("the screen:\n%s", v.Screen)
		}
	}()
	until(m.t, strings.Join(words, ", "), func() bool {
		v.Screen = m.does("capture-pane", "-p")
		return has(v, words...)
	})
}

// Inside tmux the panel copies, calls, resizes, and outlives its terminal.
func TestPanelInsideTmux(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	m := newTmux(p)
	s := p.obedient()
	s.send("say " + titled("Inside") + "\n")
	s.line()
	m.does("new-session", "-d", "-x", "80", "-y", "24", p.self()+" panel")
	client := vttest.Start(t, 80, 24, m.tmux("attach-session"))
	got := func(what, text string) {
		t.Helper()
		client.Until(what, func(v vttest.View) bool { return strings.Contains(string(v.Raw), text) })
	}
	m.sees("○ Inside")
	client.Send("]")
	m.sees("[Wire]")
	client.Send("Gy")
	m.sees("copied")
	until(t, "the buffer", func() bool { return strings.Contains(m.does("list-buffers"), "bytes") })
	copied := m.does("show-buffer")
	if !strings.Contains(copied, "info") {
		t.Errorf("copied is %q", copied)
	}
	got("the clipboard", ";"+base64.StdEncoding.EncodeToString([]byte(copied)))
	client.Send("\x1b[O")
	s.asks(1, "7", "mend it")
	got("the notification", "\x1b]777;notify;bobproxy: an answer is needed;")
	m.does("resize-window", "-x", "50", "-y", "40")
	m.sees("! execute  make", strip)
	m.does("detach-client")
	if status, _ := client.Exit(); status != exitDone {
		t.Errorf("the client's exit status is %d", status)
	}
	again := vttest.Start(t, 100, 30, m.tmux("attach-session"))
	m.does("resize-window", "-A")
	again.Send("p")
	m.sees("PERMISSION", "mend it")
	again.Send("x")
	s.agentHears("7", "no")
	again.Send("Q")
	if status, _ := again.Exit(); status != exitDone {
		t.Errorf("the client's exit status is %d", status)
	}
	s.ends()
}
