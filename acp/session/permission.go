package session

import "bobproxy/acp"

// permission takes a request for permission: it says more of a tool call, or is
// the first to tell of it.
func (s *Story) permission(c *scene, q *question) {
	s.open(c)
	params := c.frame.Params
	said := get(params, "toolCall")
	if said == nil {
		said = get(params, "subject", "toolCall")
	}
	q.options = offered(get(params, "options"))
	options := many(counted(params, "options"), "option")
	if options == "" {
		options = "no options"
	}
	kind, title := str(said, maxWord, "kind"), either(params, MaxFirst, "title")
	if title == "" {
		title = str(said, MaxFirst, "title")
	}
	if id := str(said, maxName, "toolCallId"); id != "" {
		q.entry = s.askedTool(c, id, said)
		kind = q.entry.Tool.Kind
		if title == "" {
			title = q.entry.Tool.Title
		}
	}
	c.told.First = joined(kind, options, title)
}

// offered are the options of a permission, their kinds for descriptions.
func offered(options []byte) (all []Choice) {
	for o := range acp.Elements(options) {
		if len(all) == maxOffered {
			break
		}
		all = append(all, Choice{str(o, maxWord, "optionId"), str(o, 2*maxShort, "name"), str(o, maxShort, "kind")})
	}
	return all
}

// askedTool is the tool call that a permission is asked for. Some agents ask
// under one id again and again: a request that says itself what it is about, after
// the last one is over or was answered unannounced, is about another call.
func (s *Story) askedTool(c *scene, id string, said []byte) *Entry {
	call := s.call(c, id, nil)
	e := c.find("t" + id)
	if e != nil {
		tells := has(said, "title") || has(said, "rawInput")
		r := e.Tool.reading
		if e.Tool.over() && !call.told().over() || tells && r.answered && !r.announced {
			e = nil
		}
	}
	if e == nil {
		e = s.newTool(c, id)
	}
	s.tell(c, e, call, said)
	s.content(c, e, call)
	e.Tool.located(call.told().locations)
	s.composed(c.touch(e), c.talk)
	return e
}

// permitted takes the answer to it. What has not ended by then runs from now.
func (s *Story) permitted(c *scene, q question) {
	e := q.entry
	if e == nil || e.gone {
		return
	}
	e.Tool.reading.answered = true
	if e.Tool.Ended.IsZero() {
		e.Tool.Started = c.at
	}
	c.touch(e)
}
