package card

import (
	"fmt"

	"bobproxy/inspector/model"
)

// barred says why nothing at all can be answered here; empty when it can.
func (c *Card) barred() string {
	p := c.p
	switch {
	case c.options.Watch:
		return "watching only: this panel answers nothing"
	case p == nil || p.Proxy == nil:
		return "nothing can be answered here"
	}
	switch p.Proxy.Link {
	case model.Connecting, model.Lost:
		return "no connection to the proxy now: nothing can be answered"
	case model.Gone:
		return "the proxy has ended: nothing can be answered"
	case model.Recorded:
		return "a recording: nothing can be answered"
	}
	switch p.Proxy.Greeting.Answers {
	case "all", "deny-only":
		return ""
	case "none":
		return "this panel may not answer: " + orWords(p.Proxy.Greeting.Why, "the proxy says so")
	}
	return "the proxy has not said who may answer"
}

func orWords(text, instead string) string {
	if text == "" {
		return instead
	}
	return text
}

// locked says why an option cannot be chosen, apart from the arming time; empty
// when it can.
func (c *Card) locked(ch choice, w window) string {
	if why := c.barred(); why != "" {
		return why
	}
	switch {
	case ch.Odd:
		return "malformed: only the editor can choose it"
	case c.told != nil && c.told.Unanswerable != "":
		return c.told.Unanswerable
	case ch.means.lasts() && c.options.HideAlways:
		return "locked by your config"
	case ch.means.rejects():
		return ""
	case c.p.Proxy.Greeting.Answers == "deny-only":
		return "only rejecting works here: " + orWords(c.p.Proxy.Greeting.Why, "the proxy says so")
	case c.digest == "" || c.p.Digest != "" && c.p.Digest != c.digest:
		return "what is shown is not surely what is asked: answer in the editor"
	}
	return c.unread(w)
}

const longSheet = 2000 // rows, beyond which the end may be jumped to

// window is a part of a sheet that is taken for seen.
type window struct {
	sheet    *sheet
	flat     bool // it is all of the card
	from, to int
}

// unread says what has to be on the screen yet.
func (c *Card) unread(w window) string {
	if w.sheet == nil {
		return "locked until it has been on screen"
	}
	g := w.sheet.gap(w.from, w.to)
	switch {
	case g.rows == 0, w.skippable():
		return ""
	case !c.options.ReadAll && !w.flat:
		return ""
	case w.flat:
		return "Space: " + count(g.rows, "row", "rows") + " to read"
	case g.last == len(w.sheet.rows), g.first == g.last:
		return fmt.Sprintf("locked until row %s of %s was on screen", grouped(g.last), grouped(len(w.sheet.rows)))
	}
	return fmt.Sprintf("locked until rows %s-%s of %s were on screen", grouped(g.first), grouped(g.last), grouped(len(w.sheet.rows)))
}

// skippable says that the end of a very long input has been on the screen.
func (w window) skippable() bool {
	return len(w.sheet.rows) > longSheet && w.sheet.endSeen(w.from, w.to)
}

// skipped is how many rows were never on the screen.
func (c *Card) skipped() int {
	if c.sheet == nil || !c.options.ReadAll && !c.flat {
		return 0
	}
	return c.sheet.unseen
}
