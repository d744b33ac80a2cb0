// Package setup knows how editors are told to start an agent through bobproxy:
// which file, and which lines in it.
package setup

import (
	"encoding/json"
	"strings"
)

// Editor is a client of ACP that is set up in a file.
type Editor struct {
	Name  string // as a word of the command line
	Title string // as people call it
	File  string // where it belongs, ~ being the home folder
	Then  string // what to do besides; empty: nothing
	text  string
}

// Snippet is what to put into the file, with the absolute paths of bobproxy and
// of the bob that it is to start; an empty bob is looked for by bobproxy itself.
func (e Editor) Snippet(self, bob string) string {
	text := e.text
	if bob == "" {
		for _, line := range strings.Split(text, "\n") {
			if strings.Contains(line, "@BOB@") {
				text = strings.Replace(text, line+"\n", "", 1)
			}
		}
	}
	return strings.NewReplacer("@SELF@", quoted(self), "@BOB@", quoted(bob)).Replace(text)
}

// quoted is a path between the quotes of JSON, which those of Lua and Lisp are
// like for everything that is in paths.
func quoted(path string) string {
	q, err := json.Marshal(path)
	if err != nil {
		return path
	}
	return strings.Trim(string(q), `"`)
}

// Named finds an editor by its name.
func Named(name string) (Editor, bool) {
	for _, e := range Editors {
		if e.Name == name {
			return e, true
		}
	}
	return Editor{}, false
}

// Editors are those that are known.
var Editors = []Editor{
	{"zed", "Zed", "~/.config/zed/settings.json", "choose Bob in the agent panel; no restart is needed", `"agent_servers": {
  "Bob": {
    "type": "custom",
    "command": "@SELF@",
    "args": ["acp"],
    "env": {
      "BOB_PATH": "@BOB@"
    }
  }
}
`},
	{"jetbrains", "JetBrains", "~/.jetbrains/acp.json", "in AI Chat, choose Bob among the agents", `{
  "agent_servers": {
    "Bob": {
      "command": "@SELF@",
      "args": ["acp"],
      "env": {
        "BOB_PATH": "@BOB@"
      }
    }
  }
}
`},
	{"neovim", "Neovim", "~/.config/nvim/init.lua, for agentic.nvim", "", `require("agentic").setup({
  provider = "bob-acp",
  acp_providers = {
    ["bob-acp"] = {
      command = "@SELF@",
      args = { "acp" },
      env = {
        HOME = os.getenv("HOME"), PATH = os.getenv("PATH"),
        BOB_PATH = "@BOB@",
      },
    },
  },
})
`},
	{"vscode", "VS Code", "settings.json, for the extension ACP Client", "", `"acp.agents": {
  "Bob": {
    "command": "@SELF@",
    "args": ["acp"],
    "env": {
      "BOB_PATH": "@BOB@"
    }
  }
},
"acp.autoApprovePermissions": "ask"
`},
	{"emacs", "Emacs", "~/.emacs.d/init.el, for agent-shell", "", `(with-eval-after-load 'agent-shell
  (add-to-list
   'agent-shell-agent-configs
   (agent-shell-make-agent-config
    :identifier 'bob
    :mode-line-name "Bob"
    :buffer-name "Bob"
    :shell-prompt "Bob> "
    :shell-prompt-regexp "Bob> "
    :client-maker (lambda (buffer)
                    (agent-shell--make-acp-client
                     :command "@SELF@"
                     :command-params '("acp")
                     :context-buffer buffer)))))
`},
	{"acpx", "acpx", "~/.acpx/config.json", "then: acpx bob 'review this'", `{
  "agents": {
    "bob": {
      "argv": ["@SELF@", "acp"]
    }
  }
}
`},
}
