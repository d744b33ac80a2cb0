package bounds_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"bobproxy/proxy/bounds"
)

// FuzzCheck takes any string for a path, and for one below the workspace, and
// opens what is said to be inside.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		"", "/", "d", "f", "new", "li/new", "lo/..", "lo/../f", "d/../../out/f", "gi", "go", "chain", "self/x", "nd",
		"back/d/up/new", "new/../f", "../ws/f", "..//./ws", "lx", "lf/", "f/.", "%2e%2e/x", "a\x00b", "\xff", `..\f`, "~/x",
		"/proc/self/cwd/f", "/dev/fd/0", `C:\x`, `\\wsl$\x`, "file:///etc/passwd", ".git/hooks/x", "．．/x", "li/../lo/../f",
	} {
		f.Add(seed)
	}
	s := newSite(f)
	set := pin(f, s.ws)
	f.Fuzz(func(t *testing.T, tail string) {
		for _, path := range []string{tail, s.ws + "/" + tail} {
			for _, access := range []bounds.Access{bounds.Read, bounds.Write} {
				v := set.Check(path, access)
				if v.Code == 0 {
					t.Fatalf("Check(%q) is not judged", path)
				}
				if v.Inside() != (v.Root == s.ws) {
					t.Fatalf("Check(%q) = %v with root %q", path, v.Code, v.Root)
				}
				if v.Later != "" && (!v.Inside() || access == bounds.Read) {
					t.Fatalf("Check(%q, %d) = %v and warns of %q", path, access, v.Code, v.Later)
				}
				if v.Inside() {
					s.mustLandInside(t, path, access)
				}
			}
		}
	})
}

// mustLandInside opens path as it is and cleaned. Since it is said to be
// inside, nothing is made elsewhere unless that is wrong.
func (s site) mustLandInside(t *testing.T, path string, access bounds.Access) {
	t.Helper()
	flags := unix.O_RDONLY
	if access == bounds.Write {
		flags = unix.O_RDWR | unix.O_CREAT
	}
	for _, p := range []string{path, filepath.Clean(path)} {
		if s.open(t, p, flags) == outside {
			t.Fatalf("%q is said to be inside, and opening %q gets outside", path, p)
		}
	}
}
