package bounds_test

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"bobproxy/proxy/bounds"
)

// site is a tree with a workspace, BASE/ws, and something beside it, BASE/out,
// deep enough that a few ".." stay in it. ws, ws/d, out and out/d have the same
// names in them. The names new and made do not exist.
type site struct {
	top    string // everything is in here
	base   string
	ws     string
	absent []string // what does not exist, but may be made
}

func newSite(t testing.TB) site {
	t.Helper()
	if unix.Access("/dev/shm", unix.W_OK) == nil {
		t.Setenv("TMPDIR", "/dev/shm") // thousands of files and directories are made and removed
	}
	s := site{top: grow(t)}
	s.base = s.top + "/1/2/3/4"
	s.ws = s.base + "/ws"
	for _, dir := range []string{"ws", "ws/d", "out", "out/d"} {
		up := strings.Repeat("../", strings.Count(dir, "/")+1)
		must(t, os.MkdirAll(s.base, 0o755)) // BASE is not what grow made
		add(t, s.base, dir+"/f", dir+"/d/",
			dir+"/li -> BASE/ws/d", dir+"/lo -> "+up+"out/d", dir+"/up -> ..", dir+"/back -> BASE/ws",
			dir+"/gi -> BASE/ws/made", dir+"/go -> "+up+"out/made", dir+"/chain -> go", dir+"/nd -> new/../f",
			dir+"/lf -> f", dir+"/lx -> BASE/out/f", dir+"/self -> self",
		)
	}
	s.absent = []string{s.ws + "/made", s.base + "/out/made"}
	for _, dir := range []string{"../../..", "../..", "..", ".", "ws", "ws/d", "ws/d/d", "out", "out/d", "out/d/d"} {
		s.absent = append(s.absent, filepath.Join(s.base, dir, "new"))
	}
	return s
}

// names is the alphabet of the catalogue.
var names = []string{"d", "new", "..", ".", "", "f", "li", "lo", "up", "back", "gi", "go", "chain", "nd", "lf", "lx", "self"}

// shapes are all paths of up to three names from ws and out, of up to two from
// other places, and of four and five of the trickiest names.
func (s site) shapes() iter.Seq[string] {
	return func(yield func(string) bool) {
		for from, most := range map[string]int{"/ws": 3, "/out": 3, "/out/../ws": 2, "": 2} {
			for n := range most + 1 {
				for p := range words(names, n) {
					if !yield(s.base + from + p) {
						return
					}
				}
			}
		}
		for p := range words([]string{"d", "new", "..", "f", "li", "lo", "gi", "go"}, 4) {
			if !yield(s.ws + p) {
				return
			}
		}
		for p := range words([]string{"d", "new", "..", "lo", "back"}, 5) {
			if !yield(s.ws + p) {
				return
			}
		}
	}
}

// words are all sequences of n names, each after a slash.
func words(names []string, n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		if n == 0 {
			yield("")
			return
		}
		for head := range words(names, n-1) {
			for _, name := range names {
				if !yield(head + "/" + name) {
					return
				}
			}
		}
	}
}

// landing is where an open ended up: nowhere, inside or outside of ws.
type landing string

const (
	nowhere landing = "nowhere"
	inside  landing = "inside"
	outside landing = "outside"
)

// open opens path with flags, making a file if they say so, and tells where it
// is, by the kernel's word. What was made, and so is empty, is removed.
func (s site) open(t testing.TB, path string, flags int) landing {
	t.Helper()
	fd, err := unix.Open(path, flags|unix.O_CLOEXEC|unix.O_NONBLOCK, 0o600)
	if errors.Is(err, unix.EISDIR) {
		fd, err = unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	}
	if err != nil {
		return nowhere
	}
	var st unix.Stat_t
	must(t, unix.Fstat(fd, &st))
	where, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
	must(t, err)
	must(t, unix.Close(fd))
	if st.Mode&unix.S_IFMT == unix.S_IFREG && st.Size == 0 && strings.HasPrefix(where, s.top+"/") {
		must(t, os.Remove(where))
	}
	if where == s.ws || strings.HasPrefix(where, s.ws+"/") {
		return inside
	}
	return outside
}

// write is a client that makes the directories it needs before the file.
func (s site) write(t testing.TB, path string) landing {
	t.Helper()
	defer s.tidy(t)
	if os.MkdirAll(parent(path), 0o700) != nil {
		return nowhere
	}
	return s.open(t, path, unix.O_RDWR|unix.O_CREAT)
}

// parent is all before the last slash, uncleaned.
func parent(path string) string { return path[:strings.LastIndex(path, "/")] }

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// tidy removes whatever was made.
func (s site) tidy(t testing.TB) {
	t.Helper()
	for _, path := range s.absent {
		if _, err := os.Lstat(path); err == nil {
			must(t, os.RemoveAll(path))
		}
	}
}

// TestCatalogue compares what Check says of thousands of paths to where the
// kernel takes them, with the path as it is and cleaned, for clients that read,
// that write, and that make directories first.
func TestCatalogue(t *testing.T) {
	s := newSite(t)
	set := pin(t, s.ws)
	shapes, verdicts := 0, map[bounds.Code]int{}
	for path := range s.shapes() {
		shapes++
		clean := filepath.Clean(path)
		for _, client := range []struct {
			name   string
			access bounds.Access
			open   func(string) landing
		}{
			{"reads", bounds.Read, func(p string) landing { return s.open(t, p, unix.O_RDONLY) }},
			{"writes", bounds.Write, func(p string) landing { return s.open(t, p, unix.O_RDWR|unix.O_CREAT) }},
		} {
			got := set.Check(path, client.access).Code
			verdicts[got]++
			compare(t, client.name, path, got, client.open(path), client.open(clean))
		}
		if !strings.Contains(path, "new") || isDir(parent(path)) && isDir(parent(clean)) {
			continue // no directory that can be made
		}
		got := set.Check(path, bounds.Write).Code
		raw, cleaned := s.write(t, path), s.write(t, clean)
		if got != bounds.Inside && (strings.Contains(path, "..") || strings.Contains(path, "nd")) {
			continue // up from a missing directory: refused although this client would make it first
		}
		compare(t, "makes directories", path, got, raw, cleaned)
	}
	if shapes < 15_000 || verdicts[bounds.Inside] < 5_000 || verdicts[bounds.Escape] < 5_000 {
		t.Errorf("%d shapes with verdicts %v are not the catalogue that was meant", shapes, verdicts)
	}
	for _, code := range []bounds.Code{bounds.MissingDotDot, bounds.NotADirectory, bounds.Loop} {
		if verdicts[code] == 0 {
			t.Errorf("no path of the catalogue is refused as %v", code)
		}
	}
	t.Logf("%d paths: %v", shapes, verdicts)
}

// compare wants no hole and no false refusal.
func compare(t *testing.T, client, path string, got bounds.Code, raw, clean landing) {
	t.Helper()
	switch {
	case got == bounds.Inside && (raw == outside || clean == outside):
		t.Errorf("hole: %s is %v, and a client that %s gets %s, or %s after cleaning", path, got, client, raw, clean)
	case got != bounds.Inside && raw == inside && clean == inside:
		t.Errorf("false refusal: %s is %v, and a client that %s stays inside", path, got, client)
	case got != bounds.Escape && raw == outside:
		t.Errorf("wrong reason: %s is %v, and a client that %s gets outside", path, got, client)
	}
}

// TestOracle wants the same refusals whether or not there is anything outside.
func TestOracle(t *testing.T) {
	outside := []string{
		"out/f", "out/d/", "out/d/f", "out/d/d/", "out/lf -> f", "out/lo -> d", "out/go -> made", "out/self -> self",
		"out/chain -> go", "out/up -> ..", "out/proc -> /proc/self", "out/null -> /dev/null", "out/d/lf -> ../f",
	}
	workspace := []string{
		"ws/d/", "ws/f", "ws/lo -> ../out/d", "ws/lx -> ../out/lf", "ws/go -> BASE/out/go", "ws/chain -> ../out/chain",
		"ws/self -> ../out/self", "ws/proc -> ../out/proc", "ws/null -> ../out/null", "ws/up -> ..", "ws/out -> BASE/out",
	}
	full, empty := grow(t, append(workspace, outside...)...), grow(t, append(workspace, "out/")...)
	one, other := pin(t, full+"/ws"), pin(t, empty+"/ws")

	names := []string{"d", "new", "..", "f", "lf", "lo", "lx", "up", "go", "chain", "self", "proc", "null", "out"}
	refused := 0
	for _, from := range []string{"/ws", "/out"} {
		for path := range words(names, 3) {
			got, want := one.Check(full+from+path, bounds.Write).Code, other.Check(empty+from+path, bounds.Write).Code
			if got != want {
				t.Errorf("%s%s is %v with files outside, %v without", from, path, got, want)
			}
			if got != bounds.Inside {
				refused++
			}
		}
	}
	if refused < 1000 {
		t.Errorf("only %d paths were refused", refused)
	}
}
