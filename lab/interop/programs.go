package main

import (
	"os"
	"path/filepath"
	"strings"
)

// program is a client or an agent.
type program struct {
	name string
	argv []string // of a client: the agent's command is put in for {agent}

	stdin  string // of a client: what its user types
	killed bool   // of a client: it ends its agent with SIGKILL
	abrupt bool   // of a client: it sends signals early, so its agent may end either way
	shy    bool   // of an agent: it will not open a session without credentials
	astray bool   // of an agent: it asks to edit a file outside the session
}

// pair is two programs that meet.
type pair struct {
	tools
	client, agent program
}

// tools are the programs' files. A field is empty when they are missing.
type tools struct {
	bin  string // folder of what Go built
	npm  string // folder of what npm installed, with our own scripts
	node bool
	real bool // agents that talk to a model, too
}

func newTools(folder string) tools {
	t := tools{bin: filepath.Join(folder, "bin"), npm: os.Getenv("INTEROP_NPM")}
	t.node = t.npm != ""
	t.real = t.node && os.Getenv("INTEROP_AGENTS") == "1"
	return t
}

func (t tools) built(name string) string  { return filepath.Join(t.bin, name) }
func (t tools) script(name string) string { return filepath.Join(t.npm, name) }
func (t tools) module(name string) string { return filepath.Join(t.npm, "node_modules", name) }

// pairs are all that meet.
func (t tools) pairs() []pair {
	var (
		goExampleClient  = program{name: "go example client", argv: []string{t.built("client"), "{agent}"}, stdin: "1\n", killed: true}
		goExampleAgent   = program{name: "go example agent", argv: []string{t.built("agent")}, astray: true}
		goClient         = program{name: "go client", argv: []string{t.built("goclient"), "{agent}"}}
		labEditor        = program{name: "lab editor", argv: []string{t.built("bobproxy"), "lab", "editor", "--", "{agent}"}}
		labAgent         = program{name: "lab agent", argv: []string{t.built("bobproxy"), "lab", "agent"}}
		npmExampleClient = program{name: "npm 1.x example client", argv: []string{"node", t.module("acp-sdk-1/dist/examples/client.js")}, stdin: "1\n", abrupt: true}
		npmExampleAgent  = program{name: "npm 1.x example agent", argv: []string{"node", t.module("acp-sdk-1/dist/examples/agent.js")}, astray: true}
		npmClient        = program{name: "npm client", argv: []string{"node", t.script("client.mjs"), "{agent}"}}
		npmAgent         = program{name: "npm agent", argv: []string{"node", t.script("agent.mjs")}}
		npmClient2       = program{name: "npm v2 client", argv: []string{"node", t.script("client2.mjs"), "{agent}"}}
		npmAgent2        = program{name: "npm v2 agent", argv: []string{"node", t.script("agent2.mjs")}}
		acpx             = program{name: "acpx", argv: []string{"node", t.module("acpx/dist/cli.js"), "--agent", "{agent}", "--approve-all", "exec", "Please repair RetryBudget."}, abrupt: true}
		codex            = program{name: "codex-acp", argv: []string{"node", t.module("@zed-industries/codex-acp/bin/codex-acp.js")}, shy: true}
	)
	pairs := []pair{
		{t, goExampleClient, goExampleAgent},
		{t, goClient, goExampleAgent},
		{t, goClient, labAgent},
		{t, labEditor, goExampleAgent},
	}
	if t.node {
		pairs = append(pairs,
			pair{t, npmExampleClient, npmExampleAgent},
			pair{t, npmExampleClient, goExampleAgent},
			pair{t, goExampleClient, npmExampleAgent},
			pair{t, npmClient, npmAgent},
			pair{t, npmClient, goExampleAgent},
			pair{t, npmClient, labAgent},
			pair{t, goClient, npmAgent},
			pair{t, labEditor, npmAgent},
			pair{t, labEditor, npmExampleAgent},
			pair{t, npmClient2, npmAgent2},
			pair{t, acpx, labAgent},
			pair{t, acpx, npmAgent},
		)
	}
	if t.real {
		pairs = append(pairs, pair{t, npmClient, codex})
	}
	return pairs
}

// command is the client's command line for an agent that is started by script.
func (p program) command(script string) []string {
	argv := make([]string, len(p.argv))
	for i, arg := range p.argv {
		argv[i] = strings.ReplaceAll(arg, "{agent}", script)
	}
	return argv
}
