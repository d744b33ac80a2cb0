//go:build unix

package retrybudget_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"bobproxy/lab/retrybudget"
)

func TestBrokenThenFixed(t *testing.T) {
	dir := materialise(t)

	out, code := verify(t, dir, os.Environ())
	if code != 1 {
		t.Errorf("broken: exit %d, want 1\n%s", code, out)
	}
	for _, clause := range []string{"zero allows no retry", "negative budget", "exactly N", "below zero"} {
		if !strings.Contains(failures(out), clause) {
			t.Errorf("no failure names %q:\n%s", clause, out)
		}
	}
	if strings.Contains(out, retrybudget.Verified) {
		t.Errorf("broken, yet verified:\n%s", out)
	}

	write(t, dir, retrybudget.Fixed())
	out, code = verify(t, dir, os.Environ())
	if code != 0 || !strings.HasSuffix(out, "\n"+retrybudget.Verified+"\n") {
		t.Errorf("fixed: exit %d\n%s", code, out)
	}
}

func TestVerifyWithoutHome(t *testing.T) {
	dir := materialise(t)
	write(t, dir, retrybudget.Fixed())

	// The fallback cache is made warm, so the test does not build the
	// standard library anew.
	tmp := t.TempDir()
	fallback := filepath.Join(tmp, "retrybudget-go-"+strconv.Itoa(os.Getuid()))
	if err := os.Mkdir(fallback, 0o755); err != nil {
		t.Fatal(err)
	}
	warm, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(strings.TrimSpace(string(warm)), filepath.Join(fallback, "cache")); err != nil {
		t.Fatal(err)
	}

	out, code := verify(t, dir, []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + tmp})
	if code != 0 || !strings.HasSuffix(out, retrybudget.Verified+"\n") {
		t.Errorf("exit %d\n%s", code, out)
	}
}

func TestVerifyWhatDoesNotCompile(t *testing.T) {
	dir := materialise(t)
	write(t, dir, "package retrybudget\n\nfunc New(\n")
	if out, code := verify(t, dir, os.Environ()); code != 1 {
		t.Errorf("exit %d, want 1\n%s", code, out)
	}
}

func TestMaterialiseKeepsWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "mine")
	if err := retrybudget.Materialise(dir); !errors.Is(err, retrybudget.ErrNotEmpty) {
		t.Errorf("got %v, want ErrNotEmpty", err)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, retrybudget.File)); string(text) != "mine" {
		t.Errorf("file became %q", text)
	}
}

func materialise(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "exercise")
	if err := retrybudget.Materialise(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, dir, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, retrybudget.File), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func verify(t *testing.T, dir string, env []string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, retrybudget.Verify)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func failures(out string) string {
	var lines []string
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "FAIL") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}
