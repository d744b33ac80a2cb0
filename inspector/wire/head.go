package wire

import (
	"fmt"

	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// Head says whether the list follows, how much there is, and what filters it.
func (w *Wire) Head(pane.Context) pane.Head {
	w.sync()
	h := pane.Head{Right: w.following()}
	if w.proxy == nil {
		return h
	}
	h.Status = paint.L(paint.Dim, w.amount())
	if w.index.match != nil { // what is hidden must not be forgotten; behind the numbers, since those must not be cut
		h.Always = true
		h.Status = append(append(h.Status, paint.S(paint.Key, "  / ")), paint.Clean(paint.Plain, head(w.index.match.String()))...)
	}
	return h
}

// amount is how many events there are, and how many of them the filter leaves or
// cannot judge; without one, in how many rows they stand where that is another
// number.
func (w *Wire) amount() string {
	n, shown, rows := len(w.index.scope), len(w.index.shown), len(w.index.lines)
	events := count(n, "event")
	if w.proxy.Dropped > 0 {
		events = "the newest " + events
	}
	switch dark := len(w.index.dark); {
	case dark > 0:
		return fmt.Sprintf("%d of %s, %d unknown", shown, events, dark)
	case w.index.match != nil:
		return fmt.Sprintf("%d of %s", shown, events)
	case rows != shown:
		return events + " in " + count(rows, "row")
	}
	return events
}

func (w *Wire) following() paint.Line {
	if w.cursor.follow {
		return paint.L(paint.Good, "FOLLOW ●")
	}
	if n := w.unseen(); n > 0 {
		return paint.Line{paint.S(paint.Warn, "PAUSED"), paint.S(paint.Strong, fmt.Sprintf("  %d new ▼", n))}
	}
	return paint.L(paint.Warn, "PAUSED")
}

// count is a number of things, with the plural where there is one.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
