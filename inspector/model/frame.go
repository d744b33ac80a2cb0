package model

import (
	"slices"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/journal"
)

// frame takes one line of the wire.
func (p *Proxy) frame(r *Row, e *journal.Event) {
	if e.Dir != acp.Client && e.Dir != acp.Agent {
		return
	}
	p.count(e)
	now := &p.mem.now
	*now = scene{}
	if !replay(e, &now.frame) {
		p.keptBack(r, e)
		return
	}
	now.fact = p.mem.fold.Frame(e.Time, e.Dir, &now.frame)
	complete(&now.fact, r, e)
	now.told = p.mem.story.Frame(e.Time, e.Seq, e.Dir, &now.frame, &now.fact)
	r.take(&now.told, &now.fact)
	if s := p.session(now.told.Session); s != nil {
		r.Session = s
	}
	p.join(r, e, &now.frame, &now.fact)
	p.learn(r, &now.frame)
	if now.told.Entry != nil {
		r.Entry = now.told.Entry.Seq
	}
	p.record(r, now.told.Entry)
}

// scene is the frame that is being taken, and what the conversation made of it.
type scene struct {
	frame acp.Frame
	fact  session.Fact
	told  session.Told
}

// join ties requests and responses, and what the proxy added to what it is about.
func (p *Proxy) join(r *Row, e *journal.Event, f *acp.Frame, fact *session.Fact) {
	switch f.Kind {
	case acp.Request:
		p.wait(r, e.ID)
		p.request(r, f)
	case acp.Response, acp.Error:
		p.answer(r, e.ID, fact)
		p.answered(r, f)
	}
	if e.Added {
		p.pairRefusal(r)
		r.By = p.author(r, f)
	}
}

// replay is the frame as the conversation was shown it; of one that was cut,
// what can be read.
func replay(e *journal.Event, f *acp.Frame) bool {
	if !e.Replay(f) {
		return false
	}
	if !f.Cut && e.Form == journal.FrameBody && e.Bytes > int64(len(e.Body)) && f.Params == nil && f.Result == nil && f.Error == nil {
		acp.Mend(e.Body, f)
	}
	return true
}

// complete adds what the proxy knew, which may have seen more than we did.
func complete(fact *session.Fact, r *Row, e *journal.Event) {
	if fact.Method == "" {
		fact.Method = r.Method
	}
	if fact.Session == "" {
		fact.Session = e.Session
	}
}

func (p *Proxy) count(e *journal.Event) {
	p.Frames[e.Dir]++
	p.Bytes[e.Dir] += max(e.Bytes, 0)
	p.mem.rate.add(e.Time, e.Dir)
	if !e.Added {
		p.Last[e.Dir], p.mem.last[e.Dir] = e.Time, e.Seq
	}
}

// take takes what the conversation made of a frame.
func (r *Row) take(told *session.Told, fact *session.Fact) {
	if fact.Method != "" {
		r.Method = clip(fact.Method, maxName)
	}
	r.Update, r.Call = clip(told.Update, maxName), clip(told.Call, maxName)
	r.Tool, r.Status = clip(told.Tool, maxName), clip(told.Status, maxName)
	r.First, r.Run, r.Chunk = told.First, clip(told.Run, maxName), told.Chunk
	for _, note := range fact.Notes {
		r.flag(note)
	}
}

// keptBack takes a frame that the conversation never knew. A reply that was
// swallowed belongs to a permission that was settled; see decided.
func (p *Proxy) keptBack(r *Row, e *journal.Event) {
	switch r.Method {
	case acp.MethodWriteTextFile, acp.MethodTerminalCreate:
		var f acp.Frame
		acp.Scan(e.Body, &f)
		p.request(r, &f)
	}
}

// pairRefusal joins an error of the proxy's to the line that it refused, when
// that was none of which the conversation knew a request.
func (p *Proxy) pairRefusal(r *Row) {
	if r.Kind != acp.Error || r.Pair != nil || r.ID == "" {
		return
	}
	for _, q := range slices.Backward(p.Rows[max(0, len(p.Rows)-maxBack):]) {
		if q.Action == "refused" && q.ID == r.ID && q.From == r.From.Peer() && q.Pair == nil {
			r.Pair, q.Pair, r.Method = q, r, q.Method
			return
		}
	}
}

// author says who made an added frame.
func (p *Proxy) author(r *Row, f *acp.Frame) string {
	switch {
	case r.Method == acp.MethodCancelRequest:
		if o := p.withdrawn(acp.ReadCancelRequest(f.Params)); o != nil {
			r.Permission, o.Recalled = o, true
			if r.Session == nil && o.Session != p.mem.nobody {
				r.Session = o.Session
			}
			return decider(o)
		}
	case r.Method == acp.MethodSessionCancel:
		return "timeout"
	case r.Pair == nil:
	case r.Pair.Permission != nil:
		return decider(r.Pair.Permission)
	case r.Pair.Action != "":
		return "bounds"
	case r.Kind == acp.Error:
		return "timeout"
	}
	return "proxy"
}

// decider is who settled o, in the words of recordings.
func decider(o *Permission) string {
	if o.Decision == nil {
		return "proxy"
	}
	return o.Decision.By
}
