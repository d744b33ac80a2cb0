package card

import (
	"time"

	"bobproxy/inspector/model"
	"bobproxy/proxy/broker"
)

// stage is what has become of the request that is shown.
type stage uint8

const (
	none      stage = iota
	open            // it waits for an answer
	sending         // ours is on its way
	silent          // for so long that something is wrong
	counted         // ours was the one
	lost            // ours did not count
	elsewhere       // somebody else answered
	timedOut
	withdrawn
	ended // its proxy, agent or editor has gone
)

const (
	patience   = 2 * time.Second // until an answer without an acknowledgement is told as that
	linger     = 3 * time.Second // what is over stays for so long before the next one comes
	lingerSent = time.Second     // and an answer from here, where a key was pressed since
)

// shows says that the request itself is shown, not only what became of it.
func (s stage) shows() bool { return s >= open && s <= counted }

// over says that nothing more happens to it.
func (s stage) over() bool { return s >= counted }

type ruling = broker.Ruling

// stage is what has become of it at now.
func (c *Card) stage(now time.Time) stage {
	if c.p == nil {
		return none
	}
	if s := c.dossier.sent; s != nil {
		return c.sentStage(s, now)
	}
	if s := c.dossier.doubt; s != nil && c.p.Decision != nil {
		return fate(s, c.p)
	}
	return stageOf(c.p)
}

func (c *Card) sentStage(s *sent, now time.Time) stage {
	switch {
	case s.ruled && s.ruling.Result == broker.Applied:
		return counted
	case s.ruled:
		return lost
	case c.p.Decision != nil:
		return fate(s, c.p)
	case hasEnded(c.p):
		return ended
	case now.Sub(s.at) < patience:
		return sending
	}
	return silent
}

// fate is what became of an answer, as the record tells it.
func fate(s *sent, p *model.Permission) stage {
	d := p.Decision
	if s.deny && d.By == string(broker.ByPanel) && (!d.HasOption || d.OptionKind == "reject_once") {
		return counted
	}
	if d.By != string(broker.ByPanel) || d.HasOption != (s.number > 0) || d.HasOption && d.OptionID != s.option {
		return lost
	}
	return counted
}

// stageOf is what became of a request that was not answered here.
func stageOf(p *model.Permission) stage {
	if p.Decision == nil {
		if hasEnded(p) {
			return ended
		}
		return open
	}
	switch broker.By(p.Decision.By) {
	case broker.ByTimeout:
		return timedOut
	case broker.ByCancel, broker.ByAgent:
		return withdrawn
	case broker.ByGone:
		return ended
	}
	return elsewhere
}

func hasEnded(p *model.Permission) bool {
	return p.Ended || p.Proxy != nil && p.Proxy.Link == model.Gone
}

// waiting are the requests of all proxies that wait for an answer, oldest first.
func waiting(m *model.Model) []*model.Permission {
	if m == nil {
		return nil
	}
	return m.Waiting()
}

// next is the request that comes after the one that is shown is over.
func (c *Card) next(m *model.Model) *model.Permission {
	for _, p := range waiting(m) {
		if p == c.p || p.Decision != nil || hasEnded(p) {
			continue
		}
		if d := c.dossierOf(p); d != nil && d.sent != nil {
			continue
		}
		return p
	}
	return nil
}

// beside is the request that many steps away in the queue; nil: there is none.
func (c *Card) beside(m *model.Model, by int) *model.Permission {
	all := waiting(m)
	for i, p := range all {
		if p == c.p {
			if len(all) < 2 {
				return nil
			}
			return all[((i+by)%len(all)+len(all))%len(all)]
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// place is where the one that is shown stands in the queue, from 1; 0: nowhere.
func (c *Card) place(m *model.Model) (at, of int) {
	all := waiting(m)
	for i, p := range all {
		if p == c.p {
			at = i + 1
		}
	}
	return at, len(all)
}
