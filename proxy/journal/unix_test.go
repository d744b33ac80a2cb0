//go:build unix

package journal

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"bobproxy/acp"
)

// TestMain is the second proxy of TestTwoProcessesOneFile when asked to be.
func TestMain(m *testing.M) {
	path := os.Getenv("JOURNAL_TEST_RECORD")
	if path == "" {
		os.Exit(apart(m.Run))
	}
	j, err := New(Options{Instance: os.Getenv("JOURNAL_TEST_INSTANCE"), Path: path})
	if err != nil {
		panic(err)
	}
	fs := frames(acp.Agent, update(20_000))
	for range 500 {
		j.Append(time.Now(), fs)
		j.Kick()
	}
	if err := j.Close(10 * time.Second); err != nil {
		panic(err)
	}
}

// apart runs the tests with recordings of their own.
func apart(run func() int) int {
	dir, err := os.MkdirTemp("", "journal")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv("XDG_STATE_HOME", dir)
	return run()
}

func TestTwoProcessesOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "both.jsonl")
	var cmds []*exec.Cmd
	for _, name := range []string{"one1", "two2"} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "JOURNAL_TEST_RECORD="+path, "JOURNAL_TEST_INSTANCE="+name)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds = append(cmds, cmd)
	}
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(sequence(t, path)); n != 1000 {
		t.Errorf("%d records", n)
	}
}

func modes(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestModes(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o777} {
		t.Run(fmt.Sprintf("umask %03o", mask), func(t *testing.T) {
			dir := t.TempDir()
			old := syscall.Umask(mask)
			defer syscall.Umask(old)
			mustRecord(t, Options{Path: filepath.Join(dir, "file")})
			if mask != 0o777 { // a parent that cannot be entered is not made
				mustRecord(t, Options{Dir: filepath.Join(dir, "deep", "recordings")})
			} else {
				mustRecord(t, Options{Dir: filepath.Join(dir, "recordings")})
			}
			err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
				want := os.FileMode(0o600)
				if info.IsDir() {
					want = 0o700
				}
				if path != dir && info.Mode().Perm() != want {
					t.Errorf("%s has mode %o", path, info.Mode().Perm())
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestGivenPlaces(t *testing.T) {
	for _, tt := range []struct {
		name  string
		make  func(dir string) Options
		want  string      // in the warning; empty is success
		check string      // a file below dir
		mode  os.FileMode // of check
	}{
		{"file of ours, open to all", func(dir string) Options {
			os.WriteFile(dir+"/x", nil, 0o644)
			os.Chmod(dir+"/x", 0o666)
			return Options{Path: dir + "/x"}
		}, "", "x", 0o600},
		{"link of ours", func(dir string) Options {
			os.WriteFile(dir+"/x", nil, 0o644)
			os.Symlink(dir+"/x", dir+"/l")
			return Options{Path: dir + "/l"}
		}, "", "x", 0o600},
		{"directory of ours stays as it is", func(dir string) Options {
			os.Mkdir(dir+"/d", 0o755)
			return Options{Dir: dir + "/d"}
		}, "", "d", 0o755},
		{"directory for everybody, sticky", func(dir string) Options {
			os.Mkdir(dir+"/d", 0o700)
			os.Chmod(dir+"/d", 0o777|os.ModeSticky)
			return Options{Dir: dir + "/d"}
		}, "", "d", 0o777},
		{"directory for everybody", func(dir string) Options {
			os.Mkdir(dir+"/d", 0o700)
			os.Chmod(dir+"/d", 0o777)
			return Options{Dir: dir + "/d"}
		}, "written to by everybody", "", 0},
		{"file in a directory for everybody", func(dir string) Options {
			os.Mkdir(dir+"/d", 0o700)
			os.Chmod(dir+"/d", 0o777)
			return Options{Path: dir + "/d/x"}
		}, "written to by everybody", "", 0},
		{"file where a directory should be", func(dir string) Options {
			os.WriteFile(dir+"/d", nil, 0o600)
			return Options{Dir: dir + "/d"}
		}, "not a directory", "", 0},
		{"directory where a file should be", func(dir string) Options { return Options{Path: dir} }, "is a directory", "", 0},
		{"no such directory", func(dir string) Options { return Options{Path: dir + "/a/b"} }, "no such file", "", 0},
		{"null device", func(string) Options { return Options{Path: "/dev/null"} }, "", "", 0},
		{"file of another", func(dir string) Options {
			os.WriteFile(dir+"/x", nil, 0o666)
			os.Chown(dir+"/x", 54321, 54321)
			return Options{Path: dir + "/x"}
		}, "belongs to another user", "x", 0o644},
		{"link of another", func(dir string) Options {
			os.Chmod(dir, 0o777|os.ModeSticky)
			os.WriteFile(dir+"/x", nil, 0o644)
			os.Symlink(dir+"/x", dir+"/l")
			os.Lchown(dir+"/l", 54321, 54321)
			return Options{Path: dir + "/l"}
		}, "link that another user made", "x", 0o644},
		{"directory of another", func(dir string) Options {
			os.Mkdir(dir+"/d", 0o755)
			os.Chown(dir+"/d", 54321, 54321)
			return Options{Dir: dir + "/d"}
		}, "belongs to another user", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if strings.Contains(tt.name, "of another") && os.Geteuid() != 0 {
				t.Skip("only root can make files of another user")
			}
			old := syscall.Umask(0o022)
			defer syscall.Umask(old)
			dir := t.TempDir()
			told, err := record(t, tt.make(dir))
			switch {
			case tt.want == "" && (err != nil || told != ""):
				t.Errorf("%v; warned: %s", err, told)
			case tt.want != "" && (err == nil || !strings.Contains(told, tt.want)):
				t.Errorf("%v; warned: %q, want %q", err, told, tt.want)
			}
			if tt.check != "" {
				if got := modes(t, filepath.Join(dir, tt.check)); got != tt.mode {
					t.Errorf("mode %o, want %o", got, tt.mode)
				}
			}
		})
	}
}

func TestFIFO(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Fatal(err)
	}
	j := begin(t, Options{Path: path})
	j.Append(time.Now(), frames(acp.Client, lines[0]))
	if err := j.Close(time.Millisecond); err == nil {
		t.Error("nobody reads, yet Close is content")
	}
	// A reader that comes later frees the recorder goroutine.
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for _, err := range Read(f) {
		if n++; err != nil {
			t.Error(err)
		}
	}
	<-j.recorder.done
	if n != 1 || modes(t, path) != 0o644 {
		t.Errorf("%d records; mode %o", n, modes(t, path))
	}
}

// written appends one frame and waits until it is written.
func written(t *testing.T, j *Journal) {
	t.Helper()
	seq := j.Append(time.Now(), frames(acp.Client, lines[0]))
	if err := j.Wait(seq); err != nil {
		t.Fatal(err)
	}
}

// Whoever looks whether others record to a file is seen by them all the same.
func TestOthersAreSeen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	var files []file
	for range 2 {
		f, err := openFile(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.close()
		files = append(files, f)
	}
	for range 2 {
		for i, f := range files {
			if f.sole() || f.cut(0) == nil {
				t.Errorf("file %d: the other one is not seen", i)
			}
		}
	}
	files[0].close()
	if !files[1].sole() || files[1].cut(0) != nil {
		t.Error("one that was closed is still seen")
	}
	if removeUnused(path, files[1].(*osFile).atFirst) {
		t.Error("a file was removed that is in use")
	}
}

// A file that somebody else records to is not divided, however large it gets.
func TestSharedFileIsNotDivided(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "both.jsonl")
	opts := Options{Path: path, MaxBytes: segments << 10, Required: true} // so that Wait waits
	opts.Instance = "one1"
	one := begin(t, opts)
	opts.Instance = "two2"
	two := begin(t, opts)
	write := func(j *Journal, size int) {
		t.Helper()
		if err := j.Wait(j.Append(time.Now(), frames(acp.Agent, update(size)))); err != nil {
			t.Fatal(err)
		}
		for j.recorder.used() > 0 { // until it has looked at how large the file is
			<-j.recorder.freed
		}
	}
	write(one, 0) // less than a part
	write(two, 0)
	for range 4 {
		write(one, 10_000)
		write(two, 10_000)
	}
	if got, n := list(t, dir), len(sequence(t, path)); len(got) != 1 || n != 10 {
		t.Errorf("files %q, %d records in the first; want one file with all 10", got, n)
	}
	closed(t, one)
	for range 2 { // the first one fills the part, whoever wrote the rest
		write(two, 10_000)
	}
	if got := list(t, dir); len(got) != 2 {
		t.Errorf("alone: files %q, want two", got)
	}
	closed(t, two)
}

func TestFileRemovedWhileRunning(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	j := begin(t, Options{Path: path, Required: true}) // so that Wait waits
	written(t, j)
	os.Remove(path)
	written(t, j)
	if got := sequence(t, path); len(got) != 1 || got[0] != 2 || modes(t, path) != 0o600 {
		t.Errorf("the new file has %v", got)
	}
	closed(t, j)
}

func TestDirectoryRemovedWhileRunning(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "recordings")
	j := begin(t, Options{Dir: dir, Required: true})
	written(t, j)
	first := j.Recording()
	os.RemoveAll(dir)
	written(t, j)
	if got := sequence(t, j.Recording()); j.Recording() == first || len(got) != 1 || got[0] != 2 || modes(t, dir) != 0o700 {
		t.Errorf("%s has %v", j.Recording(), got)
	}
	closed(t, j)
}

func TestDirectoryRemovedForGood(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	os.Mkdir(dir, 0o700)
	var told warnings
	j := begin(t, Options{Path: filepath.Join(dir, "x"), Warn: told.add})
	j.Append(time.Now(), frames(acp.Client, lines[0]))
	os.RemoveAll(dir)
	for range 1000 {
		j.Append(time.Now(), frames(acp.Client, lines...))
		j.Kick()
	}
	if err := j.Close(10 * time.Second); err == nil {
		t.Error("nothing is said at the end")
	}
	told.want(t, 1)
}
