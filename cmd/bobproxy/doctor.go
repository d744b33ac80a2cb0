package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"bobproxy/acp/clean"
	"bobproxy/inspector/doctor"
)

const doctorUsage = `bobproxy doctor [--json]

Looks at this machine for what keeps bobproxy from seeing an agent, from keeping
it in its workspace, or from recording it, and says how to mend that: bobproxy
itself, bob and PATH, editors that go past bobproxy or approve by themselves
(files in Lua and Lisp are programs: only words in them are read), sockets,
recordings, the time-outs and bounds in force, the terminal, and the proxies that
run. What was not looked at is said.

  ✓ as it should be   · worth knowing   ! weaker than it could be
  × something does not work

Nothing is changed. With --json: {"version","problems","warnings","findings":
[{"level","about","text","fix"}],"notLookedAt":[…]}, level being ok, info, warning or problem.

Exit codes: 0 done; 1 something does not work; 2 wrong usage; 125 our own
failure.
`

// doctorDocument is what `doctor --json` prints. Members are only ever added.
type doctorDocument struct {
	Version  string           `json:"version"`
	Problems int              `json:"problems"`
	Warnings int              `json:"warnings"`
	Findings []doctor.Finding `json:"findings"`
	Unseen   []string         `json:"notLookedAt"`
}

// runDoctor is `bobproxy doctor`.
func runDoctor(s *settings, args []string, std streams) int {
	r := tellerFor(args, std)
	rest, code, done := r.parse(flag.NewFlagSet("doctor", flag.ContinueOnError), args, doctorUsage)
	switch {
	case done:
		return code
	case len(rest) > 0:
		return r.fail(misused("doctor takes no %s", quotation(rest[0])).with("see: bobproxy doctor --help"))
	}
	home, _ := os.UserHomeDir()
	all := doctor.Examine(examined(s, std))
	d := doctorDocument{Version: version, Problems: doctor.Count(all, doctor.Problem), Warnings: doctor.Count(all, doctor.Warning), Findings: neverNull(all), Unseen: doctor.Unseen}
	if code := r.show(d, doctorText(d, home, r.width)); code != exitDone {
		return code
	}
	if d.Problems > 0 {
		return exitNo
	}
	return exitDone
}

// doctorText is the findings for people, those about one thing together.
func doctorText(d doctorDocument, home string, width int) string {
	var b strings.Builder
	about := ""
	for _, f := range d.Findings {
		if f.About != about {
			about = f.About
			b.WriteString(field(about) + "\n")
		}
		hang(&b, "  "+f.Level.Mark()+" ", tilde(f.Text, home), width)
		if f.Fix != "" {
			hang(&b, "    → ", tilde(f.Fix, home), width)
		}
	}
	b.WriteString("\nnot looked at\n")
	for _, unseen := range d.Unseen {
		hang(&b, "  "+doctor.Info.Mark()+" ", unseen, width)
	}
	switch {
	case d.Problems+d.Warnings == 0:
		b.WriteString("\nall is as it should be\n")
	default:
		fmt.Fprintf(&b, "\n%s, %s\n", howMany(d.Problems, "problem"), howMany(d.Warnings, "warning"))
	}
	return b.String()
}

// hang writes text behind front, and its further lines under its first.
func hang(b *strings.Builder, front, text string, width int) {
	margin := cells(front)
	for _, mark := range "✓×" { // are as narrow as the other marks
		margin -= strings.Count(front, string(mark)) * (cell(mark) - 1)
	}
	for _, line := range inLines(clean.Line(text), width-margin) {
		b.WriteString(front + line + "\n")
		front = strings.Repeat(" ", margin)
	}
}

// tilde writes ~ for the home folder wherever a path in text begins with it.
func tilde(text, home string) string {
	if len(home) < 2 {
		return text
	}
	return strings.ReplaceAll(text, home+"/", "~/")
}
