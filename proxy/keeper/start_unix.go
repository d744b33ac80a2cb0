//go:build unix && !linux

package keeper

import (
	"os"
	"syscall"
	"time"
)

// Agent is a running agent. Its methods may be called from any goroutine, and
// after its end, when they do nothing.
type Agent struct {
	Pid     int
	process *os.Process
	grace   time.Duration
	exit    chan Exit
	gone    chan struct{}
}

// Adopt does nothing here: there is no subreaper.
func Adopt() {}

// Start runs spec in a process group of its own. A [*StartError] says that the
// executable could not be run.
func Start(spec Spec) (*Agent, error) {
	process, err := os.StartProcess(spec.Path, spec.Argv, &os.ProcAttr{
		Dir:   spec.Dir,
		Env:   spec.Env,
		Files: []*os.File{spec.Stdin, spec.Stdout, spec.Stderr},
		Sys:   &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		return nil, &StartError{spec.Path, err}
	}
	a := &Agent{Pid: process.Pid, process: process, grace: spec.grace(), exit: make(chan Exit, 1), gone: make(chan struct{})}
	go a.follow()
	return a, nil
}

// follow waits for the agent. It is the one goroutine of an Agent; Gone is
// closed when it ends.
func (a *Agent) follow() {
	defer close(a.gone)
	state, err := a.process.Wait()
	if err != nil {
		a.exit <- Exit{Status: syscall.WaitStatus(syscall.SIGKILL), Lost: err}
		return
	}
	a.exit <- Exit{Status: state.Sys().(syscall.WaitStatus)}
}

// Root is the process that has the agent's tree below it: the agent. What it
// orphans is not below it any more. After its end the number may be another's.
func (a *Agent) Root() int { return a.Pid }

// Exited delivers once, when the agent itself has ended.
func (a *Agent) Exited() <-chan Exit { return a.exit }

// Gone is closed when nothing is left to wait for.
func (a *Agent) Gone() <-chan struct{} { return a.gone }

// Signal sends sig to the agent alone.
func (a *Agent) Signal(sig syscall.Signal) { a.process.Signal(sig) }

// End sends sig to the agent's group; what is left of the group when the grace
// is over is killed.
func (a *Agent) End(sig syscall.Signal) {
	syscall.Kill(-a.Pid, sig)
	time.AfterFunc(a.grace, a.Kill)
}

// Kill kills the agent's group at once, unless the agent has ended.
func (a *Agent) Kill() {
	select {
	case <-a.gone: // its group's number may be somebody else's by now
	default:
		syscall.Kill(-a.Pid, syscall.SIGKILL)
	}
}
