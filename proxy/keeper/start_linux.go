package keeper

import (
	"errors"
	"os"
	"strconv"
	"syscall"
	"unsafe"
)

// Agent is a running agent. Its methods may be called from any goroutine, and
// after its end, when they do nothing.
type Agent struct {
	Pid    int // the agent's, not the keeper's
	link   *os.File
	keeper *os.Process
	exit   chan Exit
	gone   chan struct{}
}

// Adopt makes this process the parent of whatever a killed keeper leaves
// behind. A process that has children other than agents must not call it.
func Adopt() { syscall.RawSyscall(syscall.SYS_PRCTL, setSubreaper, 1, 0) }

func adopting() bool {
	var on int32
	_, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, isSubreaper, uintptr(unsafe.Pointer(&on)), 0)
	return errno == 0 && on == 1
}

// Options of prctl(2).
const (
	setSubreaper = 36 // PR_SET_CHILD_SUBREAPER
	isSubreaper  = 37 // PR_GET_CHILD_SUBREAPER
)

// Start runs spec. A [*StartError] says that the executable could not be run;
// any other error is our own failure.
func Start(spec Spec) (*Agent, error) {
	ours, theirs, err := link()
	if err != nil {
		return nil, doing{"connecting to the keeper", err}
	}
	process, err := startKeeper(spec, theirs)
	theirs.Close()
	if err != nil {
		ours.Close()
		return nil, doing{"starting the keeper", err}
	}
	a := &Agent{link: ours, keeper: process, exit: make(chan Exit, 1), gone: make(chan struct{})}
	if err := a.begin(spec); err != nil {
		ours.Close()
		process.Wait()
		return nil, err
	}
	go a.follow()
	return a, nil
}

// startKeeper runs this executable again with theirs inherited under the
// number it has now, so that descriptors the client gave us on purpose keep
// their numbers on the way to the agent.
func startKeeper(spec Spec, theirs *os.File) (*os.Process, error) {
	fd := theirs.Fd()
	syscall.ForkLock.RLock()
	_, _, errno := syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_SETFD, 0)
	syscall.ForkLock.RUnlock()
	if errno != 0 {
		return nil, errno
	}
	exe := "/proc/self/exe"
	if _, err := os.Stat(exe); err != nil {
		if exe, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	return os.StartProcess(exe, []string{"bobproxy", Arg, strconv.Itoa(int(fd))}, &os.ProcAttr{
		Env:   spec.Env,
		Files: []*os.File{spec.Stdin, spec.Stdout, spec.Stderr},
		// A keeper that somebody has stopped must go on when we die. That the
		// signal also comes when only our thread ends does no harm.
		Sys: &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGCONT},
	})
}

// begin hands over the job and waits for the answer.
func (a *Agent) begin(spec Spec) error {
	var r report
	if err := send(a.link, job{spec.Path, spec.Dir, spec.grace(), spec.Argv}); err != nil {
		return doing{"talking to the keeper", err}
	}
	if err := receive(a.link, &r); err != nil {
		return doing{"waiting for the keeper", err}
	}
	if r.kind != started {
		return &StartError{spec.Path, syscall.Errno(r.number)}
	}
	a.Pid = r.number
	return nil
}

// follow reads the keeper's reports until it is gone. It is the one goroutine
// of an Agent; Gone is closed when it ends.
func (a *Agent) follow() {
	defer close(a.gone)
	var told, ending bool
	for {
		var r report
		if receive(a.link, &r) != nil {
			break
		}
		if r.kind == exited {
			told, ending = true, r.ending
			a.exit <- Exit{Status: syscall.WaitStatus(r.number), Left: r.left}
		}
		if r.kind == empty {
			ending = false
			break
		}
	}
	a.link.Close()
	a.keeper.Wait()
	if told && !ending {
		return
	}
	if adopting() {
		(&keeper{exited: true}).killTree()
	}
	if told {
		return
	}
	a.exit <- Exit{Status: syscall.WaitStatus(syscall.SIGKILL), Lost: errors.New("the keeper was killed")}
}

// Root is the process that has the agent and all of its tree below it, orphans
// included: the keeper. After its end the number may be another's.
func (a *Agent) Root() int { return a.keeper.Pid }

// Exited delivers once, when the agent itself has ended.
func (a *Agent) Exited() <-chan Exit { return a.exit }

// Gone is closed when nothing is left to wait for: the agent has ended and,
// where we ended it, so has its tree.
func (a *Agent) Gone() <-chan struct{} { return a.gone }

// Signal sends sig to the agent alone.
func (a *Agent) Signal(sig syscall.Signal) { send(a.link, order{signal: sig}) }

// End sends sig to the agent; what is left of its tree when the grace is over
// is killed.
func (a *Agent) End(sig syscall.Signal) { a.insist(order{signal: sig, end: true}) }

// Kill kills the whole tree at once.
func (a *Agent) Kill() { a.insist(order{kill: true}) }

// insist also wakes a keeper that somebody has stopped; the agent could.
func (a *Agent) insist(o order) {
	send(a.link, o)
	a.keeper.Signal(syscall.SIGCONT)
}
