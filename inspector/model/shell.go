package model

import (
	"path"
	"slices"
	"strings"
)

// shells are programs that run the line behind -c, and systems the folders in
// which they are the system's own. Any other program of such a name may do
// something else with it.
var (
	shells  = []string{"sh", "ash", "bash", "dash", "fish", "ksh", "mksh", "zsh"}
	systems = []string{".", "/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/run/current-system/sw/bin"}
)

// inShell is the line that words have a shell run, when they do nothing else: a
// word behind the line would be no part of it.
func inShell(words []string) (line string, ok bool) {
	last := len(words) - 1
	if last < 2 || !isShell(words[0]) {
		return "", false
	}
	for i, flags := range words[1:last] {
		if !plainFlags(flags) || strings.Contains(flags, "c") != (i == last-2) {
			return "", false
		}
	}
	return words[last], true
}

func isShell(program string) bool {
	named := slices.Contains(shells, path.Base(program))
	return named && slices.Contains(systems, path.Dir(program)) && !strings.HasPrefix(program, ".")
}

// plainFlags says that a word is flags of a shell that change nothing of what it
// runs.
func plainFlags(word string) bool {
	return len(word) > 1 && word[0] == '-' && strings.Trim(word[1:], "ceilux") == ""
}
