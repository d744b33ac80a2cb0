package talk

import (
	"time"

	"bobproxy/acp"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/lapse"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// debts says who owes whom an answer, and who is silent; of a proxy that is
// gone, what was never answered.
func (w *writing) debts() {
	p := w.s.Proxy
	if p == nil {
		return
	}
	if p.Link == model.Gone || p.Link == model.Recorded || p.Exit != nil {
		w.unanswered(p)
		return
	}
	mine, others := w.owed(p.Debts(w.c.Now))
	w.heading("OPEN REQUESTS", nil)
	if len(mine) == 0 {
		w.quiet("debts", "nobody owes anybody an answer")
	}
	for i, d := range mine {
		if i == mostOpen {
			w.quiet("debts rest", "… "+count(len(mine)-i)+" more")
			break
		}
		w.debt(d, i)
	}
	if others > 0 {
		w.quiet("debts others", "and "+count(others)+" in other sessions of this proxy")
	}
}

// unanswered are the requests that were open at the end.
func (w *writing) unanswered(p *model.Proxy) {
	var debts []model.Debt
	for _, r := range p.Open {
		debts = append(debts, model.Debt{Who: r.From.Peer(), Row: r, Since: r.Time})
	}
	mine, _ := w.owed(debts)
	w.heading("NEVER ANSWERED", nil)
	if len(mine) == 0 {
		w.quiet("debts", "every request was answered")
	}
	for i, d := range mine[:min(len(mine), mostOpen)] {
		w.request(d, "debt "+count(i), nil)
	}
}

// owed are the debts of the session, and of none; and how many others there are.
func (w *writing) owed(debts []model.Debt) (mine []model.Debt, others int) {
	for _, d := range debts {
		s := (*model.Session)(nil)
		if d.Row != nil {
			s = d.Row.Session
		}
		if s == nil || s == w.s || s.Talk.Session == "" {
			mine = append(mine, d)
		} else {
			others++
		}
	}
	return mine, others
}

func (w *writing) debt(d model.Debt, i int) {
	name := "debt " + count(i)
	age := w.c.Now.Sub(d.Since)
	switch {
	case d.Row == nil:
		w.add(fact{row: row{paint.L(paint.Warn, "! ").With(paint.Clean(paint.Warn, d.Text)), nil}, name: name, indent: 1})
	case i > 0 && w.rows[len(w.rows)-1].about == d.Row:
		w.add(fact{row: row{paint.L(paint.Warn, "! ").With(paint.Clean(paint.Warn, d.Text)), nil}, name: name, indent: 3})
	default:
		w.request(d, name, paint.L(patience(d.Row.Method, age), "for "+lapse.Clock(age)))
	}
}

// request is one request: who owes its answer to whom.
func (w *writing) request(d model.Debt, name string, right paint.Line) {
	r := d.Row
	who, role, arrow := "agent owes  ", paint.Out, "→ "
	if d.Who == acp.Client {
		who, role, arrow = "editor owes ", paint.In, "← "
	}
	opens := w.visit(keys.Wire, r.Seq, "")
	if perm := r.Permission; perm != nil && open(perm) {
		who = "you owe     "
		opens = func() []pane.Wish { return []pane.Wish{pane.Look{Permission: perm}} }
	}
	left := paint.L(role, arrow).With(paint.L(paint.Dim, who)).With(paint.Clean(paint.Plain, head(r.Method, 128)))
	if r.ID != "" {
		left = left.With(paint.Clean(paint.Dim, "  id "+head(r.ID, 64)))
	}
	w.add(fact{row: row{left, right}, name: name, indent: 1, opens: opens, about: r})
}

// patience is the role of how long an answer takes; a turn takes as long as it
// takes.
func patience(method string, d time.Duration) paint.Role {
	switch {
	case method == acp.MethodSessionPrompt || d < 10*time.Second:
		return paint.Plain
	case d < time.Minute:
		return paint.Warn
	}
	return paint.Bad
}
