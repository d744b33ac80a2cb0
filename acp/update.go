package acp

// Update is what session/update says, as far as more than its display hangs on
// it. It is read leniently, field by field, as editors do: the last of
// duplicate members counts.
type Update struct {
	Session String
	Kind    string   // sessionUpdate
	Call    ToolCall // tool_call, tool_call_update; of a tool_call_content_chunk the one entry that it appends
	Mode    String   // current_mode_update: currentModeId, or modeId as some spell it; config_option_update: the value of the option that is the mode
	Title   String   // session_info_update
	Child   String   // subagent_update: the child's sessionId
	Plan    String   // plan_update: the uri of a plan that is a file
	Cwd     String   // terminal_update (v2)
}

var (
	noticeNames = []string{"sessionId", "update"}
	updateNames = append([]string{"sessionUpdate", "currentModeId", "modeId", "configOptions", "sessionId", "plan", "cwd"}, callNames...)
)

// ReadUpdate reads the params of session/update.
func ReadUpdate(params []byte) (u Update) {
	var w walker
	w.walk(params, noticeNames, func(name string, i int) (int, bool) {
		if name == "update" {
			session := u.Session
			u = Update{}
			end, ok := w.updated(i, &u)
			u.Session = session
			return end, ok
		}
		return w.str(i, &u.Session)
	})
	return u
}

// updated reads the update itself. What kind it is may stand behind the rest, so
// that all is read first.
func (w *walker) updated(i int, u *Update) (end int, ok bool) {
	var call ToolCall
	var mode, spelled, option, child, plan, cwd String
	end, ok = w.members(i, updateNames, func(name string, i int) (int, bool) {
		switch name {
		case "sessionUpdate":
			return w.word(i, &u.Kind)
		case "currentModeId":
			return w.str(i, &mode)
		case "modeId":
			return w.str(i, &spelled)
		case "configOptions":
			return w.modeOption(i, &option)
		case "sessionId":
			return w.str(i, &child)
		case "plan":
			plan = String{}
			return w.members(i, blockNames[:1], func(_ string, i int) (int, bool) { return w.str(i, &plan) })
		case "cwd":
			return w.str(i, &cwd)
		}
		return w.callMember(i, name, &call)
	})
	switch u.Kind {
	case "tool_call", "tool_call_update", "tool_call_content_chunk":
		u.Call = call
	case "current_mode_update":
		if u.Mode = mode; mode.Missing() {
			u.Mode = spelled
		}
	case "config_option_update":
		u.Mode = option
	case "session_info_update":
		u.Title = call.Title
	case "subagent_update":
		u.Child = child
	case "plan_update":
		u.Plan = plan
	case "terminal_update":
		u.Cwd = cwd
	}
	return end, ok
}
