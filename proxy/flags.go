package proxy

import (
	"fmt"
	"sync/atomic"

	"bobproxy/acp"
	"bobproxy/proxy/bounds"
	"bobproxy/proxy/journal"
)

// flagger looks at the paths in updates, which tell what has happened and can
// be kept from nobody: what leads outside gets a word in the recording. It does
// so behind the wire.
type flagger struct {
	ledger *ledger
	jobs   chan told
	ended  chan struct{}
	missed atomic.Int64
	said   map[string]bool // session and path; starts over when it is full
}

// told is what an update says of a tool call.
type told struct {
	session acp.String
	paths   []string
	changed bool // the paths are those of diffs
}

const (
	maxJobs = 256
	maxSaid = 4096
	maxTold = 64 // paths of one update
)

func newFlagger(l *ledger) *flagger {
	return &flagger{ledger: l, jobs: make(chan told, maxJobs), ended: make(chan struct{}), said: map[string]bool{}}
}

// update takes what a session/update says, if it tells of a tool call. What
// there is no room for is counted.
func (g *flagger) update(s *acp.Frame) {
	if !tellsOfToolCall(s.Update) {
		return
	}
	u := acp.ReadUpdate(s.Params)
	for _, t := range []told{{u.Session, locations(u.Call), false}, {u.Session, changed(u.Call), true}} {
		if len(t.paths) == 0 {
			continue
		}
		select {
		case g.jobs <- t:
		default:
			g.missed.Add(1)
		}
	}
}

// tellsOfToolCall says that an update's kind, as it is spelled, is one about
// tool calls, or could be.
func tellsOfToolCall(kind []byte) bool {
	if len(kind) < len("tool_call") {
		return false
	}
	for _, c := range kind {
		if c == '\\' {
			return true
		}
	}
	return string(kind[:len("tool_call")]) == "tool_call"
}

func locations(c acp.ToolCall) (paths []string) {
	for _, l := range c.Locations[:min(len(c.Locations), maxTold)] {
		if l.OK {
			paths = append(paths, l.Value)
		}
	}
	return paths
}

func changed(c acp.ToolCall) (paths []string) {
	for _, d := range c.Diffs[:min(len(c.Diffs), maxTold)] {
		for _, p := range []acp.String{d.Path, d.OldPath} {
			if p.OK {
				paths = append(paths, p.Value)
			}
		}
	}
	return paths
}

// close lets run end when it has looked at everything.
func (g *flagger) close() { close(g.ended) }

// run looks at what update took, until close. It is a goroutine.
func (g *flagger) run() {
	for open := true; open; {
		select {
		case t := <-g.jobs:
			g.look(t)
		case <-g.ended:
			open = false
		}
	}
	for len(g.jobs) > 0 {
		g.look(<-g.jobs)
	}
	if n := g.missed.Load(); n > 0 {
		g.ledger.journal.Note(journal.Event{Type: journal.WarningEvent, Text: fmt.Sprintf("the paths of %d updates were not looked at", n)})
	}
}

func (g *flagger) look(t told) {
	g.ledger.mu.Lock()
	grants, known := g.ledger.fold.Grants(t.session.Value)
	g.ledger.mu.Unlock()
	if !known && len(grants) == 0 {
		return // nothing to judge by
	}
	want, what := bounds.Read, "names"
	if t.changed {
		want, what = bounds.Write, "shows a change of"
	}
	for _, path := range t.paths {
		v, _ := check(grants, absolute(path, grants), want)
		text := ""
		if !v.Inside() {
			text = fmt.Sprintf("a tool call %s %s, outside the workspace (%s)", what, clip(path, 1<<10), v.Code)
		} else if v.Later != "" {
			text = fmt.Sprintf("a tool call %s %s, inside the workspace, but %s", what, clip(path, 1<<10), v.Later)
		}
		if text != "" && g.first(t.session.Value+"\x00"+text) {
			g.ledger.journal.Note(journal.Event{
				Type: journal.FlaggedEvent, Dir: acp.Agent, Method: acp.MethodSessionUpdate, Session: t.session.Value, Text: text,
			})
		}
	}
}

func (g *flagger) first(key string) bool {
	if g.said[key] {
		return false
	}
	if len(g.said) >= maxSaid {
		clear(g.said)
	}
	g.said[key] = true
	return true
}
