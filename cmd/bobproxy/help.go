package main

import (
	"fmt"
	"strings"
)

const usage = `bobproxy stands between an ACP editor and a coding agent: every frame passes
unchanged and is recorded.

  bobproxy acp [ARGS…]               what the editor runs in place of: bob acp [ARGS…]
  bobproxy run [FLAGS] -- CMD…       the same for any agent: bobproxy run -- goose acp
  bobproxy demo                      watch a scripted Bob repair a small program
  bobproxy lab agent|editor|new      a scripted agent and editor to aim your own at
  bobproxy version
  bobproxy help

Flags stand in front of the word acp, or between run and --. Everything after
acp, and everything after --, is the agent's.

`

// help prints the usage and the table of settings on stdout: it was asked for.
func help(std streams) int {
	var b strings.Builder
	b.WriteString(usage)
	for _, row := range table {
		name := "--" + row.flag
		if row.arg != "" {
			name += " " + row.arg
		}
		fmt.Fprintf(&b, "  %s\n      %s\n      default: %s; environment: %s\n", name, strings.ReplaceAll(row.text, "`", ""), row.byDefault, row.env)
	}
	b.WriteString(`
Environment for acp alone: BOB_ARGUMENTS (all of bob's arguments, separated by
commas, when the editor gives none), BOB_API_KEY (also handed to bob as
BOBSHELL_API_KEY, masked in recordings).

Exit codes: the agent's own, or 128 and the signal that killed it; 2 wrong
usage, 125 our own failure, 126 agent not executable, 127 agent not found.
`)
	fmt.Fprint(std.out, b.String())
	return exitDone
}
