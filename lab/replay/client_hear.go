package replay

import (
	"slices"

	"bobproxy/acp"
)

// hear takes in what the agent says.
func (c *client) hear(line []byte) {
	c.Heard++
	var f acp.Frame
	acp.Scan(line, &f)
	switch f.Kind {
	case acp.Request:
		c.outboxOrHold(c.answer(&f))
	case acp.Notification:
		c.hearNotification(&f)
	case acp.Response, acp.Error:
		c.hearReply(&f)
	default:
		c.found(Finding{Divergence: true, About: "the agent", Came: "sent a line that no peer reads as a frame"})
	}
	c.live.frame(acp.Agent, 0, &f)
}

// outboxOrHold gives an answer, or keeps it until a notification has gone first.
// What is kept is of the recording, and no more than that.
func (c *client) outboxOrHold(a answer) {
	if a.after != none {
		c.open[a.id] = true
		c.held = append(c.held, a)
		return
	}
	c.outbox = append(c.outbox, a)
}

func (c *client) full() bool { return len(c.outbox) >= maxOutbox }

func (c *client) hearNotification(f *acp.Frame) {
	if string(f.Method) == acp.MethodCancelRequest {
		c.withdraw(acp.ReadCancelRequest(f.Params))
		return
	}
	session, _ := sessionOf(f)
	for _, i := range c.pending {
		if live, _ := c.places.live(c.steps[i].session); live == session {
			c.stirred[i] = true
		}
	}
	if isIdle(f) {
		c.over(func(i int) bool {
			live, _ := c.places.live(c.steps[i].session)
			return live == session && c.steps[i].end != c.steps[i].reply && c.replied[i]
		})
	}
}

// over drops the pending requests that is says are.
func (c *client) over(is func(int) bool) { c.pending = slices.DeleteFunc(c.pending, is) }

// withdraw answers a request that the agent takes back, if that has not been
// done.
func (c *client) withdraw(id []byte) {
	k := string(key(id))
	if !c.open[k] {
		return
	}
	delete(c.open, k)
	c.held = slices.DeleteFunc(c.held, func(a answer) bool { return a.id == k })
	c.outbox = append(c.outbox, answer{id: k, line: failure(id, cancelledError, "Request cancelled"), step: none, after: none})
}

// hearReply takes in an answer of the agent.
func (c *client) hearReply(f *acp.Frame) {
	i, ok := c.ids[string(key(f.ID))]
	if !ok || c.replied[i] {
		c.found(Finding{Divergence: true, About: "the agent", Came: "answers the id " + short(string(f.ID)) + ", which waits for no answer"})
		return
	}
	c.replied[i] = true
	t := &c.steps[i]
	c.over(func(k int) bool {
		return k == i && (f.Kind == acp.Error || t.end == none && !t.cut || t.end == t.reply)
	})
	if t.reply == none {
		if t.cut {
			return
		}
		c.found(Finding{Frame: t.Number, About: t.label(), Came: "is answered now", Why: "in the recording it was not"})
		return
	}
	c.compareReply(t, &c.steps[t.reply], f)
}

// compareReply says how an answer differs from the recorded one.
func (c *client) compareReply(t, recorded *step, live *acp.Frame) {
	failed := live.Kind == acp.Error && recorded.scan.Kind != acp.Error
	var differences []difference
	if live.Kind == acp.Response && recorded.scan.Kind == acp.Response {
		session, _ := sessionOf(live)
		if session != "" || !creates(t.method) {
			c.name(recorded.session, session)
		} else {
			c.name(t.session, t.session)
		}
		differences = replyDifferences(t.method, c.places.value(recorded.known.Result), live.Result)
	} else {
		differences = answerDifferences(t.method, nil, &recorded.known, live)
	}
	then := ""
	if failed && creates(t.method) {
		c.stuck, then = true, "ending here, since what follows needs the session"
	}
	for _, d := range differences {
		if d.counts || c.opts.Strict {
			c.found(Finding{Divergence: true, Frame: recorded.Number, About: recorded.label(), Expected: d.expected, Came: d.came, Why: d.why, Then: then})
		}
	}
}

// replyDifferences compares what an agent grants with what it did. How a turn
// went is compared as a whole, later.
func replyDifferences(method string, recorded, live []byte) []difference {
	switch method {
	case acp.MethodInitialize:
		return helloDifferences(recorded, live)
	case acp.MethodSessionPrompt:
		return nil
	}
	if sameJSON(recorded, live) {
		return nil
	}
	return []difference{{false, short(string(recorded)), short(string(live)), ""}}
}

// name says how a recorded session is called now.
func (c *client) name(recorded, live string) {
	c.places.name(recorded, live)
	c.back.name(live, recorded)
}
