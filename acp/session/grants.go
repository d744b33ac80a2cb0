package session

import (
	"fmt"
	"strings"

	"bobproxy/acp"
)

const (
	maxDirs  = 1024      // directories of one grant
	maxPaths = 256 << 10 // bytes of their paths
	anyPath  = "no path can be judged in this session"
)

// Grant is what the client gave to one session.
type Grant struct {
	Cwd  string   // as the client wrote it; may be relative or empty
	Dirs []string // cwd, then additionalDirectories, as far as they are absolute paths; none when cwd is not
	Pin  any      // what the caller of Fold.With keeps with it; nil when there are no Dirs
}

func (g Grant) size() int {
	n := len(g.Cwd)
	for _, dir := range g.Dirs {
		n += len(dir)
	}
	return n
}

// Given is what s grants, without a Pin, and in plain sentences what is wrong
// with it. Entries that are no absolute paths are ignored, since relative ones
// belong to cwd alone and say nothing that another process could follow
// (agentclientprotocol.com/protocol/session-setup). A cwd that is none, or
// that peers could read differently, leaves nothing to judge a path by.
func Given(s acp.Setup) (g Grant, problems []string) {
	switch {
	case s.Reason != 0:
		return Grant{}, []string{"the directories can be read in more than one way; " + anyPath}
	case !s.Cwd.OK || s.Cwd.Value == "":
		return Grant{}, []string{"cwd is missing; " + anyPath}
	case len(s.Cwd.Value) > maxPaths:
		return Grant{}, []string{"cwd is too long; " + anyPath}
	case !absolute(s.Cwd.Value):
		return Grant{Cwd: s.Cwd.Value}, []string{fmt.Sprintf("cwd %s is not absolute; %s", quote(s.Cwd.Value), anyPath)}
	}
	g = Grant{Cwd: s.Cwd.Value, Dirs: []string{s.Cwd.Value}}
	bad, beyond := g.add(s.Dirs)
	if bad > 0 {
		problems = append(problems, fmt.Sprintf("additionalDirectories: %d of %d are no absolute paths and count for nothing", bad, len(s.Dirs)))
	}
	if beyond > 0 {
		problems = append(problems, fmt.Sprintf("additionalDirectories: the last %d of %d are too many and count for nothing", beyond, len(s.Dirs)))
	}
	return g, problems
}

// add adds those of dirs that can be, and counts the others.
func (g *Grant) add(dirs []acp.String) (bad, beyond int) {
	size := len(g.Cwd)
	for i, dir := range dirs {
		if !dir.OK || !absolute(dir.Value) {
			bad++
			continue
		}
		if size += len(dir.Value); size > maxPaths || len(g.Dirs) >= maxDirs {
			return bad, len(dirs) - i
		}
		g.Dirs = append(g.Dirs, dir.Value)
	}
	return bad, 0
}

// absolute says whether path starts at a root on some system: the agent's need
// not be ours.
func absolute(path string) bool {
	switch {
	case strings.HasPrefix(path, "/"), strings.HasPrefix(path, `\\`):
		return true
	case len(path) < 3 || path[1] != ':' || path[2] != '\\' && path[2] != '/':
		return false
	}
	letter := path[0] | 0x20
	return 'a' <= letter && letter <= 'z'
}

// quote shows a word from the wire, shortened.
func quote(s string) string {
	const limit = 80
	if len(s) > limit {
		return fmt.Sprintf("%q…", s[:limit])
	}
	return fmt.Sprintf("%q", s)
}

// Grants are those that a path of session, an id with its escapes resolved,
// must lie in, in all of them at once: the session's own, and what a load or
// resume that is under way would give it; a child has its parent's. Of a
// session that nobody knows, they are those of the session/new and
// session/fork requests under way, since it may be any of these. There are
// none when nothing was given.
func (f *Fold) Grants(session string) (grants []Grant, known bool) {
	f.name = appendKey(f.name[:0], session)
	if r := f.sessions.find(f.name); r != nil {
		return r.grants(), true
	}
	for _, s := range f.setups.all {
		if s.fresh {
			grants = append(grants, s.grant)
		}
	}
	return grants, false
}

// AllGrants are those of every session, oldest first, and then of every request
// under way: the strictest bounds, for a session that nobody has heard of.
func (f *Fold) AllGrants() []Grant {
	var all []Grant
	for _, r := range f.sessions.inOrder() {
		if r.open {
			all = append(all, r.grant)
		}
	}
	for _, s := range f.setups.all {
		all = append(all, s.grant)
	}
	return all
}
