package wire

import (
	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
)

// narrow filters on what a row is, or leaves such rows out.
func narrow(r *model.Row, out bool) []pane.Wish {
	term := ""
	switch {
	case r.Update != "":
		term = "update:" + r.Update
	case r.Method != "":
		term = "method:" + r.Method
	default:
		return say("This row has no method to filter on.")
	}
	if out {
		term = "-" + term
	}
	return []pane.Wish{pane.Narrow{Term: term}}
}
