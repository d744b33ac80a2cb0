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
	taken int    // turns that were taken
}

type turn struct {
	key     string // of the prompt's id
	session acp.String
	due     time.Time
	taken   bool // its prompt has been answered, which in version 2 does not end it
	ran     bool // and its session was seen at work since
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
	p.turns = append(p.turns, turn{key: key, session: session, due: now.Add(p.limit)})
}

// Ended takes a reply to request id of the client, whatever it was.
func (p *Prompts) Ended(id []byte) {
	if i := p.find(id); i >= 0 {
		p.turns = slices.Delete(p.turns, i, i+1)
	}
}

// Taken takes the result of request id of the client in version 2, where it says
// that the turn has begun. It is over when its session is at rest again.
func (p *Prompts) Taken(id []byte) {
	if i := p.find(id); i >= 0 {
		p.turns[i].key, p.turns[i].taken = "", true
		p.taken++
	}
}

func (p *Prompts) find(id []byte) int {
	if len(p.turns) == 0 {
		return -1
	}
	key, _ := requestKey(acp.Client, id)
	return slices.IndexFunc(p.turns, func(t turn) bool { return t.key == key })
}

// Look lets go of turns that were taken and are over. working says whether a
// session is at work.
func (p *Prompts) Look(working func(session string) bool) {
	if p.taken == 0 {
		return
	}
	p.turns = slices.DeleteFunc(p.turns, func(t turn) bool { return t.ran && !working(t.session.Value) })
	p.taken = 0
	for i := range p.turns {
		if t := &p.turns[i]; t.taken {
			p.taken++
			t.ran = t.ran || working(t.session.Value)
		}
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
		t := p.turns[0]
		p.turns = p.turns[1:]
		if t.taken {
			p.taken--
		}
		if !t.taken || t.ran { // else nobody has heard of it again
			sessions = append(sessions, t.session)
		}
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
