package proxy

import (
	"sync"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/journal"
)

// ledger is where both directions meet: it gives frames their one order, joins
// responses to requests and hands all to the journal. It is called before the
// frames are on the wire, so an answer can never be entered before its
// question.
type ledger struct {
	journal *journal.Journal

	mu   sync.Mutex // guards fold, and makes its order the journal's
	fold session.Fold
}

// enter takes frames, in order, and returns the last one's sequence number.
func (l *ledger) enter(frames []journal.Frame) uint64 {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range frames {
		f := &frames[i]
		fact := l.fold.Frame(now, f.Dir, &f.Scan)
		f.Method, f.Session = fact.Method, fact.Session
		if f.Reason == "" && f.Scan.Reason == 0 {
			f.Reason = oddity(fact)
		}
	}
	return l.journal.Append(now, frames)
}

// oddity is what the conversation finds odd about a frame, in words.
func oddity(fact session.Fact) string {
	switch {
	case fact.Reused:
		return "id in use"
	case fact.Stray == session.AnotherType:
		return "answers an id of another type"
	case fact.Stray == session.NoRequest:
		return "answers no request"
	}
	return ""
}

// begun says whether the client has asked something, and whether the agent has
// sent a message.
func (l *ledger) begun() (asked, spoken bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fold.Owed(acp.Client) > 0, l.fold.Spoken(acp.Agent)
}

// owed counts requests sent by from that have no answer yet.
func (l *ledger) owed(from acp.Direction) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fold.Owed(from)
}
