package proxy

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/bounds"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// roots pins what the settings name.
func (g *gate) roots() error {
	if g.policy.Ceiling != "" {
		set, problems := bounds.Pin([]bounds.Dir{{Path: g.policy.Ceiling}})
		if len(problems) > 0 {
			return fmt.Errorf("workspace root %s: %s", problems[0].Path, problems[0].Text)
		}
		g.ceiling = set
	}
	for _, dir := range g.policy.Allow {
		g.allowed = append(g.allowed, bounds.Dir{Path: dir})
	}
	for _, dir := range g.policy.AllowRead {
		g.allowed = append(g.allowed, bounds.Dir{Path: dir, ReadOnly: true})
	}
	if _, problems := bounds.Pin(g.allowed); len(problems) > 0 {
		return fmt.Errorf("allowed directory %s: %s", problems[0].Path, problems[0].Text)
	}
	return nil
}

// setup decides on a request that gives a session its roots, and pins them. The
// agent's requests are judged by what was pinned here, by nothing it says.
func (g *gate) setup(f *journal.Frame) error {
	if f.Scan.Kind != acp.Request {
		return g.agent.one(f, rule{judge: nothing})
	}
	s := acp.ReadSetup(f.Scan.Params)
	past := g.ceilingFor(s)
	if past != nil && g.policy.Bounds == Enforce {
		return g.refuse(f, g.client, g.agent, refusal{
			reason: "outside the workspace root", rule: "workspace_root", path: s.Cwd.Value, roots: []string{g.policy.Ceiling},
			message: past.Error(),
		})
	}
	var with session.With
	var notes []string
	with.Pin, notes = g.pin(s)
	if past != nil {
		notes = append(notes, "would be refused: "+past.Error())
	}
	tooMany := refusal{rule: "max_sessions", message: fmt.Sprintf(
		"bobproxy allows %d sessions at once (--max-sessions); close one first", g.policy.MaxSessions)}.reply(&f.Scan)
	err := g.agent.one(f, rule{with: with, judge: func(_ time.Time, f *journal.Frame) []broker.Effect {
		if g.full(f, s) {
			f.Action, f.Reason = withheld, "too many sessions"
			if tooMany != nil {
				f.Action = refused
			}
			return nil
		}
		var do []broker.Effect
		for _, text := range notes {
			do = append(do, flagged(f, text))
		}
		return do
	}})
	if f.Action == refused {
		g.client.added.refuse(tooMany)
	}
	return err
}

func nothing(time.Time, *journal.Frame) []broker.Effect { return nil }

// full says that another session would be one too many. It is called under the
// ledger's lock.
func (g *gate) full(f *journal.Frame, s acp.Setup) bool {
	if g.policy.MaxSessions <= 0 {
		return false
	}
	open := g.ledger.fold.Sessions()
	if m := string(f.Scan.Method); m == acp.MethodSessionLoad || m == acp.MethodSessionResume {
		for _, known := range open {
			if known.ID == s.Session.Value {
				return false
			}
		}
	}
	underWay, _ := g.ledger.fold.Grants("")
	return len(open)+len(underWay) >= g.policy.MaxSessions
}

// ceilingFor says why a session's roots go past the ceiling. Roots that cannot
// be read in one way might.
func (g *gate) ceilingFor(s acp.Setup) error {
	if g.ceiling == nil || g.policy.Bounds == Off {
		return nil
	}
	if s.Reason != 0 {
		return fmt.Errorf("the session's directories can be read in two ways (%v); bobproxy is told to keep sessions in %s", s.Reason, g.policy.Ceiling)
	}
	if !s.Cwd.OK {
		return errors.New("the session names no cwd; bobproxy is told to keep sessions in " + g.policy.Ceiling)
	}
	for _, dir := range append([]acp.String{s.Cwd}, s.Dirs...) {
		if !dir.OK && !dir.Missing() {
			return errors.New("the session's directories are no list of paths; bobproxy is told to keep sessions in " + g.policy.Ceiling)
		}
		if dir.OK && dir.Value != "" && !g.ceiling.Check(dir.Value, bounds.Write).Inside() {
			return fmt.Errorf("%q is outside %s, which bobproxy is told to keep sessions in (--workspace-root)", clip(dir.Value, 1<<10), g.policy.Ceiling)
		}
	}
	return nil
}

// pin makes the roots of a session, with what the settings allow besides, and
// says what is odd about them. A session that gives no directory to begin with
// gets none of the others either.
func (g *gate) pin(s acp.Setup) (*bounds.Set, []string) {
	given, _ := session.Given(s) // what is wrong with it the conversation says itself
	var dirs []bounds.Dir
	for _, dir := range given.Dirs {
		dirs = append(dirs, bounds.Dir{Path: dir})
	}
	if len(dirs) == 0 {
		return &bounds.Set{}, nil
	}
	set, problems := bounds.Pin(append(dirs, g.allowed...))
	var notes []string
	for _, p := range problems {
		notes = append(notes, fmt.Sprintf("%s is no root: %s", clip(p.Path, 1<<10), p.Text))
	}
	for _, dir := range dirs {
		if strings.Trim(dir.Path, "/") == "" {
			notes = append(notes, "the session's root is /: every path is inside")
		}
	}
	return set, notes
}

// sessionEnds takes session/cancel, close and delete. A session/cancel with an
// id is a mistake that agents refuse, so nothing is taken as cancelled by it.
func (g *gate) sessionEnds(now time.Time, f *journal.Frame) []broker.Effect {
	s := &f.Scan
	if string(s.Method) == acp.MethodSessionCancel && s.Kind != acp.Notification {
		return nil
	}
	id, _ := acp.ReadSession(s.Params)
	if !id.OK {
		return nil
	}
	return g.ledger.broker.CancelSession(now, id.Value)
}
