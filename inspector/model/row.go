package model

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"bobproxy/proxy/journal"
)

const (
	maxBody   = 64 << 10 // bytes of one body
	maxName   = 256      // bytes of an id, a method, a tool call id
	maxReason = 1 << 10  // bytes
	shortText = 256      // bytes of a text that every row may keep
)

// ticket is what finds a row where others hold on to it.
type ticket struct {
	key    string // among those waiting
	behind *Row   // the next one that waits under the same key
	deed   *Deed  // that lists it
	draft  *Permission
}

// row makes the row of an event.
func (p *Proxy) row(e *journal.Event) *Row {
	r := &Row{
		Proxy: p, Seq: e.Seq, Time: e.Time, Type: e.Type,
		From: e.Dir, Kind: e.Kind, Method: clip(e.Method, maxName), ID: clip(string(e.ID), maxName),
		Size: e.Bytes, EOL: e.EOL, Added: e.Added, Action: clip(e.Action, maxName), Reason: clip(e.Reason, maxReason), Masked: e.Masked,
		Text: clip(e.Text, MaxWords),
	}
	r.keep(e)
	r.remember(e)
	switch e.Type {
	case journal.OpenedEvent, journal.DecisionEvent: // in these it is as it reads, in others as it is spelled
		r.Session = p.session(e.Session)
	default:
		r.Session = p.sessionOf(e.Session)
	}
	switch {
	case e.Type == journal.DecisionEvent && !empty(e.Decision):
		r.Decision = e.Decision
	case e.Type == journal.GapEvent && e.Gap != nil:
		r.Text, r.Size = missing(e.Gap.Count), int64(min(e.Gap.Bytes, math.MaxInt64))
	case e.Start != nil:
		r.Text = clip(strings.Join(e.Start.Command, " "), MaxWords)
	case e.Exit != nil:
		r.Text = ending(e.Exit)
	}
	return r
}

// keep takes the body.
func (r *Row) keep(e *journal.Event) {
	if e.Form == journal.NoBody || len(e.Body) == 0 && e.Bytes > 0 { // of an old one the proxy may know the envelope only
		r.Unread = e.Type == journal.FrameEvent && e.Bytes > 0
		return
	}
	if r.Body = e.Body; len(r.Body) > maxBody {
		r.Body = bytes.Clone(r.Body[:maxBody])
	}
	r.Cut = e.Bytes > int64(len(r.Body)) && (e.Masked == 0 || len(r.Body) == maxBody)
}

// remember keeps the event where r has not all of it.
func (r *Row) remember(e *journal.Event) {
	if e.Decision == nil && e.Start == nil && e.Exit == nil && e.Gap == nil {
		return
	}
	told := *e
	told.Text, told.Body, told.Form = r.Text, nil, journal.NoBody
	r.Event = &told
}

// empty says that nothing was told of a permission but that it is about one.
func empty(d *journal.Decision) bool { return d == nil || *d == journal.Decision{} }

// ending says how the agent ended.
func ending(e *journal.Exit) string {
	text := fmt.Sprintf("exit %d", e.Status)
	if e.Signal != "" {
		text = "ended by " + SignalName(e.Signal)
	}
	switch n := len(e.Left); n {
	case 0:
	case 1:
		text += ", 1 process left running"
	default:
		text += fmt.Sprintf(", %d processes left running", n)
	}
	return text
}

func missing(count uint64) string {
	if count == 1 {
		return "1 event was not told"
	}
	return fmt.Sprintf("%d events were not told", count)
}

// add appends a row and lets go of what is beyond the bounds.
func (p *Proxy) add(r *Row) {
	p.Rows = append(p.Rows, r)
	p.mem.bodies += r.weight()
	if len(p.Rows) > MaxRows {
		p.forget(p.Rows[0])
		p.Rows = p.Rows[1:] // append makes room anew now and then, and frees what is in front
		p.mem.bodiless = max(0, p.mem.bodiless-1)
		p.Dropped++
	}
	for p.mem.bodies > MaxBodies && p.mem.bodiless < len(p.Rows) {
		p.Rows[p.mem.bodiless].relieve()
		p.mem.bodiless++
	}
}

// weight is what r counts of MaxBodies.
func (r *Row) weight() int {
	n := len(r.Body)
	if len(r.Text) > shortText {
		n += len(r.Text)
	}
	return n + weigh(r.Event)
}

// weigh is about how many bytes an event holds beside a body.
func weigh(e *journal.Event) int {
	if e == nil {
		return 0
	}
	n := len(e.Text) + len(e.Reason)
	if d := e.Decision; d != nil {
		n += len(d.Request) + len(d.OptionID) + len(d.Digest)
	}
	if e.Start != nil {
		n += len(e.Start.Cwd) + len(e.Start.Version)
		for _, word := range e.Start.Command {
			n += len(word)
		}
	}
	if e.Exit != nil {
		for _, left := range e.Exit.Left {
			n += len(left.Command)
		}
	}
	return n
}

// relieve takes the body of r, what is long of its text, and its event.
func (r *Row) relieve() {
	r.Proxy.mem.bodies -= r.weight()
	r.Body, r.Text, r.Event = nil, clip(r.Text, shortText), nil
}

// forget cuts loose what is tied to a row that is dropped.
func (p *Proxy) forget(r *Row) {
	r.relieve()
	p.unwait(r)
	if r.Pair != nil {
		r.Pair.Pair, r.Pair = nil, nil
	}
	if r.Permission != nil && r.Permission.Row == r {
		r.Permission.Row = nil
	}
	if r.deed != nil {
		r.deed.release(r)
	}
	r.Permission, r.About, r.draft, r.deed = nil, nil, nil, nil
}

// clip keeps n bytes of s, in memory of its own when something was cut.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.Clone(s[:n])
}
