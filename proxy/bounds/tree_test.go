//go:build unix

package bounds_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bobproxy/proxy/bounds"
)

// grow makes files and directories below a new directory and returns its path,
// links followed. An entry is "dir/", "file" or "link -> target"; BASE in a
// target is the new directory. Directories on the way are made.
func grow(t testing.TB, entries ...string) (base string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	add(t, base, entries...)
	return base
}

// add makes more entries below base.
func add(t testing.TB, base string, entries ...string) {
	t.Helper()
	for _, e := range entries {
		name, target, isLink := strings.Cut(e, " -> ")
		path := filepath.Join(base, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		switch {
		case isLink:
			must(t, os.Symlink(strings.ReplaceAll(target, "BASE", base), path))
		case strings.HasSuffix(e, "/"):
			must(t, os.MkdirAll(path, 0o755))
		default:
			must(t, os.WriteFile(path, []byte(name), 0o644))
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// pin makes a set of roots without problems.
func pin(t testing.TB, roots ...string) *bounds.Set {
	t.Helper()
	var dirs []bounds.Dir
	for _, r := range roots {
		dirs = append(dirs, bounds.Dir{Path: r})
	}
	set, problems := bounds.Pin(dirs)
	if len(problems) != 0 {
		t.Fatalf("pinning %q: %v", roots, problems)
	}
	return set
}

// expect wants one code for reading and writing alike.
func expect(t *testing.T, set *bounds.Set, path string, want bounds.Code) {
	t.Helper()
	for _, access := range []bounds.Access{bounds.Read, bounds.Write} {
		if got := set.Check(path, access); got.Code != want {
			t.Errorf("Check(%q, %d) = %v, want %v (target %q)", path, access, got.Code, want, got.Target)
		}
	}
}
