package wire

import (
	"strings"

	"bobproxy/acp"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/proxy/journal"
)

// kind is the word of three letters for what a row is, and its role.
func kind(r *model.Row) (string, paint.Role) {
	if r.Type != journal.FrameEvent {
		word, ok := events[r.Type]
		if !ok {
			return "?", paint.Warn
		}
		return word.text, word.role
	}
	switch r.Kind {
	case acp.Request:
		return "REQ", paint.Plain
	case acp.Response:
		return "RSP", paint.Dim
	case acp.Notification:
		return "NTF", paint.Plain
	case acp.Error:
		return "ERR", paint.Bad
	}
	return "BAD", paint.Bad
}

var events = map[journal.Type]struct {
	text string
	role paint.Role
}{
	journal.OpenedEvent:   {"ASK", paint.Warn},
	journal.DecisionEvent: {"ANS", paint.Strong},
	journal.StartEvent:    {"RUN", paint.Strong},
	journal.ExitEvent:     {"END", paint.Strong},
	journal.StderrEvent:   {"STD", paint.Dim},
	journal.WarningEvent:  {" ! ", paint.Warn},
	journal.FlaggedEvent:  {" ! ", paint.Warn},
	journal.GapEvent:      {" … ", paint.Warn},
}

// updates are the short names of the variants of session/update.
var updates = map[string]string{
	"agent_message_chunk":       "message",
	"agent_thought_chunk":       "thought",
	"user_message_chunk":        "user",
	"tool_call_update":          "tool_update",
	"available_commands_update": "commands",
	"current_mode_update":       "mode",
	"config_option_update":      "settings",
	"session_info_update":       "info",
	"usage_update":              "usage",
}

// variant is the short name of a row's variant of session/update.
func variant(r *model.Row) string {
	if short, ok := updates[r.Update]; ok {
		return short
	}
	return head(r.Update)
}

// method is what a row is about in the METHOD column. A name is short when
// there is no room for the method that all updates share.
func method(r *model.Row, short bool) string {
	switch {
	case r.Update != "" && short:
		return "·" + variant(r)
	case r.Update != "":
		return head(r.Method) + "·" + variant(r)
	case r.Method != "":
		return head(r.Method)
	case r.Kind == acp.Response || r.Kind == acp.Error:
		return "answers nothing known"
	}
	return "not JSON-RPC"
}

// runName is what a run of rows is about: what they have in common.
func runName(rows []*model.Row, short bool) string {
	if rows[0].Method == acp.MethodSessionSetConfigOption {
		return "·settings"
	}
	return method(rows[0], short)
}

// mark is how a tool call ended, when the row tells of that.
func mark(r *model.Row) paint.Line {
	switch {
	case r.Update != "tool_call_update":
	case r.Status == "completed":
		return paint.L(paint.Good, "✓")
	case r.Status == "failed":
		return paint.L(paint.Bad, "failed")
	}
	return nil
}

// words are the first words of a row.
func words(r *model.Row) string {
	switch {
	case r.First != "":
		return head(r.First)
	case r.Type == journal.FrameEvent && r.Reason != "":
		return head(r.Reason)
	case r.Unread:
		return "not kept"
	}
	return ""
}

// head is the beginning of a text, as much as a line can show.
func head(s string) string {
	const most = 500
	if len(s) <= most {
		return s
	}
	return s[:cutAt(s, most)]
}

// told is the text of a row that is neither a frame nor about a permission, in
// one line.
func told(r *model.Row) (string, paint.Role) {
	role := paint.Plain
	switch r.Type {
	case journal.StderrEvent:
		role = paint.Dim
	case journal.WarningEvent, journal.FlaggedEvent, journal.GapEvent:
		role = paint.Warn
	case journal.ExitEvent:
		role = paint.Strong
	}
	text := strings.TrimRight(head(r.Text), "\r\n")
	if text == "" {
		text = head(firstOf(r.First, r.Reason, r.Method, string(r.Type)))
	}
	return text, role
}

// firstOf is the first text that says something.
func firstOf(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}
