package doctor

import "slices"

// Level is how bad a finding is.
type Level string

const (
	OK      Level = "ok"      // ✓
	Info    Level = "info"    // · worth knowing
	Warning Level = "warning" // ! weaker than it could be
	Problem Level = "problem" // × something does not work
)

// Mark is the level as one sign.
func (l Level) Mark() string {
	return map[Level]string{OK: "✓", Info: "·", Warning: "!", Problem: "×"}[l]
}

// Finding is what a check found.
type Finding struct {
	Level Level  `json:"level"`
	About string `json:"about"` // a word: bobproxy, agent, an editor's title, …
	Text  string `json:"text"`
	Fix   string `json:"fix,omitempty"` // what to do, a command where there is one
}

// findings are being collected, in their order.
type findings struct{ list []Finding }

func (f *findings) add(level Level, about, text, fix string) {
	f.list = append(f.list, Finding{level, about, text, fix})
}

// Examine makes all checks.
func Examine(v View) []Finding {
	var f findings
	for _, check := range []func(*findings, View){itself, agent, editors, scripts, sockets, recordings, config, settings, running, terminal} {
		check(&f, v)
	}
	return f.list
}

// Unseen is what no check looks at.
var Unseen = []string{
	"settings of single projects, such as .zed, .vscode and .dir-locals.el",
	"what Lua and Lisp do beyond the words that were found in them, and Vim script",
	"the settings of agents themselves",
	"editors on other machines and in containers",
}

// Quick makes those that need nothing but files.
func Quick(v View) []Finding {
	var f findings
	for _, check := range []func(*findings, View){itself, agent, editors, scripts} {
		check(&f, v)
	}
	return f.list
}

// Top are the n findings that matter most, in their order.
func Top(all []Finding, n int) (top []Finding) {
	keep := map[int]bool{}
	for _, level := range []Level{Problem, Warning, OK, Info} {
		for i, f := range all {
			if f.Level == level && len(keep) < n {
				keep[i] = true
			}
		}
	}
	for i, f := range all {
		if keep[i] {
			top = append(top, f)
		}
	}
	return top
}

// Count is how many findings there are of a level.
func Count(all []Finding, level Level) (n int) {
	for _, f := range all {
		if f.Level == level {
			n++
		}
	}
	return n
}

// oneOf says that a value is among others.
func oneOf(value string, others ...string) bool { return slices.Contains(others, value) }
