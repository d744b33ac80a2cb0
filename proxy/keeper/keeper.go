package keeper

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"syscall"
	"time"
)

// Arg is the first argument of a process that is to be a keeper.
const Arg = "__keeper"

// Grace is how long a tree that is being ended has between SIGTERM and SIGKILL.
const Grace = 2 * time.Second

// Spec is what to start. The three files become the agent's stdin, stdout and
// stderr; the caller closes its copies after Start.
type Spec struct {
	Path                  string   // executable, already looked up
	Argv                  []string // as the agent sees it, Argv[0] included
	Env                   []string
	Dir                   string // empty: ours
	Stdin, Stdout, Stderr *os.File
	Grace                 time.Duration // zero: Grace
}

// Process is one process that outlived the agent.
type Process struct {
	Pid     int    `json:"pid"`
	Command string `json:"command"`
}

// Exit is how the agent ended.
type Exit struct {
	Status syscall.WaitStatus
	Left   []Process // still running when the agent ended by itself; newest state, not a promise
	Lost   error     // the keeper vanished before it could report; Status is then SIGKILL's
}

// StartError says that the agent could not be started.
type StartError struct {
	Path string
	Err  error // usually a syscall.Errno
}

func (e *StartError) Error() string {
	if interpreter := e.interpreter(); interpreter != "" {
		return "starting " + e.Path + ": its first line names " + interpreter + ", which is not there"
	}
	return "starting " + e.Path + ": " + e.Err.Error()
}

// interpreter is what a script wants to be run by, when that is what is missing.
func (e *StartError) interpreter() string {
	if !errors.Is(e.Err, fs.ErrNotExist) {
		return ""
	}
	file, err := os.Open(e.Path)
	if err != nil {
		return ""
	}
	defer file.Close()
	head := make([]byte, 256)
	n, _ := file.Read(head)
	line, _, _ := bytes.Cut(head[:n], []byte("\n"))
	wanted, script := bytes.CutPrefix(line, []byte("#!"))
	if words := bytes.Fields(wanted); script && len(words) > 0 {
		return strconv.Quote(string(words[0]))
	}
	return ""
}

func (e *StartError) Unwrap() error { return e.Err }

// doing is an error and what we were doing.
type doing struct {
	what string
	err  error
}

func (e doing) Error() string { return e.what + ": " + e.err.Error() }

func (e doing) Unwrap() error { return e.err }

func (s *Spec) grace() time.Duration {
	if s.Grace > 0 {
		return s.Grace
	}
	return Grace
}
