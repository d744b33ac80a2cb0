package broker

import (
	"fmt"
	"time"

	"bobproxy/proxy/journal"
)

// Result is what became of a decision.
type Result string

const (
	Applied Result = "applied"
	TooLate Result = "too late" // somebody else answered first
	Expired Result = "expired"  // timed out, withdrawn, cancelled or gone
	Unknown Result = "unknown"  // there was no such request
	Refused Result = "refused"  // not with this option, not by this caller, not for this digest
)

// Decision is an answer from a panel or a command.
type Decision struct {
	Request  string
	Digest   string // empty: whatever it is
	Option   string // the optionId; empty: by Number alone
	Number   int    // position from 1; zero: by Option alone
	Deny     bool   // no option: what a refusal is to this request
	By       By
	Standing bool   // the caller knows that allow_always lasts
	DenyOnly bool   // the caller may only reject
	Why      string // of that, for the caller
	Peer     *journal.Peer
}

// Ruling answers a decision.
type Ruling struct {
	Result Result
	By     By     // who settled it, when not this decision
	Option string // what it was settled with
	Kind   string // that option's kind
	Text   string // a sentence for the caller, with what to do
}

// Decide takes a decision. What it refuses leaves the request open.
func (b *Broker) Decide(now time.Time, d Decision) (Ruling, []Effect) {
	e := b.find(d.Request)
	if e == nil {
		return b.past(d.Request), nil
	}
	if e.stage != open {
		return leaving(e.stage), nil
	}
	a, objection := e.choose(d)
	if objection != "" {
		return Ruling{Result: Refused, Text: objection}, nil
	}
	do := b.settle(now, e, d.By, a, d.Peer, "")
	return Ruling{Result: Applied, Option: a.option.Value, Kind: a.kind, Text: applied(a)}, do
}

// find is the request, if the agent waits for it.
func (b *Broker) find(request string) *entry {
	for _, e := range b.live {
		if e.Request == request {
			return e
		}
	}
	return nil
}

func applied(a answer) string {
	if a.outcome == outcomeCancelled {
		return "Answered: cancelled, since no option of it surely rejects, and only this once."
	}
	return "Answered: " + a.String() + "."
}

// leaving answers for a request that the editor or the agent has cancelled and
// that waits for the editor's reply.
func leaving(s stage) Ruling {
	if s == withdrawn {
		return Ruling{Result: Expired, By: ByAgent, Text: endings[ByAgent]}
	}
	return Ruling{Result: Expired, By: ByCancel, Text: endings[ByCancel]}
}

// past answers for a request that is not open.
func (b *Broker) past(request string) Ruling {
	end, ok := b.settled.get(request)
	if !ok {
		const text = "There is no request %q here, or it ended long ago; bobproxy pending lists those that wait."
		return Ruling{Result: Unknown, Text: fmt.Sprintf(text, clip(request, 64))}
	}
	r := Ruling{Result: Expired, By: end.by, Option: end.said.option.Value, Kind: end.said.kind, Text: endings[end.by]}
	switch end.by {
	case ByEditor, ByPanel, ByCommand, ByBounds:
		r.Result = TooLate
		r.Text = fmt.Sprintf("%s: %s. There is nothing left to do.", endings[end.by], end.said)
	}
	return r
}

var endings = map[By]string{
	ByEditor:  "The editor answered first",
	ByPanel:   "A panel answered first",
	ByCommand: "A command answered first",
	ByBounds:  "The proxy refused it by itself",
	ByTimeout: "Nobody answered in time, so it was refused; the agent may ask again.",
	ByCancel:  "The editor cancelled the session's turn; there is nothing left to answer.",
	ByAgent:   "The agent withdrew it; there is nothing left to answer.",
	ByGone:    "The agent or the editor has left; there is nothing left to answer.",
}
