package filter

import (
	"strings"

	"bobproxy/acp"
	"bobproxy/inspector/model"
	"bobproxy/proxy/journal"
)

// What a row has of the keys with texts.

func one(s string, yield func(string) bool) {
	if s != "" {
		yield(s)
	}
}

func methods(r *model.Row, yield func(string) bool) { one(r.Method, yield) }

func ids(r *model.Row, yield func(string) bool) { one(unquotedID(r.ID), yield) }

// unquotedID is an id as people write it.
func unquotedID(id string) string {
	if len(id) > 1 && id[0] == '"' && id[len(id)-1] == '"' && !strings.Contains(id, `\`) {
		return id[1 : len(id)-1]
	}
	return id
}

// updates gives a variant as it is, and as it is called for short.
func updates(r *model.Row, yield func(string) bool) {
	if r.Update == "" || !yield(r.Update) {
		return
	}
	called, ok := calledUpdates[r.Update]
	if ok && !yield(called) {
		return
	}
	if short := shortUpdate(r.Update); short != r.Update {
		yield(short)
	}
}

// calledUpdates are the names that people see where they are not what is left of
// the variant.
var calledUpdates = map[string]string{
	"user_message_chunk":   "user",
	"user_message":         "user",
	"tool_call_update":     "tool_update",
	"config_option_update": "settings",
	"session_info_update":  "info",
}

// shortUpdate is what is left of the name of a variant without the parts that
// all have: message, thought, commands, mode. An update of a tool call is not
// one.
func shortUpdate(variant string) string {
	if variant == "tool_call_update" {
		return variant
	}
	for _, s := range []string{"agent_", "user_", "available_", "current_"} {
		variant = strings.TrimPrefix(variant, s)
	}
	for _, s := range []string{"_chunk", "_update"} {
		variant = strings.TrimSuffix(variant, s)
	}
	return variant
}

func titles(r *model.Row, yield func(string) bool) {
	if r.Session == nil || r.Session.Talk == nil {
		return
	}
	if title := titleOf(r.Session); title != "" {
		yield(title)
	} else {
		one(r.Session.Talk.Session, yield)
	}
}

// titleOf is what a session is called: by its agent, or by its first prompt.
func titleOf(s *model.Session) string {
	if s.Talk.Title != "" {
		return s.Talk.Title
	}
	return s.Talk.Prompt
}

func calls(r *model.Row, yield func(string) bool) {
	if p := permission(r); r.Call == "" && p != nil {
		one(p.Call, yield)
		return
	}
	one(r.Call, yield)
}

func tools(r *model.Row, yield func(string) bool) {
	if p := permission(r); r.Tool == "" && p != nil {
		one(p.Kind, yield)
		return
	}
	one(r.Tool, yield)
}

func statuses(r *model.Row, yield func(string) bool) { one(r.Status, yield) }

// files gives the paths in a frame, and those of a request for its response.
func files(r *model.Row, yield func(string) bool) {
	if answers(r) && r.Pair != nil {
		r = r.Pair
	}
	eachPath(r.Body, func(text []byte) bool { return len(text) == 0 || yield(string(text)) })
}

var (
	promptText  = []step{{name: "params"}, {name: "prompt"}, {name: "text"}}
	messageText = []step{{name: "params"}, {name: "update"}, {name: "content"}, {name: "text"}}
)

// texts gives the text of prompts and messages.
func texts(r *model.Row, yield func(string) bool) {
	path := messageText
	switch {
	case r.Method == acp.MethodSessionPrompt && r.Kind == acp.Request:
		path = promptText
	case !strings.Contains(r.Update, "message"):
		return
	}
	walk(r.Body, path, func(raw []byte) bool {
		text, ok := stringAt(raw)
		return !ok || len(text) == 0 || yield(string(text))
	})
}

// match looks in the line of a frame, or in the text of another event and in what
// is shown of the permission that it is about. Where the line is not kept any more, there is what the row says of it.
func (n *line) match(r *model.Row, _ *World) bool {
	switch {
	case r.Type != journal.FrameEvent:
		return n.in([]byte(r.Text)) || r.Permission != nil && n.in([]byte(asked(r)))
	case r.Body == nil:
		return n.in([]byte(r.Method + "\n" + r.ID + "\n" + r.First))
	}
	return n.in(r.Body)
}

// asked is what is shown of the permission of r, and of how it was answered.
func asked(r *model.Row) string {
	s := r.Permission.Subject()
	about := model.Subject{Command: s.Command, File: s.File, More: s.More}
	return about.Whole() + "\n" + s.Title + "\n" + model.RulingOf(r.Decision).String()
}

// answers says that r is an answer to a request.
func answers(r *model.Row) bool { return r.Kind == acp.Response || r.Kind == acp.Error }

// permission is the one that r asks for, or answers; nil when it is neither.
func permission(r *model.Row) *model.Permission {
	if r.Permission == nil && r.Pair != nil {
		return r.Pair.Permission
	}
	return r.Permission
}
