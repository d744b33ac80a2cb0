package setup

import (
	"encoding/json"
	"slices"
	"strings"

	"bobproxy/inspector/setup/jsonc"
)

func command(a Agent) jsonc.Object {
	o := jsonc.Object{{Name: "command", Value: a.Self}, {Name: "args", Value: a.Args()}}
	if env := a.env(); len(env) > 0 {
		o = append(o, jsonc.Member{Name: "env", Value: env})
	}
	return o
}

// typed is the same for who tells apart the agents of a registry.
func typed(a Agent) jsonc.Object {
	return append(jsonc.Object{{Name: "type", Value: "custom"}}, command(a)...)
}

func argv(a Agent) jsonc.Object {
	return jsonc.Object{{Name: "argv", Value: append([]string{a.Self}, a.flagged()...)}}
}

// Entry is an agent in an editor's file.
type Entry struct {
	Name    string
	Command []string // as far as it can be read; empty: the editor knows it by itself
	Env     []string // NAME=value
	Mode    string   // that sessions begin in; empty: the agent's own
}

// Entries are the agents that a file has, in the order of their names. What
// cannot be read as one is left out; an error says that nothing can be read.
func (e Editor) Entries(text []byte) ([]Entry, error) {
	raw, found, err := jsonc.Get(text, e.in...)
	if err != nil || !found {
		return nil, err
	}
	var agents map[string]json.RawMessage
	if json.Unmarshal(raw, &agents) != nil {
		return nil, nil
	}
	var all []Entry
	for name, agent := range agents {
		all = append(all, readEntry(name, agent))
	}
	slices.SortFunc(all, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// readEntry takes the forms that editors have: a command with arguments, a list
// of both, and a line of them.
func readEntry(name string, agent json.RawMessage) Entry {
	var fields struct {
		Command json.RawMessage   `json:"command"`
		Args    []string          `json:"args"`
		Argv    []string          `json:"argv"`
		Env     map[string]string `json:"env"`
		Mode    string            `json:"default_mode"`
	}
	_ = json.Unmarshal(agent, &fields) // what is of another type stays empty
	entry := Entry{Name: name, Command: fields.Argv, Mode: fields.Mode}
	var line string
	switch {
	case len(fields.Argv) > 0:
	case json.Unmarshal(fields.Command, &line) == nil && len(fields.Args) > 0:
		entry.Command = append([]string{line}, fields.Args...)
	case line != "":
		entry.Command = asCommand(line)
	}
	for name, value := range fields.Env {
		entry.Env = append(entry.Env, name+"="+value)
	}
	slices.Sort(entry.Env)
	return entry
}

// asCommand splits a line with arguments; one that begins with a path is taken
// for a path, which may have blanks.
func asCommand(line string) []string {
	if strings.HasPrefix(line, "/") && !strings.Contains(line, " -") && !strings.HasSuffix(line, " acp") {
		return []string{line}
	}
	return strings.Fields(line)
}

// Value is a setting of the file, as strict JSON; empty where there is none.
func Value(text []byte, path ...string) string {
	raw, _, err := jsonc.Get(text, path...)
	if err != nil {
		return ""
	}
	return string(raw)
}
