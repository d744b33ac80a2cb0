package model

import (
	"slices"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

const (
	maxPending = 2048 // more than a proxy lets wait
	maxLate    = 16   // late answers to one permission
	maxAsked   = 64   // requests that nobody said were opened
	maxCards   = 8 << 20
)

// Open says that o waits for an answer.
func (o *Permission) Open() bool { return o.Closed.IsZero() }

// ask takes a request for permission as it is on the wire: what there is to know
// of it before a card is told, if ever.
func (p *Proxy) ask(r *Row, f *acp.Frame) {
	r.draft = p.draft(r, f)
	if p.mem.asked = append(p.mem.asked, r); len(p.mem.asked) > maxAsked {
		p.mem.asked[0].draft = nil
		p.mem.asked = p.mem.asked[1:]
	}
}

// opened takes the event that a permission waits.
func (p *Proxy) opened(r *Row, e *journal.Event, card *control.Pending) {
	if empty(e.Decision) {
		return
	}
	o := p.pending(e.Decision.Request)
	if o == nil {
		if o = p.closed(e.Decision.Request); o == nil || !o.Unknown {
			o = p.permission(e.Decision, e.ID, r.Session, e.Time)
			p.open(o)
		}
	}
	o.Seq, o.Digest, r.Permission = e.Seq, clip(e.Decision.Digest, maxName), o
	p.tie(o, e.ID)
	if card != nil && o.Open() {
		o.show(card)
	}
	p.credit(o)
}

// permission is a new one, of which only its event is known.
func (p *Proxy) permission(d *journal.Decision, id []byte, s *Session, at time.Time) *Permission {
	o := &Permission{Proxy: p, Request: clip(d.Request, maxName), Digest: clip(d.Digest, maxName), Opened: at}
	o.id = clip(string(id), maxName)
	p.in(o, s)
	return o
}

func (p *Proxy) in(o *Permission, s *Session) {
	if o.Session = s; s == nil {
		o.Session = p.mem.nobody
		p.show(o.Session)
	}
}

// tie joins o to its request on the wire, the newest one under this id that is
// not another permission's.
func (p *Proxy) tie(o *Permission, id []byte) {
	name := clip(string(id), maxName)
	for _, r := range slices.Backward(p.mem.asked) {
		if r.ID == name && r.draft != nil {
			p.bind(o, r)
			return
		}
	}
}

// bind joins o to r, its request.
func (p *Proxy) bind(o *Permission, r *Row) {
	p.mem.asked = slices.DeleteFunc(p.mem.asked, func(other *Row) bool { return other == r })
	if o.Row, o.Frame, r.Permission = r, r.Seq, o; r.Session != nil {
		o.Session = r.Session
	}
	o.fill(r.draft)
	r.draft = nil
}

// fill takes what the frame said.
func (o *Permission) fill(d *Permission) {
	o.Call, o.Entry, o.paths, o.grave = d.Call, d.Entry, d.paths, d.grave
	if o.Card == nil {
		o.Card, o.Title, o.Kind = d.Card, d.Title, d.Kind
		o.Card.Request, o.Card.Digest, o.Card.Opened = o.Request, o.Digest, o.Opened
	}
}

// show takes the card that the proxy told.
func (o *Permission) show(card *control.Pending) {
	o.Card, o.Title, o.Kind, o.Digest = card, card.Title, card.Kind, card.Digest
	o.Opened, o.kept = card.Opened, nil
}

// open puts o among those that wait, in their order.
func (p *Proxy) open(o *Permission) {
	i := len(p.Pending)
	for ; i > 0 && p.Pending[i-1].Opened.After(o.Opened); i-- {
	}
	if p.Pending = slices.Insert(p.Pending, i, o); len(p.Pending) > maxPending {
		p.Pending[0].Unknown = true
		p.settle(p.Pending[0], o.Opened)
	}
}

// decided takes the event that a permission was settled, or that an answer came
// later.
func (p *Proxy) decided(r *Row, e *journal.Event) {
	d := e.Decision
	if empty(d) {
		return
	}
	o := p.known(d.Request)
	if o == nil && !d.Late {
		o = p.supposed(e)
	}
	if o == nil && !d.Late {
		o = p.unopened(r, e)
	}
	if o == nil {
		return
	}
	r.Permission = o
	p.replied(o, e)
	if o.rule(*d); !d.Late && o.Open() {
		p.settle(o, e.Time)
	}
	p.credit(o)
	if r.Text == "" {
		r.Text = o.said(d)
	}
}

// known is the permission of that name, waiting or not.
func (p *Proxy) known(request string) *Permission {
	if o := p.pending(request); o != nil {
		return o
	}
	return p.closed(request)
}

// unopened is a permission that is settled and that nobody said was opened: it
// was refused unasked, or opened before we looked.
func (p *Proxy) unopened(r *Row, e *journal.Event) *Permission {
	o := p.permission(e.Decision, e.ID, r.Session, e.Time.Add(-e.Decision.Wait))
	p.tie(o, e.ID)
	if o.Row != nil && e.Decision.Wait == 0 {
		o.Opened = o.Row.Time
	}
	p.Pending = append(p.Pending, o)
	return o
}

// said is what a decision says in a few words.
func (o *Permission) said(d *journal.Decision) string {
	switch {
	case d.Closes():
		return o.Closing()
	case d.Late:
		return "an answer that came too late"
	}
	return clip(o.Who(), shortText)
}

// Closing is what the reply of an editor that chose nothing means after o was
// settled.
func (o *Permission) Closing() string {
	if o != nil && o.Recalled {
		return "the editor closed its dialog, as asked"
	}
	return "the editor closed its dialog"
}

// rule takes a decision. What was settled in a way that nobody could tell has
// this for its settlement.
func (o *Permission) rule(d journal.Decision) {
	if d.Late || o.Decision != nil {
		o.Late = append(o.Late, d)
		o.Late = o.Late[max(0, len(o.Late)-maxLate):]
		return
	}
	o.Decision, o.Unknown, o.Ended = &d, false, d.By == "gone"
}

// replied finds the frame of the editor that e, a decision on o, is about, when
// it was kept back: it stands right before it.
func (p *Proxy) replied(o *Permission, e *journal.Event) {
	const near = 4
	name := clip(string(e.ID), maxName)
	for _, q := range slices.Backward(p.Rows[max(0, len(p.Rows)-near):]) {
		if q.Type == journal.FrameEvent && q.From == acp.Client && q.ID == name && q.Action != "" && q.Permission == nil {
			q.Permission, q.Method = o, acp.MethodRequestPermission
			return
		}
	}
}

// settle takes o off those that wait.
func (p *Proxy) settle(o *Permission, at time.Time) {
	o.Closed = first(at, o.Opened, time.Unix(0, 0))
	p.Pending = slices.DeleteFunc(p.Pending, func(other *Permission) bool { return other == o })
	p.Closed = append(p.Closed, o)
	p.mem.cards += o.weight()
	if len(p.Closed) > MaxClosed {
		old := p.Closed[0]
		p.Closed = p.Closed[1:]
		p.mem.cards -= old.weight()
		p.mem.bare = max(0, p.mem.bare-1)
		old.kept = old.Subject().keep()
		old.Card, old.Entry = nil, nil
	}
	for ; p.mem.cards > maxCards && p.mem.bare < len(p.Closed); p.mem.bare++ {
		bare := p.Closed[p.mem.bare]
		p.mem.cards -= bare.weight()
		bare.strip()
		p.mem.cards += bare.weight()
	}
	p.credit(o)
	o.stand()
}

// reconcile takes which permissions wait, by the proxy's word.
func (p *Proxy) reconcile(at time.Time, told []control.Pending) {
	waits := map[string]bool{}
	for i := range told {
		waits[told[i].Request] = true
		p.told(&told[i])
	}
	for _, o := range slices.Clone(p.Pending) {
		if !waits[o.Request] {
			o.Unknown = true
			p.settle(o, at)
		}
	}
}

// told takes the card of one that waits, which may be new to us.
func (p *Proxy) told(card *control.Pending) {
	o := p.pending(card.Request)
	if o == nil {
		o = p.closed(card.Request)
		switch {
		case o == nil:
			o = &Permission{Proxy: p, Request: card.Request}
			o.id = clip(string(card.ID), maxName)
			p.in(o, p.session(card.Session))
			o.show(card)
			p.tie(o, card.ID)
			p.open(o)
		case o.Decision == nil && p.Exit == nil:
			p.reopen(o)
		default:
			return
		}
	}
	o.show(card)
	p.credit(o)
}

// reopen is for what waits after all.
func (p *Proxy) reopen(o *Permission) {
	if i := slices.Index(p.Closed, o); i >= 0 {
		p.Closed = slices.Delete(p.Closed, i, i+1)
		p.mem.cards -= o.weight()
		if i < p.mem.bare {
			p.mem.bare--
		}
	}
	o.Closed, o.Unknown, o.Ended = time.Time{}, false, false
	p.open(o)
}

func (p *Proxy) pending(request string) *Permission { return named(p.Pending, request) }
func (p *Proxy) closed(request string) *Permission  { return named(p.Closed, request) }

// named is the newest of that name; nil when there is none.
func named(all []*Permission, request string) *Permission {
	for _, o := range slices.Backward(all) {
		if o.Request == request {
			return o
		}
	}
	return nil
}

// withdrawn is the permission whose request has that id, the newest one.
func (p *Proxy) withdrawn(id []byte) *Permission {
	name := clip(string(id), maxName)
	for _, all := range [][]*Permission{p.Closed, p.Pending} {
		for _, o := range slices.Backward(all) {
			if o.id == name {
				return o
			}
		}
	}
	return nil
}

// Permissions are those that were asked for a tool call, in order of settling,
// and then those that wait.
func (s *Session) Permissions(e *session.Entry) []*Permission {
	var all []*Permission
	for _, list := range [][]*Permission{s.Proxy.Closed, s.Proxy.Pending} {
		for _, o := range list {
			if o.Session == s && o.Entry == e && e != nil {
				all = append(all, o)
			}
		}
	}
	return all
}
