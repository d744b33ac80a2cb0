package filter

import (
	"strings"

	"bobproxy/acp"
	"bobproxy/inspector/model"
	"bobproxy/proxy/journal"
)

// truth is what a term says of a row, of which not all may be kept.
type truth int8

const (
	no      truth = -1
	unknown truth = 0
	yes     truth = 1
)

// told is the truth of a match. One that was not found in what is only a part is
// not known.
func told(match, part bool) truth {
	switch {
	case match:
		return yes
	case part:
		return unknown
	}
	return no
}

func (n *line) judge(r *model.Row, w *World) truth   { return told(n.match(r, w), partial(r)) }
func (n *place) judge(r *model.Row, w *World) truth  { return told(n.match(r, w), partial(r)) }
func (n *field) judge(r *model.Row, w *World) truth  { return told(n.match(r, w), n.part(r)) }
func (n *choice) judge(r *model.Row, w *World) truth { return told(n.match(r, w), n.part(r)) }
func (n *moment) judge(r *model.Row, w *World) truth { return told(n.match(r, w), false) }
func (n *comparison) judge(r *model.Row, w *World) truth {
	return told(n.match(r, w), n.key == nil && partial(r))
}

// partial says that the line of a frame is not kept, or not all of it.
func partial(r *model.Row) bool {
	return r.Type == journal.FrameEvent && (r.Cut || r.Body == nil && r.Size > 0)
}

// unread says that what a frame is about was never read, or not to its end.
func unread(r *model.Row) bool { return r.Unread || r.Cut }

// part says that n may be true of more than what is known of r.
func (n *field) part(r *model.Row) bool {
	switch n.key.name {
	case "file":
		return partial(r) || answers(r) && r.Pair != nil && partial(r.Pair)
	case "text":
		return partial(r) && (r.Method == acp.MethodSessionPrompt && r.Kind == acp.Request || strings.Contains(r.Update, "message") || nameless(r))
	case "update":
		return nameless(r)
	case "call", "tool", "status":
		return unread(r) && (nameless(r) || r.Method != acp.MethodSessionUpdate || strings.HasPrefix(r.Update, "tool_call")) && !n.has(r)
	}
	return false
}

// has says whether anything is known of r that n could be about.
func (n *field) has(r *model.Row) (found bool) {
	n.key.of(r, func(string) bool { found = true; return false })
	return found
}

// nameless is an update of which nobody could read what it is.
func nameless(r *model.Row) bool {
	return unread(r) && r.Method == acp.MethodSessionUpdate && r.Update == ""
}

func (n *choice) part(r *model.Row) bool {
	for _, word := range n.words {
		if n.key.name == "is" && (word == "chunk" && nameless(r) || word == "flagged" && unread(r)) {
			return true
		}
	}
	return false
}
