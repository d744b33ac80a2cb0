package replay

import (
	"bobproxy/acp"
	"bobproxy/acp/session"
)

// script is a recording, ready to be played.
type script struct {
	steps   []step
	version int // of the protocol; 0: not agreed upon
}

// step is a frame with what the others of its recording say about it.
type step struct {
	Frame
	scan    acp.Frame
	known   acp.Frame // scan, with Masked where there are blanks
	method  string    // of a reply: its request's
	session string    // of a reply: its request's, or the one that it makes
	subject string    // of a request: what it is about; of a reply: its request's
	rough   string    // of a permission: its kind and paths
	update  string    // kind of a session/update
	request int       // of a reply: the step that asks; none when nobody did
	reply   int       // of a request: the step that answers; none when nobody did
	prompt  int       // the last prompt of its session in front of it; none when there is none
	end     int       // of a prompt: the step that ends its turn; none when nothing did
	cut     bool      // of a prompt: the recording ends inside its turn
}

const none = -1

// newScript pairs requests with replies and prompts with the ends of turns.
func newScript(frames []Frame) (*script, error) {
	if len(frames) == 0 {
		return nil, ErrEmpty
	}
	s := &script{steps: make([]step, len(frames))}
	size, open := 0, map[string]int{}
	var fold session.Fold
	for i, f := range frames {
		if size += f.Size(); size > MaxSize {
			return nil, ErrTooLarge
		}
		s.steps[i] = step{Frame: f, request: none, reply: none, prompt: none, end: none}
		t := &s.steps[i]
		acp.Scan(f.Line, &t.scan)
		if t.known = t.scan; f.Blank {
			acp.Scan(unblanked(f.Line), &t.known)
		}
		s.pair(i, open)
		if t.scan.Method != nil {
			t.subject = subject(t.method, t.known.Params, &fold)
			t.rough = roughSubject(t.method, t.known.Params, &fold)
		}
		fold.Frame(f.At, f.From, &t.known)
	}
	s.findTurns()
	return s, nil
}

// pair learns what step i is. open are the requests without a reply so far, by
// sender and id.
func (s *script) pair(i int, open map[string]int) {
	t := &s.steps[i]
	t.session, _ = sessionOf(&t.scan)
	switch t.scan.Kind {
	case acp.Request:
		t.method = string(t.scan.Method)
		open[slot(t.From, t.scan.ID)] = i
	case acp.Notification:
		t.method = string(t.scan.Method)
		t.update, _ = unescape(t.scan.Update)
	case acp.Response, acp.Error:
		k := slot(t.From.Peer(), t.scan.ID)
		asked, ok := open[k]
		if !ok {
			return
		}
		delete(open, k)
		t.request, t.method, t.subject, s.steps[asked].reply = asked, s.steps[asked].method, s.steps[asked].subject, i
		if t.session == "" {
			t.session = s.steps[asked].session
		}
		if t.method == acp.MethodInitialize && t.scan.Kind == acp.Response {
			s.version = acp.ReadHello(t.scan.Result).Version
		}
	}
}

// slot is where a request waits for its reply.
func slot(from acp.Direction, id []byte) string {
	key, _ := acp.IDKey([]byte{byte(from)}, id)
	return string(key)
}

// findTurns finds where turns begin and end: in version 1 with the reply to the
// prompt, in version 2 where the agent says that it is idle.
func (s *script) findTurns() {
	last := map[string]int{} // by session, its last prompt
	for i := range s.steps {
		t := &s.steps[i]
		if prompt, ok := last[t.session]; ok {
			t.prompt = prompt
		}
		if t.isRequest(acp.Client) && t.method == acp.MethodSessionPrompt {
			last[t.session] = i
		}
	}
	s.findEnds()
	for _, i := range last {
		s.steps[i].cut = s.steps[i].end == none
	}
}

func (s *script) findEnds() {
	idle := map[string]int{} // by session, the first one behind the step
	for i := len(s.steps) - 1; i >= 0; i-- {
		t := &s.steps[i]
		switch {
		case t.update != "" && isIdle(&t.scan):
			idle[t.session] = i
		case t.scan.Kind == acp.Request && t.method == acp.MethodSessionPrompt:
			t.end = t.reply
			if end, ok := idle[t.session]; ok && s.version >= 2 {
				t.end = end
			}
		}
	}
}

// isIdle says whether an update ends a turn of version 2.
func isIdle(f *acp.Frame) bool {
	if string(f.Update) != "state_update" {
		return false
	}
	return text(member(member(f.Params, "update"), "state")) == "idle"
}

// sent says whether the step is something that its sender expects to be heard.
func (t *step) sent() bool {
	return t.scan.Kind == acp.Request || t.scan.Kind == acp.Notification || t.isReply()
}

func (t *step) isReply() bool {
	return t.scan.Kind == acp.Response || t.scan.Kind == acp.Error
}

func (t *step) isRequest(from acp.Direction) bool {
	return t.scan.Kind == acp.Request && t.From == from
}
