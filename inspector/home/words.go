package home

import (
	"path/filepath"
	"strings"
	"time"

	"bobproxy/inspector/lapse"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/proxy/control"
)

// program is how a peer calls itself.
func program(p control.Program) string {
	if p.Title != "" {
		return p.Title
	}
	return p.Name
}

// agentName is how the agent calls itself, or its program as long as it has not.
func agentName(p *model.Proxy) string {
	if name := program(p.Agent); name != "" || len(p.State.Command) == 0 {
		return name
	}
	return filepath.Base(p.State.Command[0])
}

// folder is where a session works.
func folder(s *model.Session) string {
	if s.Cwd != "" {
		return s.Cwd
	}
	return s.Proxy.State.Cwd
}

// short is a path with ~ for the home folder.
func short(path, home string) string {
	if home == "" {
		return path
	}
	if path == home {
		return "~"
	}
	if rest, ok := strings.CutPrefix(path, strings.TrimSuffix(home, "/")+"/"); ok {
		return filepath.Join("~", rest)
	}
	return path
}

// head is the beginning of text, more than any row has room for.
func head(text string) string { return text[:min(len(text), 1024)] }

// tailOf is the end of a path, from one of its folders on, that fits into a
// width; the first part of it is all that is sure to be shown when none does.
func tailOf(path string, width int) string {
	if paint.Width(path) <= width {
		return path
	}
	last := filepath.Base(path)
	for i := max(len(path)-width, 0); i < len(path); i++ {
		if path[i] == '/' && paint.Width(path[i:])+1 <= width {
			return "…" + path[i:]
		}
	}
	return last
}

// pathLines is a path in lines of a width, broken behind its folders where that
// can be.
func pathLines(role paint.Role, path string, width int) (lines []paint.Line) {
	rest := path
	for paint.Width(rest) > width {
		at := 0
		for i := 0; i < len(rest) && i < 4*width; i++ {
			if rest[i] == '/' && i > 0 && paint.Width(rest[:i+1]) <= width {
				at = i + 1
			}
		}
		if at == 0 {
			break
		}
		lines = append(lines, paint.Clean(role, rest[:at]))
		rest = rest[at:]
	}
	return append(lines, paint.Clean(role, rest).Break(width)...)
}

// tail is the last n characters of an id.
func tail(id string, n int) string {
	if runes := []rune(id); len(runes) > n {
		return "…" + string(runes[len(runes)-n:])
	}
	return id
}

// ago is how long ago something was, in one unit.
func ago(d time.Duration) string {
	if d < 2*time.Second {
		return "now"
	}
	return lapse.Age(d)
}
