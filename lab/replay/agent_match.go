package replay

import "bobproxy/acp"

// came says whether the client has done what step i says, and takes it as done.
func (a *agent) came(i int) bool {
	t := &a.steps[i]
	switch t.scan.Kind {
	case acp.Request, acp.Notification:
		if _, ok := a.matched[i]; ok {
			return true
		}
		for n, c := range a.waiting {
			if a.fits(i, &c.frame) {
				a.waiting = append(a.waiting[:n:n], a.waiting[n+1:]...)
				a.match(i, c)
				return true
			}
		}
		if c, ok := a.passed(i); ok {
			a.skip(i, &c.frame)
			return true
		}
		return false
	}
	if _, ok := a.ids[t.request]; !ok || t.request == none {
		return true // it was not asked this time
	}
	return a.answers[t.request]
}

// fits says whether a live request or notification is the one of step i.
func (a *agent) fits(i int, live *acp.Frame) bool {
	t := &a.steps[i]
	if t.From != acp.Client || t.scan.Kind != live.Kind || t.method != string(live.Method) {
		return false
	}
	if creates(t.method) {
		return true
	}
	session, _ := sessionOf(live)
	is, known := a.places.live(t.session)
	return !known || is == session
}

// creates says whether the session that a request names is one that the client
// brings.
func creates(method string) bool {
	switch method {
	case acp.MethodSessionNew, acp.MethodSessionLoad, acp.MethodSessionResume, acp.MethodSessionFork:
		return true
	}
	return false
}

// passed is a live request that the recording has behind step i and behind the
// answer to that, so that the client has left step i out.
func (a *agent) passed(i int) (call, bool) {
	answered := a.steps[i].reply
	if answered == none {
		answered = i + 1
	}
	for n := range a.waiting {
		c := &a.waiting[n]
		if _, taken := a.matched[c.at]; taken || a.skipped[c.at] {
			c.at, _ = a.find(c.at+1, &c.frame)
		}
		if c.at > answered {
			return *c, true
		}
	}
	return call{}, false
}

// find is the first step from i on that a live request or notification fits and
// that none stands for.
func (a *agent) find(i int, live *acp.Frame) (int, bool) {
	for ; i < len(a.steps); i++ {
		if _, ok := a.matched[i]; !ok && !a.skipped[i] && a.fits(i, live) {
			return i, true
		}
	}
	return none, false
}

// match takes a live request or notification for step i, and says how they
// differ.
func (a *agent) match(i int, c call) {
	t := &a.steps[i]
	a.matched[i] = c
	session, _ := sessionOf(&c.frame)
	a.places.name(t.session, session)
	if creates(t.method) {
		a.places.setup(t.scan.Params, c.frame.Params)
	}
	a.differ(t, callDifferences(t.method, a.places.value(t.known.Params), c.frame.Params), "going on as recorded")
}

// differ tells differences at step t.
func (a *agent) differ(t *step, differences []difference, then string) {
	for _, d := range differences {
		counts := d.counts || a.opts.Strict
		f := Finding{Divergence: counts, Frame: t.Number, About: t.label(), Expected: d.expected, Came: d.came, Why: d.why}
		if counts {
			f.Then = then
		}
		a.found(f)
	}
}

// skip leaves step i out, since the client did, and with a prompt its turn.
func (a *agent) skip(i int, instead *acp.Frame) {
	t := &a.steps[i]
	f := Finding{Divergence: true, Frame: t.Number, About: "the client",
		Expected: t.label(), Came: liveLabel(instead), Why: "it leaves the first out", Then: "so does the replay"}
	a.found(f)
	a.skipped[i] = true
	if t.reply != none {
		a.skipped[t.reply] = true
	}
	a.skipTurn(i, i)
}

// skipTurn leaves out what comes behind step from of the turn that the prompt of
// step i begins.
func (a *agent) skipTurn(i, from int) {
	for k := from + 1; k <= a.steps[i].end; k++ {
		if a.steps[k].session == a.steps[i].session && a.steps[k].sent() && !a.steps[k].isRequest(acp.Client) {
			a.skipped[k] = true
		}
	}
}
