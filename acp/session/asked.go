package session

import "bobproxy/acp"

// asked is what is kept of a request of the client whose answer changes what
// is known.
type asked struct {
	seq     uint64 // the clock when it was made
	key, id string // of the session it names; empty when it names none
	setup   *setup
	ends    *record    // session/close and delete: what they will end
	mode    acp.String // that is to be set
}

// asks takes a request of the client and gives nil when its answer changes
// nothing.
func (f *Fold) asks(frame *acp.Frame, pin any, fact *Fact) *asked {
	switch fact.Method {
	case acp.MethodSessionNew, acp.MethodSessionLoad, acp.MethodSessionResume, acp.MethodSessionFork:
		a := &asked{seq: f.sessions.tick()}
		f.askSetup(a, frame, pin, fact)
		return a
	case acp.MethodSessionClose, acp.MethodSessionDelete:
		a := f.about(frame)
		f.askEnd(a)
		return a
	case acp.MethodSessionPrompt:
		a := f.about(frame)
		f.sessions.prompted(a.key, 1)
		return a
	case acp.MethodSessionSetMode, acp.MethodSessionSetConfigOption:
		a := f.about(frame)
		f.askMode(a, frame, fact)
		return a
	case acp.MethodInitialize:
		f.askHello(frame)
		return &asked{}
	}
	return nil
}

// about is a request that names a session.
func (f *Fold) about(frame *acp.Frame) *asked {
	a := &asked{seq: f.sessions.tick()}
	if frame.Session != nil {
		f.name = appendRawKey(f.name[:0], frame.Session)
		a.key = string(f.name)
	}
	return a
}

// answers takes the answer to r.
func (f *Fold) answers(r request, frame *acp.Frame, fact *Fact) {
	a, done := r.asked, frame.Kind == acp.Response
	switch r.method {
	case acp.MethodSessionNew, acp.MethodSessionLoad, acp.MethodSessionResume, acp.MethodSessionFork:
		f.answerSetup(a, frame, fact)
	case acp.MethodSessionClose, acp.MethodSessionDelete:
		f.answerEnd(a, done)
	case acp.MethodSessionPrompt:
		f.sessions.prompted(a.key, -1)
	case acp.MethodSessionSetMode, acp.MethodSessionSetConfigOption:
		if done {
			f.answerMode(a, frame.Result, fact)
		}
	case acp.MethodInitialize:
		if done {
			f.answerHello(frame)
		}
	}
}

// lost is for a request that could not be remembered, so its answer will not be
// known for what it is. A grant that it would have replaced may not hold any
// longer, so the session ends here.
func (f *Fold) lost(r request) {
	a := r.asked
	switch {
	case a.setup != nil:
		named := a.setup.named
		f.dropSetup(a.setup)
		if named != nil && named.open && !named.gone {
			f.sessions.end(named)
		}
	case a.ends != nil:
		a.ends.closing--
	case r.method == acp.MethodSessionPrompt:
		f.sessions.prompted(a.key, -1)
	}
}
