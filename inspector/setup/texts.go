package setup

import (
	"fmt"
	"strings"

	"bobproxy/inspector/setup/jsonc"
)

// quoted is a string of Lua and of Lisp.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}

// listed are strings, one behind the other.
func listed(all []string, between string) string {
	list := make([]string, len(all))
	for i, word := range all {
		list[i] = quoted(word)
	}
	return strings.Join(list, between)
}

// luaEnv are members of a table, in lines that begin with margin.
func luaEnv(env jsonc.Object, margin string) string {
	var b strings.Builder
	for _, m := range env {
		fmt.Fprintf(&b, "%s%s = %s,\n", margin, m.Name, quoted(m.Value.(string)))
	}
	return b.String()
}

// home and PATH are given as they are, since these plugins give an agent only
// what stands in the table.
func inherited(a Agent) string {
	if a.Path != "" {
		return `HOME = os.getenv("HOME"),` + "\n"
	}
	return `HOME = os.getenv("HOME"), PATH = os.getenv("PATH"),` + "\n"
}

func agentic(a Agent) string { return luaProvider("agentic", a.slug()+"-acp", a) }
func avante(a Agent) string  { return luaProvider("avante", a.slug(), a) }

func luaProvider(module, name string, a Agent) string {
	return fmt.Sprintf(`require(%s).setup({
  provider = %s,
  acp_providers = {
    [%s] = {
      command = %s,
      args = { %s },
      env = {
        %s%s      },
    },
  },
})
`, quoted(module), quoted(name), quoted(name), quoted(a.Self), listed(a.Args(), ", "), inherited(a), luaEnv(a.env(), "        "))
}

func codecompanion(a Agent) string {
	env := ""
	if all := a.env(); len(all) > 0 {
		env = "          env = {\n" + luaEnv(all, "            ") + "          },\n"
	}
	return fmt.Sprintf(`require("codecompanion").setup({
  adapters = {
    acp = {
      [%s] = function()
        local helpers = require("codecompanion.adapters.acp.helpers")
        return {
          name = %s,
          formatted_name = %s,
          type = "acp",
          roles = { llm = "assistant", user = "user" },
          commands = { default = { %s } },
%s          defaults = { mcpServers = {}, timeout = 20000 },
          parameters = {
            protocolVersion = 1,
            clientCapabilities = {
              fs = { readTextFile = true, writeTextFile = true },
            },
            clientInfo = { name = "CodeCompanion.nvim", version = "1.0.0" },
          },
          handlers = {
            setup = function(self) return true end,
            auth = function(self) return true end,
            form_messages = function(self, messages, capabilities)
              return helpers.form_messages(self, messages, capabilities)
            end,
            on_exit = function(self, code) end,
          },
        }
      end,
    },
  },
  interactions = { chat = { adapter = %s } },
})
`, quoted(a.slug()), quoted(a.slug()), quoted(a.Name), listed(append([]string{a.Self}, a.Args()...), ", "), env, quoted(a.slug()))
}

func agentShell(a Agent) string {
	env := ""
	if all := a.env(); len(all) > 0 {
		list := make([]string, len(all))
		for i, m := range all {
			list[i] = m.Name + "=" + m.Value.(string)
		}
		env = "                     :environment-variables '(" + listed(list, "\n                                              ") + ")\n"
	}
	return fmt.Sprintf(`(with-eval-after-load 'agent-shell
  (add-to-list
   'agent-shell-agent-configs
   (agent-shell-make-agent-config
    :identifier '%s
    :mode-line-name %s
    :buffer-name %s
    :shell-prompt %s
    :shell-prompt-regexp %s
    :client-maker (lambda (buffer)
                    (agent-shell--make-acp-client
                     :command %s
                     :command-params '(%s)
%s                     :context-buffer buffer)))))
`, a.slug(), quoted(a.Name), quoted(a.Name), quoted(a.Name+"> "), quoted(inRegexp(a.Name)+"> "), quoted(a.Self), listed(a.Args(), " "), env)
}

// inRegexp is text as a regular expression of Emacs, on one level.
func inRegexp(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune(`.*+?[^$\`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// toad takes the agent's command as one word of a shell's, which it splits
// again.
func toad(a Agent) string {
	line := make([]string, 0, 4)
	for _, word := range append([]string{a.Self}, a.flagged()...) {
		line = append(line, ShellWord(word))
	}
	return "toad acp " + ShellWord(strings.Join(line, " ")) + " .\n"
}

// ShellWord is text as one word of a shell's line.
func ShellWord(text string) string {
	plain := text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("%+,-./:=@_", r))
	})
	if plain {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
