package broker

import "bobproxy/acp"

// The kinds of options that are known (agentclientprotocol.com/protocol/tool-calls).
const (
	allowOnce    = "allow_once"
	allowAlways  = "allow_always"
	rejectOnce   = "reject_once"
	rejectAlways = "reject_always"
)

// maxAlike is how many requests under one id are looked through for an option
// that rejects them all. Each may have hundreds of options, and all may run out
// of time at once.
const maxAlike = 16

func rejecting(kind string) bool { return kind == rejectOnce || kind == rejectAlways }

// lasting says that an option of this kind is not known to count only once.
func lasting(kind string) bool { return kind != allowOnce && kind != rejectOnce }

// answer is what the agent is told, in the words of recordings.
type answer struct {
	outcome string
	option  acp.String // when selected
	kind    string     // the option's; empty when it has none, or several
}

const (
	outcomeSelected   = "selected"
	outcomeCancelled  = "cancelled"
	outcomeError      = "error"
	outcomeUnreadable = "unreadable"
	outcomeUnknown    = "unknown"
)

var cancelled = answer{outcome: outcomeCancelled}

// frame is a as the reply to the request id.
func (a answer) frame(id []byte) []byte {
	if a.outcome == outcomeSelected {
		return Selected(id, a.option.Raw)
	}
	return Cancelled(id)
}

// kindOf is the kind of the options with this id, empty unless all of them are
// sound and of one kind, and whether there are any. Where options were not
// kept, any id may be one.
func (e *entry) kindOf(id string) (kind string, offered bool) {
	for _, o := range e.Options {
		switch {
		case !o.ID.OK || o.ID.Value != id:
			continue
		case o.Odd, offered && o.Kind != kind:
			return "", true
		}
		kind, offered = o.Kind, true
	}
	return kind, offered || e.more
}

// rejects says that every option with this id is sound and rejects.
func (e *entry) rejects(id string) bool {
	found := false
	for _, o := range e.Options {
		if !o.ID.OK || o.ID.Value != id {
			continue
		}
		if found = true; o.Odd || !rejecting(o.Kind) {
			return false
		}
	}
	return found && e.Permission.Reason == 0
}

func rejectsAll(entries []*entry, id string) bool {
	for _, e := range entries {
		if !e.rejects(id) {
			return false
		}
	}
	return true
}

// refusal is what nobody's answer, and a denial, is: the first option of kind
// reject_once, unless its id means something else elsewhere in this request or
// in another that the agent could take the answer for. Where there is none it
// is cancelled, although agents may end the turn at that, and so it is where
// there are too many others to look through.
func (e *entry) refusal() answer {
	waiting := []*entry{e}
	if e.line != nil {
		waiting = append(waiting, e.line.live()...)
	}
	if len(waiting) > maxAlike {
		return cancelled
	}
	for _, o := range e.Options {
		if o.Kind == rejectOnce && !o.Odd && rejectsAll(waiting, o.ID.Value) {
			return answer{outcomeSelected, o.ID, o.Kind}
		}
	}
	return cancelled
}
