package home

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

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

// minutes is a span as m:ss.
func minutes(d time.Duration) string {
	s := int(max(d, 0) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// age is a span in one unit.
func age(d time.Duration) string {
	switch {
	case d < 2*time.Second:
		return "now"
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d/time.Second))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d/time.Minute))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d/time.Hour))
	}
	return fmt.Sprintf("%dd", int(d/(24*time.Hour)))
}
