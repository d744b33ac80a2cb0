package panel

import (
	"bobproxy/inspector/model"
)

// Unsure says that too little of a row is kept to say whether it matches.
func (m matcher) Unsure(r *model.Row) bool {
	return m.expr.Unsure(r, m.world(r))
}
