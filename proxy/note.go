package proxy

import (
	"fmt"
	"os"

	"bobproxy/proxy/journal"
	"bobproxy/proxy/keeper"
)

// What the relay tells the journal besides frames.

func (r *relay) noteStart() uint64 {
	dir := r.Dir
	if dir == "" {
		dir, _ = os.Getwd()
	}
	return r.journal.Note(journal.Event{Type: journal.StartEvent, Start: &journal.Start{
		Command: r.Argv, PID: os.Getpid(), Cwd: dir, Version: r.Version,
	}})
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
