package session

// Session is what is known of one session.
type Session struct {
	ID     string // at most 1 KiB of it
	Title  string
	Grant  Grant // its parent's when it has one
	Mode   string
	Turn   bool   // a prompt is being answered
	Parent string // the session that the agent announced it below; empty when it is the client's own

	AutoApprove string // what of its mode and options, by their names, asks for no permission; empty: nothing
}

// Sessions are those of the client that are open, oldest first.
func (f *Fold) Sessions() []Session {
	var all []Session
	for _, r := range f.sessions.inOrder() {
		if r.open {
			all = append(all, f.view(r))
		}
	}
	return all
}

// Session gives one session, the agent's children included. id has its escapes
// resolved.
func (f *Fold) Session(id string) (Session, bool) {
	f.name = appendKey(f.name[:0], id)
	r := f.sessions.find(f.name)
	if r == nil {
		return Session{}, false
	}
	owner := r.has()
	if owner == nil || !owner.open {
		return Session{}, false
	}
	return f.view(r), true
}

// Prompt says whether a prompt of session is being answered: until its result,
// and in version 2, where that only says that it was taken, as long as the
// agent says so.
func (f *Fold) Prompt(session string) bool {
	f.name = appendKey(f.name[:0], session)
	r := f.sessions.find(f.name)
	return f.sessions.prompts[string(f.name)] > 0 || r != nil && r.running
}

func (f *Fold) view(r *record) Session {
	s := Session{ID: r.id, Title: r.title, Grant: r.grant, Mode: r.mode, Turn: r.running || f.sessions.prompts[r.key] > 0, AutoApprove: r.approves()}
	if r.parent != nil {
		s.Parent, s.Grant = r.parent.id, r.parent.grant
	}
	return s
}

// replays says whether what the agent tells of session may be of long ago: it is
// being loaded or resumed.
func (f *Fold) replays(session string) bool {
	f.name = appendKey(f.name[:0], session)
	return f.sessions.find(f.name).loading()
}
