package broker

import (
	"slices"
	"time"

	"bobproxy/proxy/journal"
)

// Limit is how long a request waits where the time-out is zero, but what the
// editor allows would not be released.
const Limit = 2 * time.Minute

// ending is how a request ended, for those who come too late.
type ending struct {
	by      By
	said    answer
	session string
	digest  string
}

// settle answers e for the editor, which owes a reply from now on and is told
// that nobody waits for it.
func (b *Broker) settle(now time.Time, e *entry, by By, a answer, peer *journal.Peer, text string) []Effect {
	b.end(e, by, a)
	b.shrink(e)
	note := e.decision(now, by, a)
	note.Decision.Peer, note.Text = peer, text
	b.patience(now, e.line)
	if e.replied {
		b.paid(e)
		return []Effect{{Note: note}, {ToAgent: a.frame(e.ID)}}
	}
	return append([]Effect{{Note: note}, {ToAgent: a.frame(e.ID)}}, b.withdraw(e)...)
}

// end makes e one that the agent does not wait for any more.
func (b *Broker) end(e *entry, by By, a answer) {
	b.live = slices.DeleteFunc(b.live, func(other *entry) bool { return other == e })
	e.stage, e.by, e.said = settled, by, a
	b.remember(e, by, a)
}

// shrink drops what a settled entry need not keep.
func (b *Broker) shrink(e *entry) {
	b.held -= e.size
	e.trim()
	b.held += e.size
}

func (b *Broker) remember(e *entry, by By, a answer) {
	a.option.Value, a.option.Raw = clip(a.option.Value, maxWords), nil
	b.settled.put(e.Request, ending{by, a, e.Session, e.Digest})
}

// paid strikes e off: its reply has come.
func (b *Broker) paid(e *entry) {
	l := e.line
	l.owed = slices.DeleteFunc(l.owed, func(other *entry) bool { return other == e })
	b.owed--
	b.held -= e.size
	if len(l.owed) == 0 {
		delete(b.lines, l.key)
		b.answered.put(l.key, e.Request)
	}
}

// withdraw tells the editor, unless it would take that for a request that is
// still open.
func (b *Broker) withdraw(e *entry) []Effect {
	if !b.options.Withdraw || e.told || len(e.line.live()) > 0 {
		return nil
	}
	e.told = true
	return []Effect{{ToClient: CancelRequest(e.ID)}}
}

// patience gives a clock to what is open under an id of which an old reply is
// owed.
func (b *Broker) patience(now time.Time, l *line) {
	for _, e := range l.live() {
		if e.Deadline.IsZero() {
			e.Deadline = now.Add(Limit)
		}
	}
}
