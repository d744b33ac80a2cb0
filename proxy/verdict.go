package proxy

import (
	"fmt"
	"path/filepath"
	"strings"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/bounds"
	"bobproxy/proxy/broker"
)

// named is a path that a permission request, or the tool call it is about,
// names.
type named struct {
	path string
	want bounds.Access
	diff bool // a change of its content is shown
}

// maxPaths is how many paths of one request are looked at. A request that names
// more counts as one that leads outside.
const maxPaths = 1024

// verdict is what the bounds make of a permission request: the strictest of
// what it says itself and what was said of its tool call before.
func (g *gate) verdict(p acp.Permission, call session.Call, grants []session.Grant) broker.Verdict {
	v := broker.Verdict{Level: broker.LevelUnjudged, Paths: []broker.Path{}}
	if g.policy.Bounds == Off {
		v.Level, v.Text = broker.LevelOff, "bounds are off: no path was looked at"
		return v
	}
	edits := changes(p.Call.Kind.Value) || changes(call.Kind)
	paths := pathsOf(p, call, edits)
	outsideEdit, later := false, ""
	for i, n := range paths {
		if i == maxPaths {
			break
		}
		judged, what := g.look(n, grants)
		if !judged.Inside {
			outsideEdit = outsideEdit || n.diff || edits
		} else if what != "" && later == "" {
			later = what
		}
		v.Paths = append(v.Paths, judged)
	}
	more := len(paths) > maxPaths || call.More
	v.Level, v.Text = g.sum(v.Paths, more, later, firstOf(p.Call.Kind.Value, call.Kind), p.Command != "")
	v.Refuse = (outsideEdit || more && edits) && g.policy.Bounds == Enforce
	return v
}

// changes says that a kind of tool call changes files.
func changes(kind string) bool {
	switch kind {
	case "edit", "delete", "move":
		return true
	}
	return false
}

func pathsOf(p acp.Permission, call session.Call, edits bool) []named {
	want := bounds.Read
	if edits {
		want = bounds.Write
	}
	var all []named
	seen := map[named]bool{}
	add := func(path string, want bounds.Access, diff bool) {
		if n := (named{path, want, diff}); !seen[n] {
			seen[n] = true
			all = append(all, n)
		}
	}
	for _, l := range p.Call.Locations {
		add(l.Value, want, false)
	}
	for _, path := range call.Locations {
		add(path, want, false)
	}
	for _, d := range p.Call.Diffs {
		add(d.Path.Value, bounds.Write, true)
		if !d.OldPath.Missing() {
			add(d.OldPath.Value, bounds.Write, true)
		}
	}
	for _, d := range call.Diffs {
		add(d.Path, bounds.Write, true)
		if d.OldPath != "" {
			add(d.OldPath, bounds.Write, true)
		}
	}
	if p.Cwd != "" {
		add(p.Cwd, bounds.Write, false)
	}
	return all
}

// absolute is what a path in a tool call means: a relative one starts from the
// session's directory, as agents and editors take it.
func absolute(path string, grants []session.Grant) string {
	if path == "" || filepath.IsAbs(path) || len(grants) == 0 || strings.HasPrefix(path, "~") {
		return path
	}
	return strings.TrimSuffix(grants[0].Cwd, "/") + "/" + path
}

// look judges one path.
func (g *gate) look(n named, grants []session.Grant) (broker.Path, string) {
	path := absolute(n.path, grants)
	v, _ := check(grants, path, n.want)
	judged := broker.Path{Path: clip(n.path, 4<<10), Inside: v.Inside(), Target: v.Target}
	if !v.Inside() {
		judged.Reason = v.Code.String()
		return judged, ""
	}
	return judged, v.Later
}

// sum is the verdict in one word and one sentence.
func (g *gate) sum(paths []broker.Path, more bool, later, kind string, command bool) (broker.Level, string) {
	var out []string
	for _, p := range paths {
		if !p.Inside {
			out = append(out, p.Path)
		}
	}
	switch {
	case len(out) > 0:
		return broker.LevelOutside, "leads OUTSIDE the workspace: " + clip(strings.Join(out, ", "), 1<<10)
	case more:
		return broker.LevelOutside, "names more paths than were looked at: it may lead OUTSIDE the workspace"
	case later != "":
		return broker.LevelLater, "inside the workspace, but " + later
	case command || kind == "execute":
		return broker.LevelUnjudged, "a command: where it leads cannot be judged from its text"
	case len(paths) == 0:
		return broker.LevelUnjudged, "names no path: where it leads cannot be judged"
	case len(paths) == 1:
		return broker.LevelInside, "inside the workspace"
	}
	return broker.LevelInside, fmt.Sprintf("all %d paths are inside the workspace", len(paths))
}
