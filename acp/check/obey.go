package check

import (
	"bytes"
	"fmt"
	"strings"

	"bobproxy/acp"
)

// toolState is what is known of one tool call.
type toolState struct {
	status  string
	waits   int    // requests for permission that have no answer yet
	asked   uint64 // the last of those
	allowed bool   // one of them was
	refused uint64 // the one that was refused last; 0: none
	how     string // and in which way
	cancel  offer  // whether the client may cancel it
}

// over says that its status is a last one.
func (k *toolState) over() bool {
	return k.status == "completed" || k.status == "failed" || k.status == "cancelled"
}

// wait is for a request for permission about a tool call. What was said of one
// that is over does not count for it: some agents use ids again.
func (c *Checker) wait(t *talk, a *ask, id string) {
	a.call = clip(id)
	k := t.calls[a.call]
	if k.over() {
		*k = toolState{status: k.status, waits: k.waits, cancel: k.cancel}
	}
	k.waits++
	k.asked, k.refused, k.how = c.now.seq, 0, ""
}

// released is for a request for permission that waits no longer, whether it was
// answered, cancelled or taken back. It gives its tool call; nil: not known.
func (c *Checker) released(a *ask) *toolState {
	t := c.talks[a.session]
	if t == nil || a.withdrawn {
		return nil
	}
	if a.waits && a.cancels == t.cancels {
		t.waiting--
	}
	k := t.calls[a.call]
	if a.waits = false; a.call == "" || k == nil || k.waits == 0 {
		return nil
	}
	k.waits--
	return k
}

// ruled takes what the answer to a means for its tool call.
func (c *Checker) ruled(a *ask, o acp.Outcome) {
	k := c.released(a)
	if k == nil {
		return
	}
	switch how := c.refusal(a, o); how {
	case "":
	case "allowed":
		k.allowed, k.refused = true, 0
	default:
		k.refused, k.how = a.seq, how
	}
}

const answeredInError = "answered with an error"

// refusal is how permission was refused: allowed when it was not, and empty when
// nobody knows.
func (c *Checker) refusal(a *ask, o acp.Outcome) string {
	f := c.now.frame
	switch {
	case f.Cut:
		return ""
	case f.Kind == acp.Error && acp.ErrorCode(f.Error) == -32800, f.Kind == acp.Response && o.Kind == "cancelled":
		return "cancelled"
	case f.Kind == acp.Error:
		return answeredInError
	case o.Kind != "selected":
		return ""
	}
	for i, option := range a.options {
		if option != clip(o.Option) {
			continue
		}
		switch kind := a.kinds[i]; {
		case strings.HasPrefix(kind, "reject_"):
			return "refused"
		case strings.HasPrefix(kind, "allow_"):
			return "allowed"
		}
		return ""
	}
	return ""
}

// obey judges a tool call that goes on: whether that had been allowed, when
// permission was asked for. u is the update. Work that has begun may be no more
// than a word, unless there is a terminal for it.
func (c *Checker) obey(t *talk, k *toolState, id, status string, u []byte) {
	begins := k != nil && status == "in_progress" && k.status == "pending"
	if c.missed || t.loads > 0 || k == nil || status == k.status || !begins && status != "completed" {
		return
	}
	severity := Error
	if k.allowed || k.how == answeredInError || saysNotRun(u) || begins && !showsTerminal(u) {
		severity = Warning
	}
	what := "the tool call " + quoted(id) + " is " + strings.ReplaceAll(status, "_", " ")
	switch {
	case k.waits > 0:
		c.say("permission/ran-anyway", severity, fmt.Sprintf("%s while its permission (#%d) is still asked for%s", what, k.asked, k.besides(u)))
	case k.refused > 0:
		c.say("permission/ran-anyway", severity, fmt.Sprintf("%s after its permission (#%d) was %s%s", what, k.refused, k.how, k.besides(u)))
	}
}

// showsTerminal says that an update shows a terminal.
func showsTerminal(u []byte) bool {
	for entry := range acp.Elements(memberOf(u, "content")) {
		if kind, _ := acp.Unquote(memberOf(entry, "type")); kind == "terminal" {
			return true
		}
	}
	return false
}

// besides is what makes it less certain that a tool call ran against a refusal.
func (k *toolState) besides(u []byte) string {
	switch {
	case saysNotRun(u):
		return ", in words that say it did not run"
	case k.allowed:
		return ", and another one for it was allowed"
	}
	return ""
}

// saysNotRun says that what a tool call gives as its text tells of a refusal.
func saysNotRun(u []byte) bool {
	if SaysNotRun(memberOf(u, "rawOutput")) {
		return true
	}
	for entry := range acp.Elements(memberOf(u, "content")) {
		if kind, _ := acp.Unquote(memberOf(entry, "type")); kind == "content" && SaysNotRun(memberOf(entry, "content")) {
			return true
		}
	}
	return false
}

// mostWords is how much of a text is looked at.
const mostWords = 16 << 10

var refusals = [][]byte{
	[]byte("refus"), []byte("reject"), []byte("denied"), []byte("deny"), []byte("declin"), []byte("cancel"), []byte("abort"),
	[]byte("not allowed"), []byte("permission"), []byte("skipped"), []byte("doesn't want"),
}

// SaysNotRun says that the text of a tool call, which was refused and is called
// completed all the same, tells of that, as far as English words can show it.
func SaysNotRun[T string | []byte](text T) bool {
	lower := bytes.ToLower([]byte(text[:min(len(text), mostWords)]))
	for _, word := range refusals {
		if bytes.Contains(lower, word) {
			return true
		}
	}
	return false
}

// offer is whether a tool call or a terminal says that it can be cancelled.
type offer uint8

const (
	notOffered offer = iota
	isOffered
	wasOffered   // and is not any more, which the client may not have known
	maybeOffered // what would say it was cut off
)

// learn takes what an update says of it.
func (o *offer) learn(u []byte, cut bool) {
	capabilities := memberOf(u, "capabilities")
	switch {
	case capabilities == nil && cut:
		*o = maybeOffered
	case capabilities == nil:
	case offered(u, "capabilities.cancel") || bytes.Equal(capabilities, maskedToken):
		*o = isOffered
	case *o == isOffered:
		*o = wasOffered
	}
}

// stop is tool_call/cancel and terminal/cancel.
func (c *Checker) stop(t *talk) {
	what, member := "tool call", "toolCallId"
	if c.now.method == acp.MethodTerminalCancel {
		what, member = "terminal", "terminalId"
	}
	id, ok := acp.Unquote(memberOf(c.now.frame.Params, member))
	if t == nil || !ok || hidden(id) || c.missed || t.loads > 0 {
		return
	}
	can := t.shown[clip(id)]
	if what == "tool call" {
		can = notOffered
		if k := t.calls[clip(id)]; k != nil {
			can = k.cancel
		}
	}
	switch can {
	case notOffered:
		c.say("tool-call/cancel", Error, fmt.Sprintf("the %s %s is cancelled, which does not say that it can be", what, quoted(id)))
	case wasOffered:
		c.say("tool-call/cancel", Warning, fmt.Sprintf("the %s %s is cancelled, which no longer says that it can be", what, quoted(id)))
	}
}
