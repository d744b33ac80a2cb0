package proxy

import (
	"bobproxy/acp"
	"bobproxy/proxy/bounds"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// What happens to a frame that is not forwarded; the words of recordings.
const (
	refused   = "refused"   // its sender got an error reply
	withheld  = "withheld"  // it was dropped
	swallowed = "swallowed" // a reply to what was settled already
)

// gate decides on the frames that need a decision: those that name paths, ask
// for permission, or answer a permission. Path verdicts, which do I/O, are made
// by the pump of the frame's own direction and outside every lock.
type gate struct {
	policy  Policy
	ledger  *ledger
	agent   *outlet // towards the agent
	client  *outlet // towards the editor
	ceiling *bounds.Set
	allowed []bounds.Dir
	flags   *flagger
	begun   bool // a line of the agent passed that may begin an object and not end it; its pump's own
}

// newGate makes the gate and what in the ledger belongs to it.
func newGate(p Policy, instance string, l *ledger, agent, client *outlet) (*gate, error) {
	p.Bounds = p.mode()
	g := &gate{policy: p, ledger: l, agent: agent, client: client}
	if err := g.roots(); err != nil {
		return nil, err
	}
	g.flags = newFlagger(l.journal)
	if p.Bounds != Off {
		l.flags = g.flags
	}
	l.broker = broker.New(broker.Options{Instance: instance, Timeout: p.permissionTimeout(), Withdraw: !p.KeepDialogs})
	if p.RequestTimeout > 0 {
		l.requests, l.limit = broker.NewRequests(p.RequestTimeout), p.RequestTimeout
	}
	if p.PromptTimeout > 0 {
		l.prompts = broker.NewPrompts(p.PromptTimeout)
	}
	return g, nil
}

// concerns says that f is to be decided on. What it does not concern passes
// with the frames around it.
func (g *gate) concerns(f *journal.Frame) bool {
	s := &f.Scan
	if f.Dir == acp.Agent {
		switch s.Kind {
		case acp.Request, acp.Notification:
			return g.asks(s)
		case acp.Response, acp.Error:
			return g.ledger.requests != nil
		case acp.Ambiguous, acp.Text:
			return g.hides(f)
		}
		return false
	}
	switch s.Kind {
	case acp.Request, acp.Notification:
		return settles(s)
	case acp.Response, acp.Error:
		return g.ledger.asked.Load() || g.ledger.requests != nil
	case acp.Ambiguous:
		return g.ledger.asked.Load() || g.ceiling != nil
	}
	return false
}

// hides says that an agent's line that is no frame can be read as an enforced
// method: by itself, or by those who read on past the end of a line until an
// object is whole.
func (g *gate) hides(f *journal.Frame) bool {
	if f.Scan.Kind == acp.Text && !g.begun || g.policy.Bounds == Off {
		return false
	}
	if acp.NamesEnforced(f.Line) {
		return true
	}
	g.begun = g.begun || !f.Scan.Strict
	return false
}

// asks says that an agent's frame names paths or has to do with permissions.
func (g *gate) asks(s *acp.Frame) bool {
	switch string(s.Method) {
	case acp.MethodReadTextFile, acp.MethodWriteTextFile, acp.MethodTerminalCreate:
		return g.policy.Bounds != Off
	case acp.MethodRequestPermission, acp.MethodCancelRequest:
		return true
	}
	return false
}

// settles says that a client's frame gives roots or ends what is open.
func settles(s *acp.Frame) bool {
	switch string(s.Method) {
	case acp.MethodSessionNew, acp.MethodSessionLoad, acp.MethodSessionResume, acp.MethodSessionFork,
		acp.MethodSessionCancel, acp.MethodSessionClose, acp.MethodSessionDelete:
		return true
	}
	return false
}

// pass decides on f, which concerns the gate, and carries the decision out.
func (g *gate) pass(f *journal.Frame) error {
	if f.Dir == acp.Agent {
		return g.fromAgent(f)
	}
	return g.fromClient(f)
}

func (g *gate) fromAgent(f *journal.Frame) error {
	switch f.Scan.Kind {
	case acp.Ambiguous, acp.Text:
		return g.unclear(f)
	case acp.Response, acp.Error:
		return g.client.one(f, rule{judge: g.lateAnswer})
	}
	switch string(f.Scan.Method) {
	case acp.MethodRequestPermission:
		return g.permission(f)
	case acp.MethodCancelRequest:
		return g.client.one(f, rule{judge: g.withdrawn})
	}
	return g.access(f)
}

func (g *gate) fromClient(f *journal.Frame) error {
	switch f.Scan.Kind {
	case acp.Ambiguous:
		return g.unclearFromClient(f)
	case acp.Response, acp.Error:
		return g.agent.one(f, rule{judge: g.reply})
	}
	switch string(f.Scan.Method) {
	case acp.MethodSessionCancel, acp.MethodSessionClose, acp.MethodSessionDelete:
		return g.agent.one(f, rule{judge: g.sessionEnds})
	}
	return g.setup(f)
}

// refuse keeps f back, records why, and answers its sender with an error where
// that can be. It waits while too many answers wait.
func (g *gate) refuse(f *journal.Frame, from, to *outlet, r refusal) error {
	f.Action, f.Reason = withheld, r.reason
	reply := r.reply(&f.Scan)
	if reply != nil {
		f.Action = refused
	}
	err := to.one(f, rule{judge: nothing})
	if reply != nil {
		from.added.refuse(reply)
	}
	return err
}

// flagged records a word about f and lets it pass.
func flagged(f *journal.Frame, text string) broker.Effect {
	return broker.Effect{Note: &journal.Event{
		Type: journal.FlaggedEvent, Dir: f.Dir, Method: string(f.Scan.Method), ID: clone(f.Scan.ID), Session: string(f.Scan.Session), Text: text,
	}}
}

func clone(b []byte) []byte { return append([]byte(nil), b...) }

// drops says that a line of from that is too long to look at does not pass.
func (g *gate) drops(from acp.Direction) bool {
	return from == acp.Agent && g.policy.Bounds == Enforce
}
