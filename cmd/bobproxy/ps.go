package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"time"

	"bobproxy/proxy/control"
)

const psUsage = `bobproxy ps [--json]

Lists the proxies that run, and their sessions.

  --json   for scripts: {"proxies":[…]}, one line

Exit codes: 0, also when none runs; 2 wrong usage; 125 our own failure.
`

// psDocument is what `ps --json` prints. Members are only ever added.
type psDocument struct {
	Proxies  []psProxy `json:"proxies"`
	Troubles []trouble `json:"problems,omitempty"`
}

type psProxy struct {
	Instance    string            `json:"instance"`
	PID         int               `json:"pid"`
	Command     []string          `json:"command"`
	Cwd         string            `json:"cwd"`
	Started     time.Time         `json:"started"`
	Client      control.Program   `json:"client"`
	Agent       control.Program   `json:"agent"`
	Sessions    []control.Session `json:"sessions"`
	Pending     int               `json:"pending"` // how many wait
	Recording   string            `json:"recording"`
	Bounds      string            `json:"bounds"`
	Timeout     string            `json:"timeout"`
	Version     string            `json:"version"`
	AutoApprove string            `json:"autoApprove,omitempty"`
	Watchers    int               `json:"watchers"`
}

// ps is `bobproxy ps`.
func (r *remote) ps(ctx context.Context, args []string) int {
	flags := flag.NewFlagSet("ps", flag.ContinueOnError)
	rest, code, done := r.parse(flags, args, psUsage)
	switch {
	case done:
		return code
	case len(rest) > 0:
		return r.fail(misused("ps takes no %s", quotation(rest[0])).with("see: bobproxy ps --help"))
	}
	s := look(ctx, r.proxies)
	r.grumble(s.troubles)
	return r.show(s.document(), r.psText(s))
}

func (s survey) document() psDocument {
	d := psDocument{Proxies: []psProxy{}, Troubles: s.troubles}
	for _, p := range s.states {
		sessions := neverNull(slices.Clone(p.Sessions))
		for i := range sessions {
			sessions[i].Roots = neverNull(sessions[i].Roots)
		}
		d.Proxies = append(d.Proxies, psProxy{
			Instance: p.Instance, PID: p.PID, Command: neverNull(p.Command), Cwd: p.Cwd, Started: p.Started,
			Client: p.Client, Agent: p.Agent, Sessions: sessions, Pending: len(p.Pending),
			Recording: p.Recording, Bounds: p.Bounds, Timeout: p.Timeout,
			Version: p.Version, AutoApprove: p.AutoApprove, Watchers: p.Watchers,
		})
	}
	return d
}

// neverNull is list, never null in JSON.
func neverNull[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (r *remote) psText(s survey) string {
	p := page{width: r.width}
	if len(s.states) == 0 {
		p.WriteString(nothingRuns(s.troubles))
		return p.String()
	}
	p.columns(r.proxyRows(s), 0) // what might be broken is at its end, and ours
	p.WriteByte('\n')
	if rows := sessionRows(s); len(rows) > 1 {
		p.columns(rows, r.table)
	} else {
		p.WriteString("no session yet\n")
	}
	p.warnings(s)
	return p.String()
}

func nothingRuns(troubles []trouble) string {
	if slices.ContainsFunc(troubles, func(t trouble) bool { return t.Instance != "" }) {
		return "no other proxy is running\n"
	}
	return `no proxy is running; an editor starts one with: bobproxy acp,
or: bobproxy run -- AGENT (to see one at work: bobproxy demo)
`
}

func (r *remote) proxyRows(s survey) [][]string {
	rows := [][]string{{"INSTANCE", "PID", "AGE", "CLIENT → AGENT", "WAITING", "BOUNDS", "TIME-OUT", "RECORDING"}}
	for _, p := range s.states {
		rows = append(rows, []string{
			clipped(p.Instance, 16), fmt.Sprint(p.PID), lasted(r.now().Sub(p.Started)),
			peerName(p.Client) + " → " + peerName(p.Agent), fmt.Sprint(len(p.Pending)),
			clipped(p.Bounds, 16), limit(p.Timeout), orDash(p.Recording),
		})
	}
	return rows
}

// sessionRows have a column of modes when there are any.
func sessionRows(s survey) [][]string {
	const mode = 2
	rows := [][]string{{"INSTANCE", "STATE", "MODE", "TITLE", "CWD", "SESSION"}}
	some := false
	for _, p := range s.states {
		for _, session := range p.Sessions {
			some = some || session.Mode != ""
			rows = append(rows, []string{
				clipped(p.Instance, 16), clipped(session.State, 16), clipped(session.Mode, 20),
				clipped(session.Title, 40), tail(session.Cwd, 40), clipped(session.ID, 64),
			})
		}
	}
	if !some {
		for i := range rows {
			rows[i] = slices.Delete(rows[i], mode, mode+1)
		}
	}
	return rows
}

// warnings are what somebody who looks must not overlook.
func (p *page) warnings(s survey) {
	if n := len(s.waiting()); n > 0 {
		fmt.Fprintf(p, "\n%s waiting for an answer; see: bobproxy pending\n", howMany(n, "permission request"))
	}
	for _, state := range s.states {
		if state.AutoApprove != "" {
			p.approves(state, "the agent", state.AutoApprove)
		}
		for _, session := range state.Sessions {
			if session.AutoApprove != "" {
				p.approves(state, "session "+quotation(clipped(session.ID, 64)), session.AutoApprove)
			}
		}
	}
}

func (p *page) approves(state control.State, who, why string) {
	p.WriteByte('\n')
	p.row("!", fmt.Sprintf("%s: %s approves by itself (%s); requests it never makes cannot be guarded", field(state.Instance), who, field(why)))
}

// peerName is how a peer calls itself, shortly; a dash before it has.
func peerName(p control.Program) string {
	name := p.Title
	if name == "" {
		name = p.Name
	}
	if p.Version != "" {
		name += " " + p.Version
	}
	return clipped(name, 24)
}

// limit is a permission time-out for people.
func limit(timeout string) string {
	switch d, err := time.ParseDuration(timeout); {
	case err == nil && d == 0:
		return "never"
	case err == nil && d%time.Minute == 0 && d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	}
	return clipped(timeout, 16)
}
