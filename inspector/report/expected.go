package report

import (
	"slices"
	"strings"

	"bobproxy/acp"
	"bobproxy/inspector/guess"
)

// Names that a measure may have besides those of methods.
var (
	toolKinds = []string{"read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"}
	answerers = []string{"client", "editor", "panel", "command", "timeout", "bounds", "cancel", "agent", "gone"}
)

// expected is what should stand in the place of text, which ParseMeasure gives as
// m, if anything; empty: m can be measured, or will be by a peer that is newer.
func expected(text string, m Measure, ok bool) string {
	switch {
	case !ok:
		return "a method, or one of " + strings.Join(measureWords(), " ")
	case m.Of == Tool && m.Name != "" && !strings.HasPrefix(m.Name, "_"):
		return oneOf(m.Name, "tool:", toolKinds)
	case m.Of == Permission && m.Name != "":
		return oneOf(m.Name, "permission:", answerers)
	case m.Of == Answer && !isMethod(m.Name):
		return meant(text, append(measureWords(), acp.MethodNames()...)) + "a method of ACP or an extension, or one of " + strings.Join(measureWords(), " ")
	case m.Of == Bytes && !isMethod(m.Name):
		return meant(m.Name, acp.MethodNames()) + "a method of ACP or an extension"
	}
	return ""
}

// oneOf is what is expected in the place of name, which should be one of names.
func oneOf(name, prefix string, names []string) string {
	if slices.Contains(names, name) {
		return ""
	}
	want := meant(name, names)
	if want != "" {
		want = prefix + want
	}
	return want + prefix + " and one of " + strings.Join(names, " ")
}

// measureWords are the words of all measures but methods.
func measureWords() (all []string) {
	for of := FirstToken; of <= Bytes; of++ {
		if all = append(all, words[of]); of == Bytes {
			all[len(all)-1] += ":METHOD"
		}
	}
	for _, c := range counts {
		all = append(all, c.word)
	}
	return all
}

// isMethod says that name is a method of ACP, or may be one of an extension or of
// a newer peer. It is none when it is a letter or two away from one of ACP.
func isMethod(name string) bool {
	if _, known := acp.FindMethod([]byte(name)); known {
		return true
	}
	const near = 2
	switch {
	case strings.HasPrefix(name, "_"):
		return true
	case !strings.Contains(name, "/") || len(name) > 256:
		return strings.Contains(name, "/")
	}
	return !slices.ContainsFunc(acp.MethodNames(), func(known string) bool { return guess.Distance(name, known) <= near })
}

// meant begins with the name that word is most like, if it is like one.
func meant(word string, names []string) string {
	if len(word) > 256 {
		return ""
	}
	for _, name := range names {
		if len(word) > 2 && strings.HasPrefix(name, word) {
			return name + ", or "
		}
	}
	if name := guess.Nearest(word, names); name != "" {
		return name + ", or "
	}
	return ""
}
