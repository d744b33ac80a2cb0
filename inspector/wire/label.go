package wire

import (
	"fmt"
	"strings"

	"bobproxy/acp"
	"bobproxy/inspector/lapse"
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

// told is the text of a row that is no frame, in one line.
func told(r *model.Row) (string, paint.Role) {
	role := paint.Plain
	text := strings.TrimRight(head(r.Text), "\r\n")
	switch r.Type {
	case journal.DecisionEvent:
		return ruling(r, text)
	case journal.OpenedEvent:
		if p := r.Permission; p != nil && p.Title != "" && text == "" {
			text = head(p.Title)
		}
	case journal.StderrEvent:
		role = paint.Dim
	case journal.WarningEvent, journal.FlaggedEvent, journal.GapEvent:
		role = paint.Warn
	case journal.ExitEvent:
		role = paint.Strong
	}
	if text == "" {
		text = head(firstOf(r.First, r.Reason, r.Method, string(r.Type)))
	}
	return text, role
}

// ruling says who answered a permission, and what.
func ruling(r *model.Row, text string) (string, paint.Role) {
	d := r.Decision
	if d == nil || d.By == "" {
		return firstOf(text, head(r.First), "answered"), paint.Plain
	}
	what, role := verdict(d)
	told := fmt.Sprintf("%s %s after %s", who(d.By), what, lapse.Took(d.Wait))
	switch {
	case d.Closes():
		told, role = r.Permission.Closing(), paint.Dim
	case d.Late:
		told, role = told+", too late", paint.Warn
	}
	if r.Permission != nil && r.Permission.Title != "" {
		told += " · " + head(r.Permission.Title)
	}
	return told, role
}

// verdict is what was decided, in a word or two.
func verdict(d *journal.Decision) (string, paint.Role) {
	switch d.OptionKind {
	case "allow_once":
		return "allowed once", paint.Good
	case "allow_always":
		return "allowed always", paint.Good
	case "reject_once":
		return "refused once", paint.Bad
	case "reject_always":
		return "refused always", paint.Bad
	}
	if d.HasOption {
		return "chose " + firstOf(head(d.OptionID), "an option without a name"), paint.Warn
	}
	return head(firstOf(d.Outcome, "gave no outcome")), paint.Warn
}

// who names a side that decided.
func who(by string) string {
	switch by {
	case "editor", "agent":
		return "the " + by
	case "panel":
		return "a panel"
	case "command":
		return "a command"
	case "timeout":
		return "nobody answered:"
	case "bounds":
		return "the bounds"
	case "gone":
		return "the proxy, ending,"
	}
	return head(by)
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
