package proxy

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// permission decides on session/request_permission: whether it is asked at all,
// and if so it becomes one that others than the editor may answer.
func (g *gate) permission(f *journal.Frame) error {
	p := acp.ReadPermission(f.Scan.Params)
	if p.Reason != 0 && g.policy.Bounds == Enforce {
		return g.refuse(f, g.agent, g.client, ambiguous(p.Reason))
	}
	call, grants, known := g.join(p)
	ask := broker.Ask{
		ID:         f.Scan.ID,
		Session:    p.Session.Value,
		Known:      known,
		Permission: p,
		Title:      firstOf(p.Title, call.Title, p.Command),
		Kind:       firstOf(p.Call.Kind.Value, call.Kind),
		Digest:     digest(f.Scan.Params, call),
		Verdict:    g.verdict(p, call, grants),
	}
	ask.Input, ask.Clipped = shown(p.Call.RawInput, call.RawInput, call.RawInputSize)
	ask.Content, ask.ContentClipped = shown(p.Call.Content, call.Content, call.ContentSize)
	if f.Scan.Kind != acp.Request { // nobody can answer it, so nobody is asked
		return g.client.one(f, rule{judge: func(time.Time, *journal.Frame) []broker.Effect {
			if ask.Verdict.Refuse && g.policy.Bounds == Enforce {
				f.Action = withheld
			}
			return []broker.Effect{flagged(f, "a permission request without an id cannot be answered")}
		}})
	}
	g.ledger.asked.Store(true)
	g.agent.added.room()
	return g.client.one(f, rule{with: session.With{Permission: &p}, judge: func(now time.Time, f *journal.Frame) []broker.Effect {
		if p.Reason != 0 {
			return []broker.Effect{flagged(f, "would be refused: it can be read in two ways ("+p.Reason.String()+")")}
		}
		if method, ok := g.ledger.fold.Open(acp.Agent, ask.ID); ok && method != acp.MethodRequestPermission {
			ask.Shared = true
		}
		forward, do := g.ledger.broker.Open(now, ask)
		if !forward {
			f.Action, f.Reason = withheld, firstOf(f.Reason, refusedBecause(ask.Verdict))
			if answers(do) {
				f.Action = refused
			}
		}
		return do
	}})
}

// answers says that the agent gets an answer.
func answers(do []broker.Effect) bool {
	return slices.ContainsFunc(do, func(e broker.Effect) bool { return e.ToAgent != nil })
}

func refusedBecause(v broker.Verdict) string {
	if v.Refuse {
		return "outside the workspace"
	}
	return "not asked"
}

// join finds the tool call that a permission is about, and what its paths must
// lie in. A session that nobody knows gets the strictest bounds there are.
func (g *gate) join(p acp.Permission) (call session.Call, grants []session.Grant, known bool) {
	g.ledger.mu.Lock()
	defer g.ledger.mu.Unlock()
	grants, known = g.ledger.fold.Grants(p.Session.Value)
	if len(grants) == 0 {
		grants = g.ledger.fold.AllGrants()
	}
	call, _ = g.ledger.fold.About(&p)
	return call, grants, known
}

// digest names a request and the tool call it is about, as the agent wrote
// them.
func digest(params []byte, call session.Call) string {
	h := sha256.New()
	h.Write(call.Digest[:])
	h.Write(params)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// maxShown is how much of a tool call's raw input, and of its content, is kept
// for a person to read.
const maxShown = 64 << 10

// shown is what a request says itself, else what is remembered of its tool call,
// whose true size is size.
func shown(said, remembered []byte, size int) (raw []byte, clipped bool) {
	raw = remembered
	if said != nil && string(said) != "null" {
		raw, size = said, len(said)
	}
	raw = raw[:min(len(raw), maxShown)]
	return clone(raw), len(raw) < size
}

func firstOf(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}
