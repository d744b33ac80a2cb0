package model

import (
	"encoding/json"
	"fmt"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// script makes the events of a conversation as a proxy tells them, each 100 ms
// after the one before. Permissions are opened and answered by the editor like
// in a proxy.
type script struct {
	events []journal.Event
	fold   session.Fold
	asked  map[string]*asking // by id
	number int
}

type asking struct {
	request string
	session string
	at      time.Time
	options map[string]string // kinds by id
}

var start = time.Date(2026, 3, 2, 12, 4, 0, 0, time.UTC)

func (s *script) now() time.Time {
	return start.Add(time.Duration(len(s.events)) * 100 * time.Millisecond)
}

func (s *script) add(e journal.Event) *journal.Event {
	e.Time, e.Seq, e.Instance = s.now(), uint64(len(s.events)+1), "abcde"
	s.events = append(s.events, e)
	return &s.events[len(s.events)-1]
}

// line takes one line of the wire. change may make it something else than a
// frame that passed.
func (s *script) line(from acp.Direction, line string, change func(*journal.Event)) {
	var f acp.Frame
	acp.Scan([]byte(line), &f)
	e := s.add(journal.Event{Type: journal.FrameEvent, Dir: from, Kind: f.Kind, ID: f.ID, Bytes: int64(len(line)), Form: journal.FrameBody, Body: []byte(line)})
	if change != nil {
		change(e)
	}
	fact := s.fold.Frame(e.Time, from, &f)
	e.Method, e.Session = fact.Method, fact.Session
	s.permission(&f, e.Action != "")
}

func (s *script) client(format string, args ...any) {
	s.line(acp.Client, fmt.Sprintf(format, args...), nil)
}
func (s *script) agent(format string, args ...any) {
	s.line(acp.Agent, fmt.Sprintf(format, args...), nil)
}

// refused is a request of the agent that bounds refuse.
func (s *script) refused(id int, line string) {
	s.line(acp.Agent, line, func(e *journal.Event) { e.Action, e.Reason = "refused", "outside the workspace: escape" })
	reply := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"bobproxy refused it"}}`, id)
	s.line(acp.Client, reply, func(e *journal.Event) { e.Added = true })
}

func (s *script) permission(f *acp.Frame, refused bool) {
	if f.Kind == acp.Request && string(f.Method) == acp.MethodRequestPermission && !refused {
		s.number++
		said := acp.ReadPermission(f.Params)
		a := &asking{fmt.Sprintf("abcde:%d", s.number), said.Session.Value, s.events[len(s.events)-1].Time, map[string]string{}}
		for _, o := range said.Options {
			a.options[o.ID.Value] = o.Kind
		}
		if s.asked == nil {
			s.asked = map[string]*asking{}
		}
		s.asked[string(f.ID)] = a
		s.note(journal.OpenedEvent, string(f.ID), a.session, &journal.Decision{Request: a.request, Digest: "d"})
	}
	if a := s.asked[string(f.ID)]; a != nil && f.Method == nil && !s.events[len(s.events)-1].Added {
		o := acp.ReadOutcome(f.Result)
		s.settle(string(f.ID), journal.Decision{By: "editor", Outcome: o.Kind, OptionID: o.Option, HasOption: o.HasOption, OptionKind: a.options[o.Option]})
	}
}

// settle is the event that a permission got its answer.
func (s *script) settle(id string, d journal.Decision) {
	a := s.asked[id]
	d.Request, d.Digest, d.Wait = a.request, "d", s.now().Sub(a.at)
	s.note(journal.DecisionEvent, id, a.session, &d)
	if !d.Late {
		delete(s.asked, id)
	}
}

// note is an event about a permission.
func (s *script) note(t journal.Type, id, session string, d *journal.Decision) {
	s.add(journal.Event{Type: t, ID: []byte(id), Method: acp.MethodRequestPermission, Session: session, Decision: d})
}

// panel answers a permission in a panel, and what the proxy adds then.
func (s *script) panel(id, option, kind string) {
	s.settle(id, journal.Decision{By: "panel", Outcome: "selected", OptionID: option, HasOption: true, OptionKind: kind, Peer: &journal.Peer{PID: 7, TTY: "/dev/pts/4"}})
	added := func(e *journal.Event) { e.Added = true }
	s.line(acp.Agent, `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":`+id+`}}`, added)
	s.line(acp.Client, `{"jsonrpc":"2.0","id":`+id+`,"result":{"outcome":{"outcome":"selected","optionId":"`+option+`"}}}`, added)
}

// begin opens session s1 and asks the agent something.
func (s *script) begin() {
	s.client(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientInfo":{"name":"zed","version":"1"}}}`)
	s.agent(`{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"agentInfo":{"name":"bob","version":"2"}}}`)
	s.client(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/ws","mcpServers":[]}}`)
	s.agent(`{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s1"}}`)
	s.prompt(2)
}

func (s *script) prompt(id int) {
	s.client(`{"jsonrpc":"2.0","id":%d,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"Fix it\nplease"}]}}`, id)
}

func (s *script) end(id int) {
	s.agent(`{"jsonrpc":"2.0","id":%d,"result":{"stopReason":"end_turn"}}`, id)
}

// tell is an update of session s1.
func (s *script) tell(update string) {
	s.agent(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":%s}}`, update)
}

// ask is a request for permission.
func (s *script) ask(id int, call string) {
	const options = `[{"optionId":"yes","name":"Yes","kind":"allow_once"},{"optionId":"no","name":"No","kind":"reject_once"}]`
	s.agent(`{"jsonrpc":"2.0","id":%d,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":%s,"options":%s}}`, id, call, options)
}

// say is the editor's answer.
func (s *script) say(id int, option string) {
	s.client(`{"jsonrpc":"2.0","id":%d,"result":{"outcome":{"outcome":"selected","optionId":"%s"}}}`, id, option)
}

// state is what a proxy that has told these events says of itself.
func state(events []journal.Event) control.State {
	m := New()
	p := m.add("abcde")
	for i := range events {
		p.take(&events[i], nil)
	}
	s := control.State{Instance: p.Instance, PID: 7, Started: start, Client: p.Client, Agent: p.Agent, Protocol: p.Protocol}
	for _, one := range p.Sessions {
		if one.Talk.Session == "" {
			continue
		}
		phase, _ := one.State(start)
		s.Sessions = append(s.Sessions, control.Session{ID: one.Talk.Session, Title: one.Talk.Title, Cwd: one.Cwd, Roots: one.Roots, Mode: one.Talk.Mode, State: string(phase), AutoApprove: one.AutoApprove})
	}
	for _, o := range p.Pending {
		card := control.Pending{Request: o.Request, Session: o.Session.Talk.Session, Opened: o.Opened}
		if o.Card != nil {
			card = *o.Card
		}
		s.Pending = append(s.Pending, copied(card))
	}
	return s
}

// copied is a card as it comes over the socket.
func copied(card control.Pending) (c control.Pending) {
	data, err := json.Marshal(card)
	if err != nil {
		panic(err)
	}
	if err := json.Unmarshal(data, &c); err != nil {
		panic(err)
	}
	for _, raw := range []*json.RawMessage{&c.ID, &c.Input, &c.Content} {
		if string(*raw) == "null" {
			*raw = nil
		}
	}
	return c
}

// deltas are events as they happen.
func deltas(events []journal.Event) []control.Delta {
	all := make([]control.Delta, len(events))
	for i, e := range events {
		all[i].Event = e
	}
	return all
}
