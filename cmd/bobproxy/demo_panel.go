package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"bobproxy/inspector/feed"
	"bobproxy/inspector/panel"
	"bobproxy/inspector/terminal"
	"bobproxy/proxy"
)

// leaving is how long the peers of a demo may take to end when they are told to.
const leaving = 2 * time.Second

// peers is the command that lets the scripted editor and Bob meet, with nobody
// but the panel to answer, and without a terminal.
func (d *demo) peers(ctx context.Context, self string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, self, "lab", "editor", "--cwd", d.exercise, "--allow", "none", "--",
		self, "run", "--record", d.recording, "--", self, "lab", "agent", "--pace", d.pace.String())
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = leaving
	return cmd
}

// shownPace is the pause between Bob's words when a person follows them.
const shownPace = 250 * time.Millisecond

// inPanel plays the demo in the panel: the person answers Bob's permissions.
func (d *demo) inPanel(s *settings) int {
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintf(d.std.err, "bobproxy: finding our own executable: %v\n", err)
		return proxy.ExitOurs
	}
	w := &watching{settings: s, std: d.std, follow: true}
	if err := s.complete("panel"); err != nil {
		return refuse(d.std, err)
	}
	screen, err := terminal.Open(w.terminal(s.lookup))
	if err != nil {
		fmt.Fprintf(d.std.err, "bobproxy: %v; showing the demo without the panel\n\n", err)
		return d.play()
	}
	err = d.show(self, w, screen)
	screen.Close()
	if err != nil {
		return left(err)
	}
	d.tell()
	return d.verify()
}

// show runs the peers and the panel, until somebody leaves it.
func (d *demo) show(self string, w *watching, screen *terminal.Screen) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cmd := d.peers(ctx, self)
	cmd.Env = append(os.Environ(), "BOBPROXY_PERMISSION_TIMEOUT=0")
	if err := cmd.Start(); err != nil {
		return err
	}
	live := feed.Start(ctx, feed.Options{Lookup: w.settings.lookup, Protect: screen.Protect})
	defer live.Close()
	options := w.options()
	options.Decide, options.Disk = live.Decide, live.Disk
	options.Enter, options.Starting, options.Demo = true, "the demo", nil
	over := make(chan error, 1)
	messages := make(chan any)
	merged := make(chan struct{})
	go func() {
		defer screen.Protect()
		over <- cmd.Wait()
	}()
	go func() {
		defer close(merged)
		defer screen.Protect()
		d.only(ctx, live.Messages(), over, messages)
	}()
	err := screen.Run(ctx, panel.New(options), messages)
	cancel()
	<-merged
	return err
}

// only passes on what comes from the demo's own proxy, and when its peers have
// ended, says how it went.
func (d *demo) only(ctx context.Context, from <-chan any, over <-chan error, to chan<- any) {
	instance := ""
	for {
		var message any
		select {
		case <-ctx.Done():
			return
		case err := <-over:
			over, message = nil, panel.Told{Text: d.outcome(err)}
		case m, ok := <-from:
			if !ok {
				from = nil
			} else if d.ours(m, &instance) {
				message = m
			}
		}
		if message == nil {
			continue
		}
		select {
		case to <- message:
		case <-ctx.Done():
			return
		}
	}
}

// ours says whether a message is about the demo's own proxy, which is known by
// its recording.
func (d *demo) ours(message any, instance *string) bool {
	switch m := message.(type) {
	case feed.Attached:
		if m.State.Recording == d.recording {
			*instance = m.State.Instance
		}
		return m.State.Instance == *instance
	case feed.Happened:
		return m.Instance == *instance
	case feed.Lost:
		return m.Instance == *instance
	case feed.Gone:
		return m.Instance == *instance
	}
	return false
}

// outcome is what to say when the peers have ended.
func (d *demo) outcome(err error) string {
	check := exec.Command(d.check())
	check.Dir = d.exercise
	if out, failed := check.Output(); failed == nil {
		return lastLine(string(out)) + " · Q leaves"
	}
	if err != nil {
		return "the demo ended early: " + err.Error() + " · Q leaves"
	}
	return "Bob stopped before the repair was done · Q leaves"
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// demoInside starts demos from within the panel.
type demoInside struct{ lookup func(string) (string, bool) }

// start plays a demo until it is over or ctx is; it appears as any other proxy.
func (i *demoInside) start(ctx context.Context) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	d := &demo{pace: shownPace}
	if err := d.prepare(); err != nil {
		return "", err
	}
	defer os.RemoveAll(filepath.Dir(d.exercise))
	err = d.peers(ctx, self).Run()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return "", err
	}
	return d.outcome(nil), nil
}
