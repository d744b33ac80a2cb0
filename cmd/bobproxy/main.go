// Command bobproxy stands between an ACP editor and an ACP coding agent: it
// passes every frame on unchanged and records what passed.
package main

import (
	"fmt"
	"os"

	"bobproxy/proxy/keeper"
)

// version is ours, as CHANGELOG.md counts it.
const version = "0.1.0"

// Exit codes of the command itself; package proxy has those of running an agent.
const (
	exitDone  = 0
	exitUsage = 2
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == keeper.Arg {
		os.Exit(keeper.Main(os.Args[2:]))
	}
	os.Exit(command(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// command runs one command line and returns the code to exit with.
func command(args []string, stdin, stdout, stderr *os.File) int {
	s := newSettings(os.LookupEnv)
	streams := streams{stdin, stdout, stderr}
	args, err := s.parse("bobproxy", args)
	if err != nil {
		return refuse(streams, err)
	}
	if len(args) == 0 {
		fmt.Fprint(stderr, usage)
		return exitUsage
	}
	name, args := args[0], args[1:]
	switch name {
	case "acp":
		return runBob(s, args, streams)
	case "run":
		return runAgent(s, args, streams)
	case "demo":
		return runDemo(s, args, streams)
	case "lab":
		return runLab(args, streams)
	case "version":
		return showVersion(streams)
	case "help":
		return help(streams)
	}
	return refuse(streams, unknownCommand(name))
}

// streams are a command's own.
type streams struct{ in, out, err *os.File }

// usageError is what the user can mend on the command line or in the
// environment. It says how.
type usageError string

func (e usageError) Error() string { return string(e) }

func unknownCommand(name string) error {
	return usageError(fmt.Sprintf("there is no command %q; to run an agent: bobproxy run -- %s … (all commands: bobproxy help)", name, name))
}

// refuse reports err, which a different command line would avoid, and gives its
// code. A wish for help is no error.
func refuse(std streams, err error) int {
	switch err {
	case errHelp:
		return help(std)
	case errVersion:
		return showVersion(std)
	}
	fmt.Fprintf(std.err, "bobproxy: %v\n", err)
	return exitUsage
}

func showVersion(std streams) int {
	fmt.Fprintln(std.out, "bobproxy", version)
	return exitDone
}
