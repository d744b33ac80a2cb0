package proxy

import (
	"bytes"
	"encoding/json"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// reply takes an answer of the editor: of a permission the first one goes on,
// whoever gave it, and no other. It is a rule.
func (g *gate) reply(now time.Time, f *journal.Frame) []broker.Effect {
	if g.ledger.broker.Owns(f.Scan.ID) {
		return g.settle(now, f, readReply(&f.Scan))
	}
	return g.lateAnswer(now, f)
}

func (g *gate) settle(now time.Time, f *journal.Frame, r broker.Reply) []broker.Effect {
	forward, reason, do := g.ledger.broker.Reply(now, r)
	if reason != "" {
		f.Reason = reason
	}
	if !forward {
		f.Action, f.Method, f.Session = swallowed, acp.MethodRequestPermission, sessionOf(do)
	}
	return do
}

// sessionOf is the session that effects speak of, spelled as in a frame.
func sessionOf(do []broker.Effect) string {
	for _, e := range do {
		if e.Note != nil && e.Note.Session != "" {
			quoted, _ := json.Marshal(e.Note.Session) // a string has no error
			return string(quoted[1 : len(quoted)-1])
		}
	}
	return ""
}

// readReply reads an answer. What is garbled in it matters only where it says
// the outcome, which its reader tells.
func readReply(s *acp.Frame) broker.Reply {
	r := broker.Reply{ID: s.ID, Unreadable: s.Reason != 0 && !s.Reason.Garbled()}
	if s.Kind == acp.Error {
		r.Failed, r.Code = true, acp.ErrorCode(s.Error)
		return r
	}
	o := acp.ReadOutcome(s.Result)
	r.Outcome, r.Option, r.HasOption = o.Kind, o.Option, o.HasOption
	r.Unreadable = o.Reason != 0 || r.Unreadable
	return r
}

// lateAnswer keeps back an answer to a request that ran out of time. It is a
// rule.
func (g *gate) lateAnswer(now time.Time, f *journal.Frame) []broker.Effect {
	if q := g.ledger.requests; q != nil && q.Answered(f.Dir.Peer(), f.Scan.ID) {
		f.Action, f.Reason = swallowed, "its request ran out of time"
	}
	return nil
}

// withdrawn takes $/cancel_request of the agent. It is a rule.
func (g *gate) withdrawn(now time.Time, f *journal.Frame) []broker.Effect {
	id := acp.ReadCancelRequest(f.Scan.Params)
	if id == nil {
		return nil
	}
	forward, do := g.ledger.broker.Withdrawn(now, id)
	if !forward {
		f.Action, f.Reason = swallowed, "the editor has been told already"
	}
	return do
}

// outcome is in every answer to a permission that could approve it.
var outcome = []byte("outcome")

// unclear keeps back an agent's line that one peer could read as an enforced
// method and another as something else.
func (g *gate) unclear(f *journal.Frame) error {
	r := ambiguous(f.Scan.Reason)
	if f.Scan.Kind == acp.Text {
		r = goesOn()
	}
	if g.policy.Bounds == Enforce {
		return g.refuse(f, g.agent, g.client, r)
	}
	return g.client.one(f, rule{judge: func(time.Time, *journal.Frame) []broker.Effect {
		return []broker.Effect{flagged(f, "would be withheld: it can be read in two ways ("+r.reason+"), and in one of them it may ask for something outside")}
	}})
}

// unclearFromClient lets an editor's line pass, save one that could widen the
// roots past the ceiling, and one that answers what is settled.
func (g *gate) unclearFromClient(f *journal.Frame) error {
	if g.ceiling != nil && g.policy.Bounds == Enforce && acp.NamesSetup(f.Line) {
		return g.refuse(f, g.client, g.agent, refusal{
			reason: f.Scan.Reason.String(), rule: "ambiguous", roots: []string{g.policy.Ceiling},
			message: "the request can be read in two ways (" + f.Scan.Reason.String() + "); bobproxy is told to keep sessions in " + g.policy.Ceiling,
		})
	}
	return g.agent.one(f, rule{judge: func(now time.Time, f *journal.Frame) []broker.Effect {
		if f.Scan.ID == nil || !g.ledger.broker.Owns(f.Scan.ID) || f.Scan.Method != nil && !bytes.Contains(f.Line, outcome) {
			return nil // no answer, or a request of the editor's own
		}
		return g.settle(now, f, broker.Reply{ID: f.Scan.ID, Unreadable: true})
	}})
}
