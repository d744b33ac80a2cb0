package main

import (
	"fmt"
	"slices"
	"strings"
)

// verb is a command: one row of the table that the program obeys, and that help,
// completion and manual are made from.
type verb struct {
	name   string
	forms  []form
	own    bool // has a page of its own: its --help, and what help NAME shows
	passes bool // its arguments are another program's
	run    func(s *settings, args []string, std streams) int
}

// form is one way to use a command, and what that does.
type form struct{ args, text string }

// heading is a group of commands in the help.
type heading struct {
	title string
	verbs []verb
}

// headings are all commands. It is a function because the command help needs
// them.
func headings() []heading {
	return []heading{
		{"Between an editor and an agent", []verb{
			{name: "acp", forms: []form{{"[ARGS…]", "what the editor runs instead of: bob acp"}}, passes: true, run: runBob},
			{name: "run", forms: []form{{"[FLAGS] -- CMD…", "the same for any agent, such as: goose acp"}}, passes: true, run: runAgent},
		}},
		{"What runs, and what waits", []verb{
			{name: "panel", own: true, run: runPanel, forms: []form{
				{"", "watch all of them in a terminal, and answer"},
				{"SESSION|FILE", "look at one, or at a recording"},
			}},
			{name: "ps", own: true, run: remotely("ps"), forms: []form{{"", "the proxies that run, and their sessions"}}},
			{name: "pending", own: true, run: remotely("pending"), forms: []form{{"[--wait]", "the permissions that wait for an answer"}}},
			{name: "approve", own: true, run: remotely("approve"), forms: []form{{"REQ", "answer one with its option to allow once"}}},
			{name: "deny", own: true, run: remotely("deny"), forms: []form{{"REQ", "answer one with its option to reject once"}}},
			{name: "answer", own: true, run: remotely("answer"), forms: []form{{"REQ --option ID", "answer one with any option; add --standing if that allows more than this once"}}},
		}},
		{"Recordings", []verb{
			{name: "log", own: true, run: runLog, forms: []form{{"[SESSION|FILE]", "print one, or what a filter chooses of it; -f follows it"}}},
			{name: "replay", own: true, run: runReplay, forms: []form{{"FILE --as SIDE", "play its agent, or its client, to a live peer, and say what differs"}}},
			{name: "check", own: true, run: runCheck, forms: []form{{"[SESSION|FILE]", "where client and agent break the protocol, by rule"}}},
			{name: "stats", own: true, run: runStats, forms: []form{{"[SESSION|FILE]", "how long everything took, and how many bytes; --assert makes a test of it"}}},
			{name: "diff", own: true, run: runDiff, forms: []form{{"A B", "what is different between two, by what was said and done"}}},
			{name: "export", own: true, run: runExport, forms: []form{{"[SESSION|FILE]", "a copy to give away, without secrets: --html, --markdown, --jsonl or --otlp"}}},
			{name: "import", own: true, run: runImport, forms: []form{{"FILE", "a recording of what another program recorded"}}},
		}},
		{"Setting up", []verb{
			{name: "setup", own: true, run: runSetup, forms: []form{{"[EDITOR]", "the lines that make an editor start its agent through bobproxy; --write puts them in"}}},
			{name: "probe", own: true, run: runProbe, forms: []form{{"-- CMD…", "what an agent says of itself: its abilities, modes, commands, how fast it is"}}},
			{name: "doctor", own: true, run: runDoctor, forms: []form{{"", "what is wrong on this machine, and how to mend it"}}},
			{name: "selftest", own: true, run: runSelftest, forms: []form{{"[-- CMD…]", "whether bobproxy keeps its promises on this machine"}}},
			{name: "completion", own: true, run: runCompletion, forms: []form{{"SHELL", "what makes bash, zsh, fish or powershell complete all this"}}},
			{name: "config", own: true, run: runConfig, forms: []form{{"[FLAGS]", "the settings in force, and where each is from"}}},
		}},
		{"To try it", []verb{
			{name: "demo", own: true, run: runDemo, forms: []form{
				{"", "a scripted Bob repairs a small program, and asks you"},
				{"--escape", "he tries to get out of his workspace"},
			}},
			{name: "lab", own: true, run: runLab, forms: []form{{"agent|editor|new", "scripted agent and editor to aim your own at"}}},
		}},
		{"About bobproxy", []verb{
			{name: "version", own: true, forms: []form{{"[--json]", "its version, and what it was built from"}}, run: runVersion},
			{name: "man", own: true, forms: []form{{"[DIR]", "its man page, printed or written into a folder"}}, run: runMan},
			{name: "help", own: true, forms: []form{{"[COMMAND]", "this text, or a command's own"}}, run: helpWith},
		}},
	}
}

// remotely is a command that looks at running proxies or answers them.
func remotely(name string) func(*settings, []string, streams) int {
	return func(s *settings, args []string, std streams) int { return runRemote(name, args, s.lookup, std) }
}

// asking is the command that shells ask for names with. It is in no list.
const asking = "__complete"

// findVerb is the command of that name.
func findVerb(name string) (verb, bool) {
	if name == asking {
		return verb{name: name, run: runNames}, true
	}
	for _, h := range headings() {
		if i := slices.IndexFunc(h.verbs, func(v verb) bool { return v.name == name }); i >= 0 {
			return h.verbs[i], true
		}
	}
	return verb{}, false
}

// verbNames are the words that may follow bobproxy.
func verbNames() (names []string) {
	for _, h := range headings() {
		for _, v := range h.verbs {
			names = append(names, v.name)
		}
	}
	return names
}

// overview is all commands, by heading, for people.
func overview() string {
	const column = 35
	var b strings.Builder
	for _, h := range headings() {
		fmt.Fprintf(&b, "%s:\n\n", h.title)
		for _, v := range h.verbs {
			for _, f := range v.forms {
				left := strings.TrimSpace("  bobproxy " + v.name + " " + f.args)
				lines := inLines(f.text, 80-column)
				if len([]rune(left)) > column-4 {
					fmt.Fprintf(&b, "  %s\n", left)
				} else {
					fmt.Fprintf(&b, "  %-*s%s\n", column-2, left, lines[0])
					lines = lines[1:]
				}
				for _, line := range lines {
					fmt.Fprintf(&b, "%*s%s\n", column, "", line)
				}
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// inLines breaks text, which is ours, into lines of at most width cells.
func inLines(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}
