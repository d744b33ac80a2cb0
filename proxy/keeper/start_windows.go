package keeper

import (
	"os"
	"syscall"
)

// Agent is a running agent. Its methods may be called from any goroutine, and
// after its end, when they do nothing.
type Agent struct {
	Pid     int
	process *os.Process
	exit    chan Exit
	gone    chan struct{}
}

// Adopt does nothing here: there is no subreaper.
func Adopt() {}

// Start runs spec. A [*StartError] says that the executable could not be run.
func Start(spec Spec) (*Agent, error) {
	process, err := os.StartProcess(spec.Path, spec.Argv, &os.ProcAttr{
		Dir:   spec.Dir,
		Env:   spec.Env,
		Files: []*os.File{spec.Stdin, spec.Stdout, spec.Stderr},
	})
	if err != nil {
		return nil, &StartError{spec.Path, err}
	}
	a := &Agent{Pid: process.Pid, process: process, exit: make(chan Exit, 1), gone: make(chan struct{})}
	go a.follow()
	return a, nil
}

// follow waits for the agent. It is the one goroutine of an Agent; Gone is
// closed when it ends.
func (a *Agent) follow() {
	defer close(a.gone)
	state, err := a.process.Wait()
	if err != nil {
		a.exit <- Exit{Lost: err}
		return
	}
	a.exit <- Exit{Status: syscall.WaitStatus{ExitCode: uint32(state.ExitCode())}}
}

// Root is the process that has the agent's tree below it: the agent. What it
// orphans is not below it any more. After its end the number may be another's.
func (a *Agent) Root() int { return a.Pid }

// Exited delivers once, when the agent has ended.
func (a *Agent) Exited() <-chan Exit { return a.exit }

// Gone is closed when nothing is left to wait for.
func (a *Agent) Gone() <-chan struct{} { return a.gone }

// Signal does nothing: Windows has no signals to pass on.
func (a *Agent) Signal(syscall.Signal) {}

// End kills the agent: there is no gentler way here.
func (a *Agent) End(syscall.Signal) { a.Kill() }

// Kill kills the agent's own process.
func (a *Agent) Kill() { a.process.Kill() }
