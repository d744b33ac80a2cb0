//go:build linux

package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"bobproxy/proxy/journal"
)

// unusable are runtime directories that cannot be one: made in dir for a user,
// with what the recording says about each.
var unusable = []struct {
	name string
	make func(dir string, uid int) (string, error)
	says string
}{
	{"too long", func(dir string, uid int) (string, error) {
		long := filepath.Join(dir, strings.Repeat("x", 120-len(dir)-1))
		return long, theirs(long, uid)
	}, "bytes, of which the system takes 107"},
	{"missing", func(dir string, uid int) (string, error) { return filepath.Join(dir, "missing"), nil }, "missing: no such file or directory"},
	{"a file", func(dir string, uid int) (string, error) {
		file := filepath.Join(dir, "file")
		return file, os.WriteFile(file, nil, 0o666)
	}, "file is not a folder"},
	{"a file where its folder should be", func(dir string, uid int) (string, error) {
		if err := theirs(filepath.Join(dir, "run"), uid); err != nil {
			return "", err
		}
		return filepath.Join(dir, "run"), os.WriteFile(filepath.Join(dir, "run", "bobproxy"), nil, 0o666)
	}, "bobproxy: is not a folder"},
	{"a link where its folder should be", func(dir string, uid int) (string, error) {
		if err := theirs(filepath.Join(dir, "run"), uid); err != nil {
			return "", err
		}
		return filepath.Join(dir, "run"), os.Symlink(dir, filepath.Join(dir, "run", "bobproxy"))
	}, "is a link; it has to be a folder"},
	{"with rights for others", func(dir string, uid int) (string, error) {
		run := filepath.Join(dir, "run")
		if err := theirs(run, uid); err != nil {
			return "", err
		}
		return run, os.Chmod(run, 0o777)
	}, "others could replace what is in it"},
	{"no path", func(string, int) (string, error) { return "run", nil }, `"run" is not an absolute path`},
	{"another user's", func(dir string, uid int) (string, error) {
		return filepath.Join(dir, "run"), theirs(filepath.Join(dir, "run"), uid+1)
	}, "belongs to user "},
	{"that cannot be written to", func(dir string, uid int) (string, error) {
		run := filepath.Join(dir, "run")
		if err := theirs(run, uid); err != nil {
			return "", err
		}
		return run, os.Chmod(run, 0o500)
	}, "permission denied"},
}

// theirs makes a folder that is a user's alone.
func theirs(dir string, uid int) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	return os.Chown(dir, uid, uid)
}

// Whatever is the matter with the runtime directory, the wire works, another
// place is found, and the recording says why it is there.
func TestUnusableRuntimeDirectory(t *testing.T) {
	t.Parallel()
	for _, tt := range unusable {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := shortDir(t)
			run, err := tt.make(dir, os.Geteuid())
			if err != nil {
				t.Skip("only root can make it:", err)
			}
			if tt.says == "permission denied" && os.Geteuid() == 0 {
				t.Skip("root can write everywhere")
			}
			env := []string{"XDG_RUNTIME_DIR=" + run, "TMPDIR=" + dir}
			p := prepare(t, "run", "--", "peer", "obey")
			p.Env = append(p.Env, env...)
			p.begin()
			p.send(initialize + "\n")
			p.expect("heard " + initialize + "\n")
			text := p.warned("the control socket is in ")
			if !strings.Contains(text, tt.says) {
				t.Errorf("the recording says %q", text)
			}
			look := prepare(t, "ps", "--json")
			look.Env = append(look.Env, env...)
			look.begin()
			if out, code := look.finish(); code != exitDone || !strings.Contains(out, fmt.Sprintf(`"pid":%d,`, p.Process.Pid)) {
				t.Errorf("ps: exit status %d, %s%s", code, out, look.errs)
			}
			if _, code := p.finish(); code != 0 || p.errs.String() != "" {
				t.Errorf("exit status %d, stderr %q", code, p.errs)
			}
		})
	}
}

// warned waits for a warning that begins with words.
func (p *process) warned(words string) (text string) {
	p.t.Helper()
	until(p.t, "a warning: "+words, func() bool {
		files := p.recordings()
		if len(files) == 0 {
			return false
		}
		f, err := os.Open(files[0])
		if err != nil {
			p.t.Fatal(err)
		}
		defer f.Close()
		for e := range journal.Read(f) {
			if e.Type == journal.WarningEvent && strings.HasPrefix(e.Text, words) {
				text = e.Text
				return true
			}
		}
		return false
	})
	return text
}

// A user who has no place for a socket at all has a proxy all the same.
func TestNoRuntimeDirectory(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can take every place from a user")
	}
	shared := shortDir(t)
	copied := filepath.Join(shared, "bobproxy")
	if err := copyExecutable(copied); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("bobproxy", filepath.Join(shared, "peer")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(shared, 0o755); err != nil {
		t.Fatal(err)
	}
	for i, tt := range unusable {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			uid := 1_000_000 + os.Getpid()%10_000*100 + i*2 // nobody's, even with several of us at once
			dir := shortDir(t)
			blocked := "/tmp/bobproxy-" + strconv.Itoa(uid) // as somebody else may have made it before
			run, err := tt.make(dir, uid)
			for _, err := range []error{err, os.Chmod(dir, 0o711), theirs(filepath.Join(dir, "state"), uid), os.Mkdir(blocked, 0o777)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			t.Cleanup(func() { os.RemoveAll(blocked) })
			p := prepare(t, "run", "--", "peer", "obey")
			p.Path, p.Args[0], p.Dir = copied, copied, "/"
			p.Env = []string{"PATH=" + shared + ":" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + run, "TMPDIR=" + dir + "/gone", "XDG_STATE_HOME=" + dir + "/state"}
			p.state = filepath.Join(dir, "state", "bobproxy")
			p.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
			p.begin()
			p.send(initialize + "\n")
			p.expect("heard " + initialize + "\n")
			text := p.warned("no place for the control socket (")
			for _, words := range []string{tt.says, "/gone: no such file", blocked + ": belongs to user 0", "; set XDG_RUNTIME_DIR to "} {
				if !strings.Contains(text, words) {
					t.Errorf("%q is not in the warning %q", words, text)
				}
			}
			if _, code := p.finish(); code != 0 || p.errs.String() != "" {
				t.Errorf("exit status %d, stderr %q", code, p.errs)
			}
		})
	}
}

func copyExecutable(to string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	in, err := os.Open(self)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return out.Close()
}

// Under any umask the socket and its folder are the user's alone, and without
// HOME and everything of XDG's there is one.
func TestBareEnvironment(t *testing.T) {
	t.Parallel()
	dir := shortDir(t)
	record := filepath.Join(dir, "recording")
	bare := func(args ...string) *process {
		p := prepare(t, args...)
		p.Env = []string{"PATH=" + filepath.Dir(p.Path) + ":" + os.Getenv("PATH"), "TMPDIR=" + dir}
		p.Path, p.Args = "/bin/sh", append([]string{"sh", "-c", `umask 0; exec bobproxy "$@"`, "sh"}, args...)
		return p
	}
	p := bare("run", "--record", record, "--", "peer", "obey")
	p.begin()
	p.send("ask 7 x\n")
	p.expect(permit("7", "x"))
	var found []string
	until(t, "a socket", func() bool {
		for _, place := range []string{fmt.Sprintf("/run/user/%d/bobproxy", os.Geteuid()), fmt.Sprintf("%s/bobproxy-%d", dir, os.Geteuid())} {
			all, _ := filepath.Glob(filepath.Join(place, "*.sock"))
			found = append(found, all...)
		}
		return len(found) > 0
	})
	if !strings.HasPrefix(found[0], dir) {
		t.Skip("this user has a folder in /run/user; the one in TMPDIR goes untested")
	}
	for name, want := range map[string]fs.FileMode{
		filepath.Dir(found[0]): fs.ModeDir | 0o700,
		found[0]:               fs.ModeSocket | 0o600,
		record:                 0o600,
	} {
		until(t, "mode "+want.String()+" of "+name, func() bool {
			info, err := os.Lstat(name)
			return err == nil && info.Mode() == want
		})
	}
	look := bare("pending", "--json")
	look.begin()
	if out, code := look.finish(); code != exitDone || !strings.Contains(out, `"title":"x"`) {
		t.Errorf("exit status %d, %s%s", code, out, look.errs)
	}
	p.send(permitted("7", "no"))
	p.expect("heard " + permitted("7", "no"))
	if _, code := p.finish(); code != 0 || p.errs.String() != "" {
		t.Errorf("exit status %d, stderr %q", code, p.errs)
	}
}

// What a killed proxy leaves is passed over, and cleared away when another one
// starts; what is not a killed proxy's stays.
func TestKilledProxyLeavesASocket(t *testing.T) {
	t.Parallel()
	killed := operate(t, "")
	socket := killed.socket()
	killed.Process.Kill()
	killed.exit()
	folder := filepath.Dir(socket)
	live := operate(t, killed.run)
	plain := filepath.Join(folder, "plain.sock")
	if err := os.WriteFile(plain, []byte("not a socket"), 0o600); err != nil {
		t.Fatal(err)
	}
	until(t, "the live one", func() bool { return len(live.pids()) > 0 })
	if got := live.pids(); !slices.Equal(got, []int{live.Process.Pid}) {
		t.Errorf("ps sees %v", got)
	}
	if ps := live.elsewhere("ps"); strings.Contains(ps.errs, live.run) {
		t.Errorf("ps complains: %s", ps.errs)
	}
	live.elsewhere("deny", strings.TrimSuffix(filepath.Base(socket), ".sock")+":1").comes(t, exitUnknown)
	if _, err := os.Lstat(socket); err != nil {
		t.Fatal("too early to be sure, and it is gone:", err)
	}
	long := time.Now().Add(-time.Hour) // since when the lock has been there
	for _, file := range []string{strings.TrimSuffix(socket, ".sock") + ".lock"} {
		if err := os.Chtimes(file, long, long); err != nil {
			t.Fatal(err)
		}
	}
	next := operate(t, killed.run)
	until(t, "the leavings to be cleared away", func() bool { _, err := os.Lstat(socket); return err != nil })
	if got := live.pids(); !slices.Contains(got, live.Process.Pid) {
		t.Errorf("ps sees %v", got)
	}
	next.ends()
	live.ends()
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 1 || left[0].Name() != "plain.sock" {
		t.Errorf("left are %v: %v", left, err)
	}
}
