package panel

import (
	"slices"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
)

// view is what is shown in the panes of a session.
type view struct {
	session *model.Session
	tab     keys.Place
}

// origin is where a jump began, to which leaving goes back, and where it led.
type origin struct {
	focus  spot
	view   view
	filter string

	card   *model.Permission // when it began there
	before spot              // where that was opened from
	behind *model.Session

	to       view
	filtered string // the filter there
}

// longestTrail is how many jumps are remembered, the last ones.
const longestTrail = 16

func (p *Panel) view() view { return view{p.shown, p.tab} }

// here is where a jump begins; false: at a place from which leaving does not go
// back to.
func (p *Panel) here() (origin, bool) {
	o := origin{focus: p.focus, view: p.view(), filter: p.filter}
	switch p.focus {
	case atMain, atDetail:
	case atCard:
		o.card, o.before, o.behind = p.card.Permission(), p.before, p.behind
	default:
		return o, false
	}
	return o, p.shown != nil
}

// jumped remembers where a jump began, when it led anywhere else.
func (p *Panel) jumped(from origin) {
	from.to, from.filtered = p.view(), p.filter
	if from.to == from.view && from.filtered == from.filter && from.focus != atCard {
		return
	}
	if len(p.trail) == longestTrail {
		p.trail = slices.Delete(p.trail, 0, 1)
	}
	p.trail = append(p.trail, from)
}

// arrived is the jump that led to what is shown; false: none did.
func (p *Panel) arrived() (origin, bool) {
	if n := len(p.trail); n > 0 && p.focus == atMain && p.trail[n-1].to == p.view() {
		return p.trail[n-1], true
	}
	return origin{}, false
}

// goBack goes to where the jump began that led here. A filter that the jump set is
// taken off; one that was typed since stays.
func (p *Panel) goBack() bool {
	o, ok := p.arrived()
	if !ok || !slices.Contains(p.model.Sessions(), o.view.session) || o.card != nil && !slices.Contains(p.model.Waiting(), o.card) {
		p.trail = nil
		return false
	}
	p.trail = p.trail[:len(p.trail)-1]
	if p.filter == o.filtered && p.filter != o.filter {
		_ = p.setFilter(o.filter) // it was in force before
	}
	p.choose(o.view.session)
	p.tab, p.focus = o.view.tab, atMain
	switch {
	case o.focus == atDetail && p.detailOpen():
		p.focus = atDetail
	case o.focus == atCard:
		p.look(o.card)
		p.before, p.behind = o.before, o.behind
	}
	return true
}
