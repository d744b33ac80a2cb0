package panel

import (
	"bobproxy/inspector/filter"
	"bobproxy/inspector/model"
)

// Unsure says that too little of a row is kept to say whether it matches.
func (m matcher) Unsure(r *model.Row) bool {
	return m.expr.Unsure(r, filter.World{Now: m.panel.now, Marked: func(r *model.Row) bool { return r.Proxy != nil && r.Proxy.Marks[r.Seq] }})
}
