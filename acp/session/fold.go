package session

import (
	"time"

	"bobproxy/acp"
)

// MaxOpen is how many unanswered requests are remembered in each direction.
const MaxOpen = 16384

// Fact is what the conversation adds to one frame.
type Fact struct {
	Method  string        // the frame's own, or that of the request it answers; empty when unknown
	Session string        // raw token without quotes; a response has its request's when it names none
	Waited  time.Duration // for a response that was paired: time since its request
	Paired  bool          // a response, and its request is known
	Reused  bool          // a request whose id was still open
	Stray   Stray         // a response to nothing that is known
	Notes   []string      // what a person should know about the frame, in plain sentences; almost always nil
	Told    *acp.Update   // of an update that names files, what it says, lying in the frame
	Replay  bool          // an update that is more than shown, of a session that is being loaded or resumed: it may tell of long ago
}

// Stray says why a response could not be paired.
type Stray uint8

const (
	NoStray     Stray = iota
	NoRequest         // nobody asked, or it was answered already
	AnotherType       // a request is open that has this id as a number instead of a string, or the reverse
)

// Fold is the memory of one conversation. The zero value is an empty one. It is
// not safe for use by several goroutines at once.
type Fold struct {
	open   [3]table // by who sent the request
	spoken [3]bool  // by who sent it: a message was among the lines
	names  names
	key    []byte // of an id
	name   []byte // key of a session

	sessions sessions
	setups   setups
	calls    calls
	hello    hello
}

// With is what the caller of [Fold.With] knows of a frame.
type With struct {
	Pin        any             // of a session/new, load, resume or fork of the client: kept with what it grants, for Fold.Grants to give back
	Permission *acp.Permission // of a session/request_permission: what was read of it; nil: it is read
}

// Frame takes the next frame, which from sent at the time at.
func (f *Fold) Frame(at time.Time, from acp.Direction, frame *acp.Frame) (fact Fact) {
	f.frame(at, from, frame, With{}, &fact)
	return fact
}

// With is Frame for a caller who knows more.
func (f *Fold) With(at time.Time, from acp.Direction, frame *acp.Frame, with With) (fact Fact) {
	f.frame(at, from, frame, with, &fact)
	return fact
}

func (f *Fold) frame(at time.Time, from acp.Direction, frame *acp.Frame, with With, fact *Fact) {
	if frame.Kind != acp.Text && frame.Kind != acp.Ambiguous {
		f.spoken[from] = true
		fact.Method = f.names.name(frame.Method)
	}
	fact.Session = f.names.name(frame.Session)
	switch frame.Kind {
	case acp.Request:
		f.request(at, from, frame, with, fact)
	case acp.Notification:
		if from == acp.Agent && telling(frame.Update) && fact.Method == acp.MethodSessionUpdate {
			f.update(frame, fact)
		}
	case acp.Response, acp.Error:
		f.answer(at, from.Peer(), frame, fact)
	}
}

// Owed counts the requests sent by from that have not been answered.
func (f *Fold) Owed(from acp.Direction) int { return f.open[from].count }

// Spoken says whether from has sent a message, and not just text.
func (f *Fold) Spoken(from acp.Direction) bool { return f.spoken[from] }

// request takes a request, whose answer may change what is known.
func (f *Fold) request(at time.Time, from acp.Direction, frame *acp.Frame, with With, fact *Fact) {
	r := request{at: at, method: fact.Method, session: fact.Session}
	switch {
	case from == acp.Client:
		r.asked = f.asks(frame, with.Pin, fact)
	case fact.Method == acp.MethodRequestPermission:
		f.permission(frame, with.Permission)
	case fact.Method == acp.MethodSessionUpdate && telling(frame.Update):
		f.update(frame, fact)
	}
	var kept bool
	if fact.Reused, kept = f.ask(from, frame.ID, r); !kept && r.asked != nil {
		f.lost(r)
	}
	if frame.Session != nil {
		f.name = appendRawKey(f.name[:0], frame.Session)
		f.sessions.use(f.name)
	}
}

// ask remembers a request and says whether its id was open already. An id of
// null is not remembered: an error that names null answers nothing
// (JSON-RPC 2.0 §5).
func (f *Fold) ask(from acp.Direction, id []byte, r request) (reused, kept bool) {
	if isNull(id) {
		return false, false
	}
	f.key, _ = acp.IDKey(f.key[:0], id)
	return f.open[from].put(f.key, r)
}

func (f *Fold) answer(at time.Time, asker acp.Direction, frame *acp.Frame, fact *Fact) {
	if frame.ID == nil || isNull(frame.ID) {
		return
	}
	f.key, _ = acp.IDKey(f.key[:0], frame.ID)
	r, ok := f.open[asker].take(f.key)
	if !ok {
		fact.Stray = f.stray(&f.open[asker], frame.ID)
		return
	}
	if fact.Session == "" {
		fact.Session = r.session
	}
	fact.Method, fact.Waited, fact.Paired = r.method, at.Sub(r.at), true
	if r.asked != nil {
		f.answers(r, frame, fact)
	}
}

// stray says why id answers nothing; when requests had to be forgotten nobody
// knows.
func (f *Fold) stray(asked *table, id []byte) Stray {
	if asked.forgot {
		return NoStray
	}
	other := append([]byte{'"'}, id...)
	other = append(other, '"')
	if id[0] == '"' {
		other = id[1 : len(id)-1]
	}
	if len(other) > 0 {
		f.key, _ = acp.IDKey(f.key[:0], other)
		if asked.has(f.key) {
			return AnotherType
		}
	}
	return NoRequest
}

func isNull(id []byte) bool { return string(id) == "null" }
