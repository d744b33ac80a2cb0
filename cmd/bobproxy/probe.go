package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"bobproxy/lab/probe"
)

const probeUsage = `bobproxy probe [FLAGS] -- CMD…

Starts an agent in this folder, asks what it can do, opens a session in an empty
one, shows what it says of itself and how long that took, and ends it. No prompt
is sent.

  --cwd DIR       the session's folder, instead of an empty one
  --protocol N    the version to offer: 1 (default) or 2
  --timeout TIME  the longest that all of it may take; default 60s
  --json          for scripts

  bobproxy probe -- goose acp
  bobproxy probe -- bobproxy lab agent

Exit codes: 0, also when the agent wants somebody to log in first; 1 it did not
open a session; 2 wrong usage; 125 our own failure; 126 the agent is not
executable; 127 it is not found.
`

// settleTime is how long an agent has to tell of a new session by itself.
const settleTime = 1500 * time.Millisecond

// probing is one run of `bobproxy probe`.
type probing struct {
	*remote
	probe.Options
	timeout time.Duration
}

// runProbe is `bobproxy probe`.
func runProbe(s *settings, args []string, std streams) int {
	p := &probing{remote: tellerFor(args, std)}
	p.Version, p.Settle, p.Grace = version, settleTime, 5*time.Second
	ours, argv := behindDashes(args)
	flags := flag.NewFlagSet("probe", flag.ContinueOnError)
	flags.StringVar(&p.Dir, "cwd", "", "")
	flags.IntVar(&p.Protocol, "protocol", 1, "")
	flags.DurationVar(&p.timeout, "timeout", time.Minute, "")
	rest, code, done := p.parse(flags, ours, probeUsage)
	switch {
	case done:
		return code
	case len(rest) > 0 && argv == nil:
		return p.fail(misused("probe: the agent's command stands behind --").with("bobproxy probe -- %s", field(strings.Join(rest, " "))))
	case len(rest) > 0:
		return p.fail(misused("probe takes no %s in front of --", quotation(rest[0])))
	case len(argv) == 0 || argv[0] == "":
		return p.fail(misused("probe: which agent? Its command follows --").with("bobproxy probe -- goose acp"))
	case p.Protocol < 1 || p.Protocol > 2:
		return p.fail(misused("probe: --protocol is 1 or 2"))
	case p.timeout <= 0:
		return p.fail(misused("probe: --timeout is a time such as 30s"))
	}
	return p.run(s, argv)
}

func (p *probing) run(s *settings, argv []string) int {
	file, code, err := find(argv[0], "give its whole path", s.lookup)
	if err != nil {
		return p.fail(&complaint{exit: code, Code: "not_found", Message: field(err.Error())})
	}
	if file, err = filepath.Abs(file); err != nil {
		return p.fail(broken("finding the agent: %v", err))
	}
	p.Command = append([]string{file}, argv[1:]...)
	away, err := p.folder()
	if err != nil {
		return p.fail(misused("probe: --cwd: %v", err))
	}
	defer away()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	ctx, stop := context.WithTimeout(ctx, p.timeout)
	defer stop()
	report, err := probe.Run(ctx, p.Options)
	if err != nil {
		return p.fail(&complaint{exit: codeOf(err), Code: "not_started", Message: field(err.Error())})
	}
	report.Command = argv
	if code := p.show(report, p.text(report)); code != exitDone {
		return code
	}
	if report.Problem != "" {
		return exitNo
	}
	return exitDone
}

// folder makes an empty folder for the session where none was named, and gives
// what removes it.
func (p *probing) folder() (away func(), err error) {
	if p.Dir == "" {
		p.Dir, err = os.MkdirTemp("", "bobproxy-probe-")
		return func() { os.RemoveAll(p.Dir) }, err
	}
	if !isDirectory(p.Dir) {
		return nil, fmt.Errorf("%s is no folder", field(p.Dir))
	}
	p.Dir, err = filepath.Abs(p.Dir)
	return func() {}, err
}

// text is a report for people.
func (p *probing) text(r probe.Report) string {
	out := page{width: p.width}
	row := func(label, text string) { out.row(label, text) }
	row("agent", named(r))
	row("command", field(strings.Join(r.Command, " ")))
	if r.Protocol > 0 {
		row("protocol", strconv.Itoa(r.Protocol)+unlike(r.Protocol, p.Protocol))
		row("can", orDash(strings.Join(abilities(r.Capabilities), ", ")))
		row("log in", login(r))
	}
	if r.Session != "" {
		row("session", field(r.Session))
		row("modes", choicesText(r.Modes, r.Mode))
		if len(r.Models) > 0 {
			row("models", choicesText(r.Models, r.Model))
		}
		for _, o := range r.Options {
			row("option", field(o.ID)+": "+choicesText(o.Values, current(o.Current)))
		}
		row("commands", choicesText(r.Commands, ""))
	}
	row("took", took(r.Took))
	p.oddities(&out, r)
	return out.String()
}

func named(r probe.Report) string {
	switch {
	case r.Name == "" && r.Title == "":
		return "does not say its name"
	case r.Title == "" || r.Title == r.Name:
		return field(strings.TrimSpace(r.Name + " " + r.Version))
	}
	return field(strings.TrimSpace(r.Title + " " + r.Version + " (" + r.Name + ")"))
}

func unlike(got, offered int) string {
	if got == offered {
		return ""
	}
	return fmt.Sprintf(", %d was offered", offered)
}

func login(r probe.Report) string {
	switch {
	case r.AuthRequired && len(r.Auth) == 0:
		return "required, but the agent names no way to"
	case r.AuthRequired:
		return "required: " + choicesText(r.Auth, "")
	case len(r.Auth) > 0:
		return "not now; ways to: " + choicesText(r.Auth, "")
	}
	return "never"
}

// mostListed is how many of a list people see.
const mostListed = 40

// choicesText is the names of choices, the one in force marked.
func choicesText(all []probe.Choice, now string) string {
	var names []string
	for _, c := range all[:min(len(all), mostListed)] {
		name := orDash(c.ID)
		if c.ID == now && now != "" {
			name += " (now)"
		}
		names = append(names, name)
	}
	if more := len(all) - mostListed; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	if len(names) == 0 && now != "" {
		return field(now) + " (now)"
	}
	return orDash(strings.Join(names, ", "))
}

// current is a setting's value as the id of a choice.
func current(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return string(raw)
	}
	return text
}

// abilities are the names of what an agent says it can do, with dots between
// the levels. What is false, null or about the agent alone is left out.
func abilities(raw json.RawMessage) (all []string) {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return nil
	}
	for _, full := range slices.Sorted(maps.Keys(members)) {
		name, value := strings.TrimSuffix(full, "Capabilities"), bytes.TrimSpace(members[full])
		switch {
		case name == "_meta", string(value) == "false", string(value) == "null":
			continue
		case len(value) > 0 && value[0] == '{':
			inner := abilities(value)
			for _, each := range inner {
				all = append(all, name+"."+each)
			}
			if len(inner) == 0 && !hasMembers(value) {
				all = append(all, name)
			}
		default:
			all = append(all, name)
		}
	}
	return all
}

func hasMembers(object []byte) bool {
	var members map[string]json.RawMessage
	return json.Unmarshal(object, &members) == nil && len(members) > 0
}

func took(t probe.Took) string {
	parts := []string{"start " + inMs(t.Start)}
	for _, each := range []struct {
		name string
		ms   float64
	}{{"initialize", t.Initialize}, {"session/new", t.SessionNew}, {"first update", t.Update}} {
		if each.ms > 0 {
			parts = append(parts, each.name+" "+inMs(each.ms))
		}
	}
	return strings.Join(parts, " · ")
}

func inMs(ms float64) string {
	switch {
	case ms < 10:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 1000:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f s", ms/1000)
}

// oddities are what a good agent does not do, and what went wrong.
func (p *probing) oddities(out *page, r probe.Report) {
	if r.Asked > 0 {
		out.row("!", "it sent "+howMany(r.Asked, "request")+" without a prompt, which were refused")
	}
	if r.Noise > 0 {
		out.row("!", "it wrote "+howMany(r.Noise, "line")+" to stdout that are no messages")
	}
	if r.Killed {
		out.row("!", "it did not end when its stdin had ended, and was killed")
	}
	if r.Problem == "" {
		return
	}
	out.row("×", field(r.Problem))
	if !r.Killed {
		out.row("", "it ended with "+field(r.Ending))
	}
	if r.Stderr != "" {
		out.theirs("stderr", cleanLines(r.Stderr))
	}
}

func cleanLines(text string) (lines []string) {
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		lines = append(lines, field(strings.TrimRight(line, "\r\n")))
	}
	return lines
}
