package replay

import "bobproxy/acp"

// hear takes in what the client says.
func (a *agent) hear(line []byte) {
	a.Heard++
	c := call{line: line}
	acp.Scan(line, &c.frame)
	c.id = c.frame.ID
	switch c.frame.Kind {
	case acp.Request:
		a.hearRequest(c)
	case acp.Notification:
		a.hearNotification(c)
	case acp.Response, acp.Error:
		a.hearAnswer(&c.frame)
	default:
		a.found(Finding{Divergence: true, About: "the client", Came: "sent a line that no peer reads as a frame"})
	}
}

// maxWaiting is how many live frames are kept until the recording has come to
// them.
const maxWaiting = 1000

// maxOutbox is how many answers wait to be written before nothing is heard any
// more.
const maxOutbox = 1000

func (a *agent) hearRequest(c call) {
	var ok bool
	if c.at, ok = a.find(a.at, &c.frame); ok {
		a.wait(c)
		return
	}
	if i, ok := a.omitted(&c.frame); ok {
		t := &a.steps[i]
		a.found(Finding{Divergence: true, Frame: t.Number, About: t.label(), Came: "comes later than it did", Then: "answered as recorded"})
		a.skipped[i] = false
		a.match(i, c)
		a.skipped[i] = true
		if t.reply != none {
			a.outbox = append(a.outbox, a.line(t.reply))
		}
		return
	}
	a.refuse(c)
}

func (a *agent) wait(c call) {
	if len(a.waiting) == maxWaiting {
		a.outbox = append(a.outbox, failure(c.id, internalError, "more requests than this replay keeps"))
		return
	}
	a.waiting = append(a.waiting, c)
}

// omitted is a step that was left out and that a live request fits.
func (a *agent) omitted(live *acp.Frame) (int, bool) {
	for i := 0; i < a.at; i++ {
		if _, ok := a.matched[i]; !ok && a.skipped[i] && a.fits(i, live) {
			return i, true
		}
	}
	return 0, false
}

// Codes of errors that a replay answers with.
const (
	methodNotFound = -32601
	internalError  = -32603
	cancelledError = -32800
)

// refuse answers a request that was not recorded: once more with what the last
// one of its method was answered, if that begins nothing.
func (a *agent) refuse(c call) {
	method := string(c.frame.Method)
	f := Finding{Divergence: true, About: "the client", Came: liveLabel(&c.frame), Why: "the recording has no such request", Then: "answered with an error"}
	known := false
	for i := len(a.steps) - 1; i >= 0; i-- {
		t := &a.steps[i]
		if !t.isRequest(acp.Client) || t.method != method {
			continue
		}
		if f.Why = "the recording has fewer of them"; creates(method) || method == acp.MethodSessionPrompt || t.reply == none {
			known = true
			break
		}
		f.Then = "answered like the last one"
		a.found(f)
		a.outbox = append(a.outbox, envelope(c.id, &a.steps[t.reply].scan, a.places.value))
		return
	}
	a.found(f)
	code, words := methodNotFound, "this recording has no "+method
	if known {
		code, words = internalError, "this recording has no more "+method
	}
	a.outbox = append(a.outbox, failure(c.id, code, words))
}

func (a *agent) hearNotification(c call) {
	method := string(c.frame.Method)
	i, recorded := a.find(a.at, &c.frame)
	if method == acp.MethodSessionCancel {
		if prompt, ok := a.running(&c.frame); ok && (!recorded || i > a.steps[prompt].end) {
			a.cancel(prompt)
			return
		}
	}
	if recorded && len(a.waiting) < maxWaiting {
		c.at = i
		a.waiting = append(a.waiting, c)
		return
	}
	f := Finding{Divergence: true, About: "the client", Came: liveLabel(&c.frame), Why: "the recording has no such notification"}
	f.Divergence = method != acp.MethodCancelRequest // which may be ignored
	a.found(f)
}

// running is the prompt whose turn a live frame's session is in.
func (a *agent) running(live *acp.Frame) (int, bool) {
	session, _ := sessionOf(live)
	for i, c := range a.matched {
		if t := &a.steps[i]; t.method == acp.MethodSessionPrompt && t.end >= a.at && !a.skipped[t.end] {
			if s, _ := sessionOf(&c.frame); s == session {
				return i, true
			}
		}
	}
	return 0, false
}

// cancel ends a turn that was not cancelled when it was recorded.
func (a *agent) cancel(prompt int) {
	t := &a.steps[prompt]
	a.found(Finding{Divergence: true, Frame: t.Number, About: t.label(), Came: "session/cancel",
		Why: "this turn was not cancelled", Then: "its rest is left out"})
	c := a.matched[prompt]
	replied := t.reply != none && t.reply < a.at
	a.skipTurn(prompt, max(a.at-1, prompt))
	if t.end != t.reply { // version 2, where the reply says only that the prompt was taken
		if t.reply != none {
			a.skipped[t.reply] = false
		}
		session, _ := sessionOf(&c.frame)
		a.outbox = append(a.outbox, cancelledTurn(session))
		return
	}
	if t.reply != none {
		a.skipped[t.reply] = true
	}
	if !replied {
		a.outbox = append(a.outbox, result(c.id, `{"stopReason":"cancelled"}`))
	}
}

// cancelledTurn is how version 2 says that a turn was cancelled.
func cancelledTurn(session string) []byte {
	params := append([]byte(`{"sessionId":`), quoted(session)...)
	params = append(params, `,"update":{"sessionUpdate":"state_update","state":"idle","stopReason":"cancelled"}}`...)
	return envelope(nil, &acp.Frame{Method: []byte(acp.MethodSessionUpdate), Params: params}, as)
}

func (a *agent) hearAnswer(live *acp.Frame) {
	i, ok := a.asked[string(key(live.ID))]
	if !ok || a.answers[i] {
		a.found(Finding{Divergence: true, About: "the client", Came: "answers the id " + short(string(live.ID)) + ", which waits for no answer"})
		return
	}
	a.answers[i] = true
	t := &a.steps[i]
	if t.method == acp.MethodTerminalCreate && t.reply != none {
		a.places.name(said(a.steps[t.reply].scan.Result, "terminalId"), said(live.Result, "terminalId"))
	}
	if t.reply == none {
		if !a.skipped[i] {
			a.found(Finding{Frame: t.Number, About: t.label(), Came: "is answered now", Why: "in the recording it was not"})
		}
		return
	}
	if a.skipped[t.reply] {
		return
	}
	recorded := a.steps[t.reply].known
	recorded.Result = a.places.value(recorded.Result)
	differences := answerDifferences(t.method, t.known.Params, &recorded, live)
	if a.dull && inWorkspace(t.method) {
		a.excuse(differences)
	}
	a.differ(&a.steps[t.reply], differences, "going on as recorded")
	if len(differences) > 0 && differences[0].counts {
		a.overtake(t.reply, live)
	}
}

// excuse takes differences for notes.
func (a *agent) excuse(differences []difference) {
	for i := range differences {
		if d := &differences[i]; d.counts {
			d.counts = false
			a.Uncounted++
		}
	}
}

// overtake leaves out the notifications that the recording has in front of an
// answer which came otherwise: a session/cancel that explains a permission's.
func (a *agent) overtake(reply int, live *acp.Frame) {
	for i := a.at; i < reply; i++ {
		t := &a.steps[i]
		if t.From == acp.Agent {
			continue
		}
		if _, ok := a.matched[i]; t.scan.Kind == acp.Notification && !ok && !a.skipped[i] && !a.expects(t) {
			a.found(Finding{Divergence: true, Frame: t.Number, About: "the client", Expected: t.label(),
				Came: "another answer", Why: "it leaves the first out", Then: "so does the replay"})
			a.skipped[i] = true
		}
	}
}

// expects says whether a live notification waits for the step t.
func (a *agent) expects(t *step) bool {
	for _, c := range a.waiting {
		if string(c.frame.Method) == t.method {
			return true
		}
	}
	return false
}
