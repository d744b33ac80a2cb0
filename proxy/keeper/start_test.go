//go:build linux

package keeper_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bobproxy/proxy/keeper"
)

func write(t *testing.T, file, text string, mode os.FileMode) string {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return file
}

// What cannot be started is told with the path and the system's own reason, and
// leaves neither a keeper nor an open file.
func TestCannotStart(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		name, path string
		change     func(*keeper.Spec)
		want       syscall.Errno
	}{
		{"no such file", "/no/such", nil, syscall.ENOENT},
		{"a part of the path is a file", "/bin/sh/agent", nil, syscall.ENOTDIR},
		{"not executable", write(t, filepath.Join(dir, "plain"), "exit 0", 0o644), nil, syscall.EACCES},
		{"a folder", dir, nil, syscall.EACCES},
		{"no interpreter", write(t, filepath.Join(dir, "script"), "#!/no/such\n", 0o755), nil, syscall.ENOENT},
		{"no such working folder", "/bin/true", func(s *keeper.Spec) { s.Dir = "/no/such" }, syscall.ENOENT},
		{"argument too long", "/bin/true", func(s *keeper.Spec) { s.Argv = []string{"true", strings.Repeat("x", 200_000)} }, syscall.E2BIG},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := descriptors(t)
			_, err := tryStart(t, tt.change, tt.path)
			var failed *keeper.StartError
			if !errors.As(err, &failed) || failed.Path != tt.path || !errors.Is(err, tt.want) {
				t.Errorf("error %v; want one about %s: %v", err, tt.path, tt.want)
			}
			if left := children(); len(left) > 0 {
				t.Errorf("processes left behind: %v", left)
			}
			if after := descriptors(t); after > before+2 { // our ends of the pipes
				t.Errorf("%d files open, %d before", after, before)
			}
		})
	}
}

func descriptors(t *testing.T) int {
	t.Helper()
	names, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// children lists our own, ended ones that nobody waited for included.
func children() (pids []string) {
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, file := range lists {
		list, _ := os.ReadFile(file)
		pids = append(pids, strings.Fields(string(list))...)
	}
	return pids
}

// Arguments need not be text, nor be there.
func TestArgumentsArriveAsTheyAre(t *testing.T) {
	argv := []string{"a name \xff of its own", "--", "/proc/self/cmdline",
		"", "a b", "\xff\xfe", "\"q\"\n", "$HOME", "ü", "", strings.Repeat("long", 20_000)}
	a := start(t, func(s *keeper.Spec) { s.Argv = argv }, "cat")
	got, err := io.ReadAll(a.out)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Join(argv, "\x00") + "\x00"; string(got) != want {
		t.Errorf("the agent's command line is %.200q…, want %.200q…", got, want)
	}
	a.done()
}

func TestEnvironmentAndFolderAreTheGivenOnes(t *testing.T) {
	dir := t.TempDir()
	env := []string{"A=1", "BASH_FUNC_x%%=() {\n echo\n}", "ODD=\xff = ", "EMPTY=", "noequals", "GORACE=" + os.Getenv("GORACE")}
	a := start(t, func(s *keeper.Spec) {
		s.Dir = dir
		s.Env = append(s.Env[:0:0], env...)
	}, "sh", "-c", `cat /proc/$$/environ; readlink /proc/$$/cwd`)
	got, err := io.ReadAll(a.out)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Join(env, "\x00") + "\x00" + dir + "\n"; string(got) != want {
		t.Errorf("the agent sees %q, want %q", got, want)
	}
	a.done()
}

// A script whose first line names no interpreter is run by the shell, with its
// path and arguments.
func TestScriptWithoutInterpreterLine(t *testing.T) {
	script := write(t, filepath.Join(t.TempDir(), "a script"), `printf '%s|' "$0" "$@"; exit 6`, 0o755)
	a := start(t, func(s *keeper.Spec) { s.Path, s.Argv = script, []string{"agent", "", "a b", "\xff"} }, "sh")
	got, err := io.ReadAll(a.out)
	if err != nil {
		t.Fatal(err)
	}
	if want := script + "||a b|\xff|"; string(got) != want {
		t.Errorf("the script sees %q, want %q", got, want)
	}
	if exit := a.exit(); exit.Status.ExitStatus() != 6 {
		t.Errorf("status %v, want exit 6", exit.Status)
	}
}

// The keeper holds on to none of the agent's streams.
func TestEndsOfStreamsAreSeen(t *testing.T) {
	a := shell(t, `exec >&-; read line; exit 5`, forever)
	if rest, err := io.ReadAll(a.out); len(rest) > 0 || err != nil {
		t.Errorf("stdout: %q, %v", rest, err)
	}
	a.in.Close()
	if exit := a.exit(); exit.Status.ExitStatus() != 5 {
		t.Errorf("status %v, want exit 5", exit.Status)
	}
}

// The agent has a process group of its own and does not have the keeper's
// handlers.
func TestAgentStartsAfresh(t *testing.T) {
	a := shell(t, `grep -E 'Sig(Blk|Ign)' /proc/self/status; echo end; exec sleep 1000`, forever)
	own, err := os.ReadFile("/proc/self/status") // what started the test may ignore something
	if err != nil {
		t.Fatal(err)
	}
	for line := a.line(); line != "end"; line = a.line() {
		if !strings.Contains(string(own), line+"\n") {
			t.Errorf("the agent has %s, and we do not", line)
		}
	}
	if group, err := syscall.Getpgid(a.Pid); err != nil || group != a.Pid {
		t.Errorf("group %d of agent %d, %v", group, a.Pid, err)
	}
}
