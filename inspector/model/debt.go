package model

import (
	"fmt"
	"time"

	"bobproxy/acp"
	"bobproxy/inspector/lapse"
)

// quiet is how long an agent at work may say nothing before that is worth a
// word.
const quiet = 30 * time.Second

// unmoved is how long an editor may show no reaction to a permission before that
// is worth a word: it may be asking a person.
const unmoved = time.Minute

// Debt is something that somebody owes an answer to.
type Debt struct {
	Who   acp.Direction // who owes it
	Row   *Row          // the request; nil: none in particular
	Since time.Time
	Text  string // in plain words, with the age; not clean
}

// Debts says who owes whom an answer right now, oldest first, and who is
// silent. Nobody owes anything to a proxy that has ended.
func (p *Proxy) Debts(now time.Time) []Debt {
	if p.Link == Gone || p.Link == Recorded || p.Exit != nil {
		return nil
	}
	var all []Debt
	for _, r := range p.Open {
		who := r.From.Peer()
		all = append(all, Debt{who, r, r.Time, fmt.Sprintf("%s owes %s %s", party(who), r.Method, lapse.Clock(now.Sub(r.Time)))})
		if r.Permission != nil && who == acp.Client && !p.heard(acp.Client, r) && now.Sub(r.Time) >= unmoved {
			all = append(all, Debt{who, r, r.Time, "the editor has shown no reaction to this permission"})
		}
	}
	return append(all, p.silent(now)...)
}

func party(from acp.Direction) string {
	if from == acp.Agent {
		return "agent"
	}
	return "editor"
}

// silent says whether the agent has nothing to wait for, and yet says nothing.
func (p *Proxy) silent(now time.Time) []Debt {
	var asked *Row
	for _, r := range p.Open {
		if r.From == acp.Agent {
			return nil // it waits itself
		}
		asked = r
	}
	if asked == nil {
		return nil
	}
	since := asked.Time
	if last := p.Last[acp.Agent]; last.After(since) {
		since = last
	}
	if now.Sub(since) < quiet {
		return nil
	}
	return []Debt{{acp.Agent, nil, since, "agent silent " + lapse.Clock(now.Sub(since))}}
}

// heard says whether anything came from a side after r.
func (p *Proxy) heard(from acp.Direction, r *Row) bool { return p.mem.last[from] > r.Seq }
