package session

import (
	"strings"
	"time"

	"bobproxy/acp"
)

// scene is one frame and what is known of it.
type scene struct {
	at    time.Time
	seq   uint64
	from  acp.Direction
	frame *acp.Frame
	fact  *Fact
	v2    bool

	session string // id, escapes resolved, at most 1 KiB of it
	talk    *talk  // nil: none yet
	replay  bool
	told    Told
}

// Frame takes the next frame. It is to be called right after Fold.Frame, or
// Fold.With, of the same frame, with what that gave. seq is the frame's number
// in the journal.
func (s *Story) Frame(at time.Time, seq uint64, from acp.Direction, frame *acp.Frame, fact *Fact) (told Told) {
	if frame.Kind == acp.Text || frame.Kind == acp.Ambiguous {
		return Told{}
	}
	c := scene{at: at, seq: seq, from: from, frame: frame, fact: fact, v2: s.fold.v2()}
	c.session = clip(plainID(fact.Session), maxName)
	c.told.Session = c.session
	s.enter(&c)
	switch frame.Kind {
	case acp.Request:
		s.request(&c)
	case acp.Notification:
		s.notification(&c)
	default:
		s.answer(&c)
	}
	s.leave(&c)
	return c.told
}

// plainID resolves the escapes in an id as a frame has it.
func plainID(raw string) string {
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	id, _ := acp.Unquote([]byte(`"` + raw + `"`))
	return id
}

// enter finds the talk that the frame is part of.
func (s *Story) enter(c *scene) {
	if c.session == "" {
		return
	}
	if c.talk = s.talks[c.session]; c.talk == nil && !passing(c.fact.Method) {
		s.open(c)
	}
	if c.talk != nil {
		c.replay = s.fold.replays(c.session)
		c.talk.Loading = c.replay
		c.talk.Last = c.at
		c.talk.Frames++
		s.byUse.MoveToBack(c.talk.place)
	}
}

// passing says whether a method may name a session that nobody is in.
func passing(method string) bool {
	switch method {
	case acp.MethodSessionClose, acp.MethodSessionDelete, acp.MethodSessionArchive, acp.MethodSessionUnarchive,
		acp.MethodSessionStatus, acp.MethodSessionSetTitle, acp.MethodSessionList:
		return true
	}
	return false
}

// leave counts what the frame has changed, and makes room.
func (s *Story) leave(c *scene) {
	c.told.First = clip(c.told.First, MaxFirst)
	if e := c.told.Entry; e != nil {
		s.resize(e)
		if e.Tool != nil {
			c.told.Call, c.told.Tool, c.told.Status = e.Tool.ID, e.Tool.Kind, e.Tool.Status
		}
	}
	if c.talk != nil {
		s.trim(c.talk)
	}
}
