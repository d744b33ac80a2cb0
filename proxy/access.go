package proxy

import (
	"fmt"
	"strings"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/bounds"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// access is one path that a frame asks the editor to use.
type access struct {
	session acp.String
	path    acp.String
	want    bounds.Access
	odd     acp.Reason
	command string // terminal/create
}

// access decides on fs/read_text_file, fs/write_text_file and terminal/create.
func (g *gate) access(f *journal.Frame) error {
	a := readAccess(&f.Scan)
	r, bad, note := g.judge(a)
	if bad && g.policy.Bounds == Enforce {
		return g.refuse(f, g.agent, g.client, r)
	}
	if bad {
		f.Reason = r.reason
		note = "would be refused: " + r.words()
	}
	return g.client.one(f, rule{judge: func(time.Time, *journal.Frame) []broker.Effect {
		if note == "" {
			return nil
		}
		return []broker.Effect{flagged(f, note)}
	}})
}

func readAccess(s *acp.Frame) access {
	switch string(s.Method) {
	case acp.MethodTerminalCreate:
		t := acp.ReadTerminal(s.Params)
		return access{t.Session, t.Cwd, bounds.Write, t.Reason, strings.Join(append([]string{t.Command.Value}, t.Args...), " ")}
	case acp.MethodWriteTextFile:
		file := acp.ReadFile(s.Params)
		return access{file.Session, file.Path, bounds.Write, file.Reason, ""}
	}
	file := acp.ReadFile(s.Params)
	return access{file.Session, file.Path, bounds.Read, file.Reason, ""}
}

// judge says why a is not to be, or what is worth a word about it.
func (g *gate) judge(a access) (r refusal, bad bool, note string) {
	if a.odd != 0 {
		return ambiguous(a.odd), true, ""
	}
	grants, _ := g.grants(a.session)
	path := a.path.Value
	switch {
	case a.command != "" && a.path.Missing():
		if len(grants) == 0 {
			return unknownSession(), true, ""
		}
		return refusal{}, false, selfStart(a.command)
	case !a.path.OK:
		return noPath(), true, ""
	}
	v, roots := check(grants, path, a.want)
	switch {
	case v.Inside():
	case len(grants) == 0:
		return unknownSession(), true, ""
	case len(roots) == 0:
		return unusable(path, v, grants[0].Cwd), true, ""
	default:
		return outside(path, v, roots, a.want), true, ""
	}
	if v.Later != "" && a.command == "" {
		return refusal{}, false, fmt.Sprintf("writes %s, inside the workspace, but %s", clip(path, 1<<10), v.Later)
	}
	return refusal{}, false, selfStart(a.command)
}

// selfStart is a word about a command that would start this program by way of
// the editor, who is no descendant of the agent and may answer.
func selfStart(command string) string {
	if strings.Contains(command, "bobproxy") {
		return "asks the editor to run a command that names bobproxy: " + clip(command, 1<<10)
	}
	return ""
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// grants are what the paths of a session must lie in.
func (g *gate) grants(id acp.String) (grants []session.Grant, known bool) {
	g.ledger.mu.Lock()
	defer g.ledger.mu.Unlock()
	return g.ledger.fold.Grants(id.Value)
}

// check judges a path by every grant; it is inside when it is for all of them,
// of which there must be one. The roots are the first failing grant's, or all.
func check(grants []session.Grant, path string, want bounds.Access) (v bounds.Verdict, roots []string) {
	v.Code = bounds.NoRoots
	for _, grant := range grants {
		set, _ := grant.Pin.(*bounds.Set)
		v = set.Check(path, want)
		roots = set.Paths()
		if !v.Inside() {
			break
		}
	}
	return v, roots
}
