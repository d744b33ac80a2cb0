package setup

import (
	"path/filepath"
	"slices"
	"strings"
)

// Program is an editor whose settings are a program. Its files can be read for
// words; what it does with them only it knows.
type Program struct {
	Title    string
	Language string
	plugins  []Plugin
	files    []string // patterns, the main ones first
}

// Plugin is an extension that speaks ACP.
type Plugin struct {
	Name   string // as people call it
	Editor string // the name of its [Editor]
	word   string // that its users' files have
}

// Programs are those that are known.
var Programs = []Program{
	{
		Title: "Neovim", Language: "Lua",
		plugins: []Plugin{{"agentic.nvim", "neovim", "agentic"}, {"CodeCompanion", "codecompanion", "codecompanion"}, {"avante", "avante", "avante"}},
		files: append(
			under("$CONFIG/nvim", "init.lua", "lua/*.lua", "lua/*/*.lua", "lua/*/*/*.lua", "lua/*/*/*/*.lua", "plugin/*.lua", "after/plugin/*.lua"),
			under("~/AppData/Local/nvim", "init.lua", "lua/*.lua", "lua/*/*.lua", "lua/*/*/*.lua")...),
	},
	{
		Title: "Emacs", Language: "Lisp",
		plugins: []Plugin{{"agent-shell", "emacs", "agent-shell"}},
		files: slices.Concat(
			[]string{"~/.emacs", "~/.emacs.el", "~/.spacemacs"},
			under("~/.emacs.d", "*.el", "lisp/*.el", "site-lisp/*.el", "modules/*.el", "config/*.el"),
			under("$CONFIG/emacs", "*.el", "lisp/*.el", "modules/*.el", "config/*.el"),
			under("$CONFIG/doom", "*.el", "*/*.el"), under("~/.doom.d", "*.el", "*/*.el"), under("~/.spacemacs.d", "*.el"),
		),
	},
}

func under(dir string, patterns ...string) (all []string) {
	for _, p := range patterns {
		all = append(all, dir+"/"+p)
	}
	return all
}

// MostFiles is how many files of a program are read.
const MostFiles = 200

// Files are its files on this machine, at most [MostFiles]; more says that there
// are others. glob lists what matches a pattern.
func (p Program) Files(places Places, glob func(pattern string) []string) (files []string, more bool) {
	for _, pattern := range p.files {
		for _, file := range glob(places.path(pattern)) {
			switch {
			case slices.Contains(files, file):
			case len(files) == MostFiles:
				return files, true
			default:
				files = append(files, file)
			}
		}
	}
	return files, false
}

// Plugins are the extensions that are named among words.
func (p Program) Plugins(words []Word) (found []Plugin) {
	for _, plugin := range p.plugins {
		if slices.ContainsFunc(words, func(w Word) bool { return plugin.named(w.Text) }) {
			found = append(found, plugin)
		}
	}
	return found
}

// named says whether a word is the plugin's name, or begins with it: such as
// owner/avante.nvim, codecompanion_yolo_mode and agent-shell-goose-acp-command.
func (p Plugin) named(word string) bool {
	return strings.HasPrefix(strings.ToLower(word[strings.LastIndexByte(word, '/')+1:]), p.word)
}

// Words are the words of a file, by the language that its name says.
func (p Program) Words(file string, text []byte) []Word {
	if filepath.Ext(file) == ".lua" {
		return words(text, lua)
	}
	return words(text, lisp)
}
