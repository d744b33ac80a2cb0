package doctor

import (
	"fmt"
	"slices"
	"strings"

	"bobproxy/inspector/setup"
	"bobproxy/proxy"
)

// scripts are editors whose settings are programs. Words of them are read, which
// tell no more than that they are there.
func scripts(f *findings, v View) {
	for _, s := range v.Scripts {
		if len(s.Files) > 0 {
			examineScript(f, s)
		}
	}
}

func examineScript(f *findings, s Script) {
	r := reading{findings: f, title: s.Program.Title}
	var plugins []setup.Plugin
	for _, file := range s.Files {
		if file.Err != "" {
			f.add(Warning, r.title, file.Path+" cannot be read: "+file.Err, "")
			continue
		}
		words := s.Program.Words(file.Path, file.Text)
		found := s.Program.Plugins(words)
		if len(found) == 0 {
			continue
		}
		plugins = append(plugins, found...)
		r.file, r.words, r.editor = file.Path, words, found[0].Editor
		r.examine()
	}
	how := fmt.Sprintf("%s read for words only: %s is a program, and what it does is not known", wasRead(s), s.Program.Language)
	switch {
	case len(plugins) == 0:
		f.add(Info, r.title, "no plugin for agents that is known here is named; "+how, "")
	case r.starts == 0:
		f.add(Info, r.title, fmt.Sprintf("%s is named, but no command of an agent: those that it knows by itself go past bobproxy; %s", plugins[0].Name, how), "bobproxy setup "+plugins[0].Editor)
	default:
		f.add(Info, r.title, how, "")
	}
}

func wasRead(s Script) string {
	text := "1 file was"
	if n := len(s.Files); n > 1 {
		text = fmt.Sprintf("%d files were", n)
	}
	if s.More {
		return "there are more files, and " + text
	}
	return text
}

// reading is what is seen in the files of one editor.
type reading struct {
	*findings
	title, file, editor string
	words               []setup.Word
	starts, approvals   int

	// Of the file at hand.
	agents  []bool          // word by word, whether it is among agents
	defined map[string]bool // names of agents that it says how to start
	pairs   int             // that were looked at
}

// mostSaid is how many findings of a kind there are of one editor.
const mostSaid = 8

func (r *reading) at(w setup.Word) string { return fmt.Sprintf("%s:%d", r.file, w.Line) }

func (r *reading) examine() {
	r.prepare()
	for i := range r.words {
		if command := r.command(i); command != nil {
			r.start(command)
		}
		if agent, ok := r.provider(i); ok {
			r.start([]setup.Word{agent})
		}
	}
	r.approval()
}

// command is the command that word i introduces: a string, and those that follow
// up to the next one that has a command.
func (r *reading) command(i int) (argv []setup.Word) {
	if !r.introduces(i) {
		return nil
	}
	for _, w := range r.words[i+1 : min(i+1+mostArguments, len(r.words))] {
		switch {
		case w.String:
			argv = append(argv, w)
		case len(argv) == 0 && slices.Contains([]string{"=", "{", "(", "'", "`", "default", "list", "quote"}, w.Text):
		case len(argv) > 0 && slices.Contains([]string{"=", "{", "(", "'", ",", "args", ":command-params"}, w.Text):
		default:
			return argv
		}
	}
	return argv
}

// mostArguments is how many words behind one are looked at for its arguments.
const mostArguments = 40

// introduces says whether the command of an agent stands behind word i.
func (r *reading) introduces(i int) bool {
	w := r.words[i]
	if w.String {
		return false
	}
	if r.editor == "emacs" {
		return w.Text == ":command" && r.agents[i] || strings.HasPrefix(w.Text, "agent-shell") && strings.HasSuffix(w.Text, "-acp-command")
	}
	return oneOf(w.Text, "command", "commands") && r.agents[i]
}

// prepare finds the parts of the file that are about agents, and the names of
// those in them.
func (r *reading) prepare() {
	r.agents, r.defined, r.pairs = make([]bool, len(r.words)), map[string]bool{}, 0
	if r.editor == "emacs" {
		r.aroundClients()
		return
	}
	open := []bool{false} // for each brace that is open, whether it has agents
	for i, w := range r.words {
		inside := open[len(open)-1]
		switch {
		case w.String:
		case w.Text == "{":
			named := i >= 2 && r.words[i-1].Text == "=" && oneOf(r.words[i-2].Text, "acp_providers", "acp")
			open = append(open, inside || named)
		case w.Text == "}" && len(open) > 1:
			open = open[:len(open)-1]
		}
		r.agents[i] = inside
		if inside && r.names(i) {
			r.defined[w.Text] = true
		}
	}
}

// names says whether word i is the name of a member: name = or ["name"] =.
func (r *reading) names(i int) bool {
	behind := func(n int, sign string) bool { return i+n < len(r.words) && r.words[i+n].Text == sign }
	if r.words[i].String {
		return behind(1, "]") && behind(2, "=")
	}
	return behind(1, "=")
}

// aroundClients finds what is in reach of a call that makes a client.
func (r *reading) aroundClients() {
	reach := 0
	for i, w := range r.words {
		if !w.String && strings.Contains(w.Text, "make-acp-client") {
			reach = mostArguments
		}
		r.agents[i] = reach > 0
		reach--
	}
}

// builtIn are agents that plugins of Neovim know by themselves.
var builtIn = []string{
	"claude-code", "gemini-cli", "goose", "codex", "kimi-cli", "opencode", "auggie", // avante
	"claude_code", "gemini_cli", "kimi_cli", "auggie_cli", "cagent", "mistral_vibe", "kiro", "cline_cli", "copilot_acp", "cursor_cli", // CodeCompanion
	"claude-acp", "claude-agent-acp", "gemini-acp", "codex-acp", "opencode-acp", "cursor-acp", "copilot-acp", "auggie-acp", "mistral-vibe-acp", "cline-acp", "goose-acp", // agentic.nvim
}

// provider is the agent that word i chooses by a name, where nothing in the file
// says how that one is started.
func (r *reading) provider(i int) (setup.Word, bool) {
	if w := r.words[i]; w.String || !oneOf(w.Text, "provider", "adapter") || i+2 >= len(r.words) || r.words[i+1].Text != "=" {
		return setup.Word{}, false
	}
	name := r.words[i+2]
	return name, name.String && oneOf(name.Text, builtIn...) && !r.defined[name.Text]
}

// start says what is started.
func (r *reading) start(argv []setup.Word) {
	if r.starts++; r.starts > mostSaid {
		return
	}
	command := argv[0].Text
	if setup.Throughs(command) {
		r.add(OK, r.title, r.at(argv[0])+" names bobproxy", "")
	} else {
		level := Info
		if isBob(command) {
			level = Warning
		}
		r.add(level, r.title, fmt.Sprintf("%s names %s, which seems to be started by the editor itself, so nothing of it is seen here", r.at(argv[0]), command), "bobproxy setup "+r.editor)
	}
	if found := approvesArgs(argv); found != "" {
		r.approves(argv[0], found)
	}
}

// approvesArgs finds what only means something behind the name of a program.
func approvesArgs(argv []setup.Word) string {
	var all []string
	for _, w := range argv {
		all = append(all, w.Text)
	}
	if i := slices.Index(all, "--"); i >= 0 && i+1 < len(all) && setup.Throughs(all[0]) {
		all = all[i+1:]
	}
	for i := range all[1:] {
		if approvesWord(all[i], all[i+1]) != "" {
			return "" // is found anyway
		}
	}
	return proxy.AutoApproves(all, nil)
}

// approvesWord finds what means the same wherever it stands.
func approvesWord(word, next string) string {
	return proxy.AutoApproves([]string{"", word, next}, nil)
}

// byThemselves are words by which an editor answers permissions itself, with the
// one that stands behind.
var byThemselves = []struct{ name, value string }{
	{"auto_approve_tool_permissions", "true"}, {"auto_approve_tool_permissions", "{"},
	{"codecompanion_yolo_mode", "true"}, {"codecompanion_auto_tool_mode", "true"},
	{"agent-shell-permission-allow-always", ""},
}

// approval looks for everything that makes an agent, or the editor, approve by
// itself.
func (r *reading) approval() {
	agents := r.all()
	last := 0 // line of the newest finding; one for each is enough
	for i, w := range r.words {
		found := ""
		switch next := r.behind(i); {
		case w.Line == last:
			continue
		case w.String:
			if found = approvesWord(w.Text, ""); found == "" && next.String {
				found = approvesWord(w.Text, next.Text)
			}
			if name, value, ok := strings.Cut(w.Text, "="); ok && found == "" {
				found = r.variable(agents, name, value)
			}
			if next.String && found == "" {
				found = r.variable(agents, w.Text, next.Text)
			}
		case next.String:
			found = r.variable(agents, w.Text, next.Text)
		}
		if r.editorApproves(i) {
			found = w.Text
		}
		if found != "" {
			r.approves(w, found)
			last = w.Line
		}
	}
}

// behind is the word that stands for a value behind word i.
func (r *reading) behind(i int) setup.Word {
	for _, w := range r.words[i+1 : min(i+4, len(r.words))] {
		if w.String || !oneOf(w.Text, "=", ",", "]") {
			return w
		}
	}
	return setup.Word{}
}

func (r *reading) editorApproves(i int) bool {
	for _, b := range byThemselves {
		if !r.words[i].String && r.words[i].Text == b.name && (b.value == "" || r.behind(i).Text == b.value) {
			return true
		}
	}
	return false
}

// all are the words of a file as one text, which has the names of agents.
func (r *reading) all() string {
	var b strings.Builder
	for _, w := range r.words {
		if len(w.Text) > 3 && b.Len() < 64<<10 {
			b.WriteString(w.Text + " ")
		}
	}
	return b.String()
}

// mostPairs is how many words of a file are taken for variables.
const mostPairs = 500

// variable finds a variable that makes one of the agents approve.
func (r *reading) variable(agents, name, value string) string {
	if strings.ToUpper(name) != name || !strings.Contains(name, "_") || r.pairs >= mostPairs {
		return ""
	}
	r.pairs++
	return proxy.AutoApproves([]string{"", " " + agents}, []string{name + "=" + value})
}

func (r *reading) approves(w setup.Word, found string) {
	if r.approvals++; r.approvals <= mostSaid {
		r.add(Warning, r.title, fmt.Sprintf("%s has %s: where that is in force permissions are approved without anybody being asked", r.at(w), found), "leave that out of "+r.file)
	}
}
