//go:build unix

package lab_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bobproxy/lab/bob"
	"bobproxy/lab/editor"
	"bobproxy/lab/retrybudget"
)

// round is one turn of the editor with Bob, in this process.
type round struct {
	editor.Result
	dir        string
	screen     string
	fromClient string // frames, one a line
	fromAgent  string
}

// play materialises the exercise and lets the two meet.
func play(t *testing.T, b bob.Options, e editor.Options) round {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	r, err := playIn(ctx, exercise(t), b, e)
	if err != nil {
		t.Fatalf("%v\n%s", err, r.screen)
	}
	return r
}

func playIn(ctx context.Context, dir string, b bob.Options, e editor.Options) (round, error) {
	return playUntil(ctx, ctx, dir, b, e)
}

// playUntil is playIn with a person who presses stop when stop ends.
func playUntil(ctx, stop context.Context, dir string, b bob.Options, e editor.Options) (round, error) {
	agentIn, clientOut := io.Pipe()
	clientIn, agentOut := io.Pipe()
	var fromClient, fromAgent, screen bytes.Buffer
	e.Dir = dir
	if e.Prompt == "" {
		e.Prompt = "Please repair RetryBudget."
	}
	if e.Out == nil {
		e.Out = io.Discard
	}
	e.Out = io.MultiWriter(&screen, e.Out)

	var agent sync.WaitGroup
	agent.Go(func() { _ = bob.Serve(ctx, agentIn, tee{agentOut, &fromAgent}, b) })
	result, err := editor.Converse(stop, clientIn, tee{clientOut, &fromClient}, e)
	agent.Wait()
	return round{result, dir, screen.String(), fromClient.String(), fromAgent.String()}, err
}

// tee keeps a copy of what is written. Writers call it one at a time.
type tee struct {
	io.WriteCloser
	copy *bytes.Buffer
}

func (t tee) Write(p []byte) (int, error) {
	t.copy.Write(p)
	return t.WriteCloser.Write(p)
}

func exercise(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "exercise")
	if err := retrybudget.Materialise(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func source(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, retrybudget.File))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func verified(t *testing.T, dir string) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, retrybudget.Verify)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return err == nil && strings.HasSuffix(string(out), retrybudget.Verified+"\n")
}

// has checks that the screen shows each text, in this order.
func (r round) has(t *testing.T, texts ...string) {
	t.Helper()
	rest := r.screen
	for _, text := range texts {
		_, after, found := strings.Cut(rest, text)
		if !found {
			t.Fatalf("no %q (in this order) in\n%s", text, r.screen)
		}
		rest = after
	}
}

func TestRepair(t *testing.T) {
	for _, test := range []struct {
		name string
		opts editor.Options
	}{
		{"through the client", editor.Options{}},
		{"without fs", editor.Options{NoFiles: true}},
		{"without terminals", editor.Options{NoTerminal: true}},
		{"without either", editor.Options{NoFiles: true, NoTerminal: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := play(t, bob.Options{}, test.opts)
			if r.StopReason != "end_turn" || r.ExitCode() != 0 || r.Permitted != 4 || r.Refused != 0 {
				t.Errorf("got %+v", r.Result)
			}
			if source(t, r.dir) != retrybudget.Fixed() || !verified(t, r.dir) {
				t.Errorf("not repaired:\n%s", r.screen)
			}
			r.has(t, "./verify (execute) · failed", "FAIL", "Edit retrybudget.go (edit) · completed",
				"./verify (execute) · completed", retrybudget.Verified, "✓ Run ./verify again")
			if used := strings.Contains(r.fromAgent, `"method":"terminal/create"`); used == test.opts.NoTerminal {
				t.Errorf("terminals used: %v", used)
			}
			if used := strings.Contains(r.fromAgent, `"method":"fs/`); used == test.opts.NoFiles {
				t.Errorf("fs used: %v", used)
			}
		})
	}
}

func TestRepairTwice(t *testing.T) {
	r := play(t, bob.Options{}, editor.Options{Allow: editor.Always})
	if r.Permitted != 3 {
		t.Errorf("asked %d times, want 3: the second ./verify is allowed for good", r.Permitted)
	}
	again, err := playIn(t.Context(), r.dir, bob.Options{}, editor.Options{})
	if err != nil || again.Permitted != 1 {
		t.Errorf("%v, asked %d times, want 1", err, again.Permitted)
	}
	again.has(t, "nothing to repair", "end_turn")
}

func TestRefusal(t *testing.T) {
	for step, test := range []struct {
		name     string
		repaired bool
		said     string
	}{
		{"first verify", false, "Nothing has been run"},
		{"patch", false, "The source is as it was."},
		{"to-do list", true, "repaired, but not checked"},
		{"second verify", true, "repaired, but not checked"},
	} {
		t.Run(test.name, func(t *testing.T) {
			typed := strings.Repeat("1\n", step) + "nonsense\n9\nx\n"
			r := play(t, bob.Options{}, editor.Options{Allow: editor.Ask, Answers: strings.NewReader(typed)})
			if r.StopReason != "end_turn" || r.Permitted != step || r.Refused != 1 {
				t.Errorf("got %+v", r.Result)
			}
			if repaired := source(t, r.dir) == retrybudget.Fixed(); repaired != test.repaired {
				t.Errorf("repaired: %v, want %v", repaired, test.repaired)
			}
			r.has(t, "→ Reject (typed)", "· failed", "You refused that step", test.said)
			if asked := strings.Count(r.fromAgent, "session/request_permission"); asked != step+1 {
				t.Errorf("asked %d times, want %d", asked, step+1)
			}
			if step == 0 && strings.Contains(r.fromAgent, "terminal/create") {
				t.Error("ran it all the same")
			}
		})
	}
}

func TestPlanAndAskTouchNothing(t *testing.T) {
	for _, test := range []struct{ mode, prompt, shows string }{
		{"Plan", "", "○ Repair retrybudget.go"},
		{"ask", "", "A RetryBudget says how often"},
		{"", "/plan the repair", "○ Repair retrybudget.go"},
		{"", "/explain", "A RetryBudget says how often"},
		{"", "/create-mode x", "no lines for it"},
		{"", "/nonsense", "There is no command /nonsense"},
	} {
		t.Run(test.mode+test.prompt, func(t *testing.T) {
			r := play(t, bob.Options{}, editor.Options{Mode: test.mode, Prompt: test.prompt})
			r.has(t, test.shows, "end_turn")
			for line := range strings.Lines(r.fromAgent) {
				if strings.HasPrefix(line, `{"id":`) && strings.Contains(line, `"method":`) {
					t.Errorf("asked something of the client: %s", line)
				}
			}
			if source(t, r.dir) != retrybudget.Broken() {
				t.Error("source changed")
			}
		})
	}
}

// TestCancel stops the turn while a permission is open, as a person would.
func TestCancel(t *testing.T) {
	for _, patient := range []bool{false, true} {
		t.Run(fmt.Sprintf("patient=%v", patient), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			stop, press := context.WithCancel(ctx)
			r, err := playUntil(ctx, stop, exercise(t), bob.Options{Patient: patient},
				editor.Options{Allow: editor.None, Grace: time.Minute, Out: trigger{"→ waiting", press}})
			if err != nil || r.StopReason != "cancelled" || r.ExitCode() != 1 {
				t.Fatalf("%v, %+v\n%s", err, r.Result, r.screen)
			}
			if !strings.Contains(r.fromClient, `"outcome":{"outcome":"cancelled"}`) && !strings.Contains(r.fromClient, "-32800") {
				t.Errorf("the open permission was never answered:\n%s", r.fromClient)
			}
			if source(t, r.dir) != retrybudget.Broken() {
				t.Error("source changed")
			}
			r.has(t, "→ waiting", "session/cancel", "(execute) · failed", "cancelled")
		})
	}
}

// TestCancelWhileACommandRuns has a check that never ends.
func TestCancelWhileACommandRuns(t *testing.T) {
	for _, direct := range []bool{false, true} {
		t.Run(fmt.Sprintf("direct=%v", direct), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			dir := exercise(t)
			if err := os.WriteFile(filepath.Join(dir, "verify"), []byte("#!/bin/sh\nsleep 600\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			stop, press := context.WithCancel(ctx)
			r, err := playUntil(ctx, stop, dir, bob.Options{}, editor.Options{
				NoTerminal: direct, Grace: time.Minute, Out: trigger{"(execute) · in_progress", press},
			})
			if err != nil || r.StopReason != "cancelled" {
				t.Fatalf("%v, %+v\n%s", err, r.Result, r.screen)
			}
			r.has(t, "session/cancel", "(execute) · failed", "cancelled")
		})
	}
}

// trigger acts once a text is printed.
type trigger struct {
	text string
	act  func()
}

func (t trigger) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(t.text)) {
		t.act()
	}
	return len(p), nil
}

func TestScreen(t *testing.T) {
	for _, test := range []struct {
		name string
		opts editor.Options
	}{
		{"repair", editor.Options{}},
		{"refused", editor.Options{Allow: editor.Reject, Width: 72}},
		{"plan", editor.Options{Mode: "plan", Width: 60}},
		{"colour", editor.Options{Mode: "ask", Width: 72, Colour: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := play(t, bob.Options{}, test.opts)
			got := strings.ReplaceAll(r.screen, r.dir, "/exercise")
			golden := filepath.Join("testdata", test.name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the screen is not %s (see -update):\n%s", golden, got)
			}
		})
	}
}
