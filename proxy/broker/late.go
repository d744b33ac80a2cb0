package broker

import (
	"fmt"
	"time"
)

// late records a reply to e, which is settled. When it disagrees with what the
// agent was told, the record says so loudly: a person thinks to have decided
// otherwise.
func (e *entry) late(now time.Time, r Reply) []Effect {
	a := e.read(r)
	note := e.decision(now, ByEditor, a)
	note.Decision.Late = true
	do := []Effect{{Note: note}}
	switch {
	case r.outcome() == outcomeCancelled, r.outcome() == outcomeError:
		note.Text = "the editor's reply to a request that was settled by " + string(e.by)
	case e.said.option.OK && e.said.option.Value == r.Option && a.outcome == outcomeSelected:
		note.Text = fmt.Sprintf("the editor answered the same as %s, but later", e.by)
	default:
		note.Text = fmt.Sprintf("the editor answered %s, but later, and the agent had been told %s by %s: not released",
			a, e.said, e.by)
		if newer := e.line.live(); len(newer) > 0 {
			note.Text += "; if it was meant for " + newer[0].Request + ", which has the same id, that is still open, and can be answered by command"
		}
		do = append(do, e.flagged(now, "late answer disagrees", note.Text))
	}
	return do
}

// String is a as people are told.
func (a answer) String() string {
	switch {
	case a.outcome != outcomeSelected:
		return a.outcome
	case a.kind == "":
		return fmt.Sprintf("%q", clip(a.option.Value, maxWords))
	}
	return fmt.Sprintf("%s (%q)", a.kind, clip(a.option.Value, maxWords))
}
