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
	if w.index.match != nil { // what is hidden must not be forgotten
		h.Always = true
		h.StatusRight = append(paint.L(paint.Key, "/ "), paint.Clean(paint.Plain, head(w.index.match.String()))...)
	}
	return h
}

// amount is how many events there are, how many of them the filter leaves, and
// in how many rows they stand where that is another number.
func (w *Wire) amount() string {
	n, shown, rows := len(w.index.scope), len(w.index.shown), len(w.index.lines)
	text := count(n, "event")
	if w.index.match != nil {
		text += fmt.Sprintf(", %d shown", shown)
	}
	if rows != shown {
		text += " in " + count(rows, "row")
	}
	return text
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
