//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is recorded later is printed as it comes, over further files, until the
// proxy has ended.
func TestLogFollows(t *testing.T) {
	lines := strings.SplitAfter(content(t, demoLog), "\n")
	dir := t.TempDir()
	file := filepath.Join(dir, "a.jsonl")
	write(t, file, strings.Join(lines[:4], "")+lines[4][:30])
	p := start(t, "log", "-f", "-n", "2", "--json", file)
	p.expect(lines[2])
	p.expect(lines[3])
	appendTo(t, file, lines[4][30:]+lines[5])
	p.expect(lines[4])
	p.expect(lines[5])
	appendTo(t, file, lines[6])
	write(t, filepath.Join(dir, "a.2.jsonl"), lines[7])
	p.expect(lines[6])
	p.expect(lines[7])
	end := lines[len(lines)-2] // the agent's exit
	appendTo(t, filepath.Join(dir, "a.2.jsonl"), end)
	p.expect(end)
	if rest, code := p.finish(); rest != "" || code != exitDone || p.errs.String() != "" {
		t.Errorf("exit status %d, stderr %q, more: %q", code, p.errs, rest)
	}
}

func appendTo(t *testing.T, file, text string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// A proxy that runs is followed by its name, with a recording or without one,
// until it ends.
func TestLogFollowsAProxy(t *testing.T) {
	for name, flags := range map[string][]string{"recording": nil, "no recording": {"--record", "off"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := operate(t, "", flags...)
			s.asks(1, "7", "First")
			c := s.command("log", s.instance(), "-f", "-e", "m:session/request_permission kind:req")
			c.begin()
			sees := func(id string) {
				t.Helper()
				if got := c.line(); !strings.Contains(got, "← REQ session/request_perm") || !strings.Contains(got, " "+id+" ") {
					t.Errorf("got %q, want request %s", got, id)
				}
			}
			sees("7")
			s.asks(2, "8", "Second")
			sees("8")
			s.finish()
			if rest, code := c.finish(); rest != "" || code != exitDone || c.errs.String() != "" {
				t.Errorf("exit status %d, stderr %q, stdout %q", code, c.errs, rest)
			}
		})
	}
}

// Who reads no further ends it, quietly.
func TestLogIntoAClosedPipe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.jsonl")
	lines := strings.SplitAfter(content(t, demoLog), "\n")
	var text strings.Builder
	for range 3000 { // more than a pipe holds
		text.WriteString(lines[1])
	}
	write(t, file, text.String())
	p := start(t, "log", "--json", file)
	p.expect(lines[1])
	p.outEnd.Close()
	if code := p.exit(); code != 128+13 && code != exitDone || p.errs.String() != "" {
		t.Errorf("exit status %d, stderr %q", code, p.errs)
	}
}
