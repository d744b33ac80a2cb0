package proxy

import (
	"sync"
	"sync/atomic"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// ledger is where both directions meet: it gives frames their one order, joins
// responses to requests, keeps what waits for an answer, and hands all to the
// journal. It is called before the frames are on the wire, so an answer can
// never be entered before its question.
type ledger struct {
	journal           *journal.Journal
	toAgent, toClient *additions     // where what the broker wants goes
	deadline          chan time.Time // told that there may be an earlier one; nil without a clock

	asked atomic.Bool // a permission has been asked for: replies may be the broker's

	mu       sync.Mutex // guards what follows, and makes its order the journal's
	fold     session.Fold
	broker   *broker.Broker   // nil without a gate
	requests *broker.Requests // nil without a time-out for requests
	prompts  *broker.Prompts  // nil without one for turns
	flags    *flagger         // nil where nobody looks at paths
	limit    time.Duration    // of requests
}

// enter takes frames, in order, and returns the last one's sequence number.
func (l *ledger) enter(frames []journal.Frame) uint64 {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	var notes []journal.Event
	for i := range frames {
		if fact := l.learn(now, &frames[i], session.With{}); fact.Notes != nil {
			notes = appendNotes(notes, &frames[i], fact.Notes)
		}
	}
	seq := l.journal.Append(now, frames)
	l.note(notes)
	return seq
}

// rule decides on one frame. It is called under the ledger's lock, may set the
// frame's Action and Reason, and says what else is to be done.
type rule struct {
	with  session.With
	judge func(now time.Time, f *journal.Frame) []broker.Effect
}

// decide takes one frame by a rule and returns the sequence number of the last
// record that it led to.
func (l *ledger) decide(f *journal.Frame, r rule) uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	effects := r.judge(now, f)
	var fact session.Fact
	if f.Action == "" || f.Action == refused {
		fact = l.learn(now, f, r.with)
	}
	seq := l.journal.Append(now, []journal.Frame{*f})
	l.note(appendNotes(nil, f, fact.Notes))
	seq = max(seq, l.do(effects))
	l.wakeClock(now)
	return seq
}

// learn shows a frame to the memories of the conversation and writes what they
// know of it into the frame.
func (l *ledger) learn(now time.Time, f *journal.Frame, with session.With) session.Fact {
	fact := l.fold.With(now, f.Dir, &f.Scan, with)
	f.Method, f.Session = fact.Method, fact.Session
	if f.Reason == "" && (f.Scan.Reason == 0 || f.Scan.Reason.Garbled()) && !f.Added {
		f.Reason = oddity(fact)
	}
	if f.Dir == acp.Agent && f.Action == "" && l.asked.Load() && asksElse(f) {
		l.broker.Asked(f.Scan.ID)
	}
	switch {
	case l.flags == nil:
	case fact.Told != nil:
		l.flags.update(now, &l.fold, &fact)
	case with.Pin != nil, fact.Paired:
		l.flags.forget()
	}
	if f.Action == "" && (l.requests != nil || l.prompts != nil) {
		l.time(now, f)
	}
	return fact
}

// asksElse says that f, or what a peer may read in it, is a request for something
// else than a permission.
func asksElse(f *journal.Frame) bool {
	switch f.Scan.Kind {
	case acp.Request:
		return f.Method != acp.MethodRequestPermission
	case acp.Ambiguous:
		return f.Scan.ID != nil
	}
	return false
}

// appendNotes adds what the conversation finds worth a word about f.
func appendNotes(all []journal.Event, f *journal.Frame, notes []string) []journal.Event {
	for _, text := range notes {
		all = append(all, journal.Event{Type: journal.FlaggedEvent, Dir: f.Dir, Method: f.Method, Session: f.Session, Text: text})
	}
	return all
}

func (l *ledger) note(events []journal.Event) {
	for _, e := range events {
		l.journal.Note(e)
	}
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
