package main

import (
	"fmt"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// answerDocument is what a counting answer prints with --json. Members are only
// ever added.
type answerDocument struct {
	Request  string  `json:"request"`
	Result   string  `json:"result"`
	OptionID *string `json:"optionId"` // null: the outcome is cancelled
	Kind     string  `json:"kind"`     // of the option, or cancelled
	Digest   string  `json:"digest"`
}

const cancelled = "cancelled"

// outcome says what the proxy made of an answer.
func (r *remote) outcome(a reply, p control.Pending, d broker.Decision, ruling broker.Ruling) int {
	switch ruling.Result {
	case broker.Applied:
		return r.applied(a, p, d, ruling)
	case broker.TooLate:
		return r.fail(a.tooLate(p, ruling))
	case broker.Expired:
		return r.fail(a.expired(p, ruling))
	case broker.Unknown:
		c := &complaint{exit: exitUnknown, Code: "no_such_request", Message: fmt.Sprintf("there is no request %s", a.request)}
		return r.fail(c.with("bobproxy pending lists those that wait"))
	case broker.Refused:
		return r.fail(a.refusal(ruling))
	}
	return r.fail(broken("the proxy said %s to the answer for %s", quotation(string(ruling.Result)), a.request).
		with("its version may differ from this one; see: bobproxy ps"))
}

var done = map[string]string{"approve": "approved", "deny": "denied", "answer": "answered"}

func (r *remote) applied(a reply, p control.Pending, d broker.Decision, ruling broker.Ruling) int {
	o, chosen := agentGot(p, d, ruling)
	doc := answerDocument{Request: a.request, Result: string(broker.Applied), Kind: cancelled, Digest: p.Digest}
	text := cancelled
	if chosen {
		doc.OptionID, doc.Kind = &o.ID, o.Kind
		text = optionText(o)
	}
	page := page{width: r.width}
	page.row(done[a.verb], a.request)
	page.row("with", text)
	page.row("digest", field(p.Digest))
	page.title(p.Title)
	return r.show(doc, page.String())
}

// agentGot is the option that the agent got; none is the outcome cancelled.
func agentGot(p control.Pending, d broker.Decision, ruling broker.Ruling) (control.Option, bool) {
	if !d.Deny {
		return byNumber(p, d.Number)
	}
	return byRuling(p, ruling)
}

func byNumber(p control.Pending, number int) (control.Option, bool) {
	for _, o := range p.Options {
		if o.Number == number {
			return o, true
		}
	}
	return control.Option{}, false
}

// byRuling is the option that a ruling names by its id and kind.
func byRuling(p control.Pending, ruling broker.Ruling) (control.Option, bool) {
	for _, o := range p.Options {
		if o.ID == ruling.Option && o.Kind == ruling.Kind && !o.Odd {
			return o, true
		}
	}
	return control.Option{ID: ruling.Option, Kind: ruling.Kind}, ruling.Option != ""
}

// settled adds for scripts how a request was settled.
func (c *complaint) settled(ruling broker.Ruling) *complaint {
	c.By, c.Kind = string(ruling.By), ruling.Kind
	if ruling.Option != "" {
		c.OptionID = &ruling.Option
	}
	return c
}

func who(by broker.By) string {
	switch by {
	case broker.ByEditor:
		return "the editor"
	case broker.ByPanel:
		return "somebody at a panel"
	case broker.ByCommand:
		return "another command"
	case broker.ByBounds:
		return "the proxy itself, for its workspace bounds,"
	case broker.ByTimeout:
		return "the time-out"
	}
	return "somebody else"
}

func withWhat(p control.Pending, ruling broker.Ruling) string {
	o, chosen := byRuling(p, ruling)
	switch {
	case chosen && o.Number > 0:
		return " with " + optionText(o)
	case chosen && o.Kind != "":
		return fmt.Sprintf(" with option %s, %s", quotation(o.ID), kindOf(o.Kind))
	case chosen:
		return " with option " + quotation(o.ID)
	}
	return ""
}

// tooLate is about a request that somebody else answered. What that was, when it
// was no option, only the proxy's words tell.
func (a *reply) tooLate(p control.Pending, ruling broker.Ruling) *complaint {
	c := &complaint{exit: exitTooLate, Code: "too_late", Message: fmt.Sprintf("%s answered %s first%s", who(ruling.By), a.request, withWhat(p, ruling))}
	if ruling.Option == "" && ruling.Text != "" {
		c.Message += " (" + field(ruling.Text) + ")"
	}
	return c.settled(ruling).with("your answer does not count")
}

// expired is about a request that was closed before anybody answered it.
func (a *reply) expired(p control.Pending, ruling broker.Ruling) *complaint {
	var text string
	switch ruling.By {
	case broker.ByTimeout:
		text = fmt.Sprintf("%s ran out of time: nobody answered, and it was settled%s", a.request, withWhat(p, ruling))
	case broker.ByAgent:
		text = fmt.Sprintf("the agent has withdrawn %s", a.request)
	case broker.ByCancel:
		text = fmt.Sprintf("%s was cancelled in the editor", a.request)
	case broker.ByGone:
		text = fmt.Sprintf("%s ended with its proxy, agent or editor", a.request)
	default:
		text = fmt.Sprintf("%s is not open any more", a.request)
	}
	c := &complaint{exit: exitExpired, Code: "expired", Message: text}
	return c.settled(ruling).with("your answer does not count; to have it after all, ask the agent again")
}

// refusal is an answer that the proxy does not take, in its own words.
func (a *reply) refusal(ruling broker.Ruling) *complaint {
	c := notTaken("the proxy refuses this answer to %s", a.request)
	if ruling.Text != "" {
		c.Message += ": " + field(ruling.Text)
	}
	return c
}
