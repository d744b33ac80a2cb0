package model

import "slices"

// credit finds what a permission was asked for, and judges that anew.
func (p *Proxy) credit(o *Permission) {
	s := o.Session
	if o.Deed == nil {
		p.place(o)
	}
	d := o.Deed
	if d == nil {
		return
	}
	d.judge()
	if d.Entry == nil && o.verdict() != Asking && o.verdict() != Allowed {
		d.over = true
		s.finish(d)
	}
}

// place enters o into the ledger: with the tool call that it names, else with
// one that is like it and was not asked for, else as a deed of its own, whose
// tool call may follow.
func (p *Proxy) place(o *Permission) {
	s := o.Session
	d := s.named(o)
	if d == nil || !d.announced && len(d.Asked) == 0 {
		if like := s.unasked(o); like != nil && like != d {
			if d != nil {
				p.strike(d)
			}
			d = like
		}
	}
	switch {
	case d != nil:
	case o.grave:
		d = p.asked(o)
	default:
		if !slices.Contains(s.book.loose, o) {
			s.book.loose = append(s.book.loose, o)
			s.book.loose = s.book.loose[max(0, len(s.book.loose)-maxLoose):]
		}
		return
	}
	d.ask(o)
}

func (d *Deed) ask(o *Permission) {
	if o.Deed = d; len(d.Asked) == maxAsks {
		d.Asked[0].Deed = nil
		d.Asked = slices.Delete(d.Asked, 0, 1)
	}
	d.Asked = append(d.Asked, o)
}

// asked is a deed of which only the permission is known.
func (p *Proxy) asked(o *Permission) *Deed {
	at := o.Row
	if at == nil {
		at = &Row{Seq: o.Seq, Time: o.Opened}
	}
	d := p.deed(o.Session, at)
	d.call, d.Title = o.Call, clip(o.Title, maxDoing)
	if d.What = consequence(o.Kind); d.What == "" {
		d.What = "edit"
		if o.Card != nil && o.Card.Command != "" {
			d.What = "execute"
		}
	}
	return d
}

// named is the deed that o names by its tool call.
func (s *Session) named(o *Permission) *Deed {
	if d := s.book.byEntry[o.Entry]; d != nil && o.Entry != nil {
		return d
	}
	for _, d := range slices.Backward(s.book.live) {
		switch {
		case o.Call == "" || d.over:
		case d.Entry != nil && d.Entry.Tool.ID == o.Call:
			return d
		case d.Entry == nil && d.call == o.Call && d.Title == clip(o.Title, maxDoing):
			return d // asked again
		}
	}
	return nil
}

// unasked is a tool call like o that was not asked for yet.
func (s *Session) unasked(o *Permission) *Deed {
	for _, d := range slices.Backward(s.book.live) {
		if d.Entry != nil && d.announced && len(d.Asked) == 0 && o.alike(d.Entry.Tool) {
			return d
		}
	}
	return nil
}

// gather finds for a tool call that was not asked for what was asked right
// before under another id, and what it has done already. A permission counts for
// one tool call only.
func (p *Proxy) gather(d *Deed) {
	s, t := d.Session, d.Entry.Tool
	if len(d.Asked) == 0 && d.announced {
		if other := s.spare(d); other != nil {
			p.merge(d, other)
		} else if i := slices.IndexFunc(s.book.loose, func(o *Permission) bool { return o.Deed == nil && o.alike(t) }); i >= 0 {
			d.ask(s.book.loose[i])
			s.book.loose = slices.Delete(s.book.loose, i, i+1)
		}
	}
	for _, id := range t.Terminals {
		switch other := s.book.terminals[id]; {
		case other == nil:
			s.book.lend(id, d)
		case other != d && other.only():
			p.merge(d, other)
		}
	}
	mine := func(other *Deed) bool {
		return other != d && other.only() && other.What == "write" && d.names(other.Title)
	}
	for i := slices.IndexFunc(s.book.live, mine); i >= 0; i = slices.IndexFunc(s.book.live, mine) {
		p.merge(d, s.book.live[i])
	}
}

// spare is what was asked for and allowed, or is being asked for, in the same
// words as d, and that no tool call was announced for.
func (s *Session) spare(d *Deed) *Deed {
	for _, other := range slices.Backward(s.book.live) {
		if other == d || other.announced || other.ran || len(other.Asked) == 0 {
			continue
		}
		last := other.Asked[len(other.Asked)-1]
		if v := last.verdict(); (v == Asking || v == Allowed) && last.alike(d.Entry.Tool) {
			return other
		}
	}
	return nil
}

// only says that d is a request of the agent without a tool call.
func (d *Deed) only() bool { return d.Entry == nil && len(d.Asked) == 0 }

// merge makes one deed of two.
func (p *Proxy) merge(d, other *Deed) {
	asked, requests := other.Asked, slices.Clone(other.Requests)
	terminals := d.Session.book.terminals
	for id, of := range terminals {
		if of == other {
			terminals[id] = d
		}
	}
	p.strike(other)
	for _, o := range asked {
		d.ask(o)
	}
	for _, r := range requests {
		d.cause(r)
	}
	if other.Seq < d.Seq {
		d.Seq, d.At = other.Seq, other.At
	}
}
