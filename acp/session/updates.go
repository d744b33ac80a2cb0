package session

import (
	"bytes"

	"bobproxy/acp"
)

// telling says whether an update changes what is known, or names files. The
// many that only show something must cost nothing. One that is spelled with
// escapes is read to find out.
func telling(update []byte) bool {
	switch string(update) {
	case "agent_message_chunk", "agent_thought_chunk", "user_message_chunk":
		return false
	case "tool_call", "tool_call_update", "tool_call_content_chunk", "subagent_update",
		"session_info_update", "current_mode_update", "config_option_update", "state_update",
		"plan_update", "terminal_update":
		return true
	}
	return bytes.IndexByte(update, '\\') >= 0
}

// update takes a session/update of the agent that is telling.
func (f *Fold) update(frame *acp.Frame, fact *Fact) {
	u := acp.ReadUpdate(frame.Params)
	key, _ := f.keyOf(u.Session)
	r := f.sessions.find([]byte(key))
	fact.Replay = r.loading()
	if namesFiles(&u) {
		told := u // only then is it on the heap
		fact.Told = &told
	}
	switch u.Kind {
	case "tool_call", "tool_call_update", "tool_call_content_chunk":
		f.calls.take(u.Session, u.Call.ID, u.Kind, &u.Call, f.v2())
	case "subagent_update":
		f.child(r, u.Child)
	case "current_mode_update":
		r.goTo(u.Mode)
		r.warn("the agent goes to", u.Mode, fact)
	case "config_option_update":
		r.goTo(u.Mode)
		options(r, member(frame.Params, "update"), fact)
	case "session_info_update":
		f.titled(r, u.Title)
	case "state_update":
		f.state(r, frame.Params)
	}
}

func namesFiles(u *acp.Update) bool {
	return u.Call.Locations != nil || u.Call.Diffs != nil || u.Call.URIs != nil || u.Plan.OK || u.Cwd.OK
}

// permission takes what a session/request_permission says of its tool call.
func (f *Fold) permission(frame *acp.Frame, p *acp.Permission) {
	if p == nil {
		read := acp.ReadPermission(frame.Params)
		p = &read
	}
	f.calls.take(p.Session, p.Call.ID, "", &p.Call, f.v2())
}

// titled takes a title; null clears it.
func (f *Fold) titled(r *record, title acp.String) {
	switch {
	case r == nil:
	case title.OK:
		r.title = clip(title.Value, maxTitle)
	case isNull(title.Raw):
		r.title = ""
	}
}

// state takes what an agent of version 2 says of its turn. States that nobody
// knows are not taken for its end.
func (f *Fold) state(r *record, params []byte) {
	if r == nil {
		return
	}
	switch word(member(params, "update", "state")) {
	case "running", "requires_action":
		r.running = true
	case "idle":
		r.running = false
	}
}

// child takes a session that the agent announces below r. It has what r has,
// whatever cwd and directories it is announced with, and as long as r has it.
// A session that is known stays what it is, and one that is about to end gets
// no children.
func (f *Fold) child(r *record, name acp.String) {
	key, id := f.keyOf(name)
	if r == nil || key == "" || f.sessions.find([]byte(key)) != nil {
		return
	}
	if owner := r.has(); owner != nil {
		r = owner
	}
	if r.closing == 0 {
		f.sessions.add(&record{key: key, id: id, parent: r, open: true, born: f.sessions.tick()})
	}
}

// keyOf gives a session's key, and its id to be shown; empty when name is none.
func (f *Fold) keyOf(name acp.String) (key, id string) {
	if !name.OK {
		return "", ""
	}
	f.name, _ = acp.IDKey(f.name[:0], name.Raw)
	return string(f.name), clip(name.Value, maxName)
}
