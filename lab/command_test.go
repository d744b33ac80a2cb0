//go:build unix

package lab_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bobproxy/lab"
	"bobproxy/lab/bob"
	"bobproxy/lab/editor"
	"bobproxy/lab/retrybudget"
)

func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = lab.Command(args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

func TestUsage(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		says string
	}{
		{nil, "say what"},
		{[]string{"nonsense"}, `no command "nonsense"`},
		{[]string{"new"}, "new takes one directory"},
		{[]string{"new", full}, "is not empty"},
		{[]string{"agent", "x"}, "no arguments"},
		{[]string{"agent", "--pace", "x"}, "lab agent --help"},
		{[]string{"editor"}, "say which agent"},
		{[]string{"editor", "--allow", "x", "--", "y"}, `no rule "x"`},
		{[]string{"editor", "--cwd", filepath.Join(full, "none"), "--", "y"}, "not a directory"},
		{[]string{"editor", "--nonsense"}, "lab editor --help"},
	} {
		code, stdout, stderr := command(t, test.args...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, test.says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%q: exit %d, stdout %q, stderr %q", test.args, code, stdout, stderr)
		}
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"--help"}, {"agent", "--help"}, {"editor", "-h"}, {"new", "--help"}} {
		code, stdout, stderr := command(t, args...)
		if code != 0 || !strings.Contains(stdout, "usage:") || stderr != "" {
			t.Errorf("%q: exit %d, stdout %q, stderr %q", args, code, stdout, stderr)
		}
	}
}

// TestWholeRound starts the agent as a process of its own.
func TestWholeRound(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "exercise")
	if code, _, stderr := command(t, "new", dir); code != 0 {
		t.Fatal(stderr)
	}
	self := executable(t)
	t.Setenv(asEnv, "command")
	code, stdout, stderr := command(t, "editor", "--cwd", dir, "--", self, "agent")
	if code != 0 || stderr != "" || !strings.HasSuffix(stdout, "end      end_turn\n") {
		t.Errorf("exit %d, stderr %q\n%s", code, stderr, stdout)
	}
	if source(t, dir) != retrybudget.Fixed() {
		t.Error("not repaired")
	}
}

func TestRelativeCommand(t *testing.T) {
	dir, here := exercise(t), t.TempDir()
	if err := os.Symlink(executable(t), filepath.Join(here, "agent")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(here)
	t.Setenv(asEnv, "command")
	code, stdout, stderr := command(t, "editor", "--cwd", dir, "--mode", "ask", "--", "./agent", "agent")
	if code != 0 || stderr != "" {
		t.Errorf("exit %d, stderr %q\n%s", code, stderr, stdout)
	}
}

func TestNoAgent(t *testing.T) {
	for _, test := range []struct {
		command []string
		says    string
	}{
		{[]string{filepath.Join(t.TempDir(), "none")}, "starting agent"},
		{[]string{"sh", "-c", "exit 7"}, "initialize: agent ended the connection (exit status 7)"},
		{[]string{"sh", "-c", "echo hello"}, "agent ended the connection"},
	} {
		code, stdout, stderr := command(t, append([]string{"editor", "--"}, test.command...)...)
		if code != 125 || stdout != "" || !strings.Contains(stderr, test.says) {
			t.Errorf("%q: exit %d, stdout %q, stderr %q", test.command, code, stdout, stderr)
		}
	}
}

func TestAgentThatStaysIsKilled(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	result, err := editor.Run(ctx, editor.Options{
		Command: []string{executable(t)}, Env: []string{asEnv + "=deaf"},
		Dir: exercise(t), Mode: "ask", Prompt: "?", Grace: 100 * time.Millisecond,
	})
	if err != nil || result.StopReason != "end_turn" || !result.Killed {
		t.Errorf("%v, %+v", err, result)
	}
}

func TestRefusedRequest(t *testing.T) {
	dir := exercise(t)
	r, err := playIn(t.Context(), dir, bob.Options{}, editor.Options{Mode: "nonsense"})
	if err == nil || !strings.Contains(err.Error(), "only: Agent, Plan, Ask") {
		t.Errorf("%v\n%s", err, r.screen)
	}
}

func TestAgentEndsWithItsInput(t *testing.T) {
	var out, stderr bytes.Buffer
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}` + "\n")
	code := lab.Command([]string{"agent"}, in, &out, &stderr)
	if code != 0 || !strings.Contains(out.String(), `"protocolVersion":1`) || stderr.Len() > 0 {
		t.Errorf("exit %d, stdout %q, stderr %q", code, out.String(), stderr.String())
	}
}

func executable(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
