package proxy

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/bounds"
	"bobproxy/proxy/journal"
)

// flagger looks at the paths in updates, which tell what has happened and can
// be kept from nobody: what leads outside gets a word in the recording, once for
// each session. It does so behind the wire.
type flagger struct {
	journal *journal.Journal
	jobs    chan told
	ended   chan struct{}
	missed  atomic.Int64
	said    map[string]bool // session and words; starts over when it is full

	// Guarded by the ledger's lock. Agents tell of the same files over and over
	// while something goes on, so what was looked at a moment ago is not again.
	lately map[sight]bool
	since  time.Time
	files  []file // used again
}

// sight is a file that an update of a session named.
type sight struct {
	file
	session string
	replay  bool
}

// told is what an update tells of files, and what they must lie in.
type told struct {
	session string // as frames have it in the recording
	grants  []session.Grant
	files   []file
	size    int  // bytes of their paths
	more    bool // there were more than are looked at
	replay  bool // it may tell of long ago
}

// file is a path that an update names.
type file struct {
	path string
	want bounds.Access
	what string // "a tool call names", …
}

const (
	maxJobs = 256
	maxSaid = 4096
	maxTold = 64       // of each kind of path in one update
	maxPath = 4 << 10  // bytes of one, more than a path can have
	maxSize = 64 << 10 // bytes of all of them

	maxLately = 1024
	moment    = time.Second
)

func newFlagger(j *journal.Journal) *flagger {
	return &flagger{journal: j, jobs: make(chan told, maxJobs), ended: make(chan struct{}), said: map[string]bool{}, lately: map[sight]bool{}}
}

// update takes what a session/update says. What there is no room for is
// counted. It is called under the ledger's lock, which fold is guarded by.
func (g *flagger) update(now time.Time, fold *session.Fold, fact *session.Fact) {
	t := told{session: fact.Session, replay: fact.Replay, files: g.files[:0]}
	t.read(fact.Told)
	if g.files = t.files; !g.anew(now, &t) {
		return
	}
	t.files = slices.Clone(t.files)
	if t.grants, _ = fold.Grants(fact.Told.Session.Value); !judgeable(t.grants) {
		return
	}
	select {
	case g.jobs <- t:
	default:
		g.missed.Add(1)
	}
}

// anew says that t names a file that was not looked at a moment ago.
func (g *flagger) anew(now time.Time, t *told) (anew bool) {
	if now.Sub(g.since) >= moment || len(g.lately) > maxLately {
		clear(g.lately)
		g.since = now
	}
	see := func(f file) {
		if one := (sight{f, t.session, t.replay}); !g.lately[one] {
			g.lately[one] = true
			anew = true
		}
	}
	for _, f := range t.files {
		see(f)
	}
	if t.more {
		see(file{what: "more"})
	}
	return anew
}

// forget is for when sessions may have other roots. It is called under the
// ledger's lock.
func (g *flagger) forget() { clear(g.lately) }

// judgeable says that a path can be inside of grants. Of a session that gives no
// directory on this machine that was said when it began.
func judgeable(grants []session.Grant) bool {
	for _, grant := range grants {
		if set, _ := grant.Pin.(*bounds.Set); len(set.Paths()) > 0 {
			return true
		}
	}
	return false
}

func (t *told) read(u *acp.Update) {
	for _, l := range u.Call.Locations[:t.atMost(len(u.Call.Locations))] {
		t.add(l, bounds.Read, "a tool call names")
	}
	for _, d := range u.Call.Diffs[:t.atMost(len(u.Call.Diffs))] {
		t.add(d.Path, bounds.Write, "a tool call shows a change of")
		t.add(d.OldPath, bounds.Write, "a tool call shows a change of")
	}
	for _, uri := range u.Call.URIs[:t.atMost(len(u.Call.URIs))] {
		t.link(uri, "a tool call links to")
	}
	if u.Plan.OK {
		t.link(u.Plan.Value, "the agent keeps its plan in")
	}
	t.add(u.Cwd, bounds.Read, "the agent runs a terminal in")
}

func (t *told) atMost(n int) int {
	t.more = t.more || n > maxTold
	return min(n, maxTold)
}

func (t *told) add(path acp.String, want bounds.Access, what string) {
	if path.OK {
		t.put(path.Value, want, what)
	}
	t.more = t.more || path.Odd
}

func (t *told) link(uri, what string) {
	if path, ok := acp.FilePath(uri); ok {
		t.put(strings.Clone(path), bounds.Read, what) // the URI may be large
	}
}

func (t *told) put(path string, want bounds.Access, what string) {
	path = clip(path, maxPath)
	if t.size += len(path); t.size > maxSize {
		t.more = true
		return
	}
	t.files = append(t.files, file{path, want, what})
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
		g.journal.Note(journal.Event{Type: journal.WarningEvent, Text: fmt.Sprintf("the paths of %d updates were not looked at", n)})
	}
}

func (g *flagger) look(t told) {
	for _, f := range t.files {
		v, _ := check(t.grants, absolute(f.path, t.grants), f.want)
		switch path := clip(f.path, 1<<10); {
		case !v.Inside():
			g.flag(t, fmt.Sprintf("%s %q, which %s", f.what, path, v.Code.Text()))
		case v.Later != "":
			g.flag(t, fmt.Sprintf("%s %q, inside the workspace, but %s", f.what, path, v.Later))
		}
	}
	if t.more {
		g.flag(t, "a tool call names more paths than are looked at")
	}
}

// flag notes text unless it was said of the session before. Of what is told
// again while a session is loaded only the first is noted: it happened long ago,
// if it did, and yet nobody escapes notice by never ending a load.
func (g *flagger) flag(t told, text string) {
	key := t.session + "\x00" + text
	if t.replay {
		key = t.session + "\x00\x00"
		text = "told again while the session is loaded, and the only word about its past: " + text
	}
	if g.said[key] {
		return
	}
	if len(g.said) >= maxSaid {
		clear(g.said)
	}
	g.said[key] = true
	g.journal.Note(journal.Event{Type: journal.FlaggedEvent, Dir: acp.Agent, Method: acp.MethodSessionUpdate, Session: t.session, Text: text})
}
