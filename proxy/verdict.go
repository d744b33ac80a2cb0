package proxy

import (
	"fmt"
	"path/filepath"
	"slices"
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
	link bool // only a URI in what is shown names it
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
	paths, used := pathsOf(p, call, edits)
	outsideEdit, later := false, ""
	var linked []bool // of each of v.Paths: it is only linked to
	for i, n := range paths {
		if i == maxPaths {
			break
		}
		judged, what := g.look(n, grants)
		if !judged.Inside {
			outsideEdit = outsideEdit || n.diff || edits && !n.link
		} else if what != "" && later == "" {
			later = what
		}
		if i := slices.Index(v.Paths, judged); i < 0 {
			v.Paths, linked = append(v.Paths, judged), append(linked, n.link)
		} else {
			linked[i] = linked[i] && n.link
		}
	}
	more := used > maxPaths || call.More
	v.Level, v.Text = g.sum(v.Paths, linked, more || len(paths) > maxPaths || call.MoreFiles, later, firstOf(p.Call.Kind.Value, call.Kind), p.Command != "")
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

// pathsOf gives the paths that are used, and how many these are, and then those
// that are only linked to in what is shown.
func pathsOf(p acp.Permission, call session.Call, edits bool) (all []named, used int) {
	want := bounds.Read
	if edits {
		want = bounds.Write
	}
	seen := map[named]bool{}
	put := func(n named) {
		if !seen[n] {
			seen[n] = true
			all = append(all, n)
		}
	}
	add := func(path string, want bounds.Access, diff bool) { put(named{path, want, diff, false}) }
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
	used = len(all)
	for _, uris := range [][]string{p.Call.URIs, call.Files} {
		for _, uri := range uris {
			if path, ok := acp.FilePath(uri); ok {
				put(named{path, bounds.Read, false, true})
			}
		}
	}
	return all, used
}

// absolute is what a path in a tool call means: a relative one starts from the
// session's directory, as agents and editors take it, and a file: URI in its
// place is taken for one. While there is more than one directory that it could
// start from it stays as it is, and is in none.
func absolute(path string, grants []session.Grant) string {
	if file, ok := acp.FilePath(path); ok {
		return file
	}
	if path == "" || filepath.IsAbs(path) || len(grants) == 0 || strings.HasPrefix(path, "~") {
		return path
	}
	for _, grant := range grants {
		if grant.Cwd != grants[0].Cwd {
			return path
		}
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

// sum is the verdict in one word and one sentence. Links that are inside make
// nothing inside: what is asked for may be elsewhere.
func (g *gate) sum(paths []broker.Path, linked []bool, more bool, later, kind string, command bool) (broker.Level, string) {
	var out, links []string
	used := 0
	for i, p := range paths {
		if !linked[i] {
			used++
		}
		switch {
		case p.Inside:
		case linked[i]:
			links = append(links, p.Path)
		default:
			out = append(out, p.Path)
		}
	}
	switch {
	case len(out) > 0:
		return broker.LevelOutside, "leads OUTSIDE the workspace: " + clip(strings.Join(out, ", "), 1<<10)
	case len(links) > 0:
		return broker.LevelOutside, "shows a link that leads OUTSIDE the workspace: " + clip(strings.Join(links, ", "), 1<<10)
	case more:
		return broker.LevelOutside, "names more paths than bobproxy looks at: it may lead OUTSIDE the workspace"
	case later != "":
		return broker.LevelLater, "inside the workspace, but " + later
	case command || kind == "execute":
		return broker.LevelUnjudged, "a command: where it leads cannot be judged from its text"
	case used == 0:
		return broker.LevelUnjudged, "names no path: where it leads cannot be judged"
	case used == 1:
		return broker.LevelInside, "inside the workspace"
	}
	return broker.LevelInside, fmt.Sprintf("all %d paths are inside the workspace", used)
}
