package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// program is a client or an agent.
type program struct {
	name string
	argv []string // of a client: the agent's command is put in for {agent}

	env     []string
	stdin   string // of a client: what its user types
	when    string // of a client that wants a terminal: what its user types at
	exit    int    // of a client: its exit code
	says    string // of a client: what its user sees of a withdrawal
	killed  bool   // of a client: it ends its agent with SIGKILL
	abrupt  bool   // of a client: it sends signals early, so its agent may end either way
	refuses string // of an agent: the stop reason of a turn that was denied, if not end_turn
	shy     bool   // of an agent: it will not open a session without credentials
}

// pair is two programs that meet.
type pair struct {
	tools
	client, agent program
	gate          *gate
	replayed      bool // recorded and played back, instead of compared
}

// tools are the programs' files. A field is empty when they are missing.
type tools struct {
	bin  string // folder of what Go built
	npm  string // folder of what npm installed, with our own scripts
	node bool
	real bool   // agents that talk to a model, too
	more string // commands of such agents, one a line
}

func newTools(folder string) tools {
	t := tools{bin: filepath.Join(folder, "bin"), npm: os.Getenv("INTEROP_NPM")}
	t.node = t.npm != ""
	t.real = t.node && os.Getenv("INTEROP_AGENTS") == "1"
	if t.node {
		t.more = os.Getenv("INTEROP_AGENT")
	}
	return t
}

func (t tools) built(name string) string  { return filepath.Join(t.bin, name) }
func (t tools) script(name string) string { return filepath.Join(t.npm, name) }
func (t tools) module(name string) string { return filepath.Join(t.npm, "node_modules", name) }

// pairs are all that meet.
func (t tools) pairs() []pair {
	var (
		goExampleClient  = program{name: "go example client", argv: []string{t.built("client"), "{agent}"}, stdin: "1\n", killed: true}
		goExampleAgent   = program{name: "go example agent", argv: []string{t.built("agent")}}
		goClient         = program{name: "go client", argv: []string{t.built("goclient"), "{agent}"}}
		labEditor        = program{name: "lab editor", argv: []string{t.built("bobproxy"), "lab", "editor", "--", "{agent}"}}
		labAgent         = program{name: "lab agent", argv: []string{t.built("bobproxy"), "lab", "agent"}}
		npmExampleClient = program{name: "npm 1.x example client", argv: []string{"node", t.module("acp-sdk-1/dist/examples/client.js")}, stdin: "1\n", abrupt: true}
		npmExampleAgent  = program{name: "npm 1.x example agent", argv: []string{"node", t.module("acp-sdk-1/dist/examples/agent.js")}}
		npmClient        = program{name: "npm client", argv: []string{"node", t.script("client.mjs"), "{agent}"}}
		npmClient1       = npmClient.named("npm 1.x client", "INTEROP_SDK=acp-sdk-1")
		npmStray         = program{name: "npm stray agent", argv: []string{"node", t.script("agent.mjs"), "outside"}}
		goStray          = program{name: "go stray agent", argv: []string{t.built("goagent")}}
		npmAgent         = program{name: "npm agent", argv: []string{"node", t.script("agent.mjs")}, refuses: "refusal"}
		npmClient2       = program{name: "npm v2 client", argv: []string{"node", t.script("client2.mjs"), "{agent}"}}
		npmAgent2        = program{name: "npm v2 agent", argv: []string{"node", t.script("agent2.mjs")}}
		acpx             = program{name: "acpx", argv: []string{"node", t.module("acpx/dist/cli.js"), "--agent", "{agent}", "--approve-all", "exec", "Please repair RetryBudget."}, abrupt: true}
		codex            = program{name: "codex-acp", argv: []string{"node", t.module("@zed-industries/codex-acp/bin/codex-acp.js")}, shy: true}
	)
	// The example agents want to edit a file that is not in any workspace, and
	// tell of others.
	ventures := func(client, refusing program, agent program) pair {
		return pair{tools: t, client: client, agent: agent, gate: &gate{
			by: "bounds", direct: refusing, refused: []string{askPermission},
			told: []string{
				`session/update: a tool call names "/project/README.md", which is outside of the workspace or leads out of it`,
				`session/update: a tool call names "/project/config.json", which is outside of the workspace or leads out of it`,
			},
		}}
	}
	chooses := func(p program) program { p.stdin = "2\n"; return p }
	rejects := func(p program) program {
		p.argv = slices.Insert(slices.Clone(p.argv), 3, "--allow", "reject")
		return p
	}
	replays := func(client, agent program) pair {
		return pair{tools: t, client: client, agent: agent, replayed: true}
	}
	pairs := []pair{
		ventures(goExampleClient, chooses(goExampleClient), goExampleAgent),
		ventures(goClient, goClient.dialog("deny"), goExampleAgent),
		{tools: t, client: goClient, agent: labAgent},
		ventures(labEditor, rejects(labEditor), goExampleAgent),
		t.strays(goClient, goStray),
		replays(goClient, labAgent),
		replays(goExampleClient, goExampleAgent),
	}
	pairs = append(pairs, t.elsewhere(goClient, labAgent, 0)...)
	if t.node {
		pairs = append(pairs,
			ventures(npmExampleClient, chooses(npmExampleClient), npmExampleAgent),
			ventures(npmExampleClient, chooses(npmExampleClient), goExampleAgent),
			ventures(goExampleClient, chooses(goExampleClient), npmExampleAgent),
			pair{tools: t, client: npmClient, agent: npmAgent},
			ventures(npmClient, npmClient.dialog("deny"), goExampleAgent),
			pair{tools: t, client: npmClient, agent: labAgent},
			pair{tools: t, client: goClient, agent: npmAgent},
			pair{tools: t, client: labEditor, agent: npmAgent},
			ventures(labEditor, rejects(labEditor), npmExampleAgent),
			pair{tools: t, client: npmClient2, agent: npmAgent2},
			pair{tools: t, client: acpx, agent: labAgent},
			pair{tools: t, client: acpx, agent: npmAgent},
			t.strays(npmClient, npmStray),
			t.strays(npmClient1, goStray),
			t.strays(goClient, npmStray),
			replays(npmExampleClient, npmExampleAgent),
			replays(npmClient, npmAgent),
			replays(npmClient2, npmAgent2),
			replays(labEditor, npmAgent),
		)
		pairs = append(pairs, t.elsewhere(goClient, npmAgent, 1)...)
		pairs = append(pairs, t.elsewhere(npmClient, labAgent, 2)...)
		pairs = append(pairs, t.elsewhere(npmClient, npmAgent, 0)...)
		pairs = append(pairs, t.elsewhere(npmClient1, labAgent, 1)...)
		pairs = append(pairs, t.elsewhere(npmClient1, npmAgent, 2)...)
		pairs = append(pairs, t.elsewhere(npmClient2, npmAgent2, 0)...)
		pairs = append(pairs, t.acpxElsewhere(acpx, npmAgent)...)
	}
	shakesHands := npmClient.named(npmClient.name, "INTEROP_HANDSHAKE=1")
	shakesHands.abrupt, shakesHands.killed = true, true
	for command := range strings.Lines(t.more) {
		if command = strings.TrimSpace(command); command != "" {
			pairs = append(pairs, pair{tools: t, client: shakesHands, agent: program{name: command, argv: []string{"sh", "-c", "exec " + command}, shy: true}})
		}
	}
	if t.real {
		pairs = append(pairs, pair{tools: t, client: npmClient, agent: codex})
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

// dialog is p with its permission dialogs answered, or left open, in the given
// way.
func (p program) dialog(way string) program { return p.named(p.name, "INTEROP_DIALOG="+way) }

// named is p with another name and more in its environment.
func (p program) named(name string, env ...string) program {
	p.name, p.env = name, append(slices.Clone(p.env), env...)
	return p
}
