//go:build unix

package terminal_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"bobproxy/inspector/paint"
	"bobproxy/inspector/terminal"
	"bobproxy/inspector/terminal/vttest"
)

// toyVariable makes this test program the toy below.
const toyVariable = "TERMINAL_TEST_TOY"

func TestMain(m *testing.M) {
	if mode, ok := os.LookupEnv(toyVariable); ok {
		os.Exit(toyMain(mode))
	}
	os.Exit(m.Run())
}

// hostile is what a peer could send.
const hostile = "a\x1b[2Jb\x1b]52;c;ZXZpbA==\ac\u009b31md\x1bPq\x1b\\e\u202ef\x9bg\r\nh\b\b"

// toy shows what it is told, line by line, and does something at some keys.
type toy struct {
	lines  []string
	broken bool
}

func toyMain(mode string) int {
	o := terminal.Options{}
	for _, word := range strings.Fields(mode) {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "mouse":
			o.Mouse = true
		case "color":
			o.Color = value
		case "notify":
			o.Notify = value
		case "command":
			o.NotifyCommand = []string{"sh", "-c", os.Getenv("COMMAND")}
		}
	}
	s, err := terminal.Open(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "toy:", err)
		return 1
	}
	defer s.Protect()
	if strings.Contains(mode, "quiet") {
		go panicAt(s, syscall.SIGUSR1)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var messages chan any
	if strings.Contains(mode, "busy") {
		messages = make(chan any)
		go tick(ctx, s, messages)
	}
	err = s.Run(ctx, &toy{}, messages)
	var signalled terminal.Signalled
	switch {
	case errors.As(err, &signalled) && strings.Contains(mode, "quiet"):
		return 3
	case errors.As(err, &signalled):
		fmt.Println("toy:", err)
		return 3
	case err != nil:
		return 4
	}
	fmt.Println("toy: bye")
	return 0
}

// tick sends messages that say nothing without end.
func tick(ctx context.Context, s *terminal.Screen, messages chan<- any) {
	defer s.Protect()
	for {
		select {
		case messages <- "":
		case <-ctx.Done():
			return
		}
	}
}

// panicAt panics when the signal arrives.
func panicAt(s *terminal.Screen, sig os.Signal) {
	defer s.Protect()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, sig)
	<-signals
	panic("signalled")
}

func (y *toy) Draw(g *paint.Grid, now time.Time) {
	a := g.All()
	a.Put(0, 0, paint.Style{Role: paint.Good}, fmt.Sprintf("toy %d×%d", g.W, g.H))
	for i, line := range y.lines[max(0, len(y.lines)-(g.H-1)):] {
		a.Put(0, i+1, paint.Style{Role: paint.Role(i) % paint.Roles}, line)
	}
	if y.broken {
		panic("drawing " + hostile)
	}
}

func (y *toy) Shown(time.Time)          {}
func (y *toy) Next(time.Time) time.Time { return time.Time{} }

func (y *toy) say(format string, args ...any) {
	y.lines = append(y.lines, fmt.Sprintf(format, args...))
}

func (y *toy) Take(message any, _ time.Time) []terminal.Effect {
	if message != "" {
		y.say("took %v", message)
	}
	return nil
}

func (y *toy) Input(in terminal.Input, _ time.Time) []terminal.Effect {
	switch in := in.(type) {
	case terminal.Key:
		return y.key(string(in.Key))
	case terminal.Paste:
		y.say("paste %d %.40q", len(in.Text), in.Text)
	default:
		y.say("%T %v", in, in)
	}
	return nil
}

func (y *toy) key(key string) []terminal.Effect {
	y.say("key %s", key)
	one := func(e terminal.Effect) []terminal.Effect { return []terminal.Effect{e} }
	switch key {
	case "q":
		return one(terminal.Quit{})
	case "h":
		y.say("%s", hostile)
	case "t":
		return one(terminal.Title{Text: "title " + hostile})
	case "n":
		return one(terminal.Notify{Title: "note;" + hostile, Body: "body;" + hostile})
	case "c":
		return one(terminal.Clipboard{Text: "copied " + hostile})
	case "C":
		return one(terminal.Clipboard{Text: strings.Repeat("x", 200_000)})
	case "F":
		return slices.Repeat(one(terminal.Clipboard{Text: strings.Repeat("x", 90_000)}), 50)
	case "b":
		return one(terminal.Bell{})
	case "m":
		return one(terminal.SetMouse{On: true})
	case "Ctrl-Z":
		return one(terminal.Suspend{})
	case "Ctrl-L":
		return one(terminal.Repaint{})
	case "l":
		return one(terminal.Later{Do: func(context.Context) any { return "late" }})
	case "w":
		return one(terminal.Later{Do: func(ctx context.Context) any { <-ctx.Done(); return nil }})
	case "P":
		return one(terminal.Later{Do: func(context.Context) any { panic("elsewhere " + hostile) }})
	case "D":
		y.broken = true
	}
	return nil
}

// toyEnvironment is all that the toy knows. The race detector would make it wait
// a second before it ends.
func toyEnvironment(mode string) []string {
	return []string{"TERM=xterm-256color", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH"),
		"GORACE=atexit_sleep_ms=0", toyVariable + "=" + mode}
}

// startToy runs the toy on a terminal of 60 by 20 cells, in a clean environment
// but for env.
func startToy(t *testing.T, mode string, env ...string) *vttest.Program {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(toyEnvironment(mode), env...)
	return vttest.Start(t, 60, 20, cmd)
}

// startCommand runs a shell's command that finds the toy at $TOY.
func startCommand(t *testing.T, command, mode string, env ...string) *vttest.Program {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Env = append(append(toyEnvironment(mode), "TOY="+os.Args[0]), env...)
	return vttest.Start(t, 60, 20, cmd)
}
