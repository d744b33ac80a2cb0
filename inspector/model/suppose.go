package model

import (
	"fmt"
	"slices"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// suppose opens a permission of which only the request q is known: the recording
// is of a program that tells of frames alone, or the event was lost.
func (p *Proxy) suppose(q *Row) *Permission {
	name := fmt.Sprintf("%s:#%d", clip(p.Instance, shortText), q.Seq)
	o := p.permission(&journal.Decision{Request: name}, []byte(q.ID), q.Session, q.Time)
	o.Seq, o.supposed = q.Seq, true
	p.bind(o, q)
	p.open(o)
	p.credit(o)
	return o
}

// conclude settles what was supposed by r, the answer on the wire.
func (p *Proxy) conclude(o *Permission, r *Row, f *acp.Frame) {
	d := journal.Decision{Request: o.Request, By: "editor", Outcome: "error", Wait: max(r.Waited, 0)}
	if r.Added {
		d.By = "proxy"
	}
	if r.Kind == acp.Response {
		said := acp.ReadOutcome(f.Result)
		d.Outcome, d.OptionID, d.HasOption = clip(said.Kind, maxName), clip(said.Option, maxTitle), said.HasOption
		d.OptionKind = o.kindOf(d)
	}
	o.rule(d)
	p.settle(o, r.Time)
}

// kindOf is the kind of the option that d names.
func (o *Permission) kindOf(d journal.Decision) string {
	if o.Card == nil || !d.HasOption {
		return ""
	}
	for _, option := range o.Card.Options {
		if option.ID == d.OptionID {
			return option.Kind
		}
	}
	return ""
}

// supposed is the permission that e decides, where it was concluded from the
// frames; what e says counts instead. It is nil when there is none.
func (p *Proxy) supposed(e *journal.Event) *Permission {
	name := clip(string(e.ID), maxName)
	for _, o := range slices.Backward(p.Closed) {
		if o.supposed && o.id == name {
			o.supposed, o.Decision = false, nil
			o.Request, o.Digest = clip(e.Decision.Request, maxName), clip(e.Decision.Digest, maxName)
			return o
		}
	}
	return nil
}

// concludeAll takes what nobody said was opened, when nothing more is to come.
func (p *Proxy) concludeAll() {
	for _, q := range slices.Clone(p.mem.asked) {
		if q.draft == nil {
			continue
		}
		if o := p.suppose(q); q.Pair != nil {
			var f acp.Frame
			acp.Scan(q.Pair.Body, &f)
			p.conclude(o, q.Pair, &f)
			q.Pair.Permission = o
		}
	}
}
