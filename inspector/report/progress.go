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
	turn    OneTurn         // the one that is running, or the last one
	calls   map[string]bool // tool calls that have not ended

	asking int // permissions that wait for an answer
	since  time.Time

	message uint64 // frame that the last message began with
	chunk   time.Time
}

// step is one frame of a session, and what is known of it.
type step struct {
	*conversation
	sheet *Report
	event *journal.Event
	fact  *session.Fact
	told  *session.Told
}

func (p *progress) frame(s *step) {
	talk := s.story.Talk(s.told.Session)
	if talk == nil {
		return
	}
	p.begin(s, talk)
	p.ask(s)
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
	p.answered(s.event.Time, p.asking)
	p.running = false
	clear(p.calls)
	p.turn.End, p.turn.Stop = s.event.Seq, talk.Stop
	if !s.event.Time.IsZero() {
		p.turn.Took = max(s.event.Time.Sub(p.turn.Start), 0)
		s.tally.add(s.sheet, Turn, "", int64(p.turn.Took))
	}
	s.sheet.turn(p.turn)
}

// ask measures how long at least one permission waits.
func (p *progress) ask(s *step) {
	if s.fact.Method != acp.MethodRequestPermission || s.event.Dir == acp.Client && !s.fact.Paired || !p.running {
		return
	}
	if s.event.Kind != acp.Request {
		p.answered(s.event.Time, 1)
		return
	}
	if p.asking == 0 {
		p.since = s.event.Time
	}
	p.asking++
}

// answered is that n of those that wait were answered.
func (p *progress) answered(at time.Time, n int) {
	if p.asking == 0 {
		return
	}
	if p.asking = max(p.asking-n, 0); p.asking == 0 {
		p.turn.Asked += max(at.Sub(p.since), 0)
	}
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

// did measures a tool call that has ended: from when it was begun, or from the
// last answer of a person whom it was put before.
func (p *progress) did(s *step, e *session.Entry) {
	if e.Tool == nil || e.Tool.Replay || s.told.Call == "" {
		return
	}
	switch ended := !e.Tool.Ended.IsZero(); {
	case !ended && len(p.calls) < maxCalls:
		p.calls[s.told.Call] = true
	case ended && (p.calls[s.told.Call] || e.Seq == s.event.Seq):
		delete(p.calls, s.told.Call)
		if p.turn.Tools++; s.event.Time.IsZero() {
			return
		}
		s.tally.add(s.sheet, Tool, kind(e.Tool), int64(e.Tool.Ended.Sub(e.Tool.Started)))
	}
}

// kind is that of a tool call; the protocol's word for none is other.
func kind(t *session.Tool) string {
	if t.Kind == "" {
		return "other"
	}
	return t.Kind
}
