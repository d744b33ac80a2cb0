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
	n, shown := len(w.index.scope), len(w.index.shown)
	h.Status = paint.L(paint.Dim, count(n, "row"))
	if w.index.match != nil { // what is hidden must not be forgotten
		h.Always = true
		h.Status = paint.L(paint.Dim, fmt.Sprintf("%s, %d shown", count(n, "row"), shown))
		h.StatusRight = append(paint.L(paint.Key, "/ "), paint.Clean(paint.Plain, head(w.index.match.String()))...)
	}
	return h
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
