package bounds

import (
	"slices"
	"strings"
	"unicode"
)

// The tables have the names that programs on this machine look for in a project
// and act on without being told to: a file written there takes effect later,
// with the rights of whoever starts the program. What somebody has to start by
// name (a makefile, a package's scripts) is not here, nor what runs on other
// machines, nor prose that agents read.

// actedDirs are directories: all that is in them counts, and they themselves.
var actedDirs = map[string]string{
	".husky":        "git runs it",
	".githooks":     "git runs it",
	".vscode":       "VS Code acts on it",
	".devcontainer": "VS Code acts on it",
	".idea":         "JetBrains editors act on it",
	".fleet":        "JetBrains editors act on it",
	".zed":          "Zed acts on it",
	".mise":         "mise acts on it",
	".claude":       "Claude Code acts on it",
	".codex":        "Codex acts on it",
	".gemini":       "Gemini CLI acts on it",
	".qwen":         "Qwen Code acts on it",
	".cursor":       "Cursor acts on it",
	".bob":          "Bob acts on it",
	".agents":       "coding agents act on it",
	".amazonq":      "Amazon Q acts on it",
	".augment":      "Augment acts on it",
	".cline":        "Cline acts on it",
	".continue":     "Continue acts on it",
	".crush":        "Crush acts on it",
	".goose":        "goose acts on it",
	".junie":        "Junie acts on it",
	".kiro":         "Kiro acts on it",
	".opencode":     "opencode acts on it",
	".roo":          "Roo Code acts on it",
	".windsurf":     "Windsurf acts on it",
	".ssh":          "ssh acts on it",
}

// actedFiles are files.
var actedFiles = map[string]string{
	".git":                    "it tells git where its hooks and settings are",
	".gitconfig":              "git runs commands that it names",
	".pre-commit-config.yaml": "git runs commands that it names",
	"lefthook.yml":            "git runs commands that it names",
	"lefthook.yaml":           "git runs commands that it names",
	".lefthook.yml":           "git runs commands that it names",
	".lefthook.yaml":          "git runs commands that it names",
	".devcontainer.json":      "VS Code acts on it",
	".exrc":                   "Vim runs it",
	".vimrc":                  "Vim runs it",
	".nvimrc":                 "Vim runs it",
	".nvim.lua":               "Vim runs it",
	".dir-locals.el":          "Emacs acts on it",
	".dir-locals-2.el":        "Emacs acts on it",
	".envrc":                  "direnv runs it",
	"mise.toml":               "mise acts on it",
	".mise.toml":              "mise acts on it",
	"mise.local.toml":         "mise acts on it",
	".mise.local.toml":        "mise acts on it",
	".mcp.json":               "agents start the servers that it names",
	"opencode.json":           "opencode acts on it",
	"opencode.jsonc":          "opencode acts on it",
	".profile":                "the shell runs it",
	".bashrc":                 "the shell runs it",
	".bash_profile":           "the shell runs it",
	".bash_login":             "the shell runs it",
	".bash_logout":            "the shell runs it",
	".bash_aliases":           "the shell runs it",
	".zshrc":                  "the shell runs it",
	".zshenv":                 "the shell runs it",
	".zprofile":               "the shell runs it",
	".zlogin":                 "the shell runs it",
	".zlogout":                "the shell runs it",
}

// gitFiles are files at any depth below .git, where modules and worktrees have
// their own.
var gitFiles = map[string]string{
	"config":          "git runs commands that it names",
	"config.worktree": "git runs commands that it names",
	"git-rebase-todo": "git runs commands that it names",
	"commondir":       "it tells git where its hooks and settings are",
	"gitdir":          "it tells git where its hooks and settings are",
}

// configDirs are directories in .config.
var configDirs = map[string]string{
	"git":       "git runs commands that it names",
	"fish":      "the shell runs it",
	"autostart": "it is started at login",
	"systemd":   "it is started at login",
}

// noteLater looks at the way as it is spelled now. At a link it is called with
// the link's name, before that is replaced: who plants .git/hooks as a link
// writes hooks through it. A workspace may hold repositories, so the names count
// at any depth below the outermost root.
func (w *walker) noteLater(linkName *string) {
	if w.access == Read || w.set == nil || w.later != "" {
		return
	}
	from := slices.IndexFunc(w.steps, w.set.writable)
	if from < 0 {
		return
	}
	var names []string
	for _, s := range w.steps[from+1:] {
		names = append(names, fold(s.name))
	}
	if linkName != nil {
		names = append(names, fold(*linkName))
		for name := range strings.SplitSeq(w.rest, separator) {
			if name != "" && name != "." {
				names = append(names, fold(name))
			}
		}
	}
	w.later = later(names)
}

func (s *Set) writable(at step) bool {
	return slices.ContainsFunc(s.roots, func(r root) bool { return !r.ReadOnly && r.id.same(at.identity) })
}

// later says who acts on the file with these names, folded, from the root down.
func later(names []string) (words string) {
	inGit := false
	for i, name := range names {
		rest := names[i+1:]
		switch {
		case len(rest) == 0 && actedFiles[name] != "":
			return actedFiles[name]
		case len(rest) == 0 && inGit && gitFiles[name] != "":
			return gitFiles[name]
		case inGit && name == "hooks":
			return "git runs it"
		case name == ".config" && len(rest) > 0 && configDirs[rest[0]] != "":
			return configDirs[rest[0]]
		case actedDirs[name] != "" && !worktree(rest):
			return actedDirs[name]
		}
		inGit = inGit || name == ".git"
	}
	return ""
}

// worktree says whether rest, in an agent's directory, is a whole checkout,
// which some of them keep there and which is no setting.
func worktree(rest []string) bool { return len(rest) > 1 && rest[0] == "worktrees" }

// fold makes one of all spellings that some file system takes for the same
// name: letters in either case, characters that are not seen, and, on Windows,
// dots and blanks at the end, streams and the short name of .git.
func fold(name string) string {
	name, _, _ = strings.Cut(name, ":")
	name = strings.TrimRight(strings.Map(foldRune, name), ". ")
	if name == "git~1" {
		return ".git"
	}
	return name
}

// foldRune gives the letters that differ by case alone one form, and drops what
// HFS+ ignores in names.
func foldRune(r rune) rune {
	switch {
	case 0x200c <= r && r <= 0x200f, 0x202a <= r && r <= 0x202e, 0x206a <= r && r <= 0x206f, r == 0xfeff:
		return -1
	case 'A' <= r && r <= 'Z':
		return r - 'A' + 'a'
	case r < 0x80:
		return r
	}
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return unicode.ToLower(least)
}
