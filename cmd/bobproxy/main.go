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
	std := streams{stdin, stdout, stderr}
	rest, err := s.parse(args)
	switch {
	case err != nil:
		return refuse(std, err)
	case len(args) == 0:
		fmt.Fprint(stderr, usage)
		return exitUsage
	case len(rest) == 0:
		return refuse(std, usageError(fmt.Sprintf("no command follows the flags; was %q meant to be one? (see: bobproxy help)", args[len(args)-1])))
	}
	name, args := rest[0], rest[1:]
	switch name {
	case "acp":
		return runBob(s, args, std)
	case "run":
		return runAgent(s, args, std)
	case "config":
		return runConfig(s, args, std)
	case "ps", "pending", "answer", "approve", "deny", "panel", "demo", "lab", "version", "help":
		if err := s.refuseFor(name); err != nil {
			return refuse(std, err)
		}
	}
	switch name {
	case "ps", "pending", "answer", "approve", "deny":
		return runRemote(name, args, s.lookup, std)
	case "panel":
		return runPanel(s, args, std)
	case "demo":
		return runDemo(s, args, std)
	case "lab":
		return runLab(args, std)
	case "version":
		return showVersion(std)
	case "help":
		return helpWith(args, s.lookup, std)
	}
	return refuse(std, unknownCommand(name))
}

// commands are the words that may follow bobproxy.
var commands = []string{"acp", "run", "panel", "ps", "pending", "approve", "deny", "answer", "config", "demo", "lab", "version", "help"}

// streams are a command's own.
type streams struct{ in, out, err *os.File }

// usageError is what the user can mend on the command line or in the
// environment. It says how.
type usageError string

func (e usageError) Error() string { return string(e) }

func unknownCommand(name string) error {
	guess := ""
	if len(name) <= maxKeySize {
		// An agent's name is often short, and then like many words.
		if near := nearest(name, commands); near != "" && distance(name, near) <= max(1, len(name)/3) {
			guess = "did you mean " + near + "? "
		}
	}
	return usageError(fmt.Sprintf("there is no command %q; %sto run an agent: bobproxy run -- %s … (all commands: bobproxy help)", name, guess, name))
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
