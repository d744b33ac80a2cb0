package doctor

import (
	"reflect"
	"strings"
	"testing"

	"bobproxy/inspector/setup"
)

// read is what is found in one file of an editor, each as its mark and what it
// is about.
func read(title, file, text string) (all []string) {
	for _, p := range setup.Programs {
		if p.Title == title {
			v := View{Scripts: []Script{{Program: p, Files: []ScriptFile{{Path: file, Text: []byte(text)}}}}}
			var f findings
			scripts(&f, v)
			for _, each := range f.list {
				all = append(all, each.Level.Mark()+" "+each.Text)
			}
		}
	}
	return all
}

func TestScripts(t *testing.T) {
	const avante = `require("avante").setup({ acp_providers = { x = { command = `
	for _, tt := range []struct {
		name, editor, text string
		want               []string // beginnings
	}{
		{"nothing of ours", "Neovim", `vim.o.number = true; command = "npx"`, []string{"· no plugin for agents"}},
		{"a direct agent", "Neovim", avante + `"npx", args = { "gemini" } } } })`, []string{"· f:1 names npx, ", "· 1 file was"}},
		{"bob", "Neovim", avante + `"/opt/bob" } } })`, []string{"! f:1 names /opt/bob, ", "· 1 file was"}},
		{"through bobproxy", "Neovim", "\n" + avante + `[[/b/bobproxy]], args = { "run", "--", "goose" } } } })`, []string{"✓ f:2 names bobproxy", "· 1 file was"}},
		{"yolo behind bobproxy", "Neovim", avante + `"/b/bobproxy", args = { "run", "--", "gemini", "-y" } } } })`, []string{"✓ f:1", "! f:1 has -y: ", "· 1 file was"}},
		{"a mode in the environment", "Neovim", avante + `"npx", args = { "claude-code-acp" },` + "\n" + `env = { ACP_PERMISSION_MODE = "bypassPermissions" } } } })`,
			[]string{"· f:1 names npx", "! f:2 has ACP_PERMISSION_MODE in the environment", "· 1 file was"}},
		{"an option of two words", "Neovim", avante + `"x", args = { "--approval-mode", "yolo" } } } })`, []string{"· f:1 names x", "! f:1 has --approval-mode yolo", "· 1 file was"}},
		{"the same in a comment", "Neovim", `require("avante") -- bypassPermissions` + "\n--[==[ command = 'x'\n]] bypassPermissions ]==]", []string{"· avante is named, but no command"}},
		{"the editor approves", "Neovim", `require("avante").setup({ behaviour = { auto_approve_tool_permissions = true } })`, []string{"! f:1 has auto_approve_tool_permissions", "· avante is named"}},
		{"the editor asks", "Neovim", `require("avante").setup({ behaviour = { auto_approve_tool_permissions = false } })`, []string{"· avante is named"}},
		{"a formatter beside", "Neovim", `require("avante") require("conform").setup({ formatters = { x = { command = "prettier" } } })`, []string{"· avante is named"}},
		{"a built-in agent", "Neovim", `return { "olimorris/codecompanion.nvim", opts = { interactions = { chat = { adapter = "gemini_cli" } } } }`, []string{"· f:1 names gemini_cli", "· 1 file was"}},
		{"a built-in agent's name for another", "Neovim", `require("avante").setup({ provider = "goose", acp_providers = { ["goose"] = { command = "/b/bobproxy" } } })`, []string{"✓ f:1 names bobproxy", "· 1 file was"}},
		{"an adapter's command", "Neovim", `codecompanion = { adapters = { acp = { g = function() return extend("goose", { commands = { default = { "goose", "acp" } } }) end } } }`, []string{"· f:1 names goose", "· 1 file was"}},
		{"agent-shell", "Emacs", "(setq a ?\\\" b ?;)\n(setq agent-shell-goose-acp-command '(\"goose\" \"acp\"))", []string{"· f:2 names goose", "· 1 file was"}},
		{"agent-shell's own agents", "Emacs", "(use-package agent-shell)", []string{"· agent-shell is named, but no command"}},
		{"agent-shell that approves", "Emacs", "(setq agent-shell-permission-responder-function #'agent-shell-permission-allow-always)", []string{"! f:1 has agent-shell-permission-allow-always", "· agent-shell is named"}},
		{"a variable of Lisp", "Emacs", "(agent-shell-make-environment-variables \"ACP_PERMISSION_MODE\" \"acceptEdits\") 'claude", []string{"! f:1 has ACP_PERMISSION_MODE", "· agent-shell is named"}},
		{"a client with bobproxy", "Emacs", "(agent-shell--make-acp-client\n :command \"/b/bobproxy\" :command-params '(\"acp\"))", []string{"✓ f:2 names bobproxy", "· 1 file was"}},
		{"a command of another's", "Emacs", "(use-package agent-shell) (flycheck-define-checker x :command (\"lint\" source))", []string{"· agent-shell is named"}},
		{"commented Lisp", "Emacs", ";; agent-shell bypassPermissions\n", []string{"· no plugin"}},
	} {
		file := map[string]string{"Neovim": "f.lua", "Emacs": "f.el"}[tt.editor]
		got := read(tt.editor, file, tt.text)
		ok := len(got) == len(tt.want)
		for i := range tt.want {
			ok = ok && strings.HasPrefix(strings.Replace(got[i], file, "f", 1), tt.want[i])
		}
		if !ok {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

// What bobproxy itself gives out to put there goes through it.
func TestScriptsFindOurOwnLines(t *testing.T) {
	for _, e := range setup.Editors {
		title := map[string]string{"Lua": "Neovim", "Lisp": "Emacs"}[e.Language()]
		if title == "" {
			continue
		}
		file := map[string]string{"Lua": "f.lua", "Lisp": "f.el"}[e.Language()]
		for _, a := range []setup.Agent{{Name: "Bob", Self: "/b/bobproxy", Path: "/usr/bin"}, {Name: "Goose", Self: "/b/bobproxy", Argv: []string{"goose", "acp"}}} {
			got := read(title, file, e.Text(a))
			if len(got) != 2 || !strings.HasPrefix(got[0], "✓ "+file) || !strings.HasPrefix(got[1], "· 1 file was read") {
				t.Errorf("%s: got %q", e.Name, got)
			}
		}
	}
}

func TestScriptsThatAreNotThere(t *testing.T) {
	var f findings
	scripts(&f, View{Scripts: []Script{{Program: setup.Programs[0]}}})
	if f.list != nil {
		t.Errorf("got %+v", f.list)
	}
	f = findings{}
	scripts(&f, View{Scripts: []Script{{Program: setup.Programs[0], Files: []ScriptFile{{Path: "f.lua", Err: "denied"}}, More: true}}})
	want := []Level{Warning, Info}
	if got := []Level{f.list[0].Level, f.list[1].Level}; !reflect.DeepEqual(got, want) || !strings.Contains(f.list[1].Text, "there are more files") {
		t.Errorf("got %+v", f.list)
	}
}

func FuzzScripts(f *testing.F) {
	f.Add(`require("avante").setup({ acp_providers = { x = { command = "npx" } } })`, true)
	f.Add("(agent-shell--make-acp-client :command \"x", false)
	f.Add("avante command acp = { command {{ }}}} \"a\" = provider = adapter", true)
	f.Fuzz(func(t *testing.T, text string, isLua bool) {
		title, file := "Emacs", "f.el"
		if isLua {
			title, file = "Neovim", "f.lua"
		}
		if got := read(title, file, text); len(got) == 0 || len(got) > 2*mostSaid+2 {
			t.Errorf("got %d findings", len(got))
		}
	})
}
