//go:build unix

package bounds_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"bobproxy/proxy/bounds"
)

func TestOpen(t *testing.T) {
	base := grow(t, "work/file", "work/dir/deep", "work/home -> BASE/work/dir", "work/near -> dir/deep",
		"work/door -> BASE/out", "work/key -> ../out/secret", "work/dangling -> nothing", "out/secret", "out/back -> BASE/work/file")
	must(t, syscall.Mkfifo(base+"/work/pipe", 0o600))
	set := pin(t, base+"/work")
	for _, test := range []struct {
		name, path string
		text       string // what is read
		code       bounds.Code
		err        error
	}{
		{"a file", "work/file", "work/file", bounds.Inside, nil},
		{"in a directory", "work/dir/deep", "work/dir/deep", bounds.Inside, nil},
		{"through a link that stays", "work/home/deep", "work/dir/deep", bounds.Inside, nil},
		{"a link that stays", "work/near", "work/dir/deep", bounds.Inside, nil},
		{"by a link from outside", "out/back", "work/file", bounds.Inside, nil},
		{"up and down", "work/dir/../file", "work/file", bounds.Inside, nil},
		{"nothing", "work/nothing", "", bounds.Inside, fs.ErrNotExist},
		{"nothing, in nothing", "work/a/b/c", "", bounds.Inside, fs.ErrNotExist},
		{"a link to nothing", "work/dangling", "", bounds.Inside, fs.ErrNotExist},
		{"a directory", "work/dir", "", bounds.Inside, bounds.ErrIrregular},
		{"the root", "work", "", bounds.Inside, bounds.ErrIrregular},
		{"a pipe that nobody writes to", "work/pipe", "", bounds.Inside, bounds.ErrIrregular},
		{"outside", "out/secret", "", bounds.Escape, nil},
		{"through a link that leaves", "work/door/secret", "", bounds.Escape, nil},
		{"a link that leaves", "work/key", "", bounds.Escape, nil},
		{"below a file", "work/file/x", "", bounds.NotADirectory, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, v, err := set.Open(base + "/" + test.path)
			if v.Code != test.code || !errors.Is(err, test.err) || (f != nil) != (test.text != "") {
				t.Fatalf("Open(%q) = %v, %v, %v, want %v, %v", test.path, f, v.Code, err, test.code, test.err)
			}
			if f == nil {
				return
			}
			defer f.Close()
			if got, err := io.ReadAll(f); string(got) != test.text || err != nil {
				t.Errorf("it reads %q, %v, want %q", got, err, test.text)
			}
		})
	}
}

// A root that is another directory by now opens nothing.
func TestOpenInReplacedRoot(t *testing.T) {
	base := grow(t, "work/file", "other/file")
	set := pin(t, base+"/work")
	must(t, os.Rename(base+"/work", base+"/old"))
	must(t, os.Rename(base+"/other", base+"/work"))
	if f, v, err := set.Open(base + "/work/file"); f != nil || v.Code != bounds.RootChanged || err != nil {
		t.Errorf("Open = %v, %v, %v", f, v.Code, err)
	}
}

// A directory that is exchanged for a link out of the workspace, over and over,
// never leads out of it.
func TestOpenWhileLinksMove(t *testing.T) {
	base := grow(t, "work/dir/file", "out/file")
	set := pin(t, base+"/work")
	must(t, os.Symlink(base+"/out", base+"/work/link"))
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for at := base + "/work/"; ; {
			for _, move := range [][2]string{{"dir", "aside"}, {"link", "dir"}, {"dir", "link"}, {"aside", "dir"}} {
				os.Rename(at+move[0], at+move[1])
			}
			select {
			case <-stop:
				return
			default:
			}
		}
	}()
	opened := 0
	for range 3000 {
		f, _, err := set.Open(base + "/work/dir/file")
		if err != nil || f == nil {
			continue
		}
		got, _ := io.ReadAll(f)
		if f.Close(); strings.HasPrefix(string(got), "out") {
			t.Fatalf("it opened %q", got)
		}
		opened++
	}
	close(stop)
	<-stopped
	if f, _, err := set.Open(base + "/work/dir/file"); f == nil {
		t.Errorf("in peace: %v", err)
	} else {
		f.Close()
	}
	t.Logf("%d of 3000 were opened", opened)
}
