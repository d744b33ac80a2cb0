package bounds_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"bobproxy/proxy/bounds"
)

func TestProcess(t *testing.T) {
	base := grow(t,
		"work/f", "outside/", "work/p -> /proc/self/root/etc", "work/cwd -> /proc/self/cwd", "work/up -> ../up",
		"up -> ../../../../../../../../../../proc/self", "work/fd -> /dev/fd/3", "work/in -> /dev/stdin",
		"work/chain -> p", "work/far -> ../outside/p", "outside/p -> /proc/self/cwd",
		"work/relative -> ../../../../../../../../../../../../proc/self/cwd",
	)
	t.Chdir(base + "/work")
	f, err := os.Open(base + "/work/f")
	must(t, err)
	defer f.Close()

	tests := []struct {
		name, path string
		want       bounds.Code
	}{
		{"root of a process", "/proc/self/root/etc/passwd", bounds.MagicLink},
		{"directory of a process, which is inside", "/proc/self/cwd/f", bounds.MagicLink},
		{"new file in it", "/proc/self/cwd/new", bounds.MagicLink},
		{"by number", fmt.Sprintf("/proc/%d/cwd/f", os.Getpid()), bounds.MagicLink},
		{"missing process", "/proc/999999999/cwd/f", bounds.MagicLink},
		{"by another spelling", "//proc/./self/../self/cwd/f", bounds.MagicLink},
		{"after a detour", base + strings.Repeat("/..", 20) + "/proc/self/cwd/f", bounds.MagicLink},
		{"the directory itself", "/proc", bounds.MagicLink},
		{"open file", fmt.Sprintf("/proc/self/fd/%d", f.Fd()), bounds.MagicLink},
		{"open file by its short name", fmt.Sprintf("/dev/fd/%d", f.Fd()), bounds.MagicLink},
		{"stdin", "/dev/stdin", bounds.MagicLink},
		{"stdout", "/dev/stdout", bounds.MagicLink},
		{"stderr", "/dev/stderr", bounds.MagicLink},
		{"link inside", "BASE/work/p", bounds.MagicLink},
		{"below a link inside", "BASE/work/p/passwd", bounds.MagicLink},
		{"link that leads back in", "BASE/work/cwd/f", bounds.MagicLink},
		{"link to an open file", "BASE/work/fd", bounds.MagicLink},
		{"link to stdin", "BASE/work/in", bounds.MagicLink},
		{"two links", "BASE/work/chain/passwd", bounds.MagicLink},
		{"relative link", "BASE/work/relative/f", bounds.MagicLink},
		{"link outside", "BASE/work/far/f", bounds.Escape},
		{"relative link outside", "BASE/work/up/cwd/f", bounds.Escape},
		{"a name of that kind", "BASE/work/proc/self", bounds.Inside},
		{"sibling of that name", "/process/self", bounds.Escape},
	}
	for _, set := range []*bounds.Set{pin(t, base+"/work"), pin(t, "/")} {
		everything := set.Paths()[0] == "/"
		for _, test := range tests {
			want := test.want
			if everything && want == bounds.Escape {
				continue
			}
			t.Run(set.Paths()[0]+" "+test.name, func(t *testing.T) {
				expect(t, set, strings.ReplaceAll(test.path, "BASE", base), want)
			})
		}
	}
	expect(t, pin(t, "/"), base+"/work/far/f", bounds.MagicLink)
	expect(t, pin(t, "/"), base+"/work/up/cwd/f", bounds.MagicLink)
}

// With / as a root, what the kernel makes up is not inside all the same.
func TestKernelFiles(t *testing.T) {
	base := grow(t, "work/null -> /dev/null", "work/sys -> /sys/kernel")
	all, work := pin(t, "/"), pin(t, base+"/work")
	expect(t, all, "/dev/null", bounds.Device)
	expect(t, all, "/dev/tty", bounds.Device)
	expect(t, all, base+"/work/null", bounds.Device)
	expect(t, work, base+"/work/null", bounds.Escape)
	expect(t, work, "/dev/null", bounds.Escape)
	if _, err := os.Stat("/sys/kernel/mm"); err != nil {
		t.Skip("the rest needs /sys:", err)
	}
	expect(t, all, "/sys/kernel/mm", bounds.Device)
	expect(t, all, base+"/work/sys/mm", bounds.Device)
	expect(t, work, base+"/work/sys/mm", bounds.Escape)
}

func TestOtherKindsOfFile(t *testing.T) {
	base := grow(t, "work/")
	set := pin(t, base+"/work")
	must(t, unix.Mkfifo(base+"/work/fifo", 0o600))
	expect(t, set, base+"/work/fifo", bounds.Inside)
	expect(t, set, base+"/work/fifo/x", bounds.NotADirectory)
}

// A directory that may not be searched hides what it leads to.
func TestUnreadable(t *testing.T) {
	base := grow(t, "work/shut/deep/f", "work/in -> shut/deep", "outside/shut/f", "work/out -> BASE/outside/shut")
	openUp(t, base)
	set := pin(t, base+"/work")
	for _, shut := range []string{base + "/work/shut", base + "/outside/shut"} {
		must(t, os.Chmod(shut, 0))
		defer os.Chmod(shut, 0o755)
	}
	defer nobody(t)()

	expect(t, set, base+"/work/shut", bounds.Inside)
	expect(t, set, base+"/work/shut/f", bounds.Unreadable)
	expect(t, set, base+"/work/shut/new/f", bounds.Unreadable)
	expect(t, set, base+"/work/in/f", bounds.Unreadable)
	expect(t, set, base+"/work/out/f", bounds.Escape)
	expect(t, set, base+"/work/out/new", bounds.Escape)
	if _, problems := bounds.Pin([]bounds.Dir{{Path: base + "/work/shut/deep"}}); len(problems) != 1 {
		t.Errorf("pinning what cannot be reached: problems %v, want one", problems)
	}
}

// A root is found although the directories above it may not be listed.
func TestUnlistedAbove(t *testing.T) {
	base := grow(t, "home/work/f")
	openUp(t, base)
	must(t, os.Chmod(base+"/home", 0o111))
	defer os.Chmod(base+"/home", 0o755)
	defer nobody(t)()
	expect(t, pin(t, base+"/home/work"), base+"/home/work/f", bounds.Inside)
}

// openUp lets everybody reach dir.
func openUp(t *testing.T, dir string) {
	t.Helper()
	for ; dir != "/" && dir != filepath.Clean(os.TempDir()); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			return // not ours, so others reach it already
		}
	}
}

// nobody takes the rights of root away from this thread until undo is called.
// Anybody else has none.
func nobody(t *testing.T) (undo func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		return func() {}
	}
	runtime.LockOSThread()
	must(t, unix.Setfsuid(65534))
	return func() {
		must(t, unix.Setfsuid(0))
		runtime.UnlockOSThread()
	}
}

func TestMounts(t *testing.T) {
	base := grow(t, "work/bound/", "work/processes/", "elsewhere/", "outside/f", "outside/deep/", "work/link -> bound/deep")
	inOwnMounts(t)
	mount := func(source, target, fstype string, flags uintptr) {
		t.Helper()
		if err := unix.Mount(source, base+target, fstype, flags, ""); err != nil {
			t.Skip("mounting is not possible here, so nothing is known of mounts inside:", err)
		}
		t.Cleanup(func() { must(t, unix.Unmount(base+target, unix.MNT_DETACH)) })
	}
	mount(base+"/outside", "/work/bound", "", unix.MS_BIND)
	mount("proc", "/work/processes", "proc", 0)
	mount(base+"/work", "/elsewhere", "", unix.MS_BIND)

	set := pin(t, base+"/work")
	expect(t, set, base+"/work/bound/f", bounds.Inside)
	expect(t, set, base+"/work/bound/new", bounds.Inside)
	expect(t, set, base+"/work/link/../f", bounds.Inside)
	expect(t, set, base+"/work/bound/../../outside/f", bounds.Escape)
	expect(t, set, base+"/elsewhere/new/f", bounds.Inside)
	expect(t, set, base+"/work/processes/self/cwd", bounds.MagicLink)
	expect(t, set, base+"/work/processes", bounds.MagicLink)
	if _, problems := bounds.Pin([]bounds.Dir{{Path: base + "/work/processes"}}); len(problems) != 1 {
		t.Errorf("pinning procfs: problems %v, want one", problems)
	}
}

// inOwnMounts gives this thread mounts of its own. The thread ends with the
// test, and they with it.
func inOwnMounts(t *testing.T) {
	t.Helper()
	runtime.LockOSThread()
	if err := unix.Unshare(unix.CLONE_FS | unix.CLONE_NEWNS); err != nil {
		runtime.UnlockOSThread()
		t.Skip("only root can mount, so nothing is known of mounts inside:", err)
	}
	must(t, unix.Mount("", "/", "", unix.MS_PRIVATE|unix.MS_REC, ""))
}

// Where letters' cases do not count, the deepest name that exists is the same
// directory in all of them.
func TestCasefold(t *testing.T) {
	base := grow(t, "fold/")
	foldNames(t, base+"/fold")
	add(t, base, "fold/Work/f", "fold/Outside/")
	set := pin(t, base+"/fold/work")
	expect(t, set, base+"/fold/WORK/F", bounds.Inside)
	expect(t, set, base+"/fold/Work/new/f", bounds.Inside)
	expect(t, set, base+"/fold/OUTSIDE/f", bounds.Escape)
	expect(t, set, base+"/fold/work/../outside/f", bounds.Escape)
}

// foldNames makes names in the empty directory dir the same in all cases.
func foldNames(t *testing.T, dir string) {
	t.Helper()
	const casefold = 0x40000000 // FS_CASEFOLD_FL of linux/fs.h
	f, err := os.Open(dir)
	must(t, err)
	defer f.Close()
	if err := unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, casefold); err != nil {
		t.Skip("needs ext4 or f2fs with casefolding and a kernel that has it, so nothing is known of such directories:", err)
	}
}
