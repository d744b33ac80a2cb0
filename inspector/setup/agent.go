package setup

import (
	"path/filepath"
	"strings"

	"bobproxy/inspector/setup/jsonc"
)

// Agent is what an editor is to start.
type Agent struct {
	Name string   // as the editor shows it
	Self string   // path of bobproxy
	Bob  string   // path of the bob to start; empty: bobproxy looks for it
	Argv []string // the command of another agent; nil: bob
	Path string   // PATH for it; empty: the editor's own
}

// Args are the arguments of bobproxy where the environment can be set as well.
func (a Agent) Args() []string {
	if a.Argv != nil {
		return append([]string{"run", "--"}, a.Argv...)
	}
	return []string{"acp"}
}

// flagged are the arguments where nothing else can be set.
func (a Agent) flagged() []string {
	if a.Argv == nil && a.Bob != "" {
		return []string{"--bob", a.Bob, "acp"}
	}
	return a.Args()
}

// env is what has to be in the environment.
func (a Agent) env() (all jsonc.Object) {
	if a.Argv == nil && a.Bob != "" {
		all = append(all, jsonc.Member{Name: "BOB_PATH", Value: a.Bob})
	}
	if a.Path != "" {
		all = append(all, jsonc.Member{Name: "PATH", Value: a.Path})
	}
	return all
}

// slug is the name as a word of small letters.
func (a Agent) slug() string {
	word := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return ' '
	}, strings.ToLower(a.Name))
	if word = strings.Join(strings.Fields(word), "-"); word != "" {
		return word
	}
	return "agent"
}

// Throughs says whether a command is bobproxy, by its name.
func Throughs(command string) bool {
	base := strings.TrimSuffix(filepath.Base(strings.ReplaceAll(command, `\`, "/")), ".exe")
	return base == "bobproxy"
}
