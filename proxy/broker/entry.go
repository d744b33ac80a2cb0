package broker

import (
	"bytes"
	"crypto/sha256"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// stage is who may still answer.
type stage uint8

const (
	open       stage = iota // anybody
	cancelling              // the editor has cancelled the session; it may refuse
	withdrawn               // the agent has withdrawn it; the editor may answer
	settled                 // nobody; the editor owes a reply
)

// entry is a permission request that was forwarded and whose reply has not
// come.
type entry struct {
	Entry
	line    *line
	session string    // what its session is compared by
	opened  time.Time // with the monotonic reading that Opened lacks
	grace   time.Time // when it gets cancelled, while cancelling or withdrawn
	stage   stage

	ambiguous bool // the agent has another request under the same id
	more      bool // not all options are kept
	told      bool // the editor has had a $/cancel_request for it
	doubtful  bool // an allow could be the answer to an earlier request under the same id
	replied   bool // one came, and was not released
	size      int  // bytes, roughly

	by   By // once settled
	said answer
}

func newEntry(now time.Time, ask Ask) *entry {
	e := &entry{session: sessionKey(ask.Session), opened: now}
	e.Ask = ask.kept()
	e.Opened = now.Round(0)
	e.keepOptions(ask.Permission.Options)
	e.Unanswerable = e.nothingToChoose()
	e.weigh()
	return e
}

// sessionKey is session, in a bounded length.
func sessionKey(session string) string {
	if len(session) <= maxWords {
		return session
	}
	sum := sha256.Sum256([]byte(session))
	return "long session " + string(sum[:])
}

// due is when the clock answers; zero: never.
func (e *entry) due() time.Time {
	if e.stage == open {
		return e.Deadline
	}
	return e.grace
}

// nothingToChoose says why no option can be chosen for others than the editor;
// empty when one can.
func (e *entry) nothingToChoose() string {
	switch {
	case e.Permission.Reason != 0:
		return "editor and agent could read it differently (" + e.Permission.Reason.String() + "): it can be denied, or answered in the editor"
	case e.Permission.NoOptions || len(e.Options) == 0:
		return "it offers no options: it can be denied, or answered in the editor"
	}
	for _, o := range e.Options {
		if !o.Odd {
			return ""
		}
	}
	return "none of its options can be repeated exactly: it can be denied, or answered in the editor"
}

// public is what others may know of e.
func (e *entry) public() Entry {
	p := e.Entry
	if e.ambiguous {
		p.Unanswerable = "the agent has another request open under the same id, so an answer could be taken for the other's: answer in the editor"
	}
	switch {
	case e.doubtful:
		p.Unattributable = "the editor's answers to this and to an earlier request with the same id cannot be told apart: if it allows this one, that is not released"
	case e.line.first(settled) != nil:
		p.Unattributable = "the editor still owes an answer to an earlier request with the same id: if it allows this one, that is not released"
	}
	return p
}

// trim drops what is not needed to judge a late reply. Slices that others may
// have are left as they are.
func (e *entry) trim() {
	e.Input, e.Content, e.Verdict, e.Permission = nil, nil, Verdict{}, acp.Permission{Reason: e.Permission.Reason}
	options := make([]acp.Option, len(e.Options))
	for i, o := range e.Options {
		options[i] = acp.Option{ID: o.ID, Kind: o.Kind, Odd: o.Odd}
	}
	e.Options = options
	e.weigh()
}

func (e *entry) weigh() {
	const fixed, option = 1024, 128
	e.size = fixed + len(e.ID) + len(e.Input) + len(e.Content) + len(e.Session) + len(e.Title) + len(e.Permission.Command)
	for _, o := range e.Options {
		e.size += option + len(o.ID.Value) + len(o.ID.Raw) + len(o.Name) + len(o.Kind)
	}
	for _, p := range e.Verdict.Paths {
		e.size += option + len(p.Path) + len(p.Reason) + len(p.Target)
	}
}

// event begins an event about e.
func (e *entry) event(now time.Time, t journal.Type) *journal.Event {
	const idSize = 1 << 10 // as journal.Event wants it
	return &journal.Event{
		Time:    now,
		Type:    t,
		ID:      bytes.Clone(e.ID[:min(len(e.ID), idSize)]),
		Session: clip(e.Session, idSize),
		Method:  acp.MethodRequestPermission,
	}
}

// decision is the event that tells how e was answered, or what came late.
func (e *entry) decision(now time.Time, by By, a answer) *journal.Event {
	event := e.event(now, journal.DecisionEvent)
	event.Decision = &journal.Decision{
		Request:    e.Request,
		By:         string(by),
		Outcome:    a.outcome,
		OptionID:   clip(a.option.Value, maxWords),
		HasOption:  a.option.OK,
		OptionKind: a.kind,
		Wait:       now.Sub(e.opened),
		Digest:     e.Digest,
	}
	return event
}

// flagged is the event that says that something about e is odd.
func (e *entry) flagged(now time.Time, reason, text string) Effect {
	event := e.event(now, journal.FlaggedEvent)
	event.Reason, event.Text = reason, text
	return Effect{Note: event}
}
