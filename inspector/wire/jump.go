package wire

import (
	"maps"

	"bobproxy/acp"
	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
)

// pair goes from a request to its response and back, and from what was flagged
// to the frame.
func (w *Wire) pair() []pane.Wish {
	r := w.Selected()
	to := partner(r)
	switch {
	case to == nil:
		return say(unpaired(r))
	case !w.known(to):
		return say("Its " + other(r) + " is no longer kept here.")
	}
	if _, ok := w.index.find(to); !ok {
		if _, in := find(w.index.scope, to); in {
			return say("The filter hides its " + other(r) + ".")
		}
		return say("Its " + other(r) + " is in another session.")
	}
	w.Select(to.Seq)
	return nil
}

// partner is the row that belongs to r; nil: none.
func partner(r *model.Row) *model.Row {
	if r.Pair != nil {
		return r.Pair
	}
	return r.About
}

// known says that r is still among the rows of the proxy.
func (w *Wire) known(r *model.Row) bool {
	return len(w.proxy.Rows) > 0 && r.Seq >= w.proxy.Rows[0].Seq
}

// other is what the partner of r is.
func other(r *model.Row) string {
	switch {
	case r.About != nil:
		return "frame"
	case r.Kind == acp.Request:
		return "answer"
	}
	return "request"
}

func unpaired(r *model.Row) string {
	switch {
	case r.Waiting:
		return "Not answered yet."
	case r.Kind == acp.Request, r.Kind == acp.Response, r.Kind == acp.Error:
		return "Its " + other(r) + " is not known."
	}
	return "Only requests and their answers are pairs."
}

// mark marks the row at the cursor, or takes its mark off.
func (w *Wire) mark() {
	p, r := w.proxy, w.Selected()
	w.pause()
	if p.Marks == nil {
		p.Marks = map[uint64]bool{}
	}
	maps.DeleteFunc(p.Marks, func(seq uint64, _ bool) bool { return seq < p.Rows[0].Seq })
	if p.Marks[r.Seq] {
		delete(p.Marks, r.Seq)
	} else {
		p.Marks[r.Seq] = true
	}
	w.index.reconsider(r)
	if w.index.mend() {
		w.locate()
	}
}

// nextMark goes to the next marked row that is shown, from the end on to the
// first.
func (w *Wire) nextMark() []pane.Wish {
	n := len(w.index.shown)
	if n == 0 || len(w.proxy.Marks) == 0 {
		return say("Nothing is marked.")
	}
	at := w.index.nearest(w.Selected().Seq)
	for i := 1; i <= n; i++ {
		if r := w.index.shown[(at+i)%n]; w.proxy.Marks[r.Seq] {
			w.Select(r.Seq)
			return nil
		}
	}
	return say("What is marked is not shown here.")
}
