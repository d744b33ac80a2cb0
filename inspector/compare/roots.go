package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bobproxy/acp"
)

// root is a directory and what it is called in both recordings.
type root struct{ path, name string }

// maxRoots is how many directories of a session are replaced.
const maxRoots = 16

// rootsOf are the directories that a client gives to a session. The first one is
// called . and the others (dir 2), (dir 3) and so on.
func rootsOf(params []byte) (roots []root) {
	setup := acp.ReadSetup(params)
	add := func(path string) {
		if path = strings.TrimRight(path, `/\`); len(path) > 1 && len(roots) < maxRoots {
			name := "."
			if len(roots) > 0 {
				name = fmt.Sprintf("(dir %d)", len(roots)+1)
			}
			roots = append(roots, root{path, name})
		}
	}
	add(setup.Cwd.Value)
	for _, dir := range setup.Dirs {
		add(dir.Value)
	}
	// Those further down come first, since they lie in others.
	slices.SortStableFunc(roots, func(a, b root) int { return cmp.Compare(len(b.path), len(a.path)) })
	return roots
}

// mapped is text with the names of roots instead of their paths.
func mapped(roots []root, text string) string {
	for _, r := range roots {
		if strings.Contains(text, r.path) {
			text = replaced(text, r)
		}
	}
	return text
}

// replaced replaces one root where it stands alone, and not within a longer name.
func replaced(text string, r root) string {
	var b strings.Builder
	for {
		i := strings.Index(text, r.path)
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		end := i + len(r.path)
		b.WriteString(text[:i])
		if i > 0 && inName(text[i-1]) || end < len(text) && inName(text[end]) {
			b.WriteString(r.path)
		} else {
			b.WriteString(r.name)
		}
		text = text[end:]
	}
}

func inName(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}
