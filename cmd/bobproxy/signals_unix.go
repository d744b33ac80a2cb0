//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// catchSignals catches what is passed on to the agent. A signal that our parent
// had us ignore (nohup) stays ignored, for us and for the agent. SIGPIPE is
// caught so that a reader who leaves is an error and not our death; ignoring it
// would be inherited by the agent.
func catchSignals() (<-chan os.Signal, func()) {
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	caught := make(chan os.Signal, 16)
	for _, s := range []os.Signal{
		syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2,
	} {
		if !signal.Ignored(s) {
			signal.Notify(caught, s)
		}
	}
	return caught, func() {
		signal.Stop(caught)
		signal.Stop(pipe)
	}
}

// replace runs the agent in our place; it returns only if that fails. A script
// that names no interpreter is the shell's, as execvp(3) has it.
func replace(file string, argv, env []string) error {
	err := syscall.Exec(file, argv, env)
	if err == syscall.ENOEXEC {
		err = syscall.Exec("/bin/sh", append([]string{"/bin/sh", file}, argv[1:]...), env)
	}
	return err
}

// endBy ends this process by a signal, as if nobody had caught it.
func endBy(s os.Signal) {
	signal.Reset(s)
	_ = syscall.Kill(os.Getpid(), s.(syscall.Signal))
	select {}
}
