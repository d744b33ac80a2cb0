package session

import "bobproxy/acp"

// request takes a request of either side.
func (s *Story) request(c *scene) {
	var q question
	params := c.frame.Params
	c.told.First = asks(c.fact.Method, params)
	switch {
	case c.from == acp.Client:
		s.clientAsks(c, &q)
	case c.fact.Method == acp.MethodRequestPermission:
		s.permission(c, &q)
	case c.fact.Method == acp.MethodSessionUpdate:
		s.update(c)
	case c.fact.Method == acp.MethodTerminalOutput, c.fact.Method == acp.MethodTerminalWaitForExit:
		q.value = str(params, maxName, "terminalId")
	}
	q.talk = c.talk
	s.asking.put(c.from, c.frame.ID, q)
}

func (s *Story) clientAsks(c *scene, q *question) {
	params := c.frame.Params
	switch c.fact.Method {
	case acp.MethodSessionPrompt:
		q.entry = s.prompt(c)
	case acp.MethodSessionLoad, acp.MethodSessionResume:
		s.load(c)
	case acp.MethodSessionSetMode:
		q.value = str(params, maxWord, "modeId")
	case acp.MethodSessionSetModel:
		q.value = str(params, maxWord, "modelId")
	case acp.MethodSessionSetTitle:
		q.value = str(params, maxTitle, "title")
	case acp.MethodSessionSetConfigOption:
		c.told.Run = c.fact.Method
	}
}

func (s *Story) notification(c *scene) {
	if c.fact.Method == acp.MethodSessionUpdate && c.from == acp.Agent {
		s.update(c)
		return
	}
	c.told.First = asks(c.fact.Method, c.frame.Params)
}

// answer takes a result or an error.
func (s *Story) answer(c *scene) {
	q := s.asking.take(c.from.Peer(), c.frame.ID)
	s.back(c, &q)
	if c.frame.Kind == acp.Error {
		c.told.First = failure(c.frame.Error)
	} else {
		c.told.First = answers(c.fact.Method, c.frame.Result, q)
	}
	if c.fact.Method == acp.MethodSessionSetConfigOption {
		c.told.Run = c.fact.Method
	}
	if !c.fact.Paired || c.talk == nil {
		return
	}
	if c.from == acp.Client {
		s.clientAnswers(c, q)
		return
	}
	switch c.fact.Method {
	case acp.MethodSessionPrompt:
		s.prompted(c, q)
	case acp.MethodSessionLoad, acp.MethodSessionResume:
		c.talk.reload = false
	}
	if c.frame.Kind == acp.Response {
		s.agentAnswers(c, q)
	}
}

// back goes to where the request was asked, whatever session the answer names,
// unless it opens one.
func (s *Story) back(c *scene, q *question) {
	switch c.fact.Method {
	case acp.MethodSessionNew, acp.MethodSessionFork:
		return
	}
	if t := q.talk; t != nil && s.talks[t.Session] == t {
		c.talk, c.session, c.told.Session = t, t.Session, t.Session
	}
}

// clientAnswers takes what an answer of the client changes.
func (s *Story) clientAnswers(c *scene, q question) {
	switch c.fact.Method {
	case acp.MethodRequestPermission:
		s.permitted(c, q)
	case acp.MethodTerminalOutput, acp.MethodTerminalWaitForExit:
		s.terminalResult(c, q.value, c.frame.Result)
	}
}

// agentAnswers takes what a result of the agent changes.
func (s *Story) agentAnswers(c *scene, q question) {
	t, result := c.talk, c.frame.Result
	switch c.fact.Method {
	case acp.MethodSessionNew, acp.MethodSessionLoad, acp.MethodSessionResume, acp.MethodSessionFork:
		s.furnish(c, result)
	case acp.MethodSessionSetMode:
		s.setMode(c, q.value, true)
	case acp.MethodSessionSetModel:
		s.setModel(c, q.value)
	case acp.MethodSessionSetConfigOption:
		s.setOptions(c, get(result, "configOptions"), true)
	case acp.MethodSessionClose, acp.MethodSessionDelete:
		t.open, t.stated = 0, false
		t.run(c)
	case acp.MethodSessionSetTitle:
		t.Title = q.value
	}
}

// prompt begins a turn with what the person says.
func (s *Story) prompt(c *scene) *Entry {
	s.open(c)
	text := blocks(get(c.frame.Params, "prompt"))
	e := s.add(c, UserMessage, "")
	e.replace(text)
	e.Over = true
	t := c.talk
	if t.Turns == 0 {
		t.Prompt = clip(e.Text, maxPrompt)
	}
	t.Turns++
	t.echo, t.echoed = e, 0
	if !isNull(c.frame.ID) {
		t.open++
	}
	t.run(c)
	return e
}

// prompted ends the turn; in version 2 the prompt was only taken then, unless
// there was an error.
func (s *Story) prompted(c *scene, q question) {
	t := c.talk
	failed := c.frame.Kind == acp.Error
	if c.v2 && !failed {
		if id := str(c.frame.Result, maxName, "messageId"); id != "" && q.entry != nil && !q.entry.gone && q.entry.ID == "" {
			c.named(q.entry, id)
			c.touch(q.entry)
		}
		return
	}
	t.open = max(t.open-1, 0)
	if failed {
		s.turnEnd(c, "error", str(c.frame.Error, MaxEntryText, "message"))
		return
	}
	s.turnEnd(c, str(c.frame.Result, maxWord, "stopReason"), "")
}

// state takes what the agent says of its turn (v2). States that nobody knows are
// not taken for its end.
func (s *Story) state(c *scene, update []byte) {
	t, state, stop := c.talk, str(update, maxWord, "state"), str(update, maxWord, "stopReason")
	c.told.First = joined(state, stop)
	switch state {
	case "running", "requires_action":
		t.stated = true
	case "idle":
		was := t.open > 0 || t.stated
		t.open, t.stated = 0, false
		if was && !c.replay {
			s.turnEnd(c, stop, either(update, MaxEntryText, "error", "message"))
		}
	}
	t.run(c)
}

// turnEnd ends a turn: nothing that was begun in it goes on, and a tool call
// that was still pending has not run.
func (s *Story) turnEnd(c *scene, stop, text string) {
	t := c.talk
	for i := len(t.Entries) - 1; i >= 0 && t.Entries[i].Kind != TurnEnd; i-- {
		e := t.Entries[i]
		if e.Tool == nil {
			e.Over = true
		} else if e.Tool.Status == "pending" {
			e.Tool.NotRun, e.Over = true, true
		}
	}
	e := s.add(c, TurnEnd, "")
	e.Name, e.Over = stop, true
	e.replace(text)
	t.Stop, t.echo = stop, nil
	t.run(c)
}

// run says whether a prompt is being answered, and since when.
func (t *talk) run(c *scene) {
	running := t.open > 0 || t.stated
	if running && !t.Running {
		t.Since = c.at
	}
	t.Running = running
}

// load takes a request for an old talk, which the agent is going to tell from its
// beginning. What is there goes when it does.
func (s *Story) load(c *scene) {
	if c.talk != nil {
		c.talk.reload = c.fact.Method == acp.MethodSessionLoad || has(c.frame.Params, "replayFrom")
	}
}
