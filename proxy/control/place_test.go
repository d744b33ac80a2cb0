//go:build linux

package control_test

import (
	"bufio"
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// at are options with base for every folder there is.
func at(base, instance string) control.Options {
	o := control.Options{Instance: instance, Lookup: env("XDG_RUNTIME_DIR", base)}
	o.In(base)
	return o
}

func uid() string { return strconv.Itoa(os.Geteuid()) }

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

// Whatever the umask, nobody else has rights to anything.
func TestModes(t *testing.T) {
	for _, umask := range []int{0, 0o022, 0o177} {
		old := syscall.Umask(umask)
		p := run(t, nil)
		syscall.Umask(old)
		dir := filepath.Dir(p.Path())
		if m := mode(t, dir); m != fs.ModeDir|0o700 {
			t.Errorf("umask %03o: folder %v", umask, m)
		}
		if m := mode(t, p.Path()); m != fs.ModeSocket|0o600 {
			t.Errorf("umask %03o: socket %v", umask, m)
		}
		if m := mode(t, filepath.Join(dir, instance+".lock")); m&0o077 != 0 {
			t.Errorf("umask %03o: lock %v", umask, m)
		}
		p.dial(broker.ByCommand)
	}
}

// prepared is a folder of a test with one thing that is wrong in it.
type prepared struct {
	name  string
	build func(t *testing.T, dir string) // dir: what XDG_RUNTIME_DIR says
	says  string                         // in the reason; DIR is dir
}

var unusable = []prepared{
	{"not there", func(t *testing.T, dir string) { must(t, os.Remove(dir)) }, "DIR: no such file or directory"},
	{"a file", func(t *testing.T, dir string) { must(t, os.Remove(dir), os.WriteFile(dir, nil, 0o600)) }, "DIR is not a folder"},
	{"another's runtime folder", func(t *testing.T, dir string) { must(t, os.Chown(dir, 12345, -1)) }, "DIR belongs to user 12345"},
	{"one where others write", func(t *testing.T, dir string) { must(t, os.Chmod(dir, 0o777)) }, "DIR has mode 0777: others could replace"},
	{"made by another", func(t *testing.T, dir string) {
		must(t, os.Mkdir(dir+"/bobproxy", 0o700), os.Chown(dir+"/bobproxy", 12345, -1))
	}, "DIR/bobproxy: belongs to user 12345"},
	{"open for all", func(t *testing.T, dir string) {
		must(t, os.Mkdir(dir+"/bobproxy", 0o700), os.Chmod(dir+"/bobproxy", 0o777))
	}, "DIR/bobproxy: has mode 0777"},
	{"readable by the group", func(t *testing.T, dir string) {
		must(t, os.Mkdir(dir+"/bobproxy", 0o700), os.Chmod(dir+"/bobproxy", 0o750))
	}, "DIR/bobproxy: has mode 0750"},
	{"a link", func(t *testing.T, dir string) {
		must(t, os.Mkdir(dir+"/elsewhere", 0o700), os.Symlink("elsewhere", dir+"/bobproxy"))
	}, "DIR/bobproxy: is a link"},
	{"a link to nothing", func(t *testing.T, dir string) { must(t, os.Symlink("nothing", dir+"/bobproxy")) }, "DIR/bobproxy: is a link"},
	{"a file in its place", func(t *testing.T, dir string) { must(t, os.WriteFile(dir+"/bobproxy", nil, 0o600)) }, "DIR/bobproxy: is not a folder"},
	{"a file at the socket's path", func(t *testing.T, dir string) {
		must(t, os.Mkdir(dir+"/bobproxy", 0o700), os.WriteFile(dir+"/bobproxy/test1.sock", []byte("mine"), 0o600))
	}, "DIR/bobproxy/test1.sock is there and is not a socket"},
	{"a link at the lock's path", func(t *testing.T, dir string) {
		must(t, os.Mkdir(dir+"/bobproxy", 0o700), os.Symlink("x", dir+"/bobproxy/test1.lock"))
	}, "DIR/bobproxy/test1.lock: too many levels of symbolic links"},
	{"another's lock", func(t *testing.T, dir string) {
		lock := dir + "/bobproxy/test1.lock"
		must(t, os.Mkdir(dir+"/bobproxy", 0o700), os.WriteFile(lock, nil, 0o600), os.Chown(lock, 12345, -1))
	}, "DIR/bobproxy/test1.lock: belongs to user 12345"},
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		if errors.Is(err, fs.ErrPermission) && os.Geteuid() != 0 {
			t.Skip("only root can prepare a folder of another user's: ", err)
		}
		t.Fatal(err)
	}
}

// listing is everything below dir with what it is and holds.
func listing(t *testing.T, dir string) (all string) {
	t.Helper()
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		must(t, err)
		info, err := d.Info()
		must(t, err)
		body, _ := os.ReadFile(path)
		all += path + " " + info.Mode().String() + " " + string(body) + "\n"
		return nil
	})
	return all
}

func TestUnusablePlaces(t *testing.T) {
	for _, tt := range unusable {
		t.Run(tt.name, func(t *testing.T) {
			base := folder(t)
			dir := filepath.Join(base, "xdg")
			must(t, os.Mkdir(dir, 0o700))
			tt.build(t, dir)
			var before string
			if _, err := os.Stat(dir); err == nil {
				before = listing(t, dir)
			}
			must(t, os.Remove(base+"/tmp"), os.WriteFile(base+"/tmp", nil, 0o600))
			o := at(base, instance)
			o.Lookup = env("XDG_RUNTIME_DIR", dir)

			_, err := control.Listen(o)
			want := strings.ReplaceAll(tt.says, "DIR", dir)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Fatalf("got %v, want %q in it", err, want)
			}
			for _, also := range []string{"$TMPDIR: not set", base + "/run/" + uid() + "/bobproxy: ", base + "/tmp is not a folder", "set XDG_RUNTIME_DIR to"} {
				if !strings.Contains(err.Error(), also) {
					t.Errorf("%q is not in %v", also, err)
				}
			}

			// The next place does, and nothing was changed in the first.
			must(t, os.Remove(base+"/tmp"), os.Mkdir(base+"/tmp", 0o700))
			s, err := control.Listen(o)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if got, want := s.Path(), base+"/tmp/bobproxy-"+uid()+"/test1.sock"; got != want {
				t.Errorf("socket at %s, want %s", got, want)
			}
			if before != "" {
				after := strings.Replace(listing(t, dir), dir+"/bobproxy/test1.lock -rw------- \n", "", 1)
				if strings.Contains(before, "test1.lock") {
					after = listing(t, dir)
				}
				if after != before {
					t.Errorf("it was\n%sand is\n%s", before, after)
				}
			}
		})
	}
}

func TestPlacesInOrder(t *testing.T) {
	base := folder(t)
	must(t, os.Mkdir(base+"/xdg", 0o700), os.Mkdir(base+"/run/"+uid(), 0o700), os.Mkdir(base+"/mine", 0o755))
	lookup := env("XDG_RUNTIME_DIR", base+"/xdg", "TMPDIR", base+"/mine")
	for i, tt := range []struct {
		lookup func(string) (string, bool)
		path   string
		spoil  string
	}{
		{lookup, "/xdg/bobproxy", "/xdg"},
		{lookup, "/run/" + uid() + "/bobproxy", "/run"},
		{lookup, "/mine/bobproxy-" + uid(), ""},
		{env("TMPDIR", "mine"), "/tmp/bobproxy-" + uid(), ""},
		{env("XDG_RUNTIME_DIR", ""), "/tmp/bobproxy-" + uid(), ""},
	} {
		name := "inst" + strconv.Itoa(i)
		o := at(base, name)
		o.Lookup = tt.lookup
		s, err := control.Listen(o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if got, want := s.Path(), base+tt.path+"/"+name+".sock"; got != want {
			t.Errorf("socket at %s, want %s", got, want)
		}
		if tt.spoil != "" {
			must(t, os.Rename(base+tt.spoil, base+tt.spoil+".gone"))
		}
	}
	must(t, os.Rename(base+"/xdg.gone", base+"/xdg"), os.Rename(base+"/run.gone", base+"/run"))
	// A reader looks everywhere.
	endpoints, problems := control.FindIn(lookup, base)
	var names []string
	for _, e := range endpoints {
		names = append(names, e.Instance)
	}
	if got := strings.Join(names, " "); got != "inst0 inst1 inst2 inst3 inst4" || len(problems) > 0 {
		t.Errorf("found %q, problems %v", got, problems)
	}
}

// Proxies and panels that were given a folder of their own use no other.
func TestPlaceOfItsOwn(t *testing.T) {
	base := folder(t)
	must(t, os.Mkdir(base+"/xdg", 0o700))
	others, own := env("XDG_RUNTIME_DIR", base+"/xdg"), env("XDG_RUNTIME_DIR", base+"/xdg", "BOBPROXY_RUNTIME_DIR", base+"/own/")
	for name, lookup := range map[string]func(string) (string, bool){base + "/xdg/bobproxy/many1.sock": others, base + "/own/alone.sock": own} {
		o := at(base, strings.TrimSuffix(filepath.Base(name), ".sock"))
		o.Lookup = lookup
		s, err := control.Listen(o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if s.Path() != name {
			t.Errorf("socket at %s, want %s", s.Path(), name)
		}
		endpoints, problems := control.FindIn(lookup, base)
		if len(endpoints) != 1 || endpoints[0].Path != name || len(problems) > 0 {
			t.Errorf("found %v, want %s; problems %v", endpoints, name, problems)
		}
	}
	for _, tt := range []struct{ dir, says string }{
		{"own", `$BOBPROXY_RUNTIME_DIR: "own" is not an absolute path`},
		{base + "/none/own", base + "/none: no such file or directory"},
		{base + "/xdg", base + "/xdg: has mode 0750: others have rights to it; it has to be a folder that is yours alone"},
		{base + "/" + strings.Repeat("d", 100), "bytes, of which the system takes 107"},
	} {
		must(t, os.Chmod(base+"/xdg", 0o750))
		o := at(base, "never")
		o.Lookup = env("XDG_RUNTIME_DIR", base, "BOBPROXY_RUNTIME_DIR", tt.dir)
		if _, err := control.Listen(o); err == nil || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), "; set BOBPROXY_RUNTIME_DIR to") {
			t.Errorf("in %s: got %v, want %q in it", tt.dir, err, tt.says)
		}
		endpoints, problems := control.FindIn(o.Lookup, base)
		if len(endpoints) > 0 || len(problems) != 1 || !strings.Contains(problems[0].Error(), tt.says) {
			t.Errorf("in %s: found %v, problems %v, want %q", tt.dir, endpoints, problems, tt.says)
		}
	}
}

func TestPathTooLong(t *testing.T) {
	base := folder(t)
	// 107 bytes fit: DIR/bobproxy/test1.sock
	for _, tt := range []struct {
		size int
		fits bool
	}{{107, true}, {108, false}, {250, false}} {
		room := tt.size - len("/bobproxy/test1.sock") - len(base) - 1
		dir := filepath.Join(base, strings.Repeat("d", room))
		must(t, os.Mkdir(dir, 0o700))
		o := at(base, instance)
		o.Lookup = env("XDG_RUNTIME_DIR", dir)
		s, err := control.Listen(o)
		if err != nil {
			t.Fatal(err)
		}
		if fits := strings.HasPrefix(s.Path(), dir); fits != tt.fits {
			t.Errorf("%d bytes: socket at %s", tt.size, s.Path())
		}
		s.Close()
		must(t, os.Rename(base+"/tmp", base+"/away"))
		if s, err = control.Listen(o); err == nil {
			s.Close()
		}
		must(t, os.Rename(base+"/away", base+"/tmp"))
		want := "would have " + strconv.Itoa(tt.size) + " bytes, of which the system takes 107"
		if !tt.fits && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d bytes: got %v, want %q in it", tt.size, err, want)
		}
	}
}

func TestBadOptions(t *testing.T) {
	for _, o := range []control.Options{{Instance: ""}, {Instance: "abc"}, {Instance: "abcdefghi"}, {Instance: "../ab"}, {Instance: "abcde", Answers: "yes"}} {
		base := folder(t)
		o.Lookup = env("XDG_RUNTIME_DIR", base)
		o.In(base)
		if s, err := control.Listen(o); err == nil {
			s.Close()
			t.Errorf("%+v is taken", o)
		}
	}
}

// server starts a proxy's server in another process.
func server(t *testing.T, dir, instance string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], serveArg, dir, instance)
	out, err := cmd.StdoutPipe()
	must(t, err, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	if got := readLine(t, bufio.NewReader(out)); got != "listening <nil>" {
		t.Fatal(got)
	}
	return cmd
}

func kill(cmd *exec.Cmd) { cmd.Process.Kill(); cmd.Wait() }

// What a killed proxy has left is not found, and cleared away by the next one of
// its name at once and by others later. What is alive stays.
func TestStaleFiles(t *testing.T) {
	base := folder(t)
	lookup := env("XDG_RUNTIME_DIR", base)
	alive, dead, older, young := server(t, base, "alive1"), server(t, base, "dead1"), server(t, base, "older1"), server(t, base, "young1")
	kill(dead)
	kill(older)
	kill(young)
	dir := base + "/bobproxy/"
	longAgo := time.Now().Add(-time.Hour)
	for _, name := range []string{"alive1", "older1"} {
		must(t, os.Chtimes(dir+name+".lock", longAgo, longAgo))
	}
	must(t, os.WriteFile(dir+"notes.txt", nil, 0o600), os.Chtimes(dir+"notes.txt", longAgo, longAgo))
	must(t, os.WriteFile(dir+"file1.lock", nil, 0o600), os.WriteFile(dir+"file1.sock", nil, 0o600), os.Chtimes(dir+"file1.lock", longAgo, longAgo))

	endpoints, problems := control.FindIn(lookup, base)
	if len(endpoints) != 1 || endpoints[0].Instance != "alive1" || len(problems) > 0 {
		t.Errorf("found %v, %v; want alive1 alone", endpoints, problems)
	}
	must(t, os.WriteFile(dir+"lone1.lock", nil, 0o600), os.WriteFile(dir+"new1.lock", nil, 0o600), os.Chtimes(dir+"lone1.lock", longAgo, longAgo))
	want := dir + "dead1.sock " + dir + "lone1.lock " + dir + "older1.sock " + dir + "young1.sock"
	if got := strings.Join(control.DeadIn(lookup, base), " "); got != want {
		t.Errorf("dead are\n%s, want\n%s", got, want)
	}
	must(t, os.Remove(dir+"new1.lock"))
	s, err := control.Listen(at(base, "dead1"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var names []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	want = "alive1.lock alive1.sock dead1.lock dead1.sock file1.lock file1.sock notes.txt young1.lock young1.sock"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("left\n%s, want\n%s", got, want)
	}
	for _, taken := range []string{"alive1", "dead1"} {
		if s, err := control.Listen(at(base, taken)); !errors.Is(err, control.ErrInUse) {
			t.Errorf("%s a second time: %v, %v", taken, s, err)
		}
	}
	if conn, err := net.Dial("unix", dir+"alive1.sock"); err != nil {
		t.Errorf("the live one was taken: %v", err)
	} else {
		conn.Close()
	}
	kill(alive)
}

// A socket that somebody listens at is not removed, even with its lock gone.
func TestLiveSocketWithoutItsLock(t *testing.T) {
	base := folder(t)
	lookup := env("XDG_RUNTIME_DIR", base)
	server(t, base, "alive1")
	must(t, os.Remove(base+"/bobproxy/alive1.lock"))
	if s, err := control.Listen(at(base, "alive1")); !errors.Is(err, control.ErrInUse) {
		t.Errorf("got %v, %v", s, err)
	}
	if endpoints, _ := control.FindIn(lookup, base); len(endpoints) != 1 {
		t.Errorf("found %v", endpoints)
	}
}

func TestManyStartAtOnce(t *testing.T) {
	for range 20 {
		base := folder(t)
		same, others := make(chan *control.Server, 8), make(chan error, 8)
		for i := range 8 {
			go func() {
				s, err := control.Listen(at(base, "same1"))
				if err != nil && !errors.Is(err, control.ErrInUse) {
					t.Error(err)
				}
				same <- s
			}()
			go func() {
				s, err := control.Listen(at(base, "other"+strconv.Itoa(i)))
				if err == nil {
					err = s.Close()
				}
				others <- err
			}()
		}
		won := 0
		for range 8 {
			if err := wait(t, "a start", others); err != nil {
				t.Error(err)
			}
			if s := wait(t, "a start", same); s != nil {
				won++
				defer s.Close()
			}
		}
		if won != 1 {
			t.Errorf("%d have the same name, want 1", won)
		}
	}
}

// However often a name is taken and given back, two never have it at once.
func TestNameChangesHands(t *testing.T) {
	base := folder(t)
	var have, took atomic.Int32
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for took.Load() < 50 {
				s, err := control.Listen(at(base, "same1"))
				if errors.Is(err, control.ErrInUse) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				took.Add(1)
				if n := have.Add(1); n != 1 {
					t.Errorf("%d have it", n)
				}
				have.Add(-1)
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if entries, _ := os.ReadDir(base + "/bobproxy"); len(entries) > 0 {
		t.Errorf("left: %v", entries)
	}
}

// A reader trusts no folder that somebody else could have made.
func TestFindSaysWhereItDidNotLook(t *testing.T) {
	base := folder(t)
	bad := base + "/tmp/bobproxy-" + uid()
	must(t, os.Mkdir(bad, 0o700), os.Chmod(bad, 0o777))
	listener, err := net.Listen("unix", bad+"/forged.sock")
	must(t, err)
	defer listener.Close()
	endpoints, problems := control.FindIn(env(), base)
	if len(endpoints) != 0 || len(problems) != 1 || problems[0].Path != bad || !strings.Contains(problems[0].Error(), "has mode 0777") {
		t.Errorf("found %v, problems %v", endpoints, problems)
	}
}

// Close leaves nothing, and does not take what is not ours any more.
func TestCloseRemovesOnlyItsOwn(t *testing.T) {
	p := run(t, nil)
	must(t, p.Close())
	if entries, _ := os.ReadDir(filepath.Dir(p.Path())); len(entries) > 0 {
		t.Errorf("left: %v", entries)
	}
	p = run(t, nil)
	must(t, os.Remove(p.Path()), os.WriteFile(p.Path(), []byte("other"), 0o600))
	must(t, p.Close())
	if body, err := os.ReadFile(p.Path()); string(body) != "other" {
		t.Errorf("another's file: %q, %v", body, err)
	}
}
