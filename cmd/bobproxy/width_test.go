//go:build linux

package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"bobproxy/proxy/control"
)

// narrow checks that text, which is shown on a terminal of 80 columns, has no
// line that the terminal would break.
func narrow(t *testing.T, what, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\r\n")); n > 80 {
			t.Errorf("%s: %d columns: %s", what, n, line)
		}
	}
}

// Help fits, and names everything there is to call.
func TestHelpIsNarrow(t *testing.T) {
	t.Parallel()
	s := &site{process: &process{t: t}, run: shortDir(t)}
	help := s.elsewhere("help").out
	narrow(t, "help", help)
	for _, command := range []string{"acp", "run", "ps", "pending", "approve", "deny", "answer", "config", "demo --escape", "lab", "version"} {
		if !strings.Contains(help, "\n  bobproxy "+command) {
			t.Errorf("help does not name %s", command)
		}
	}
	for _, command := range []string{"ps", "pending", "approve", "deny", "answer", "config", "demo"} {
		narrow(t, command+" --help", s.elsewhere(command, "--help").out)
	}
	// Proxies of whoever runs the tests are listed, too, in lines that may be
	// longer; where there are none the whole text is ours.
	text, _, _ := strings.Cut(s.elsewhere("ps").out+s.elsewhere("pending").out, "INSTANCE")
	narrow(t, "nothing runs", text)
}

// A request and the commands for it fit, so that they can be copied; a proxy's
// line ends with its recording and may be longer.
func TestPendingIsNarrow(t *testing.T) {
	t.Parallel()
	s := operate(t, "")
	req := s.asks(1, "7", "make all of it, and then some more, until there is nothing left that was not made")
	text := s.onScreen("pending", "\nother    bobproxy answer "+req+" --number N --digest ")
	narrow(t, "pending", text)
	for _, words := range []string{"bobproxy approve " + req + " --digest ", "bobproxy deny " + req, "bobproxy answer " + req + " --number N --digest "} {
		if !strings.Contains(text, words) {
			t.Errorf("pending does not say %q:\n%s", words, text)
		}
	}
	narrow(t, "approve", s.onScreen("approve "+req, "\ntitle    "))
}

// onScreen is what a command shows on a terminal, which ends with a line that
// begins with last.
func (s *site) onScreen(command, last string) string {
	s.t.Helper()
	p := s.command(strings.Fields(command)...)
	c := onTerminal(s.t, p)
	if code := p.exit(); code != exitDone {
		s.t.Errorf("exit status %d", code)
	}
	var text string
	until(s.t, command+" to show its last line", func() bool {
		text = strings.ReplaceAll(c.screen.String(), "\r\n", "\n")
		return strings.Contains(text, last) && strings.HasSuffix(text, "\n")
	})
	return text
}

// Where an allow of the editor's does not count, whoever looks is told so, in a
// line before what can be typed.
func TestPendingUnattributable(t *testing.T) {
	f := office()
	f.states[1].Pending = []control.Pending{*f.pending(0)}
	f.pending(0).Unattributable = "the editor\x1b[2J owes an answer: what it allows is not released"
	var out bytes.Buffer
	r := &remote{proxies: f, now: func() time.Time { return noon }, out: &out, err: &out, width: 80}
	r.command(t.Context(), "pending", nil)
	want := "\neditor   ! the editor␛[2J owes an answer: what it allows is not released\napprove  "
	if !strings.Contains(out.String(), want) {
		t.Errorf("%q is not in\n%s", want, out.String())
	}
	out.Reset()
	r.command(t.Context(), "pending", []string{"--json"})
	if !strings.Contains(out.String(), `"unattributable":"the editor`) {
		t.Errorf("not in %s", out.String())
	}
}
