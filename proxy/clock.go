package proxy

import (
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

const (
	// heartbeat is how often the clock looks while something waits.
	heartbeat = time.Second
	// suspended is how late the clock must be for us to have been stopped. On a
	// machine that is merely busy those who are asked get more time, too.
	suspended = 2 * time.Second
)

// runClock answers what has run out of time, until stop is closed. It is a
// goroutine. While something waits it wakes every second, and when it is told: a
// wake-up that comes much too late means that the whole proxy stood still, and
// then nobody has had the time that was promised.
func (l *ledger) runClock(stop <-chan struct{}) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	planned := time.Time{}
	for {
		due := planned
		select {
		case <-stop:
			return
		case told := <-l.deadline:
			due = earlier(told, planned)
		case <-timer.C:
		}
		now := time.Now()
		if late := now.Sub(due); !due.IsZero() && late > suspended {
			l.resumed(now, late)
		}
		planned = l.expire(now)
		if planned.IsZero() {
			timer.Stop()
		} else {
			timer.Reset(time.Until(planned))
		}
	}
}

// wakeClock says that as of now there may be an earlier deadline.
func (l *ledger) wakeClock(now time.Time) {
	select {
	case l.deadline <- now:
	default: // nil, or told already
	}
}

func (l *ledger) resumed(now time.Time, gap time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broker.Resumed(now, gap)
	if l.requests != nil {
		l.requests.Resumed(now, gap)
	}
	if l.prompts != nil {
		l.prompts.Resumed(now, gap)
	}
	l.journal.Note(journal.Event{Type: journal.WarningEvent, Text: "the proxy stood still for " + gap.Round(time.Second).String() + ": permissions that wait got more time"})
}

// expire answers what has run out and says when to look again; zero: when
// something new waits.
func (l *ledger) expire(now time.Time) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.do(l.broker.Expire(now))
	next := l.broker.Next()
	if l.requests != nil {
		for _, r := range l.requests.Expire(now) {
			l.timedOut(r)
		}
		next = earlier(next, l.requests.Next())
	}
	if l.prompts != nil {
		for _, session := range l.prompts.Expire(now) {
			l.endTurn(now, session)
		}
		next = earlier(next, l.prompts.Next())
	}
	if beat := now.Add(heartbeat); !next.IsZero() && next.After(beat) {
		return beat
	}
	return next
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// timedOut answers a request that nobody answered, with an error.
func (l *ledger) timedOut(r broker.Overdue) {
	line := broker.TimedOut(r.ID, l.limit)
	l.journal.Note(journal.Event{Type: journal.FlaggedEvent, Dir: r.From, Method: r.Method, ID: r.ID, Session: r.Session, Text: "the request ran out of time"})
	if r.From == acp.Client {
		l.toClient.push(line)
	} else {
		l.toAgent.push(line)
	}
}

// endTurn cancels a turn that ran out of time, as the editor would.
func (l *ledger) endTurn(now time.Time, session acp.String) {
	l.journal.Note(journal.Event{Type: journal.FlaggedEvent, Dir: acp.Client, Method: acp.MethodSessionPrompt, Session: session.Value, Text: "the turn ran out of time and is cancelled"})
	l.toAgent.push(broker.SessionCancel(session.Raw))
	l.do(l.broker.SettleSession(now, session.Value))
}

// time follows requests and turns that may run out of time. It is called under
// the ledger's lock, for every frame that passes and every one that is added.
func (l *ledger) time(now time.Time, f *journal.Frame) {
	switch f.Scan.Kind {
	case acp.Request:
		if l.requests != nil {
			l.requests.Asked(now, f.Dir, f.Scan.ID, f.Method, f.Session)
		}
		if l.prompts != nil && f.Dir == acp.Client && f.Method == acp.MethodSessionPrompt {
			id, _ := acp.ReadSession(f.Scan.Params)
			l.prompts.Started(now, id, f.Scan.ID)
		}
		l.wakeClock(now)
	case acp.Response, acp.Error:
		if l.prompts != nil && f.Dir == acp.Agent {
			l.answered(f)
		}
	case acp.Notification:
		if l.prompts != nil && f.Dir == acp.Agent {
			l.prompts.Look(l.fold.Prompt)
		}
	}
}

// answered takes the agent's answer to what may be a prompt.
func (l *ledger) answered(f *journal.Frame) {
	if f.Scan.Kind == acp.Error || l.fold.Version() < 2 {
		l.prompts.Ended(f.Scan.ID)
		return
	}
	l.prompts.Taken(f.Scan.ID)
	l.prompts.Look(l.fold.Prompt)
}

// gone closes what waits: one side has left.
func (l *ledger) gone() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broker != nil {
		l.do(l.broker.Gone(time.Now()))
	}
}
