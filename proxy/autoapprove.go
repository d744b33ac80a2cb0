package proxy

import (
	"path/filepath"
	"slices"
	"strings"
)

// AutoApproves names what in an agent's start makes it approve by itself, be it
// edits only, or is empty: then the agent asks, as far as its start tells. It
// goes by the flags and variables that are known of agents, and by whole
// arguments: what stands inside a shell's command text, in the agent's own
// settings, or is switched on later is not seen.
func AutoApproves(argv, env []string) string {
	if len(argv) == 0 {
		return ""
	}
	for _, find := range []func() string{
		func() string { return bypassOption(argv[1:]) },
		func() string { return bypassFlag(argv) },
		func() string { return bypassVariable(argv, env) },
	} {
		if found := find(); found != "" {
			return found
		}
	}
	return ""
}

// bypassFlags approve by themselves, whichever agent they are given to.
var bypassFlags = []string{
	"--auto-approve", "--auto-approve-all", "--approve-all", "--always-approve",
	"--yolo",
	"--dangerously-skip-permissions",
	"--dangerously-bypass-approvals-and-sandbox",
	"--dangerously-allow-all",
	"--skip-permissions-unsafe",
	"--full-auto",
	"--allow-all", "--allow-all-tools",
	"--trust-all-tools",
	"bypassPermissions", // the value of whatever sets a mode
}

// bypassLetters mean that to these programs and something else to others: to
// npx -y is about installing.
var bypassLetters = map[string][]string{
	"-y":      {"bob", "cline", "gemini", "iflow", "kimi", "qwen", "tabnine"},
	"-f":      {"agent", "cursor-agent"},
	"--force": {"agent", "cursor-agent"},
	"-a":      {"kiro-cli"},
	"--auto":  {"opencode"},
}

func bypassFlag(argv []string) string {
	program := strings.TrimSuffix(filepath.Base(argv[0]), ".exe")
	for _, arg := range argv[1:] {
		name, on := strings.CutSuffix(arg, "=true")
		if slices.Contains(bypassFlags, name) || !on && slices.Contains(bypassLetters[arg], program) {
			return arg
		}
	}
	return ""
}

// bypassOptions are options with the values that approve by themselves. Both
// words may be one argument, with a = between, or two.
var bypassOptions = []struct {
	name   string
	values []string
}{
	{"--approval-mode", []string{"yolo", "auto_edit", "auto-edit", "auto"}},
	{"--auto", []string{"low", "medium", "high"}},
	{"--permission-mode", []string{"bypassPermissions", "acceptEdits", "auto"}},
	{"--ask-for-approval", []string{"never"}},
	{"-a", []string{"never"}},
	{"--config", []string{"approval_policy=never"}},
	{"-c", []string{"approval_policy=never"}},
}

func bypassOption(args []string) string {
	for i, arg := range args {
		for _, option := range bypassOptions {
			value, joined := strings.CutPrefix(arg, option.name+"=")
			said := arg
			if arg == option.name && i+1 < len(args) {
				value, joined = args[i+1], true
				said = arg + " " + value
			}
			if joined && slices.Contains(option.values, bare(value)) {
				return said
			}
		}
	}
	return ""
}

// bare takes from a value the quotes and blanks that agents overlook.
func bare(value string) string { return strings.NewReplacer(`"`, "", "'", "", " ", "").Replace(value) }

// bypassVariables are what an agent reads from its environment. Others may be
// started with the same environment, so the agent has to be named by an
// argument, be it a package's name behind npx.
var bypassVariables = []struct {
	name, agent string
	approves    func(value string) bool
}{
	{"ACP_PERMISSION_MODE", "claude", oneOf("bypasspermissions", "acceptedits", "auto")},
	{"COPILOT_ALLOW_ALL", "copilot", oneOf("true", "1", "yes", "on", "y")},
	{"GOOSE_MODE", "goose", oneOf("auto")},
	{"OPENCODE_PERMISSION", "opencode", func(value string) bool { return strings.Contains(value, `"allow"`) }},
}

func oneOf(words ...string) func(string) bool {
	return func(value string) bool { return slices.Contains(words, strings.ToLower(value)) }
}

func bypassVariable(argv, env []string) string {
	for _, v := range bypassVariables {
		named := func(arg string) bool { return strings.Contains(strings.ToLower(arg), v.agent) }
		if !slices.ContainsFunc(argv, named) {
			continue
		}
		if value, ok := lastValue(env, v.name); ok && v.approves(value) {
			return v.name + " in the environment"
		}
	}
	return ""
}

// lastValue is the value that counts where a name is there twice.
func lastValue(env []string, name string) (value string, ok bool) {
	for _, entry := range env {
		if v, found := strings.CutPrefix(entry, name+"="); found {
			value, ok = v, true
		}
	}
	return value, ok
}
