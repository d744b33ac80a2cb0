package talk

import (
	"bobproxy/acp/session"
	"bobproxy/inspector/paint"
)

// pinned paints the plan at the top of a timeline, with a line below, and gives
// how many rows that took: at most a third of all, and not more than ten.
func pinned(a paint.Area, t *session.Talk) int {
	rows := planRows(t, a.W, min(a.H/3-1, 9))
	if len(rows) == 0 {
		return 0
	}
	for y, r := range rows {
		a.In(1, 1).Line(0, y, r)
	}
	a.Rule(len(rows))
	return len(rows) + 1
}

// planRows are the plans of a session in at most n rows. Of a long one, what is
// done goes first, then what is last to come.
func planRows(t *session.Talk, width, n int) []paint.Line {
	var rows []paint.Line
	for _, p := range t.Plans {
		if room := n - len(rows); room >= 2 || room >= 1 && len(p.Steps) == 0 {
			rows = append(rows, onePlan(p, width, room)...)
		}
	}
	return rows
}

// planNeed is how many rows all of the plans take.
func planNeed(t *session.Talk) (n int) {
	for _, p := range t.Plans {
		switch {
		case len(p.Steps) > 0:
			n += 1 + len(p.Steps)
		case firstLine(p.Text) != "":
			n++
		}
	}
	return n
}

func onePlan(p session.Plan, width, n int) []paint.Line {
	if len(p.Steps) == 0 {
		text := firstLine(p.Text)
		if text == "" {
			return nil
		}
		return []paint.Line{paint.L(paint.Heading, "PLAN  ").With(paint.Clean(paint.Plain, head(text, 512)))}
	}
	done, current := progress(p.Steps)
	rows := []paint.Line{paint.L(paint.Heading, "PLAN").With(paint.L(paint.Dim, "  "+count(done)+" of "+count(len(p.Steps))))}
	from, to := window(len(p.Steps), current, n-1)
	for i := from; i < to; i++ {
		rows = append(rows, step(p.Steps[i]))
	}
	if from > 0 && len(rows) > 1 {
		rows[1] = paint.L(paint.Dim, " … "+count(from+1)+" before")
	}
	if rest := len(p.Steps) - to; rest > 0 && len(rows) > 2 {
		rows[len(rows)-1] = paint.L(paint.Dim, " … "+count(rest+1)+" more")
	}
	return rows
}

// progress is how many steps are done, and the one that is being worked on, or
// else the first that is not done.
func progress(steps []session.Step) (done, current int) {
	current = -1
	next := -1
	for i, s := range steps {
		switch {
		case s.Status == "completed":
			done++
		case s.Status == "in_progress" && current < 0:
			current = i
		case next < 0:
			next = i
		}
	}
	if current < 0 {
		current = next
	}
	return done, max(current, 0)
}

// window is which n of all are shown so that current is among them, not at an
// edge.
func window(all, current, n int) (from, to int) {
	if all <= n {
		return 0, all
	}
	from = min(max(current-n/2, 0), all-n)
	return from, from + n
}

func step(s session.Step) paint.Line {
	mark, role, text := "·", paint.Dim, paint.Plain
	switch s.Status {
	case "completed":
		mark, role, text = "✓", paint.Good, paint.Dim
	case "in_progress":
		mark, role, text = "►", paint.Strong, paint.Strong
	case "failed", "cancelled":
		mark, role = "×", paint.Bad
	}
	return paint.L(paint.Plain, " ").With(paint.L(role, mark+" ")).With(paint.Clean(text, head(firstLine(s.Text), 512)))
}
