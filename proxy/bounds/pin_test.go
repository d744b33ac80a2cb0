//go:build unix

package bounds_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"bobproxy/proxy/bounds"
)

func TestPinProblems(t *testing.T) {
	base := grow(t, "work/", "file", "circle -> circle", "dangling -> nowhere", "far/deep/", "link -> far/deep", "work/x/", "far/x/")
	tests := []struct{ name, path, text string }{
		{"relative", "work", "not an absolute path"},
		{"dot", ".", "not an absolute path"},
		{"home", "~/work", "not an absolute path"},
		{"empty", "", "empty"},
		{"NUL", "BASE/work\x00", "NUL"},
		{"missing", "BASE/nowhere", "does not exist"},
		{"missing behind a link", "BASE/dangling", "does not exist"},
		{"file", "BASE/file", "not a directory"},
		{"file with a slash", "BASE/file/", "not a directory"},
		{"below a file", "BASE/file/x", "not a directory"},
		{"circle", "BASE/circle", "circle"},
		{"drive", `E:\proj`, "system"},
		{"share of WSL", `\\wsl$\U\home`, "system"},
		{"up from a missing directory", "BASE/nowhere/../work", "does not exist"},
		{"two meanings", "BASE/link/../x", "depending on"},
		{"one meaning", "BASE/link/../../x", "does not exist"},
	}
	if _, err := os.Stat("/proc/self"); err == nil {
		tests = append(tests, []struct{ name, path, text string }{
			{"procfs", "/proc", "/proc"},
			{"directory of a process", "/proc/self/cwd", "/proc"},
		}...)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := strings.ReplaceAll(test.path, "BASE", base)
			set, problems := bounds.Pin([]bounds.Dir{{Path: base + "/work"}, {Path: path}})
			if len(problems) != 1 || problems[0].Path != path || !strings.Contains(problems[0].Text, test.text) {
				t.Errorf("problems = %q, want one of %q saying %q", problems, path, test.text)
			}
			if got := set.Paths(); !slices.Equal(got, []string{base + "/work"}) {
				t.Errorf("Paths() = %q, want the good one alone", got)
			}
			expect(t, set, base+"/work/f", bounds.Inside)
			expect(t, set, base+"/far/f", bounds.Escape)
		})
	}
}

func TestPaths(t *testing.T) {
	base := grow(t, "b/", "a/", "l -> a")
	want := []string{base + "/b/", base + "/l", base + "/a", base + "/b/"}
	if got := pin(t, want...).Paths(); !slices.Equal(got, want) {
		t.Errorf("Paths() = %q, want %q", got, want)
	}
}

func TestRootChanges(t *testing.T) {
	const changed, escape, inside = bounds.RootChanged, bounds.Escape, bounds.Inside
	tests := []struct {
		name   string
		change func(t *testing.T, base string)
		want   map[string]bounds.Code
	}{
		{"removed", func(t *testing.T, base string) {
			must(t, os.RemoveAll(base+"/work"))
		}, map[string]bounds.Code{"/work": changed, "/work/f": changed, "/work/new/x": changed, "/other/f": inside, "/nowhere": escape}},
		{"removed and made again", func(t *testing.T, base string) {
			must(t, os.RemoveAll(base+"/work"))
			add(t, base, "work/f")
		}, map[string]bounds.Code{"/work": changed, "/work/f": changed, "/work/../work/f": changed, "/nowhere": escape}},
		{"moved away", func(t *testing.T, base string) {
			must(t, os.Rename(base+"/work", base+"/moved"))
		}, map[string]bounds.Code{"/work/f": changed, "/moved/f": changed, "/moved": changed, "/movedx": escape}},
		{"replaced by a link elsewhere", func(t *testing.T, base string) {
			must(t, os.Rename(base+"/work", base+"/moved"))
			add(t, base, "work -> outside")
		}, map[string]bounds.Code{"/work/f": changed, "/moved/f": changed, "/outside/f": escape, "/workx": escape}},
		{"replaced by a link to itself", func(t *testing.T, base string) {
			must(t, os.Rename(base+"/work", base+"/moved"))
			add(t, base, "work -> moved")
		}, map[string]bounds.Code{"/work/f": inside, "/moved/f": inside}},
		{"replaced by a file", func(t *testing.T, base string) {
			must(t, os.RemoveAll(base+"/work"))
			add(t, base, "work")
		}, map[string]bounds.Code{"/work": changed, "/work/f": changed}},
		{"moved away and back", func(t *testing.T, base string) {
			must(t, os.Rename(base+"/work", base+"/moved"))
			must(t, os.Rename(base+"/moved", base+"/work"))
		}, map[string]bounds.Code{"/work/f": inside}},
		{"another root put in its place", func(t *testing.T, base string) {
			must(t, os.RemoveAll(base+"/work"))
			must(t, os.Rename(base+"/other", base+"/work"))
		}, map[string]bounds.Code{"/work/f": changed, "/other/f": changed}},
		{"link to a root turned elsewhere", func(t *testing.T, base string) {
			must(t, os.Remove(base+"/alias"))
			add(t, base, "alias -> outside")
		}, map[string]bounds.Code{"/alias/f": changed, "/target/f": changed, "/outside/f": escape, "/work/f": inside}},
		{"inner root replaced, outer one stays", func(t *testing.T, base string) {
			must(t, os.RemoveAll(base+"/work/sub"))
			add(t, base, "work/sub/f")
		}, map[string]bounds.Code{"/work/sub/f": inside, "/work/f": inside}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			base := grow(t, "work/f", "work/sub/f", "other/f", "outside/f", "target/f", "alias -> target")
			set := pin(t, base+"/work", base+"/work/sub", base+"/other", base+"/alias")
			expect(t, set, base+"/work/f", inside)
			test.change(t, base)
			for path, want := range test.want {
				expect(t, set, base+path, want)
			}
		})
	}
}

// A set is read from many goroutines.
func TestTogether(t *testing.T) {
	base := grow(t, "work/a/f", "work/out -> ..")
	set := pin(t, base+"/work")
	done := make(chan bool)
	for range 4 {
		go func() {
			ok := true
			for range 100 {
				ok = ok && set.Check(base+"/work/a/f", bounds.Write).Inside() && !set.Check(base+"/work/out/x", bounds.Read).Inside()
			}
			done <- ok
		}()
	}
	for range 4 {
		if !<-done {
			t.Error("verdicts change")
		}
	}
}
