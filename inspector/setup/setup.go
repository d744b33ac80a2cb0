package setup

import (
	"slices"
	"strings"

	"bobproxy/inspector/setup/jsonc"
)

// Editor is a client of ACP, and how it is set up.
type Editor struct {
	Name  string   // as a word of the command line
	Also  []string // other such words
	Title string   // as people call it
	File  string   // where the snippet belongs, ~ being the home folder
	Then  string   // what to do besides; empty: nothing

	// Of those that are set up in JSON.
	in     []string // the members that lead to the agents
	alone  bool     // the snippet is all that a file needs
	entry  func(Agent) jsonc.Object
	config map[string]string // the file by operating system; "": on all others

	language string             // of the program that the settings are, of all others; empty: there are none
	text     func(Agent) string // what to put there
	places   []string           // one of them is there where the editor is
	programs []string           // or one of them in PATH
}

// Editable says that bobproxy can write the editor's file, for it is JSON.
func (e Editor) Editable() bool { return e.entry != nil }

// Language is what the editor's settings are written in, where they are a
// program; empty: they are not, or there are none.
func (e Editor) Language() string { return e.language }

// Snippet is what to put into the file for bob, with the absolute paths of
// bobproxy and of the bob that it is to start; an empty bob is looked for by
// bobproxy itself.
func (e Editor) Snippet(self, bob string) string {
	return e.Text(Agent{Name: "Bob", Self: self, Bob: bob})
}

// Text is what to put into the file.
func (e Editor) Text(a Agent) string {
	if !e.Editable() {
		return e.text(a)
	}
	var value any = jsonc.Object{{Name: e.label(a), Value: e.entry(a)}}
	for _, name := range slices.Backward(e.in[1:]) {
		value = jsonc.Object{{Name: name, Value: value}}
	}
	object := jsonc.Object{{Name: e.in[0], Value: value}}
	text := object.Text("", "  ", "\n")
	if e.alone {
		return text + "\n"
	}
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimSuffix(strings.TrimPrefix(text, "{\n"), "\n}"), "\n") {
		b.WriteString(strings.TrimPrefix(line, "  ") + "\n")
	}
	return b.String()
}

// label is the name of an agent in the editor's file.
func (e Editor) label(a Agent) string {
	if e.Name == "acpx" { // typed on a command line
		return a.slug()
	}
	return a.Name
}

// Next is what to do when the lines are in the file; empty: nothing.
func (e Editor) Next(a Agent) string {
	return strings.Replace(e.Then, "acpx bob", "acpx "+a.slug(), 1)
}

// Put is a file's text with the agent in it, and all else as it was. An error
// says why that cannot be done.
func (e Editor) Put(text []byte, a Agent) ([]byte, error) {
	return jsonc.Set(text, append(slices.Clone(e.in), e.label(a)), e.entry(a))
}

// Named finds an editor by one of its names.
func Named(name string) (Editor, bool) {
	for _, e := range Editors {
		if e.Name == name || slices.Contains(e.Also, name) {
			return e, true
		}
	}
	return Editor{}, false
}

// Editors are those that are known.
var Editors = []Editor{
	{
		Name: "zed", Title: "Zed", File: "~/.config/zed/settings.json", Then: "choose the agent in the agent panel; no restart is needed",
		in: []string{"agent_servers"}, entry: typed,
		config: map[string]string{"": "$CONFIG/zed/settings.json", "darwin": "~/.config/zed/settings.json", "windows": "~/AppData/Roaming/Zed/settings.json"},
		places: []string{"$CONFIG/zed", "~/.config/zed", "/Applications/Zed.app", "~/AppData/Roaming/Zed"}, programs: []string{"zed", "zeditor", "zed-editor"},
	},
	{
		Name: "jetbrains", Title: "JetBrains", File: "~/.jetbrains/acp.json", Then: "choose the agent in AI Chat",
		in: []string{"agent_servers"}, entry: command, alone: true,
		config: map[string]string{"": "~/.jetbrains/acp.json"},
		places: []string{"~/.jetbrains", "$CONFIG/JetBrains", "~/Library/Application Support/JetBrains"},
	},
	{
		Name: "neovim", Also: []string{"agentic", "agentic.nvim", "nvim"}, Title: "Neovim", File: "~/.config/nvim/init.lua, for agentic.nvim",
		language: "Lua", text: agentic, places: append(plugin("agentic.nvim"), "$CONFIG/nvim", "~/AppData/Local/nvim"),
	},
	{
		Name: "codecompanion", Also: []string{"codecompanion.nvim"}, Title: "CodeCompanion", File: "~/.config/nvim/init.lua, for codecompanion.nvim",
		language: "Lua", text: codecompanion, places: plugin("codecompanion.nvim"),
	},
	{
		Name: "avante", Also: []string{"avante.nvim"}, Title: "Avante", File: "~/.config/nvim/init.lua, for avante.nvim",
		language: "Lua", text: avante, places: plugin("avante.nvim"),
	},
	{
		Name: "emacs", Also: []string{"agent-shell"}, Title: "Emacs", File: "~/.emacs.d/init.el, for agent-shell",
		Then: "start it with M-x agent-shell", language: "Lisp", text: agentShell,
		places: []string{
			"~/.emacs.d/elpa/agent-shell*", "~/.config/emacs/elpa/agent-shell*", "~/.emacs.d/straight/repos/agent-shell", "~/.config/emacs/.local/straight/repos/agent-shell",
			"~/.emacs.d", "~/.emacs", "~/.emacs.el", "~/.spacemacs", "$CONFIG/emacs", "$CONFIG/doom", "~/.doom.d",
		},
	},
	{
		Name: "vscode", Also: []string{"code"}, Title: "VS Code", File: "settings.json, for the extension ACP Client",
		Then: `leave "acp.autoApprovePermissions" at "ask": nobody else sees what the editor approves by itself`,
		in:   []string{"acp.agents"}, entry: command,
		config: map[string]string{"": "$CONFIG/Code/User/settings.json", "darwin": "~/Library/Application Support/Code/User/settings.json", "windows": "~/AppData/Roaming/Code/User/settings.json"},
		places: []string{"$CONFIG/Code/User", "~/Library/Application Support/Code/User", "~/AppData/Roaming/Code/User"}, programs: []string{"code"},
	},
	{
		Name: "acpx", Title: "acpx", File: "~/.acpx/config.json", Then: "run: acpx bob 'review this'",
		in: []string{"agents"}, entry: argv, alone: true,
		config: map[string]string{"": "~/.acpx/config.json"},
		places: []string{"~/.acpx"}, programs: []string{"acpx"},
	},
	{
		Name: "toad", Title: "toad", File: "a shell, in the project's folder", text: toad, programs: []string{"toad"},
	},
}
