package main

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
)

// catchSignals catches Ctrl-C.
func catchSignals() (<-chan os.Signal, func()) {
	caught := make(chan os.Signal, 16)
	signal.Notify(caught, os.Interrupt)
	return caught, func() { signal.Stop(caught) }
}

// replace runs the agent on our terminal and ends with its code; it returns
// only if that fails.
func replace(file string, argv, env []string) error {
	c := &exec.Cmd{Path: file, Args: argv, Env: env, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	err := c.Run()
	var exit *exec.ExitError
	if err == nil || errors.As(err, &exit) {
		os.Exit(c.ProcessState.ExitCode())
	}
	return err
}

// endBy ends this process with the code of one that Ctrl-C ended.
func endBy(os.Signal) { os.Exit(controlCExit) }

const controlCExit = 0xC000013A
