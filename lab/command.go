package lab

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"bobproxy/lab/editor"
	"bobproxy/lab/load"
)

// Exit codes of Command.
const (
	exitOK    = 0
	exitNo    = 1   // the turn ended otherwise than by itself or not at all, or the agent refused it
	exitUsage = 2   // the command line makes no sense
	exitOurs  = 125 // the command could not do its work
)

const usage = `Things to aim an agent, a client or a proxy at.

usage:
  bobproxy lab new DIR                      write the RetryBudget exercise into DIR
  bobproxy lab agent [flags]                a scripted Bob, on stdin and stdout
  bobproxy lab editor [flags] -- CMD ARGS…  a scripted editor that starts CMD
  bobproxy lab load MODE                    peers that only move bytes, to measure with
  bobproxy lab help                         this text

A whole round, with a proxy in the middle:

  bobproxy lab new /tmp/exercise
  bobproxy lab editor --cwd /tmp/exercise --allow ask -- \
      bobproxy run -- bobproxy lab agent

Either side can do wrong on purpose what others do wrong by mistake, with
--misbehave NAME[,NAME…]. Here nobody answers before the proxy does, and the
editor answers late; and here an agent tries to get out of the session's folder:

  bobproxy lab editor --misbehave late -- bobproxy run -- bobproxy lab agent
  bobproxy lab editor --misbehave careless -- \
      bobproxy run -- bobproxy lab agent --misbehave escape

The names, and all flags: bobproxy lab agent --help, bobproxy lab editor --help.
`

// errUsage is an error that a different command line would avoid.
type errUsage struct{ error }

func misuse(format string, args ...any) error { return errUsage{fmt.Errorf(format, args...)} }

// Command runs the lab's command line, without the words before it, and returns
// the exit code. The streams may be files; it closes stdin and stdout of agent
// no sooner than the conversation is over. Errors are one line on stderr.
func Command(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	code, err := dispatch(args, stdin, stdout, stderr)
	if err == nil {
		return code
	}
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	fmt.Fprintf(stderr, "bobproxy lab: %v\n", err)
	switch {
	case errors.As(err, new(errUsage)):
		return exitUsage
	case errors.Is(err, editor.ErrRefused), errors.Is(err, editor.ErrHung):
		return exitNo
	}
	return exitOurs
}

func dispatch(args []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	if len(args) == 0 {
		return 0, misuse("say what: new, agent, editor, load or help")
	}
	switch rest := args[1:]; args[0] {
	case "new":
		return exitOK, newExercise(rest, stdout)
	case "agent":
		return exitOK, serveAgent(rest, stdin, stdout)
	case "editor":
		return runEditor(rest, stdin, stdout, stderr)
	case "load":
		return load.Command(rest, stdin, stdout, stderr), nil
	case "help", "-h", "-help", "--help":
		_, err := io.WriteString(stdout, usage)
		return exitOK, err
	}
	return 0, misuse("no command %q: use new, agent, editor, load or help", args[0])
}

// parse reads flags; help goes to stdout, and errors come back in one line.
func parse(flags *flag.FlagSet, args []string, stdout io.Writer, synopsis string) error {
	flags.SetOutput(io.Discard)
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stdout, "usage: bobproxy lab %s\n\nflags:\n", synopsis)
		flags.SetOutput(stdout)
		flags.PrintDefaults()
	case err != nil:
		return misuse("%s: %v; see bobproxy lab %s --help", flags.Name(), err, flags.Name())
	}
	return err
}
