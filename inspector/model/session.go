package model

import (
	"path"
	"slices"
	"strings"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/control"
)

// Phase is what a session is at.
type Phase string

const (
	IsWaiting Phase = "waiting" // for the answer to a permission
	IsWorking Phase = "working" // a prompt is being answered
	IsIdle    Phase = "idle"
	IsGone    Phase = "gone" // the session was closed, or the proxy has ended
)

func newSession(p *Proxy, id string) *Session {
	return &Session{Proxy: p, Talk: &session.Talk{Session: id}}
}

// Name is what to call the session: its title, else how the first prompt begins,
// else the name of its folder, else its id. It is not clean.
func (s *Session) Name() string {
	prompt, _, _ := strings.Cut(strings.TrimSpace(s.Talk.Prompt), "\n")
	for _, name := range []string{s.Talk.Title, prompt, base(s.Cwd)} {
		if name = strings.TrimSpace(name); name != "" {
			return name
		}
	}
	if s.Talk.Session == "" {
		return "no session"
	}
	return s.Talk.Session
}

// base is the last part of a folder's path, of whichever system.
func base(folder string) string {
	if folder == "" {
		return ""
	}
	return path.Base(strings.ReplaceAll(folder, `\`, "/"))
}

// State says what the session is at, and since when.
func (s *Session) State(now time.Time) (Phase, time.Time) {
	switch p := s.Proxy; {
	case p.Link == Gone:
		return IsGone, first(p.ExitAt, p.GoneAt)
	case p.Exit != nil:
		return IsGone, p.ExitAt
	case s.Closed, p.Link == Recorded:
		return IsGone, s.Activity
	}
	for _, o := range s.Proxy.Pending {
		if o.Session == s {
			return IsWaiting, o.Opened
		}
	}
	if s.Talk.Running {
		return IsWorking, s.Talk.Since
	}
	return IsIdle, s.Activity
}

// first is the first time that is known.
func first(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// Find is the session of that id; nil when there is none.
func (p *Proxy) Find(id string) *Session {
	if id == "" {
		return p.mem.nobody
	}
	return p.mem.named[id]
}

// sessionOf is the session that an event names; nil when it names none.
func (p *Proxy) sessionOf(raw string) *Session {
	id := raw
	if strings.IndexByte(raw, '\\') >= 0 {
		id, _ = acp.Unquote([]byte(`"` + raw + `"`))
	}
	return p.session(id)
}

// session is the one with that id, which appears if it is new; nil for none.
func (p *Proxy) session(id string) *Session {
	if id == "" {
		return nil
	}
	if s := p.mem.named[id]; s != nil {
		if talk := p.mem.story.Talk(id); talk != nil && talk != s.Talk {
			s.adopt(talk)
		}
		return s
	}
	s := newSession(p, strings.Clone(id))
	if talk := p.mem.story.Talk(id); talk != nil {
		s.Talk = talk
	}
	p.appear(s)
	return s
}

// adopt takes the talk that the story has begun to tell; what was known before
// is true until it says otherwise.
func (s *Session) adopt(talk *session.Talk) {
	was := s.Talk
	s.Talk = talk
	if talk.Title == "" {
		talk.Title = was.Title
	}
	if talk.Mode == "" {
		talk.Mode = was.Mode
	}
	if was.Running && !talk.Running && talk.Stop == "" {
		talk.Running, talk.Since = true, was.Since
	}
}

// appear adds a session, and drops the one without an id if there is nothing in
// it.
func (p *Proxy) appear(s *Session) {
	p.mem.named[s.Talk.Session] = s
	if nobody := p.mem.nobody; len(p.Sessions) == 1 && p.Sessions[0] == nobody && nobody.empty() {
		p.Sessions = nil
	}
	if p.Sessions = append(p.Sessions, s); len(p.Sessions) > MaxNamed {
		p.dismiss(p.idlest(s))
	}
}

// empty says that nothing but frames is in the session without an id.
func (s *Session) empty() bool {
	return len(s.Deeds) == 0 && len(s.Talk.Entries) == 0 && !slices.ContainsFunc(s.Proxy.Pending, func(o *Permission) bool { return o.Session == s })
}

// show sees to it that the session without an id is listed: something is in it.
func (p *Proxy) show(s *Session) {
	if s == p.mem.nobody && !slices.Contains(p.Sessions, s) {
		p.Sessions = append(p.Sessions, s)
	}
}

// idlest is the session that was active longest ago, if possible one that waits
// for nothing.
func (p *Proxy) idlest(but *Session) *Session {
	waiting := map[*Session]bool{but: true}
	for _, o := range p.Pending {
		waiting[o.Session] = true
	}
	var idlest *Session
	for _, s := range p.Sessions {
		if !waiting[s] && (idlest == nil || s.Activity.Before(idlest.Activity)) {
			idlest = s
		}
	}
	if idlest == nil {
		return p.Sessions[0]
	}
	return idlest
}

func (p *Proxy) dismiss(s *Session) {
	p.Sessions = slices.DeleteFunc(p.Sessions, func(other *Session) bool { return other == s })
	delete(p.mem.named, s.Talk.Session)
}

// seed takes of each session what the events did not tell.
func (p *Proxy) seed(s control.State) {
	p.Client, p.Agent, p.Protocol = s.Client, s.Agent, s.Protocol
	for _, told := range s.Sessions {
		o := p.session(told.ID)
		if o == nil {
			continue
		}
		o.Cwd, o.Roots, o.AutoApprove = told.Cwd, told.Roots, told.AutoApprove
		if told.Title != "" {
			o.Talk.Title = told.Title
		}
		if o.Talk.Mode == "" {
			o.Talk.Mode = told.Mode
		}
		if p.Dropped > 0 || p.mem.unsure > 0 {
			o.run(told.State != "idle", s.Started)
		}
	}
}

// run corrects whether a prompt is being answered, when its beginning or end was
// not told.
func (s *Session) run(running bool, since time.Time) {
	if running && !s.Talk.Running {
		s.Talk.Since = first(s.Activity, since)
	}
	s.Talk.Running = running
}

// learn takes what the fold knows of a session after a frame that may have
// changed it.
func (p *Proxy) learn(r *Row, f *acp.Frame) {
	switch f.Kind {
	case acp.Response:
		p.settled(r)
	case acp.Error:
		if r.Method == acp.MethodSessionPrompt && r.Session != nil && r.Pair == nil {
			r.Session.Talk.Running = false
		}
		return
	case acp.Notification:
		switch r.Update {
		case "session_info_update", "current_mode_update", "config_option_update":
		case "subagent_update":
			p.learnOf(p.session(acp.ReadUpdate(f.Params).Child.Value))
			return
		default:
			return
		}
	default:
		return
	}
	p.learnOf(r.Session)
}

// settled takes what a result means for its session.
func (p *Proxy) settled(r *Row) {
	switch r.Method {
	case acp.MethodInitialize:
		client, agent := p.mem.fold.Peers()
		p.Client, p.Agent, p.Protocol = control.Program(client), control.Program(agent), p.mem.fold.Version()
	case acp.MethodSessionNew, acp.MethodSessionLoad, acp.MethodSessionResume, acp.MethodSessionFork:
		if r.Session != nil {
			r.Session.Closed = false
			r.Session.Begun = r.Session.Begun || r.Method == acp.MethodSessionNew || r.Method == acp.MethodSessionFork
		}
		if r.Pair != nil && r.Pair.Session == nil {
			r.Pair.Session = r.Session
		}
	case acp.MethodSessionClose, acp.MethodSessionDelete:
		if r.Session != nil {
			r.Session.Closed = true
		}
	case acp.MethodSessionPrompt:
		if r.Session != nil && r.Pair == nil && p.Protocol < 2 {
			r.Session.Talk.Running = false
		}
	}
}

func (p *Proxy) learnOf(s *Session) {
	if s == nil {
		return
	}
	known, ok := p.mem.fold.Session(s.Talk.Session)
	if !ok {
		return
	}
	s.Parent, s.AutoApprove, s.Cwd = known.Parent, known.AutoApprove, known.Grant.Cwd
	if s.Roots = nil; len(known.Grant.Dirs) > 1 {
		s.Roots = known.Grant.Dirs[1:]
	}
}
