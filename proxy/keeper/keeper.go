package keeper

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
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
		return fmt.Sprintf("starting %s: its first line names %s, which is not there", e.Path, interpreter)
	}
	return fmt.Sprintf("starting %s: %v", e.Path, e.Err)
}

// interpreter is what a script wants to be run by, when that is what is missing.
func (e *StartError) interpreter() string {
	if !errors.Is(e.Err, fs.ErrNotExist) {
		return ""
	}
	script, err := os.Open(e.Path)
	if err != nil {
		return ""
	}
	defer script.Close()
	head := make([]byte, 256)
	n, _ := script.Read(head)
	line, _, _ := strings.Cut(string(head[:n]), "\n")
	if words := strings.Fields(strings.TrimPrefix(line, "#!")); strings.HasPrefix(line, "#!") && len(words) > 0 {
		return strconv.Quote(words[0])
	}
	return ""
}

func (e *StartError) Unwrap() error { return e.Err }

func (s *Spec) grace() time.Duration {
	if s.Grace > 0 {
		return s.Grace
	}
	return Grace
}
