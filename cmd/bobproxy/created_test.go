//go:build linux

package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// inFolder are the names in a folder.
func inFolder(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestInterruptLeavesNoFile(t *testing.T) {
	recording, err := os.ReadFile(demoRecording)
	if err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"export":       {"export", "-"},
		"over another": {"export", "-", "--force"},
		"import":       {"import", "-"},
	} {
		for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(name+", "+s.String(), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				to := filepath.Join(dir, "copy")
				want := ""
				if name == "over another" {
					want = "copy"
					if err := os.WriteFile(to, []byte("was here"), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				p := start(t, append(args, "-o", to)...)
				p.send(string(recording))
				until(t, "a file that is not whole", func() bool { return strings.HasPrefix(inFolder(t, dir), ".bobproxy-") })
				_ = p.Process.Signal(s)
				p.rest()
				code := p.exit()
				if got := inFolder(t, dir); got != want || code != 128+int(s) {
					t.Errorf("exit code %d, left %q; want %q", code, got, want)
				}
			})
		}
	}
}

// Two write at once: one of them is told, and what the other made stays.
func TestCreateNeverTakesANameTwice(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "copy")
	first, err := create(path, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	second, err := create(path, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	first.WriteString("first")
	second.WriteString("second")
	if err := first.finish(true, nil); err != nil {
		t.Fatal(err)
	}
	if err := second.finish(true, nil); err == nil {
		t.Error("took the name")
	}
	if got := read(t, path); got != "first" || inFolder(t, dir) != "copy" {
		t.Errorf("got %q, and there is %s", got, inFolder(t, dir))
	}
	if _, err := create(path, false, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v, want that it exists", err)
	}
}

func TestHelpThatCannotBeWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full:", err)
	}
	defer full.Close()
	for _, line := range []string{"help", "help filter", "version", "--help", "log --help", "ps --help", "man", "completion bash"} {
		errs, err := os.CreateTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		code := command(strings.Fields(line), os.Stdin, full, errs)
		if text := read(t, errs.Name()); code != 125 || strings.Count(text, "\n") != 1 || !strings.Contains(text, "no space left") {
			t.Errorf("%s: exit code %d, said %q", line, code, text)
		}
		errs.Close()
	}
}
