package filter

import (
	"time"

	"bobproxy/acp"
	"bobproxy/inspector/model"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// The keys with a few words.

var (
	directions = map[string]string{
		"→": "out", "editor": "out", "client": "out",
		"←": "in", "agent": "in",
	}
	kindWords   = []string{"req", "rsp", "ntf", "err", "bad", "stderr", "note", "decision", "gap"}
	kindAliases = map[string]string{
		"request": "req", "response": "rsp", "notification": "ntf", "error": "err",
	}
	byWords     = []string{"editor", "agent", "panel", "command", "timeout", "bounds", "cancel", "proxy"}
	byAliases   = map[string]string{"client": "editor"}
	permWords   = []string{"open", "here", "editor", "timeout", "bounds", "withdrawn"}
	permAliases = map[string]string{"panel": "here", "command": "here"}
	isWords     = []string{
		"slow", "error", "open", "marked", "chunk", "added", "hidden",
		"flagged", "refused", "withheld", "swallowed", "bad",
	}
	isAliases = map[string]string{"err": "error"}
)

func hasDir(r *model.Row, _ *World, word string) bool {
	return r.Type == journal.FrameEvent && (r.From == acp.Client) == (word == "out")
}

func hasKind(r *model.Row, _ *World, word string) bool { return kindOf(r) == word }

func kindOf(r *model.Row) string {
	switch r.Type {
	case journal.FrameEvent:
		return frameKind(r.Kind)
	case journal.StderrEvent:
		return "stderr"
	case journal.OpenedEvent, journal.DecisionEvent:
		return "decision"
	case journal.GapEvent:
		return "gap"
	}
	return "note"
}

func frameKind(k acp.Kind) string {
	switch k {
	case acp.Request:
		return "req"
	case acp.Response:
		return "rsp"
	case acp.Notification:
		return "ntf"
	case acp.Error:
		return "err"
	}
	return "bad"
}

func hasBy(r *model.Row, _ *World, word string) bool { return byOf(r) == word }

// byOf is who made a frame, or an event that says so.
func byOf(r *model.Row) string {
	switch {
	case r.By != "":
		return r.By
	case r.Type == journal.StderrEvent:
		return "agent"
	case r.Added || r.Type != journal.FrameEvent:
		return "proxy"
	case r.From == acp.Client:
		return "editor"
	}
	return "agent"
}

func hasPerm(r *model.Row, _ *World, word string) bool {
	p := permission(r)
	return p != nil && permOf(p) == word
}

// permOf is how a permission was settled.
func permOf(p *model.Permission) string {
	switch {
	case p.Decision == nil && p.Ended:
		return "withdrawn"
	case p.Decision == nil:
		return "open"
	}
	switch by := broker.By(p.Decision.By); by {
	case broker.ByPanel, broker.ByCommand:
		return "here"
	case broker.ByEditor, broker.ByTimeout, broker.ByBounds:
		return string(by)
	}
	return "withdrawn"
}

// Slow is from when on a person who waits would call it slow.
const Slow = time.Second

func hasState(r *model.Row, w *World, word string) bool {
	switch word {
	case "slow":
		waited, ok := slowness(r, w)
		return ok && r.Method != acp.MethodSessionPrompt && waited >= float64(Slow/time.Millisecond)
	case "error":
		return r.Kind == acp.Error && r.Type == journal.FrameEvent
	case "open":
		return r.Waiting
	case "marked":
		return w.Marked != nil && w.Marked(r)
	case "chunk":
		return r.Chunk
	case "added":
		return r.Added
	case "hidden":
		return w.Hidden != nil && w.Hidden(r)
	case "flagged":
		return r.Type == journal.FlaggedEvent || r.Type == journal.FrameEvent && r.Reason != "" || len(r.Findings()) > 0
	case "bad":
		return kindOf(r) == "bad"
	}
	return r.Action == word
}
