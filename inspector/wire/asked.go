package wire

import (
	"strings"

	"bobproxy/inspector/gist"
	"bobproxy/inspector/lapse"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/proxy/journal"
)

const (
	leastAbout = 16  // cells of what a permission is about that count for more than how long it took
	leastCut   = 4   // cells that are worth it at all
	wholeLine  = 500 // cells of a line that nothing bounds
)

// saying is what a row that is no frame says, in at most width cells.
func saying(r *model.Row, home string, width int) paint.Line {
	switch {
	case r.Type == journal.DecisionEvent:
		return decided(r, home, width)
	case r.Type == journal.OpenedEvent && r.Text == "" && r.Permission != nil:
		if l := about(r, home, width); l.Width() > 0 {
			return l
		}
	}
	text, role := told(r)
	return paint.Clean(role, text).Cut(width)
}

// about is what the permission of r is about, as it is told everywhere.
func about(r *model.Row, home string, width int) paint.Line {
	if r.Permission == nil || width < 1 {
		return nil
	}
	s := r.Session
	if r.Permission.Session != nil {
		s = r.Permission.Session
	}
	return gist.Of(s, home).Line(r.Permission.Subject(), width)
}

// decided says who answered a permission, and what: in the longest of its forms
// that leaves room for what it is about.
func decided(r *model.Row, home string, width int) paint.Line {
	forms, role := decidedForms(r)
	need := min(about(r, home, leastAbout).Width(), leastAbout)
	if need > 0 {
		need += len(" · ") - 1
	}
	said := forms[len(forms)-1]
	for _, form := range forms {
		if paint.Width(form)+need <= width {
			said = form
			break
		}
	}
	l := paint.Clean(role, said).Cut(width)
	if free := width - l.Width() - 3; free >= leastCut && need > 0 {
		l = l.With(paint.L(paint.Dim, " · ")).With(about(r, home, free))
	}
	return l
}

// decidedForms are the forms of what a decision says, the longest first. The shortest
// have no number, which could not be told from another one when it is cut.
func decidedForms(r *model.Row) ([]string, paint.Role) {
	d := r.Decision
	if d == nil || d.By == "" {
		return []string{firstOf(head(r.Text), head(r.First), "answered")}, paint.Plain
	}
	if d.Closes() {
		return []string{r.Permission.Closing(), "dialog closed"}, paint.Dim
	}
	ruling, role := verdict(d)
	took, by := lapse.Took(d.Wait), brief(ruling.By)
	if d.Late {
		return []string{ruling.String() + " after " + took + ", too late", by + ", too late: " + ruling.What}, paint.Warn
	}
	short := by + ": " + ruling.What
	return []string{ruling.String() + " after " + took, short + ", " + took, short}, role
}

// brief is who decided, as a word in front of a colon.
func brief(by string) string {
	for _, article := range []string{"the ", "a "} {
		by = strings.TrimPrefix(by, article)
	}
	return strings.TrimRight(by, ":,")
}

// verdict is what was decided, and its role.
func verdict(d *journal.Decision) (model.Ruling, paint.Role) {
	ruling := model.RulingOf(d)
	switch ruling.Kind {
	case "allow_once", "allow_always":
		return ruling, paint.Good
	case "reject_once", "reject_always":
		return ruling, paint.Bad
	}
	return ruling, paint.Warn
}
