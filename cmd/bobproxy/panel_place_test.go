//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"bobproxy/inspector/terminal/vttest"
	"bobproxy/lab/retrybudget"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// place is where the proxies, the editors and the panels of one test meet: a
// runtime directory and a home of their own.
type place struct {
	t    *testing.T
	run  string // the runtime directory
	home string
	bin  string
}

func newPlace(t *testing.T) *place {
	t.Helper()
	return &place{t: t, run: shortDir(t), home: t.TempDir(), bin: bin(t)}
}

// self is what others start as bobproxy.
func (p *place) self() string { return filepath.Join(p.bin, "bobproxy") }

// env is an environment that tells nothing of the machine the tests run on.
func (p *place) env(more ...string) []string {
	return append([]string{
		"PATH=" + p.bin + ":" + os.Getenv("PATH"), "HOME=" + p.home, "TMPDIR=" + p.home, "SHELL=/bin/sh",
		"XDG_RUNTIME_DIR=" + p.run, "BOBPROXY_RUNTIME_DIR=" + filepath.Join(p.run, "bobproxy"), "XDG_STATE_HOME=" + filepath.Join(p.home, "state"), "XDG_CONFIG_HOME=/nonexistent",
		"TERM=xterm-256color", "LANG=C.UTF-8", "GORACE=" + os.Getenv("GORACE"), "GOCACHE=" + goCache(p.t), "BOBPROXY_ARM=250ms",
	}, more...)
}

// goCache lets Bob's check of his repair be built quickly.
func goCache(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("GOCACHE"); dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "go-build")
}

func (p *place) command(args ...string) *exec.Cmd {
	c := exec.Command(p.self(), args...)
	c.Env, c.Dir = p.env(), p.home
	return c
}

// screen is a terminal with a panel on it.
type screen struct {
	*vttest.Program
	t   *testing.T
	pid int
}

// panel starts `bobproxy panel ARGS…` on a terminal of w by h cells.
func (p *place) panel(w, h int, args ...string) *screen {
	p.t.Helper()
	return p.show(w, h, p.command(append([]string{"panel"}, args...)...))
}

func (p *place) show(w, h int, c *exec.Cmd) *screen {
	p.t.Helper()
	program := vttest.Start(p.t, w, h, c)
	return &screen{program, p.t, c.Process.Pid}
}

// talk is a scripted editor that talks to a scripted Bob through a proxy.
type talk struct{ *site }

// talk lets them talk in a fresh exercise. Behind "--" are Bob's arguments, the
// others are the editor's.
func (p *place) talk(args ...string) *talk {
	p.t.Helper()
	exercise := filepath.Join(p.t.TempDir(), "retrybudget")
	if err := retrybudget.Materialise(exercise); err != nil {
		p.t.Fatal(err)
	}
	editor, bob := args, []string(nil)
	if at := slices.Index(args, "--"); at >= 0 {
		editor, bob = args[:at], args[at+1:]
	}
	e := prepare(p.t, slices.Concat([]string{"lab", "editor", "--cwd", exercise}, editor,
		[]string{"--", p.self(), "run", "--", p.self(), "lab", "agent"}, bob)...)
	e.Env = p.env("XDG_STATE_HOME=" + filepath.Dir(e.state))
	e.begin()
	t := &talk{&site{e, p.run}}
	p.t.Cleanup(t.breakOff)
	return t
}

// breakOff ends a talk that goes on, so that nobody writes anything any more.
func (s *talk) breakOff() {
	_ = s.Process.Signal(syscall.SIGTERM)
	until(s.t, "the end of the proxies", func() bool { return len(s.names()) == 0 })
}

// answers are the decisions that counted.
func (s *talk) answers() (all []journal.Decision) {
	s.t.Helper()
	for _, d := range s.decided() {
		if !d.Late {
			all = append(all, d)
		}
	}
	return all
}

// ends waits for the end of the turn, and checks that it ended by itself.
func (s *talk) ends() (said string) {
	s.t.Helper()
	said, code := s.finish()
	if code != exitDone {
		s.t.Errorf("the editor's exit status is %d, stderr %q; it saw:\n%s", code, s.errs, said)
	}
	return said
}

// obedient is a proxy with an agent that does what the test, as its editor,
// says.
func (p *place) obedient(flags ...string) *site {
	p.t.Helper()
	return operate(p.t, p.run, flags...)
}

// pending are the requests that wait here.
func (p *place) pending() []control.Pending {
	p.t.Helper()
	return (&site{&process{t: p.t}, p.run}).pending()
}

// sees waits until the screen shows all of the words.
func (s *screen) sees(words ...string) vttest.View {
	s.t.Helper()
	return s.Until("the screen shows "+strings.Join(words, ", "), func(v vttest.View) bool { return has(v, words...) })
}

func has(v vttest.View, words ...string) bool {
	for _, word := range words {
		if !strings.Contains(v.Screen, word) {
			return false
		}
	}
	return true
}

// What the screen of a card says while it does not take every key.
const (
	readOn = "Space reads on"
	unread = "locked until"
	unsure = "allow keys"
	closed = "PERMISSION  closed"
	strip  = "p to look"
)

// waitsFor says that an open card shows words.
func waitsFor(v vttest.View, words ...string) bool {
	return has(v, append(words, "PERMISSION", "First one counts")...) && !has(v, closed) && !has(v, "SENDING")
}

// card opens the card of the permission whose card has these words on it,
// unless it comes up by itself.
func (s *screen) card(words ...string) vttest.View {
	s.t.Helper()
	v := s.Until("somebody asks", func(v vttest.View) bool { return has(v, strip) || waitsFor(v, words...) })
	if has(v, strip) {
		s.Send("p")
	}
	return s.Until("the card of "+strings.Join(words, ", "), func(v vttest.View) bool { return waitsFor(v, words...) && !has(v, strip) })
}

// tooEarly says that the last key was not taken because it came too early.
func tooEarly(v vttest.View) bool {
	return has(v, "not yet: keys that") || has(v, "this changed after it was drawn") || has(v, "1: "+unread)
}

// box is what a card shows of what is asked.
func box(v vttest.View) string {
	_, rest, _ := strings.Cut(v.Screen, "┌ ")
	text, _, _ := strings.Cut(rest, "claimed by the agent")
	return text
}

// opened reads the card to its end, and waits until it takes every key.
func (s *screen) opened(words ...string) vttest.View {
	s.t.Helper()
	v := s.card(words...)
	if tooEarly(v) { // which is said until another key is pressed
		s.Send("g")
		v = s.Until("that to be said no more", func(v vttest.View) bool { return waitsFor(v, words...) && !tooEarly(v) })
	}
	for has(v, readOn) {
		before := box(v)
		s.Send(" ")
		v = s.Until("more of the card", func(v vttest.View) bool { return waitsFor(v, words...) && box(v) != before })
	}
	return s.Until("the keys that allow to open", func(v vttest.View) bool {
		return waitsFor(v, words...) && !has(v, unsure) && !has(v, unread)
	})
}

// allows allows once what has words on its card.
func (s *screen) allows(words ...string) vttest.View {
	s.t.Helper()
	for {
		s.opened(words...)
		s.Send("1")
		v := s.Until("an answer to be sent, or not", func(v vttest.View) bool { return has(v, "✓ SENT  1") || tooEarly(v) })
		if !tooEarly(v) {
			return v
		}
	}
}

// quits leaves the panel and checks that the terminal is as it was.
func (s *screen) quits() vttest.View {
	s.t.Helper()
	s.Send("Q")
	return s.left(exitDone)
}

// left checks how the panel ends.
func (s *screen) left(want int) vttest.View {
	s.t.Helper()
	status, v := s.Exit()
	if status != want {
		s.t.Errorf("exit status %d, want %d", status, want)
	}
	s.restored(v)
	return v
}

// restored checks that the terminal is as it was before.
func (s *screen) restored(v vttest.View) {
	s.t.Helper()
	if left := vttest.Left(v.Raw); len(left) > 0 {
		s.t.Errorf("left in the terminal: %q", left)
	}
	if !v.Main {
		s.t.Error("the alternate screen is still shown")
	}
	if !s.Restored() {
		s.t.Error("the terminal's settings are not those from before")
	}
	if foreign := vttest.Foreign(v.Raw); len(foreign) > 0 {
		s.t.Errorf("sent to the terminal: %q", foreign)
	}
}
