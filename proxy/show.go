package proxy

import (
	"encoding/json"
	"slices"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// pending is an open permission for others to see.
func pending(instance string, e broker.Entry) control.Pending {
	p := control.Pending{
		Request:  e.Request,
		Digest:   e.Digest,
		Instance: instance,
		Session:  e.Session,
		ID:       json.RawMessage(e.ID),
		Title:    e.Title,
		Kind:     e.Kind,
		Verdict:  e.Verdict,
		Opened:   e.Opened,
		Options:  []control.Option{},

		Description: e.Permission.Description,
		Command:     e.Permission.Command,
		Cwd:         e.Permission.Cwd,

		SessionUnknown: !e.Known && e.Session != "",
		Unanswerable:   e.Unanswerable,
		Unattributable: e.Unattributable,
	}
	if e.Clipped {
		p.Clipped = string(e.Input)
	} else if len(e.Input) > 0 {
		p.Input = json.RawMessage(e.Input)
	}
	if e.ContentClipped {
		p.ContentClipped = string(e.Content)
	} else if len(e.Content) > 0 {
		p.Content = json.RawMessage(e.Content)
	}
	if !e.Deadline.IsZero() {
		p.Deadline = &e.Deadline
	}
	for i, o := range e.Options {
		p.Options = append(p.Options, control.Option{Number: i + 1, ID: o.ID.Value, Name: o.Name, Kind: o.Kind, Odd: o.Odd})
	}
	return p
}

// hide replaces secret values in what the peers chose the words of, and in how
// the agent was started. Nothing that the ledger keeps is changed.
func hide(s *control.State, m *journal.Mask) {
	s.Command = m.Arguments(s.Command)
	for _, text := range []*string{&s.Cwd, &s.AutoApprove} {
		*text = m.Text(*text)
	}
	for _, p := range []*control.Program{&s.Client, &s.Agent} {
		p.Name, p.Title, p.Version = m.Text(p.Name), m.Text(p.Title), m.Text(p.Version)
	}
	for i := range s.Sessions {
		o := &s.Sessions[i]
		o.ID, o.Title, o.Cwd, o.Mode, o.AutoApprove = m.Text(o.ID), m.Text(o.Title), m.Text(o.Cwd), m.Text(o.Mode), m.Text(o.AutoApprove)
		texts(m, o.Roots)
	}
	for i := range s.Pending {
		hidePending(&s.Pending[i], m)
	}
}

func texts(m *journal.Mask, list []string) {
	for i, text := range list {
		list[i] = m.Text(text)
	}
}

func hidePending(p *control.Pending, m *journal.Mask) {
	p.Session, p.Title, p.Kind, p.Clipped = m.Text(p.Session), m.Text(p.Title), m.Text(p.Kind), m.Text(p.Clipped)
	p.ContentClipped, p.Description, p.Command, p.Cwd = m.Text(p.ContentClipped), m.Text(p.Description), m.Text(p.Command), m.Text(p.Cwd)
	p.ID, p.Input, p.Content = m.JSON(p.ID), m.JSON(p.Input), m.JSON(p.Content)
	p.Verdict.Text = m.Text(p.Verdict.Text)
	p.Verdict.Paths = slices.Clone(p.Verdict.Paths)
	for i := range p.Verdict.Paths {
		path := &p.Verdict.Paths[i]
		path.Path, path.Target = m.Text(path.Path), m.Text(path.Target)
	}
	for i := range p.Options {
		o := &p.Options[i]
		o.ID, o.Name, o.Kind = m.Text(o.ID), m.Text(o.Name), m.Text(o.Kind)
	}
}

// meant is the id of the option that d names by its number and, since nothing
// else was shown, by its masked id; else it is the one that d names.
func meant(e broker.Entry, d broker.Decision, m *journal.Mask) string {
	if d.Number < 1 || d.Number > len(e.Options) {
		return d.Option
	}
	if id := e.Options[d.Number-1].ID.Value; m.Text(id) == d.Option {
		return id
	}
	return d.Option
}
