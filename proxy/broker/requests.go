package broker

import (
	"bytes"
	"slices"
	"time"

	"bobproxy/acp"
)

const (
	// maxAsked is how many requests have a clock at once, and how many late
	// replies are waited for; requests beyond have no time-out.
	maxAsked = 1024
	maxID    = 4 << 10 // bytes of an id; a request with a longer one has no time-out

	internalError = -32603
)

// Requests are the time-outs of ordinary requests, of both sides. Like a
// [Broker] it does no I/O, is told the time and is not safe for use from
// several goroutines at once.
//
// A request that ran out has been answered by the proxy, so one reply to its id
// is swallowed, whenever it comes. If the sender uses the id again before, the
// first reply counts as the old one: a peer that answers the new request only
// is not heard, which its own time-out ends, but no answer is ever taken for
// one to another question.
type Requests struct {
	limit time.Duration
	byID  map[string][]*asked // by sender and id, oldest first
	clock []*asked            // those that have not run out, oldest first
	late  int                 // replies that are to be swallowed
}

type asked struct {
	Overdue
	key string
	due time.Time
	out bool // it ran out
}

// Overdue is a request that ran out of time. The proxy answers it with
// [TimedOut].
type Overdue struct {
	From    acp.Direction // who asked
	ID      []byte        // raw token
	Method  string
	Session string
}

// NewRequests gives each request limit; zero: as long as it takes.
func NewRequests(limit time.Duration) *Requests {
	return &Requests{limit: limit, byID: map[string][]*asked{}}
}

// Asked takes a request of from that is forwarded. Prompts and permissions have
// time-outs of their own; how long a process runs, or a person takes to log in
// or to fill in a form, is nobody's to limit.
func (q *Requests) Asked(now time.Time, from acp.Direction, id []byte, method, session string) {
	key, ordinary := requestKey(from, id)
	if q.limit <= 0 || !ordinary || len(id) > maxID || unlimited(method) || len(q.clock)+q.late >= maxAsked {
		return
	}
	a := &asked{
		Overdue: Overdue{from, bytes.Clone(id), clip(method, maxWords), clip(session, maxWords)},
		key:     key,
		due:     now.Add(q.limit),
	}
	q.byID[key] = append(q.byID[key], a)
	q.clock = append(q.clock, a)
}

func unlimited(method string) bool {
	switch method {
	case acp.MethodSessionPrompt, acp.MethodRequestPermission, acp.MethodTerminalWaitForExit,
		acp.MethodElicitationCreate, acp.MethodAuthenticate, acp.MethodAuthLogin:
		return true
	}
	return false
}

// requestKey is what replies to a request of from are found by.
func requestKey(from acp.Direction, id []byte) (key string, ordinary bool) {
	k, ordinary := acp.IDKey([]byte{byte(from)}, id)
	return string(k), ordinary
}

// Answered takes a reply to request id of from. It is to be swallowed when it
// answers a request that ran out.
func (q *Requests) Answered(from acp.Direction, id []byte) (swallow bool) {
	if len(q.byID) == 0 {
		return false
	}
	key, _ := requestKey(from, id)
	waiting := q.byID[key]
	if len(waiting) == 0 {
		return false
	}
	i := max(0, slices.IndexFunc(waiting, func(a *asked) bool { return a.out }))
	answered := waiting[i]
	if waiting = slices.Delete(waiting, i, i+1); len(waiting) == 0 {
		delete(q.byID, key)
	} else {
		q.byID[key] = waiting
	}
	if answered.out {
		q.late--
		return true
	}
	q.clock = slices.DeleteFunc(q.clock, func(a *asked) bool { return a == answered })
	return false
}

// Next is when Expire has something to do; zero: not as things are.
func (q *Requests) Next() time.Time {
	if len(q.clock) == 0 {
		return time.Time{}
	}
	return q.clock[0].due
}

// Expire gives the requests that have run out of time at now, each once.
func (q *Requests) Expire(now time.Time) []Overdue {
	var overdue []Overdue
	for len(q.clock) > 0 && !now.Before(q.clock[0].due) {
		a := q.clock[0]
		q.clock = q.clock[1:]
		a.out = true
		q.late++
		overdue = append(overdue, a.Overdue)
	}
	return overdue
}

// Resumed takes note that the process, or the machine, stood still for gap
// until now: answers may be on their way that nobody has read yet.
func (q *Requests) Resumed(now time.Time, gap time.Duration) {
	if gap <= 0 {
		return
	}
	for _, a := range q.clock {
		a.due = atLeast(a.due, now.Add(min(Look, q.limit)))
	}
}

// TimedOut is the reply to request id, which had limit to be answered. Its code
// is one that no peer takes for a missing method, file or login.
func TimedOut(id []byte, limit time.Duration) []byte {
	return ErrorReply(id, internalError, "no answer within "+limit.String()+" (bobproxy)",
		map[string]string{"source": "bobproxy", "reason": "timeout"})
}
