package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"bobproxy/proxy"
)

// usage is the help without the settings.
func usage() string {
	return `bobproxy stands between an ACP editor and a coding agent: it records every
frame, keeps the agent in its workspace, and lets permissions be answered from
another terminal.

` + overview() + `REQ is what pending shows, such as z69pu:3. With --json most commands print
JSON; their own help says so.

Flags stand in front of the word acp, or between run and --; those of the other
commands follow their names. Everything after acp, and everything after --, is
the agent's.

`
}

// helpWith is `bobproxy help [COMMAND]`. Those without a page of their own are in
// the whole.
func helpWith(s *settings, args []string, std streams) int {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return help(std)
	}
	v, ok := findVerb(args[0])
	switch {
	case args[0] == "filter":
		return giveHelp(std, filterHelp)
	case !ok:
		return refuse(std, unknownCommand(args[0]))
	case v.passes:
		return giveHelp(std, passing(v))
	case !v.own || v.name == "help":
		return help(std)
	}
	return v.run(s, append(args[1:], "--help"), std)
}

// help prints the usage and the table of settings on stdout: it was asked for.
func help(std streams) int {
	var b strings.Builder
	b.WriteString(usage())
	settingsHelp(&b, table)
	b.WriteString(`
The config file is $XDG_CONFIG_HOME/bobproxy/config.toml, or
~/.config/bobproxy/config.toml. Its keys are the flags without their dashes:

  permission-timeout = "5m"
  allow = ["/home/me/.cache/go-build"]

At its end there may be tables for the panel: saved filters, keys (as panel
--keys lists them), and what things look like, with the setting theme as name:

  [filters]
  noise = "-u:message,thought"
  [keys.wire]
  pair = "% F4"
  [theme]
  warn = "bold yellow"

Flags win over the environment, which wins over the file. Directories in the
environment are separated as in PATH. An api-key may stand in a file that nobody
else can read (0600). Nothing is read from the current folder or a workspace.

Exit codes of acp and run: the agent's own, or 128 and the signal that killed
it; 125 our own failure or refusal, 126 agent not executable, 127 agent not
found. Of the others: 0 done, 1 the answer is no, 3 no such proxy, session or
request, 4 somebody else answered first, 5 expired or withdrawn, 6 refused by
policy, 124 waited in vain. Of all: 2 wrong usage or settings.
`)
	return giveHelp(std, b.String())
}

// passing is the page of a command that stands between an editor and an agent; it
// has no flag --help of its own, since what follows it is the agent's.
func passing(v verb) string {
	var b strings.Builder
	for _, f := range v.forms {
		fmt.Fprintf(&b, "bobproxy %s %s\n\n", v.name, f.args)
		indented(&b, f.text)
	}
	b.WriteString(`
Flags stand in front of the word acp, or between run and --; everything after
acp, and everything after --, is the agent's. bobproxy help has the config file
and the exit codes.

`)
	settingsHelp(&b, slices.DeleteFunc(slices.Clone(table), func(row setting) bool { return !row.serves(v.name) }))
	return b.String()
}

// settingsHelp writes rows of the table below the headings of their groups.
func settingsHelp(b *strings.Builder, rows []setting) {
	for i, row := range rows {
		if i == 0 || row.group != rows[i-1].group {
			fmt.Fprintf(b, "%s:\n\n", row.group)
		}
		fmt.Fprintf(b, "  %s\n", row.usage())
		indented(b, plain(row.text))
		indented(b, fmt.Sprintf("default: %s; environment: %s", row.defaultText(), row.env))
		if i+1 < len(rows) && row.group != rows[i+1].group {
			b.WriteString("\n")
		}
	}
}

// giveHelp prints what was asked for, and gives the code to exit with: help that
// could not be written is none.
func giveHelp(std streams, text string) int { return printHelp(std.out, std.err, text) }

func printHelp(out, errs io.Writer, text string) int {
	_, err := io.WriteString(out, text)
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE): // whoever read has seen enough
		return exitDone
	}
	fmt.Fprintf(errs, "bobproxy: %v\n", err)
	return proxy.ExitOurs
}

// indented writes text, which is ours, in lines that fit into 80 cells.
func indented(b *strings.Builder, text string) {
	const indent, width = "      ", 80
	for line := indent; text != ""; line = indent {
		for text != "" {
			word, rest, _ := strings.Cut(text, " ")
			if line != indent && len(line)+len(" ")+len(word) > width {
				break
			}
			if line != indent {
				line += " "
			}
			line, text = line+word, rest
		}
		b.WriteString(line + "\n")
	}
}

// usage is how the setting is given on a command line, or where else.
func (row setting) usage() string {
	switch {
	case !row.hasFlag():
		return row.name + " (no flag)"
	case row.byDefault == "true":
		return "--" + row.name + "=false"
	case row.arg == "":
		return "--" + row.name
	}
	return "--" + row.name + " " + row.arg
}

// plain is text for the README without its marks.
func plain(text string) string { return strings.ReplaceAll(text, "`", "") }
