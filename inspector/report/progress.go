package report

import (
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/journal"
)

// progress is what goes on in one session.
type progress struct {
	running bool
	turn    OneTurn // the one that is running, or the last one
	calls   map[string]*call

	message uint64 // frame that the last message began with
	chunk   time.Time
}

// call is a tool call that has not ended.
type call struct{ waits []span }

// span is a time in which a person was asked.
type span struct{ from, to time.Time }

// step is one frame of a session, and what is known of it.
type step struct {
	*conversation
	sheet *Report
	event *journal.Event
	fact  *session.Fact
	told  *session.Told
	about question // the request itself, or the one that was answered
}

func (p *progress) frame(s *step) {
	talk := s.story.Talk(s.told.Session)
	if talk == nil {
		return
	}
	p.begin(s, talk)
	p.wait(s)
	if e := s.told.Entry; e != nil && !e.Replay {
		p.said(s, e)
		p.did(s, e)
	}
	if p.running && !talk.Running {
		p.end(s, talk)
	}
}

// begin begins a turn. A prompt that comes while another one is answered is part
// of that one's turn.
func (p *progress) begin(s *step, talk *session.Talk) {
	if s.event.Kind == acp.Request && s.event.Dir == acp.Client && s.fact.Method == acp.MethodSessionPrompt && !p.running {
		p.running = true
		p.turn = OneTurn{Session: talk.Session, Number: talk.Turns, Frame: s.event.Seq, Start: s.event.Time, First: -1}
	}
}

// end ends it. What did not end in it has not run, as far as anybody knows.
func (p *progress) end(s *step, talk *session.Talk) {
	p.running = false
	clear(p.calls)
	p.turn.End, p.turn.Stop = s.event.Seq, talk.Stop
	if !s.event.Time.IsZero() {
		p.turn.Took = max(s.event.Time.Sub(p.turn.Start), 0)
		s.tally.add(s.sheet, Turn, "", int64(p.turn.Took))
	}
	s.sheet.turn(p.turn)
}

// said measures when chunks of the agent's come.
func (p *progress) said(s *step, e *session.Entry) {
	if !s.told.Chunk || e.Kind != session.AgentMessage && e.Kind != session.Thought || s.event.Time.IsZero() {
		return
	}
	if p.running && p.turn.First < 0 {
		p.turn.First = max(s.event.Time.Sub(p.turn.Start), 0)
		s.tally.add(s.sheet, FirstToken, "", int64(p.turn.First))
	}
	if p.message == e.Seq && p.message != 0 {
		s.tally.add(s.sheet, Gap, "", int64(s.event.Time.Sub(p.chunk)))
	}
	p.message, p.chunk = e.Seq, s.event.Time
}

// wait takes note of how long somebody was asked about a tool call.
func (p *progress) wait(s *step) {
	if !s.fact.Paired || s.about.call == "" {
		return
	}
	if c := p.calls[s.about.call]; c != nil && len(c.waits) < maxWaits {
		c.waits = append(c.waits, span{s.about.at, s.event.Time})
	}
}

// did measures a tool call that has ended.
func (p *progress) did(s *step, e *session.Entry) {
	if e.Tool == nil || e.Tool.Replay || s.told.Call == "" {
		return
	}
	c := p.calls[s.told.Call]
	switch ended := !e.Tool.Ended.IsZero(); {
	case !ended && c == nil && len(p.calls) < maxCalls:
		p.calls[s.told.Call] = &call{}
	case ended && (c != nil || e.Seq == s.event.Seq):
		delete(p.calls, s.told.Call)
		if p.turn.Tools++; s.event.Time.IsZero() {
			return
		}
		s.tally.add(s.sheet, Tool, kind(e.Tool), int64(c.worked(e.Tool)))
	}
}

// kind is that of a tool call; the protocol's word for none is other.
func kind(t *session.Tool) string {
	if t.Kind == "" {
		return "other"
	}
	return t.Kind
}

// worked is how long a tool call took without the time that somebody was asked.
func (c *call) worked(t *session.Tool) time.Duration {
	took := t.Ended.Sub(t.Started)
	if c == nil {
		return took
	}
	for _, w := range c.waits {
		if w.from.Before(t.Started) {
			w.from = t.Started
		}
		if w.to.After(w.from) {
			took -= w.to.Sub(w.from)
		}
	}
	return took
}
