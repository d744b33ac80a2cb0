package main

import (
	"fmt"
	"os"

	"bobproxy/inspector/guess"
)

// version is ours, as CHANGELOG.md counts it.
const version = "0.1.0"

// Exit codes of the command itself; package proxy has those of running an agent.
const (
	exitDone  = 0
	exitUsage = 2
)

func main() { os.Exit(command(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// command runs one command line and returns the code to exit with.
func command(args []string, stdin, stdout, stderr *os.File) int {
	s := newSettings(os.LookupEnv)
	std := streams{stdin, stdout, stderr}
	rest, err := s.parse(args)
	switch {
	case err != nil:
		return refuse(std, err)
	case len(args) == 0:
		fmt.Fprint(stderr, usage())
		return exitUsage
	case len(rest) == 0:
		return refuse(std, usageError(fmt.Sprintf("no command follows the flags; was %q meant to be one? (see: bobproxy help)", args[len(args)-1])))
	}
	v, ok := findVerb(rest[0])
	if !ok {
		return refuse(std, unknownCommand(rest[0]))
	}
	if err := s.refuseFor(v.name); err != nil {
		return refuse(std, err)
	}
	return v.run(s, rest[1:], std)
}

// streams are a command's own.
type streams struct{ in, out, err *os.File }

// usageError is what the user can mend on the command line or in the
// environment. It says how.
type usageError string

func (e usageError) Error() string { return string(e) }

func unknownCommand(name string) error {
	hint := ""
	if len(name) <= maxKeySize {
		// An agent's name is often short, and then like many words.
		if near := guess.Nearest(name, verbNames()); near != "" && guess.Distance(name, near) <= max(1, len(name)/3) {
			hint = "did you mean " + near + "? "
		}
	}
	return usageError(fmt.Sprintf("there is no command %q; %sto run an agent: bobproxy run -- %s … (all commands: bobproxy help)", name, hint, name))
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
	return giveHelp(std, "bobproxy "+version+"\n")
}
