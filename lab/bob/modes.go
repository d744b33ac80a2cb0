package bob

import "bobproxy/lab/wire"

// The modes of a session, by id.
const (
	modeAgent = "agent"
	modePlan  = "plan"
	modeAsk   = "ask"
)

// modeOption is the config option that holds the mode, for clients that show
// options rather than modes.
const modeOption = "mode"

var modes = []wire.Mode{
	{ID: modeAgent, Name: "Agent", Description: "Work on the project and ask before each step that changes something"},
	{ID: modePlan, Name: "Plan", Description: "Make a plan and touch nothing"},
	{ID: modeAsk, Name: "Ask", Description: "Answer questions and touch nothing"},
}

func configOptions(current string) []wire.ConfigOption {
	option := wire.ConfigOption{
		ID: modeOption, Name: "Mode", Category: "mode", Type: "select", CurrentValue: current,
	}
	for _, m := range modes {
		option.Options = append(option.Options, wire.ConfigValue{Value: m.ID, Name: m.Name, Description: m.Description})
	}
	return []wire.ConfigOption{option}
}

// commands are the slash commands of every session.
var commands = []wire.Command{
	{Name: "init", Description: "Look at the project and write down how it is built and checked"},
	{Name: "plan", Description: "Make a plan and touch nothing", Input: &wire.InputHint{Hint: "what to plan"}},
	{Name: "explain", Description: "Explain what the code does", Input: &wire.InputHint{Hint: "what to explain"}},
	{Name: "review", Description: "Review the code and change nothing"},
	{Name: "test", Description: "Run the project's own checks"},
	{Name: "security", Description: "Look for weaknesses in the project"},
	{Name: "compact", Description: "Shorten the conversation"},
	{Name: "create-skill", Description: "Teach Bob something new", Input: &wire.InputHint{Hint: "name of the skill"}},
	{Name: "create-mode", Description: "Define a mode of your own", Input: &wire.InputHint{Hint: "name of the mode"}},
}

func commandsUpdate() wire.Commands {
	return wire.Commands{Kind: wire.CommandsUpdate, AvailableCommands: commands}
}
