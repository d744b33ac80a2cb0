package proxy

import (
	"fmt"
	"os"

	"bobproxy/proxy/journal"
	"bobproxy/proxy/keeper"
)

// What the relay tells the journal besides frames.

func (r *relay) noteStart() uint64 {
	seq := r.journal.Note(journal.Event{Type: journal.StartEvent, Start: &journal.Start{
		Command: r.Argv, PID: os.Getpid(), Cwd: r.cwd(), Version: r.Version,
	}})
	if what := r.Policy.AutoApprove; what != "" {
		seq = r.journal.Note(journal.Event{Type: journal.FlaggedEvent, Text: "the agent was started with " + what +
			": what it approves by itself it never asks for, and bobproxy cannot guard it"})
	}
	return seq
}

// cwd is the agent's working directory.
func (r *relay) cwd() string {
	if r.Dir != "" {
		return r.Dir
	}
	dir, _ := os.Getwd()
	return dir
}

func (r *relay) noteStderr(line []byte) {
	r.journal.Note(journal.Event{Type: journal.StderrEvent, Text: string(line)})
	r.journal.Kick()
}

func (r *relay) warn(text string) {
	r.journal.Note(journal.Event{Type: journal.WarningEvent, Text: text})
}

func (r *relay) noteExit(exit keeper.Exit) {
	if n := r.stderr.lost(); n > 0 {
		r.warn(fmt.Sprintf("nobody read stderr: %d bytes of it were dropped", n))
	}
	if exit.Lost != nil {
		r.warn(exit.Lost.Error())
	}
	e := &journal.Exit{Status: exitCode(exit.Status)}
	if exit.Status.Signaled() {
		e.Signal = exit.Status.Signal().String()
	}
	for _, p := range exit.Left {
		e.Left = append(e.Left, journal.Process{PID: p.Pid, Command: p.Command})
	}
	r.journal.Note(journal.Event{Type: journal.ExitEvent, Exit: e})
}
