package session

import "bytes"

// update takes a session/update of the agent.
func (s *Story) update(c *scene) {
	s.open(c)
	update := get(c.frame.Params, "update")
	variant := s.variant(c.frame.Update, update)
	c.told.Update = variant
	switch variant {
	case "user_message_chunk", "agent_message_chunk", "agent_thought_chunk":
		s.chunk(c, variant, update)
	case "user_message", "agent_message", "agent_thought":
		s.upsert(c, messageKinds[variant], variant, update)
	case "tool_call", "tool_call_update", "tool_call_content_chunk":
		s.callUpdate(c, variant, update)
	case "terminal_update", "terminal_output_chunk":
		s.terminalUpdate(c, variant, update)
	case "plan", "plan_update", "plan_removed":
		s.plan(c, variant, update)
	case "available_commands_update", "current_mode_update", "config_option_update", "session_info_update", "usage_update":
		s.setting(c, variant, update)
	case "state_update":
		s.state(c, update)
	case "notice":
		s.notice(c, update)
	case "compaction_update", "compaction_summary_chunk":
		s.compaction(c, variant, update)
	case "subagent_update":
		s.subagent(c, update)
	case "session_message", "session_message_chunk":
		s.between(c, variant, update)
	default:
		s.unknown(c, variant, update)
	}
}

// variant is the kind of an update, escapes resolved.
func (s *Story) variant(raw, update []byte) string {
	if raw == nil || bytes.IndexByte(raw, '\\') >= 0 {
		return str(update, maxWord, "sessionUpdate")
	}
	return s.names.name(raw[:min(len(raw), maxWord)])
}

// notice takes what the agent tells the person beside the talk.
func (s *Story) notice(c *scene, update []byte) {
	title, more := str(update, MaxEntryText, "title"), str(update, MaxEntryText, "description")
	if title == "" {
		title, more = either(update, MaxEntryText, "message", "text"), ""
	}
	if more != "" {
		title += "\n" + more
	}
	e := s.add(c, Notice, "")
	e.Name, e.Over = str(update, maxWord, "severity"), true
	e.replace(title)
	c.told.First = joined(e.Name, clip(e.Text, MaxFirst))
}

// compaction takes what becomes of a compaction of the context.
func (s *Story) compaction(c *scene, variant string, update []byte) {
	id := str(update, maxName, "compactionId")
	e := s.upserted(c, Compaction, id)
	if variant == "compaction_summary_chunk" {
		text := blocks(get(update, "content"))
		e.append(text)
		c.told.First, c.told.Run = text, "compaction "+id
		return
	}
	if status := str(update, maxWord, "status"); status != "" {
		e.Name, e.Over = status, status != "in_progress"
	}
	if summary := get(update, "summary"); summary != nil {
		e.replace(blocks(summary))
	}
	if failed := str(update, MaxEntryText, "error"); failed != "" {
		e.replace(failed)
	}
	c.told.First = joined(e.Name, clip(e.Text, MaxFirst))
}

// upserted is the entry of a kind under an id, made when it is not there.
func (s *Story) upserted(c *scene, kind EntryKind, id string) *Entry {
	key := messageKey(kind, id)
	if e := c.find(key); e != nil {
		return c.touch(e)
	}
	e := s.add(c, kind, key)
	e.ID = id
	return e
}

// subagent takes what is told of a session below this one, which has a talk of
// its own.
func (s *Story) subagent(c *scene, update []byte) {
	id, title := str(update, maxName, "sessionId"), str(update, maxTitle, "title")
	state := str(update, maxWord, "state")
	if state == "" {
		state = str(update, maxWord, "state", "state")
	}
	e := s.upserted(c, Subagent, id)
	e.Name = id
	if about := joined(title, str(update, maxTitle, "description")); about != "" {
		e.about = about
	}
	e.replace(joined(e.about, state))
	if state != "" {
		e.Over = state != "running" && state != "requires_action"
	}
	c.told.First = joined(short(id), clip(e.Text, MaxFirst))
	s.child(c, id, title)
}

// child opens the talk of a session below this one.
func (s *Story) child(c *scene, id, title string) {
	if id == "" || id == c.session {
		return
	}
	t := s.talks[id]
	if t == nil {
		t = s.open(&scene{at: c.at, session: id})
		s.byUse.MoveToBack(c.talk.place)
	}
	if title != "" {
		t.Title = title
	}
}

// between takes a message from one session to another: of the agent when this
// one sends it.
func (s *Story) between(c *scene, variant string, update []byte) {
	kind, other := UserMessage, str(update, maxName, "senderSessionId")
	if other == "" || other == c.session {
		kind, other = AgentMessage, str(update, maxName, "recipientSessionId")
	}
	id := str(update, maxName, "messageId")
	key := "m" + id
	e := c.find(key)
	if e == nil || id == "" {
		e = s.add(c, kind, key)
		e.ID, e.Name = id, other
	}
	content := get(update, "content")
	text := blocks(content)
	if c.touch(e); variant == "session_message_chunk" {
		c.told.Chunk, c.told.Run = true, variant+" "+id
		e.append(text)
	} else if content != nil {
		e.replace(text)
	}
	c.told.First = text
}

// unknown takes an update that nobody knows. Several in a row are one entry.
func (s *Story) unknown(c *scene, variant string, update []byte) {
	const limit = 1 << 10
	text := begin(update, limit)
	c.told.First, c.told.Run = text, variant
	var e *Entry
	if !c.startsOver() {
		e = c.talk.last()
	}
	if e == nil || e.Kind != Unknown || e.Name != variant {
		e = s.add(c, Unknown, "")
		e.Name = variant
	}
	c.touch(e)
	e.Text, e.Size, e.Over = text, len(update), true
}
