//go:build linux

package keeper_test

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"bobproxy/proxy/keeper"
)

func TestStatusIsTheRawOne(t *testing.T) {
	for _, tt := range []struct {
		script string
		want   syscall.WaitStatus
	}{
		{"exit 0", 0},
		{"exit 3", 3 << 8},
		{"exit 255", 255 << 8},
		{"kill -TERM $$", syscall.WaitStatus(syscall.SIGTERM)},
		{"kill -KILL $$", syscall.WaitStatus(syscall.SIGKILL)},
		{"kill -USR1 $$", syscall.WaitStatus(syscall.SIGUSR1)},
	} {
		t.Run(tt.script, func(t *testing.T) {
			a := shell(t, tt.script, forever)
			exit := a.exit()
			if exit.Status != tt.want || exit.Lost != nil || len(exit.Left) > 0 {
				t.Errorf("%+v; want status %#x and nothing else", exit, tt.want)
			}
			a.done()
			a.alone()
		})
	}
}

// A signal is for the agent alone.
func TestSignalGoesToTheAgentAlone(t *testing.T) {
	a := shell(t, `trap 'echo USR1' USR1; trap 'echo TERM' TERM; sleep 1000 & echo $!; while :; do wait; done`, forever)
	child := pids(t, a.line())[0]
	for _, tt := range []struct {
		sig  syscall.Signal
		want string
	}{{syscall.SIGUSR1, "USR1"}, {syscall.SIGTERM, "TERM"}, {syscall.SIGUSR1, "USR1"}} {
		a.Signal(tt.sig)
		if got := a.line(); got != tt.want {
			t.Errorf("the agent says %q, want %q", got, tt.want)
		}
	}
	if !alive(child) {
		t.Error("its child got the signal too")
	}
	a.Kill()
	a.done()
	a.alone()
}

// Being told to end, an agent may do so in its own way and its own time; then
// the rest of its tree is told.
func TestEndIsGentle(t *testing.T) {
	a := shell(t, `
		trap 'echo agent told; exit 9' INT
		sh -c 'trap "echo child told; exit" TERM; echo up; while :; do sleep 0.01; done' &
		while :; do sleep 0.01; done`, forever)
	if got := a.line(); got != "up" {
		t.Fatalf("got %q", got)
	}
	a.End(syscall.SIGINT)
	if got := a.line(); got != "agent told" {
		t.Errorf("first %q, want the agent to be told", got)
	}
	if got := a.line(); got != "child told" {
		t.Errorf("then %q, want its child to be told", got)
	}
	if exit := a.exit(); exit.Status.ExitStatus() != 9 || len(exit.Left) > 0 {
		t.Errorf("%+v; want exit 9 and nothing left", exit)
	}
	a.done()
	a.alone()
}

// What ignores the signal is killed when the grace is over, and not before.
func TestGraceEnds(t *testing.T) {
	const grace = 300 * time.Millisecond
	for _, tt := range []struct{ name, script string }{
		{"agent", `trap '' TERM; echo $$; while :; do sleep 1000; done`},
		{"child of an agent that ends", `sh -c 'trap "" TERM; echo $$; while :; do sleep 1000; done' & wait`},
		{"child out of the session", `setsid sh -c 'trap "" TERM; echo $$; while :; do sleep 1000; done' & wait`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := shell(t, tt.script, grace)
			stubborn := pids(t, a.line())[0]
			began := time.Now()
			a.End(syscall.SIGTERM)
			a.exit()
			a.done()
			if alive(stubborn) {
				t.Error("it survived")
			}
			if took := time.Since(began); took < grace {
				t.Errorf("killed after %v, before the grace of %v was over", took, grace)
			}
			a.alone()
		})
	}
}

// tree is an agent with a child, one that was orphaned twice over, and one in a
// session of its own, all deaf to TERM; it prints four process ids.
const tree = `trap '' TERM
	sleep 1001 &
	sh -c 'sh -c "sleep 1002 & echo \$!" &' | { read double; echo $double; }
	setsid sh -c 'echo $$; exec sleep 1003' &
	echo $$ $!
	while :; do wait; done`

func startTree(t *testing.T, grace time.Duration) *agent {
	t.Helper()
	a := shell(t, tree, grace)
	var all []int
	for len(all) < 4 {
		all = append(all, pids(t, a.line())...)
	}
	return a
}

func TestKillTakesTheWholeTreeAtOnce(t *testing.T) {
	a := startTree(t, forever)
	a.Kill()
	if exit := a.exit(); exit.Status != syscall.WaitStatus(syscall.SIGKILL) {
		t.Errorf("status %#x, want that of a kill", exit.Status)
	}
	a.done()
	a.alone()
}

func TestKillCutsTheGraceShort(t *testing.T) {
	a := startTree(t, forever)
	a.End(syscall.SIGTERM)
	a.Kill()
	a.done()
	a.alone()
}

// Killing an agent whose own end has been seen already still takes its tree.
func TestKillAfterTheAgentsEnd(t *testing.T) {
	a := shell(t, `trap 'exit 2' USR1; sh -c 'trap "" TERM; echo up; while :; do sleep 1000; done' & while :; do sleep 0.01; done`, forever)
	a.line()
	a.End(syscall.SIGUSR1)
	if exit := a.exit(); exit.Status.ExitStatus() != 2 {
		t.Errorf("status %v, want exit 2", exit.Status)
	}
	a.Kill()
	a.done()
	a.alone()
}

// Each kill of a parent makes its child ours, so a long chain takes many rounds.
func TestKillGoesDownADeepChain(t *testing.T) {
	const deep = 40
	a := shell(t, `trap '' TERM; down() { if [ $1 -gt 0 ]; then (down $(($1-1))) & wait; else echo deep; sleep 1000; fi; }; down `+strconv.Itoa(deep), forever)
	if got := a.line(); got != "deep" {
		t.Fatalf("got %q", got)
	}
	if n := len(marked(a.mark)); n < deep {
		t.Fatalf("%d processes, want more than %d", n, deep)
	}
	a.Kill()
	a.done()
	a.alone()
}

// A process that forks and ends, over and over, never stays where it was seen.
func TestNothingRunsAway(t *testing.T) {
	// A shell allows its functions a depth of 1000, over all forks.
	run := write(t, filepath.Join(t.TempDir(), "run"), `
		n=$1
		run() {
			if [ $1 -gt 0 ]; then run $(($1-1)) &
			elif [ $n -gt 0 ]; then exec sh "$0" $((n-1)); fi
		}
		run 900`, 0o644)
	for _, tt := range []struct {
		name, script string
		end          func(*agent)
	}{
		{"kill", "trap '' TERM; sh " + run + " 40; echo up; sleep 1000", func(a *agent) { a.Kill() }},
		{"end of the grace", "trap '' TERM; sh " + run + " 40; echo up; sleep 1000", func(a *agent) { a.End(syscall.SIGTERM) }},
		{"agent ends first", "sh " + run + " 40; echo up; exec sleep 1000", func(a *agent) { a.End(syscall.SIGTERM) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range 10 {
				a := shell(t, tt.script, 50*time.Millisecond)
				a.line()
				tt.end(a)
				a.exit()
				a.done()
				a.alone()
			}
		})
	}
}

// leaveZombie is a process with a child that ends when nobody asks about it any
// more; it prints the child's process id.
const leaveZombie = `sh -c '(until grep -q sleep /proc/$$/comm; do :; done) & echo $!; exec sleep 1003'`

// What the agent leaves when it ends by itself is listed and left alone.
func TestLeftBehind(t *testing.T) {
	a := shell(t, leaveZombie+` & three=$!; sleep 1001 & one=$!; setsid sleep 1002 & echo $one $! $three; read line; exit 4`, forever)
	left, zombie := pids(t, a.line()), pids(t, a.line())
	if len(zombie) > 1 {
		left, zombie = zombie, left
	}
	until(t, "a zombie", func() bool { letter, _ := state(zombie[0]); return letter == "Z" })
	for i, pid := range left { // each has to become what it is to be
		until(t, "sleep", func() bool { return strings.HasPrefix(commandOf(pid), "sleep 100"+strconv.Itoa(i+1)) })
	}
	io.WriteString(a.in, "go\n")
	exit := a.exit()
	if exit.Status.ExitStatus() != 4 || exit.Lost != nil {
		t.Errorf("%+v; want exit 4", exit)
	}
	want := map[keeper.Process]bool{}
	for i, pid := range left {
		want[keeper.Process{Pid: pid, Command: fmt.Sprintf("sleep 100%d", i+1)}] = true
	}
	for _, p := range exit.Left {
		if !want[p] {
			t.Errorf("%+v is said to be left", p)
		}
		delete(want, p)
	}
	if len(want) > 0 {
		t.Errorf("left, and not listed: %v", want)
	}
	a.done()
	for _, pid := range left {
		if !alive(pid) {
			t.Errorf("process %d was ended", pid)
		}
	}
}

// A child that has ended and that nobody has asked about is not a survivor.
func TestZombiesAreNotWaitedFor(t *testing.T) {
	a := shell(t, leaveZombie+` & exec sleep 1002`, forever)
	zombie := pids(t, a.line())[0]
	until(t, "a zombie", func() bool { letter, _ := state(zombie); return letter == "Z" })
	a.End(syscall.SIGTERM)
	if exit := a.exit(); exit.Status != syscall.WaitStatus(syscall.SIGTERM) || len(exit.Left) > 0 {
		t.Errorf("%+v; want it ended by TERM, and nothing left", exit)
	}
	a.done()
	a.alone()
}

// After the end all methods do nothing.
func TestOrdersAfterTheEnd(t *testing.T) {
	a := shell(t, `exit 0`, forever)
	a.exit()
	a.done()
	a.Signal(syscall.SIGTERM)
	a.End(syscall.SIGTERM)
	a.Kill()
	a.done()
	select {
	case exit := <-a.Exited():
		t.Errorf("a second end: %+v", exit)
	default:
	}
}

// Clients that signal every descendant do not end the keeper.
func TestKeeperIsDeafToSignals(t *testing.T) {
	a := shell(t, `echo up; read line; exit 3`, forever)
	a.line()
	for range 3 {
		for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
			syscall.Kill(keeperOf(t, a), sig)
		}
	}
	io.WriteString(a.in, "go\n")
	if exit := a.exit(); exit.Status.ExitStatus() != 3 || exit.Lost != nil {
		t.Errorf("%+v; want exit 3", exit)
	}
}

// A keeper that was stopped, by its agent or by whoever stops every descendant,
// goes on when the agent is to be ended.
func TestStoppedKeeperEndsTheTree(t *testing.T) {
	a := shell(t, `trap '' TERM; echo ready; while :; do sleep 1000; done`, forever)
	a.line()
	k := keeperOf(t, a)
	syscall.Kill(k, syscall.SIGSTOP)
	until(t, "the keeper's stop", func() bool { letter, _ := state(k); return letter == "T" })
	a.End(syscall.SIGTERM)
	a.Kill()
	if exit := a.exit(); exit.Status != syscall.WaitStatus(syscall.SIGKILL) || exit.Lost != nil {
		t.Errorf("%+v", exit)
	}
	a.done()
	a.alone()
}

// What the agent orphans stays below Root.
func TestRootIsAboveOrphans(t *testing.T) {
	a := shell(t, `(setsid sh -c 'echo $$; exec sleep 1000' &); exec sleep 1000`, forever)
	orphan := pids(t, a.line())[0]
	until(t, "the orphan's new parent", func() bool { _, parent := state(orphan); return parent == a.Root() })
	if _, parent := state(a.Pid); parent != a.Root() {
		t.Errorf("the agent's parent is %d, root %d", parent, a.Root())
	}
}
