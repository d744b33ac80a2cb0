//go:build linux

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"bobproxy/inspector/terminal/vttest"
)

// However a panel is left, the terminal is as it was, and nothing was answered.
func TestLeavingThePanel(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.obedient()
	s.asks(1, "7", "mend it")
	keys := func(keys string) func(*screen) { return func(panel *screen) { panel.Send(keys) } }
	signal := func(sig os.Signal) func(*screen) { return func(panel *screen) { panel.Signal(sig) } }
	for _, tt := range []struct {
		name  string
		leave func(*screen)
		want  int
	}{
		{"q", keys("qqq"), exitDone},
		{"Q", keys("Q"), exitDone},
		{":quit", keys(":quit\r"), exitDone},
		{"Ctrl-C", keys("\x03"), exitDone},
		{"Ctrl-C in a command", keys(":filter \x03"), exitDone},
		{"in a flood of keys", func(panel *screen) {
			panel.Flood(strings.Repeat("jk", 1000) + "Q" + strings.Repeat("1", 20_000))
		}, exitDone},
		{"SIGTERM", signal(syscall.SIGTERM), 143},
		{"SIGHUP", signal(syscall.SIGHUP), 129},
		{"SIGINT", signal(syscall.SIGINT), 130},
		{"SIGQUIT", signal(syscall.SIGQUIT), 131},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &place{t, p.run, p.home, p.bin}
			panel := p.panel(50, 40)
			panel.card("mend it")
			tt.leave(panel)
			v := panel.left(tt.want)
			if typed := strings.Trim(v.Screen, "1 \n"); typed != "" { // what was typed too late is echoed
				t.Errorf("left on the screen:\n%s", v.Screen)
			}
		})
	}
	t.Run("the terminal goes away", func(t *testing.T) {
		p := &place{t, p.run, p.home, p.bin}
		panel := p.panel(50, 40)
		panel.card("mend it")
		panel.Hangup()
		if status, _ := panel.Exit(); status != 129 && status != 125 { // whichever is seen first: the signal, which comes twice, or nobody to read
			t.Errorf("exit status %d, want 129 or 125", status)
		}
	})
	p.nothingAnswered(1, "leaving")
	t.Run("after the proxy", func(t *testing.T) {
		p := &place{t, p.run, p.home, p.bin}
		panel := p.panel(50, 40)
		panel.card("mend it")
		s.ends()
		panel.sees("THIS PROXY HAS ENDED")
		panel.Send("1")
		panel.sees("this is over: nothing can be answered here")
		panel.quits()
	})
}

// A shell stops the panel and has it go on.
func TestStoppingThePanel(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.obedient()
	s.asks(1, "7", "mend it")
	inputrc := filepath.Join(p.home, "inputrc") // the shell's own mode is none of ours
	if err := os.WriteFile(inputrc, []byte("set enable-bracketed-paste off\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	shell := p.command()
	shell.Path, shell.Args = "/bin/bash", []string{"bash", "--noprofile", "--norc", "-i"}
	shell.Env = p.env("PS1=prompt:", "HISTFILE=/dev/null", "INPUTRC="+inputrc)
	panel := p.show(50, 40, shell)
	panel.sees("prompt:")
	panel.Send("bobproxy panel\r")
	panel.card("mend it")
	panel.opened("mend it")
	panel.Send("\x1a")
	v := panel.Until("the shell is back", func(v vttest.View) bool { return v.Main && has(v, "Stopped") })
	if left := vttest.Left(v.Raw); len(left) > 0 {
		t.Errorf("left in the terminal: %q", left)
	}
	goesOn := func() {
		t.Helper()
		panel.Send("fg\r")
		panel.Until("the panel goes on", func(v vttest.View) bool { return !v.Main && waitsFor(v, "mend it", unsure) })
		panel.opened("mend it")
	}
	goesOn()
	syscall.Kill(children(panel.pid)[0], syscall.SIGTSTP) // from outside, it stops as it is
	panel.sees("Stopped")
	goesOn()
	if v := panel.View(); has(v, "Stopped") {
		t.Errorf("the screen was not drawn anew:\n%s", v.Screen)
	}
	panel.Send("Q")
	panel.Until("the shell is back", func(v vttest.View) bool { return v.Main && strings.HasSuffix(strings.TrimSpace(v.Screen), "prompt:") })
	panel.Send("exit $?\r")
	if status, v := panel.Exit(); status != exitDone || len(vttest.Left(v.Raw)) > 0 {
		t.Errorf("exit status %d, and left in the terminal: %q", status, vttest.Left(v.Raw))
	}
	p.nothingAnswered(1, "stopping")
	s.send(permitted("7", "no"))
	s.line()
	s.ends()
}

// without is env without a variable.
func without(env []string, name string) []string {
	return slices.DeleteFunc(env, func(v string) bool { return strings.HasPrefix(v, name+"=") })
}

// A terminal that nothing is known of is left alone, with one line that says so.
func TestTerminalsThatCannotShowThePanel(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for name, set := range map[string]string{"unset": "", "empty": "TERM=", "dumb": "TERM=dumb", "nonsense": "TERM=nonsense"} {
		t.Run(name, func(t *testing.T) {
			p := &place{t, p.run, p.home, p.bin}
			c := p.command("panel")
			c.Env = without(c.Env, "TERM")
			if set != "" {
				c.Env = append(c.Env, set)
			}
			panel := p.show(50, 40, c)
			v := panel.left(exitUsage)
			if raw := string(v.Raw); strings.Count(raw, "\r\n") != 1 || !strings.HasPrefix(raw, "bobproxy: panel: ") || !strings.Contains(raw, "TERM") {
				t.Errorf("the terminal got %q", raw)
			}
		})
	}
	t.Run("none", func(t *testing.T) {
		file, err := os.Create(filepath.Join(p.home, "stdout"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		errs := &output{}
		c := p.command("panel")
		c.Stdout, c.Stderr = file, errs
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		var exit *exec.ExitError
		if err := c.Run(); !errors.As(err, &exit) || exit.ExitCode() != exitUsage {
			t.Errorf("it ends with %v", err)
		}
		if says := errs.String(); strings.Count(says, "\n") != 1 || !strings.HasPrefix(says, "bobproxy: panel: there is no terminal") {
			t.Errorf("stderr %q", says)
		}
		if out := content(t, file.Name()); out != "" {
			t.Errorf("stdout %q", out)
		}
	})
}

// Nothing is coloured where that is asked for, and nothing but ASCII is shown
// where the locale has no more.
func TestPlainTerminals(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.talk("--allow", "none")
	for _, tt := range []struct {
		set   string
		wrong func(raw []byte) []string
	}{
		{"NO_COLOR=1", vttest.Coloured},
		{"LC_ALL=C", func(raw []byte) (odd []string) {
			for _, s := range vttest.Sequences(raw) {
				if strings.ContainsFunc(s.Bytes, func(r rune) bool { return r >= 0x80 }) {
					odd = append(odd, s.Bytes)
				}
			}
			return odd
		}},
	} {
		t.Run(tt.set, func(t *testing.T) {
			t.Parallel()
			p := &place{t, p.run, p.home, p.bin}
			c := p.command("panel")
			c.Env = append(c.Env, tt.set)
			panel := p.show(50, 40, c)
			panel.tour()
			v := panel.quits()
			if wrong := tt.wrong(v.Raw); len(wrong) > 0 {
				t.Errorf("%d pieces such as %q", len(wrong), wrong[0])
			}
		})
	}
}
