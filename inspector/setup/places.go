package setup

import (
	"path/filepath"
	"strings"
)

// Places are the folders of a user.
type Places struct {
	Home   string
	Config string // $XDG_CONFIG_HOME, or empty
	OS     string // as GOOS
}

// path is a pattern of the table as a path.
func (p Places) path(pattern string) string {
	if rest, ok := strings.CutPrefix(pattern, "~/"); ok {
		return filepath.Join(p.Home, rest)
	}
	if rest, ok := strings.CutPrefix(pattern, "$CONFIG/"); ok {
		if filepath.IsAbs(p.Config) {
			return filepath.Join(p.Config, rest)
		}
		return filepath.Join(p.Home, ".config", rest)
	}
	return pattern
}

// Config is the file that the editor reads its agents from, where it is JSON;
// else empty.
func (e Editor) Config(p Places) string {
	pattern, ok := e.config[p.OS]
	if !ok {
		pattern, ok = e.config[""]
	}
	if !ok {
		return ""
	}
	return p.path(pattern)
}

// Sign is what shows that the editor is on this machine; empty: nothing does.
// glob lists what matches a pattern, program looks a name up in PATH.
func (e Editor) Sign(p Places, glob func(pattern string) []string, program func(name string) string) string {
	for _, name := range e.programs {
		if file := program(name); file != "" {
			return file
		}
	}
	for _, pattern := range e.places {
		if found := glob(p.path(pattern)); len(found) > 0 {
			return found[0]
		}
	}
	return ""
}

// plugin is where the usual plugin managers of Neovim put a plugin.
func plugin(name string) []string {
	return []string{
		"~/.local/share/nvim/lazy/" + name,
		"~/.local/share/nvim/site/pack/*/*/" + name,
		"~/.local/share/nvim/plugged/" + name,
		"~/.vim/plugged/" + name,
	}
}
