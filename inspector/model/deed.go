package model

import (
	"slices"
	"strings"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/journal"
)

const (
	maxCaused = 16  // requests that one deed lists
	maxAsks   = 16  // permissions that one deed lists
	maxDoing  = 512 // bytes of a title
)

// trial is what the verdict on a deed is made from.
type trial struct {
	call      string // id that it was asked under, until its tool call is known
	announced bool   // an update told of the tool call, and not just a request for permission
	ran       bool
	failed    bool // its only request got an error
	refused   bool // a request of it was refused by bounds
	acted     bool // a request of it went through
	over      bool
	terminal  bool // it has a terminal
	credited  File // what its diffs have added to the files

	kept *Subject // once its tool call is forgotten; nil: it is not
}

// String is the verdict in a word or two.
func (v Verdict) String() string {
	switch v {
	case NotYet:
		return "not yet"
	case Asking:
		return "asking"
	case Allowed:
		return "allowed"
	case Refused:
		return "refused"
	case TimedOut:
		return "timed out"
	case Withdrawn:
		return "withdrawn"
	case NotRun:
		return "not run"
	case Unasked:
		return "unasked"
	}
	return "unknown"
}

// Who says who decided on it, in plain words. It is not clean.
func (d *Deed) Who() string {
	who := d.who()
	switch {
	case d.Verdict == Asking && d.ran:
		who += ", and runs already"
	case d.Despite:
		who += ", and ran all the same"
	case d.Verdict != Refused && d.Verdict != TimedOut && d.Verdict != Withdrawn:
	case d.completed():
		who += ", and is said to be completed"
	}
	return who
}

func (d *Deed) who() string {
	switch d.Verdict {
	case NotYet:
		return "not asked yet"
	case Asking:
		return "waits for an answer"
	case NotRun:
		return "did not run"
	case Unasked:
		if d.Cover != nil {
			return d.Cover.covers()
		}
		if d.Entry != nil && d.Entry.Tool.Status == "failed" {
			return "failed, and nobody was asked"
		}
		return "ran without asking"
	}
	if len(d.Asked) == 0 {
		return "refused by bounds" // of its request
	}
	return d.Asked[len(d.Asked)-1].Who()
}

// Who says who settled the permission and how, in plain words. It is not clean.
func (o *Permission) Who() string {
	switch {
	case o.Open():
		return "waits for an answer"
	case o.Decision == nil && o.Ended:
		return "the proxy ended first"
	case o.Decision == nil:
		return "settled while nobody looked"
	}
	switch o.Decision.By {
	case "editor", "panel", "command":
		return o.answer() + " " + by(o.Decision)
	case "bounds":
		return "refused by bounds"
	case "timeout":
		return "nobody answered"
	case "cancel":
		return "cancelled in the editor"
	case "agent":
		return "withdrawn by the agent"
	case "gone":
		return "the proxy ended first"
	}
	return o.answer() + " by " + clip(o.Decision.By, maxName)
}

func by(d *journal.Decision) string {
	switch d.By {
	case "panel":
		if d.Peer != nil && d.Peer.TTY != "" {
			return "in a panel (" + strings.TrimPrefix(d.Peer.TTY, "/dev/") + ")"
		}
		return "in a panel"
	case "command":
		return "by a command"
	}
	return "by the editor"
}

func (o *Permission) answer() string {
	switch o.verdict() {
	case Allowed:
		return "allowed"
	case Withdrawn:
		return "cancelled"
	}
	return "refused"
}

// Allowed says that o was settled, and that what it was asked for may be done.
func (o *Permission) Allowed() bool { return o.verdict() == Allowed }

// verdict is what the settlement of o says of what it was asked for.
func (o *Permission) verdict() Verdict {
	d := o.Decision
	switch {
	case o.Open():
		return Asking
	case d == nil || d.By == "cancel" || d.By == "agent" || d.By == "gone":
		return Withdrawn
	case d.By == "timeout":
		return TimedOut
	case d.By == "bounds":
		return Refused
	case d.Outcome == "selected" && !strings.HasPrefix(o.chosen(), "reject"):
		return Allowed
	case d.Outcome == "cancelled" && d.By == "editor":
		return Withdrawn
	}
	return Refused
}

// chosen is the kind of the option that was selected.
func (o *Permission) chosen() string {
	if o.Decision.OptionKind != "" {
		return o.Decision.OptionKind
	}
	return o.kindOf(*o.Decision)
}

// judge makes the verdict from what is known by now.
func (d *Deed) judge() {
	d.seen()
	switch {
	case len(d.Asked) > 0:
		if d.Verdict = d.Asked[len(d.Asked)-1].verdict(); slices.ContainsFunc(d.Asked, (*Permission).Open) {
			d.Verdict = Asking
		}
		if last := d.Asked[len(d.Asked)-1]; last.Unknown && d.ran {
			d.Verdict = Allowed
		}
	case d.refused && !d.acted && !d.completed():
		d.Verdict = Refused
	case d.ran:
		if d.Verdict != Unasked {
			d.Cover = d.Session.book.always[d.Call()]
		}
		d.Verdict = Unasked
	case d.failed, d.over:
		d.Verdict = NotRun
	default:
		d.Verdict = NotYet
	}
}

// completed says that the agent calls it completed.
func (d *Deed) completed() bool { return d.Entry != nil && d.Entry.Tool.Status == "completed" }

// seen takes what the tool call says of itself.
func (d *Deed) seen() {
	if d.Entry == nil {
		return
	}
	t := d.Entry.Tool
	switch t.Status {
	case "in_progress":
		d.ran = true
	case "completed", "failed":
		d.ran, d.over = true, true
	case "cancelled":
		d.over = true
	}
	d.over = d.over || t.NotRun
	if what := what(t); what != "" {
		d.What = what
	}
	if t.Title != "" {
		d.Title = clip(t.Title, maxDoing)
	}
}

// what is the kind of consequence that a tool call has; empty: none.
func what(t *session.Tool) string {
	switch {
	case consequence(t.Kind) != "":
		return t.Kind
	case t.Diffs > 0:
		return "edit"
	case len(t.Terminals) > 0:
		return "execute"
	}
	return ""
}

// consequence is kind, if it is one of those that belong into the ledger.
func consequence(kind string) string {
	switch kind {
	case "edit", "delete", "move", "execute":
		return kind
	}
	return ""
}

// release lets go of a request that is forgotten.
func (d *Deed) release(r *Row) {
	d.Requests = slices.DeleteFunc(d.Requests, func(other *Row) bool { return other == r })
	r.deed = nil
}

// cause lists a request that d caused.
func (d *Deed) cause(r *Row) {
	if len(d.Requests) == maxCaused {
		d.release(d.Requests[0])
	}
	d.Requests = append(d.Requests, r)
	r.deed = d
	if r.Method != acp.MethodWriteTextFile && r.Method != acp.MethodTerminalCreate {
		return
	}
	d.terminal = d.terminal || r.Method == acp.MethodTerminalCreate
	if r.Action != "" {
		d.refused = true
		return
	}
	d.ran, d.acted = true, true
	switch d.Verdict {
	case Refused, TimedOut, Withdrawn:
		d.Despite = len(d.Asked) > 0 && !d.Asked[len(d.Asked)-1].Unknown
	}
}
