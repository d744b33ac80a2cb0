package broker

import (
	"bytes"
	"slices"
	"time"

	"bobproxy/acp"
)

// Prompts are the time-outs of prompt turns. Like a [Broker] it does no I/O, is
// told the time and is not safe for use from several goroutines at once.
type Prompts struct {
	limit time.Duration
	turns []turn // oldest first
}

type turn struct {
	key     string // of the prompt's id
	session acp.String
	due     time.Time
}

// NewPrompts gives each turn limit; zero: as long as it takes.
func NewPrompts(limit time.Duration) *Prompts { return &Prompts{limit: limit} }

// Started takes a session/prompt request of the client that is forwarded. Turns
// beyond 1024 at once, and those whose id or session is longer than 4 KiB, have
// no time-out.
func (p *Prompts) Started(now time.Time, session acp.String, id []byte) {
	if p.limit <= 0 || len(id) > maxID || !session.OK || len(session.Raw) > maxWords || len(p.turns) >= maxAsked {
		return
	}
	session.Raw = bytes.Clone(session.Raw)
	key, _ := requestKey(acp.Client, id)
	p.turns = append(p.turns, turn{key, session, now.Add(p.limit)})
}

// Ended takes a reply to request id of the client, whatever it was.
func (p *Prompts) Ended(id []byte) {
	if len(p.turns) == 0 {
		return
	}
	key, _ := requestKey(acp.Client, id)
	if i := slices.IndexFunc(p.turns, func(t turn) bool { return t.key == key }); i >= 0 {
		p.turns = slices.Delete(p.turns, i, i+1)
	}
}

// Next is when Expire has something to do; zero: not as things are.
func (p *Prompts) Next() time.Time {
	if len(p.turns) == 0 {
		return time.Time{}
	}
	return p.turns[0].due
}

// Expire gives the sessions whose turn has run out of time at now, each turn
// once. For each the proxy sends [SessionCancel] with its token and calls
// [Broker.SettleSession] with its value; the agent still ends the turn itself.
func (p *Prompts) Expire(now time.Time) []acp.String {
	var sessions []acp.String
	for len(p.turns) > 0 && !now.Before(p.turns[0].due) {
		sessions = append(sessions, p.turns[0].session)
		p.turns = p.turns[1:]
	}
	return sessions
}

// Resumed takes note that the process, or the machine, stood still for gap
// until now.
func (p *Prompts) Resumed(now time.Time, gap time.Duration) {
	if gap <= 0 {
		return
	}
	for i := range p.turns {
		p.turns[i].due = atLeast(p.turns[i].due, now.Add(min(Look, p.limit)))
	}
}
