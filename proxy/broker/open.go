package broker

import (
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// Open takes a permission request from the agent. forward says whether it goes
// on to the editor; when it does not, it has been answered already, if it can
// be: a request with the id null, an array or an object never is, since there
// are peers to whom it is no request.
func (b *Broker) Open(now time.Time, ask Ask) (forward bool, do []Effect) {
	key, ordinary := acp.IDKey(nil, ask.ID)
	e := newEntry(now, ask)
	e.line = b.lines[string(key)]
	switch {
	case ask.Verdict.Refuse:
		return false, b.refuse(now, e, e.refusal(), e.Verdict.Text)
	case b.gone && ordinary: // what an agent said last may come behind the news that it has ended
		e.Request = b.name()
		b.remember(e, ByGone, answer{})
		return true, []Effect{e.left(now)}
	case !ordinary:
		return true, []Effect{e.flagged(now, "odd id",
			"a permission request whose id peers may read differently: only the editor can answer it, and there is no time-out")}
	case b.owed >= MaxOwed || b.held+e.size > maxHeld:
		const text = "the editor owes too many answers to permission requests: this one was not asked"
		return false, append([]Effect{e.flagged(now, "too many permission requests", text)}, b.refuse(now, e, cancelled, text)...)
	}
	return true, b.add(now, string(key), e)
}

// refuse answers what the editor does not get to see.
func (b *Broker) refuse(now time.Time, e *entry, a answer, text string) []Effect {
	e.Request = b.name()
	b.remember(e, ByBounds, a)
	if e.line != nil {
		e.line.mix() // the agent may take the answer for another's
	}
	if !Answerable(e.ID) {
		return []Effect{e.flagged(now, "odd id", "refused, and not answered because of its id: "+text)}
	}
	note := e.decision(now, ByBounds, a)
	note.Text = text
	return []Effect{{Note: note}, {ToAgent: a.frame(e.ID)}}
}

// Answerable says that an answer can be given to a request with this id, a raw
// token: there are peers to whom null, an array or an object makes it no request.
func Answerable(id []byte) bool {
	return len(id) > 0 && id[0] != 'n' && id[0] != '[' && id[0] != '{'
}

// add makes e wait for an answer.
func (b *Broker) add(now time.Time, key string, e *entry) []Effect {
	if e.line == nil {
		e.line = &line{key: key}
		b.lines[key] = e.line
	}
	if e.Shared {
		e.line.others++
	}
	e.Request = b.name()
	if b.options.Timeout > 0 {
		e.Deadline = now.Add(b.options.Timeout)
	}
	b.owed++
	b.held += e.size
	b.live = append(b.live, e)
	e.line.owed = append(e.line.owed, e)

	note := e.event(now, journal.OpenedEvent)
	note.Decision = &journal.Decision{Request: e.Request, Digest: e.Digest}
	return append([]Effect{{Note: note}}, b.doubts(now, e)...)
}

// doubts sees to it that e, just added, does not get what is meant for others
// under its id.
func (b *Broker) doubts(now time.Time, e *entry) (do []Effect) {
	if len(e.line.live()) > 1 || e.line.others > 0 {
		e.line.mix()
		do = append(do, e.flagged(now, "id in use", e.public().Unanswerable))
	}
	if e.line.first(settled) != nil {
		b.patience(now, e.line)
		do = append(do, e.flagged(now, "an older answer is owed", e.public().Unattributable))
	}
	return do
}

// Asked takes note of any other request of the agent that goes on to the
// editor: a reply to its id may be one to it.
func (b *Broker) Asked(id []byte) {
	key, ordinary := acp.IDKey(nil, id)
	if !ordinary {
		return
	}
	b.answered.forget(string(key))
	if l := b.lines[string(key)]; l != nil {
		l.others++
		l.mix()
	}
}
