package probe

import (
	"bytes"
	"encoding/json"
	"errors"

	"bobproxy/acp"
)

// mostChoices is how many of a list are kept.
const mostChoices = 500

// readHello reads the answer to initialize and says whether sessions can be
// closed.
func (p *probe) readHello(result json.RawMessage) (closes bool, err error) {
	var hello struct {
		Version      int             `json:"protocolVersion"`
		AgentInfo    json.RawMessage `json:"agentInfo"`
		Info         json.RawMessage `json:"info"`
		Capabilities json.RawMessage `json:"agentCapabilities"`
		Abilities    json.RawMessage `json:"capabilities"`
		Auth         json.RawMessage `json:"authMethods"`
	}
	if json.Unmarshal(result, &hello) != nil || hello.Version == 0 {
		return false, errors.New("the answer to initialize names no protocol version")
	}
	r := &p.report
	r.Protocol = hello.Version
	var info struct{ Name, Title, Version string }
	_ = json.Unmarshal(first(hello.AgentInfo, hello.Info), &info) // a stranger's; what is not there stays empty
	r.Name, r.Title, r.Version = info.Name, info.Title, info.Version
	r.Capabilities = first(hello.Capabilities, hello.Abilities)
	r.Auth = choices(hello.Auth)
	var can struct {
		Sessions struct {
			Close json.RawMessage `json:"close"`
		} `json:"sessionCapabilities"`
	}
	_ = json.Unmarshal(r.Capabilities, &can)
	return hello.Version >= 2 || bytes.HasPrefix(can.Sessions.Close, []byte("{")), nil
}

func first(values ...json.RawMessage) json.RawMessage {
	for _, v := range values {
		if len(v) > 0 && string(v) != "null" {
			return v
		}
	}
	return json.RawMessage("null")
}

// readSession reads the answer to session/new.
func (p *probe) readSession(result json.RawMessage) {
	var s struct {
		ID    string `json:"sessionId"`
		Modes struct {
			Current   string          `json:"currentModeId"`
			Available json.RawMessage `json:"availableModes"`
		} `json:"modes"`
		Models struct {
			Current   string          `json:"currentModelId"`
			Available json.RawMessage `json:"availableModels"`
		} `json:"models"`
	}
	var other struct {
		Options  json.RawMessage `json:"configOptions"`
		Commands json.RawMessage `json:"availableCommands"`
	}
	_, _ = json.Unmarshal(result, &s), json.Unmarshal(result, &other)
	r := &p.report
	r.Session = s.ID
	r.Mode, r.Modes = s.Modes.Current, choices(s.Modes.Available)
	r.Model, r.Models = s.Models.Current, choices(s.Models.Available)
	r.Options = options(other.Options)
	if other.Commands != nil {
		r.Commands = choices(other.Commands)
	}
}

// take is for everything that is no answer to a request of ours.
func (p *probe) take(m message) {
	switch {
	case m.noise:
		p.report.Noise++
	case m.Method == acp.MethodSessionUpdate:
		p.update(m.Params)
	case m.Method != "" && m.ID != nil:
		p.report.Asked++
		p.refuse(m)
	}
}

func (p *probe) update(params json.RawMessage) {
	r := &p.report
	if r.Updates++; r.Updates == 1 && !p.asked.IsZero() {
		r.Took.Update = since(p.asked)
	}
	var u struct {
		Update struct {
			Kind     string          `json:"sessionUpdate"`
			Mode     string          `json:"currentModeId"`
			Commands json.RawMessage `json:"availableCommands"`
			Options  json.RawMessage `json:"configOptions"`
		} `json:"update"`
	}
	if json.Unmarshal(params, &u) != nil {
		return
	}
	switch u.Update.Kind {
	case "available_commands_update":
		r.Commands = choices(u.Update.Commands)
	case "current_mode_update":
		r.Mode = u.Update.Mode
	case "config_option_update":
		r.Options = options(u.Update.Options)
	}
}

// refuse answers a request of the agent's: a permission is cancelled, and
// nothing else was offered.
func (p *probe) refuse(m message) {
	reply := map[string]any{"jsonrpc": "2.0", "id": m.ID}
	if m.Method == acp.MethodRequestPermission {
		reply["result"] = map[string]any{"outcome": map[string]string{"outcome": "cancelled"}}
	} else {
		reply["error"] = failure{Code: -32601, Message: "a probe offers nothing"}
	}
	_ = p.send(reply) // an agent that does not read is about to be seen off
}

// choices reads a list of things with an id, whatever that is called, and a
// name. It is never nil.
func choices(raw json.RawMessage) []Choice {
	var list []json.RawMessage
	_ = json.Unmarshal(raw, &list)
	all := []Choice{}
	for _, each := range list[:min(len(list), mostChoices)] {
		var c struct {
			ID, ModelID, ModeID, MethodID, Value, Name, Description string
		}
		_ = json.Unmarshal(each, &c)
		id := c.ID
		for _, other := range []string{c.ModelID, c.ModeID, c.MethodID, c.Value, c.Name} {
			if id == "" {
				id = other
			}
		}
		all = append(all, Choice{ID: id, Name: c.Name, Text: c.Description})
	}
	return all
}

func options(raw json.RawMessage) []Option {
	var list []struct {
		ID       string          `json:"id"`
		ConfigID string          `json:"configId"`
		Name     string          `json:"name"`
		Current  json.RawMessage `json:"currentValue"`
		Options  json.RawMessage `json:"options"`
	}
	_ = json.Unmarshal(raw, &list)
	all := []Option{}
	for _, o := range list[:min(len(list), mostChoices)] {
		if o.ID == "" {
			o.ID = o.ConfigID
		}
		all = append(all, Option{ID: o.ID, Name: o.Name, Current: first(o.Current), Values: values(o.Options)})
	}
	return all
}

// values are the choices of a setting; those in groups are taken out of them.
func values(raw json.RawMessage) []Choice {
	var groups []struct {
		Options json.RawMessage `json:"options"`
	}
	_ = json.Unmarshal(raw, &groups)
	all := []Choice{}
	for _, g := range groups {
		if g.Options != nil {
			all = append(all, choices(g.Options)...)
		}
	}
	if len(all) > 0 {
		return all
	}
	return choices(raw)
}
