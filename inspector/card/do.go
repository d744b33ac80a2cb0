package card

import (
	"fmt"
	"slices"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/pane"
)

// Do does what a key stands for.
func (c *Card) Do(action keys.Action, ctx pane.Context) []pane.Wish {
	c.sync(ctx.Now)
	switch action {
	case keys.Back:
		return []pane.Wish{pane.Close{}}
	case keys.NextCard:
		return c.lookBeside(1, ctx)
	case keys.PrevCard:
		return c.lookBeside(-1, ctx)
	}
	if c.p == nil {
		return nil
	}
	switch action {
	case keys.Reject:
		if c.stage(ctx.Now) == open {
			return c.reject(ctx.Now)
		}
	case keys.RawInput:
		c.toggleRaw()
	case keys.DiffStyle:
		c.toggleSplit(ctx)
	case keys.Copy, keys.CopyAll:
		if c.content.copied != "" {
			return []pane.Wish{pane.Copied{What: c.content.what, Text: c.content.copied}}
		}
	case keys.ToTimeline:
		return []pane.Wish{pane.Visit{Session: c.p.Session, Tab: keys.Timeline, Seq: c.p.Seq}}
	case keys.ToWire, keys.Frames:
		return []pane.Wish{pane.Visit{Session: c.p.Session, Tab: keys.Wire, Seq: c.p.Frame}}
	default:
		c.scroll(action)
	}
	return nil
}

func (c *Card) lookBeside(by int, ctx pane.Context) []pane.Wish {
	if p := c.beside(ctx.Model, by); p != nil && p != c.p {
		return []pane.Wish{pane.Look{Permission: p}}
	}
	c.say("no other permission is waiting")
	return nil
}

// toggleRaw shows the raw input, or what it means.
func (c *Card) toggleRaw() {
	if c.content.raw == nil {
		c.say("there is no raw input")
		return
	}
	c.raw, c.rawTop = !c.raw, 0
}

// toggleSplit shows old and new text side by side, or one below the other.
func (c *Card) toggleSplit(ctx pane.Context) {
	switch {
	case c.content.files == 0:
		c.say("there is no diff here")
	case c.split || c.shown.w >= splitWidth:
		c.split = !c.split
	case ctx.Screen >= splitWidth:
		c.say(fmt.Sprintf("side by side needs %d columns: z gives the card the whole screen", splitWidth))
	default:
		c.say(fmt.Sprintf("side by side needs a screen of %d columns", splitWidth))
	}
}

// scroll moves through the input.
func (c *Card) scroll(action keys.Action) {
	top, rows := &c.top, 0
	if c.sheet != nil {
		rows = len(c.sheet.rows)
	}
	if c.raw && c.rawSheet != nil {
		top, rows = &c.rawTop, len(c.rawSheet.rows)
	}
	page := max(c.view-1, 1)
	by := map[keys.Action]int{
		keys.Down: 1, keys.Up: -1, keys.PageDown: page, keys.PageUp: -page,
		keys.HalfDown: max(c.view/2, 1), keys.HalfUp: -max(c.view/2, 1),
		keys.Top: -rows, keys.Bottom: rows,
	}[action]
	*top = max(min(*top+by, rows-c.view), 0)
}

// Hints are its actions that are worth a place in the bar now.
func (c *Card) Hints(ctx pane.Context) []keys.Action {
	c.sync(ctx.Now)
	var all []keys.Action
	s := c.stage(ctx.Now)
	if s == none {
		return []keys.Action{keys.Back}
	}
	if _, ok := refusal(c.choices); ok && s == open && c.barred() == "" {
		all = append(all, keys.Reject)
	}
	if c.Typing() {
		return all
	}
	if s.shows() && c.sheet != nil && len(c.sheet.rows) > c.view {
		all = append(all, keys.PageDown)
	}
	if _, of := c.place(ctx.Model); of > 1 {
		all = append(all, keys.NextCard)
	}
	if c.content.raw != nil && s.shows() {
		all = append(all, keys.RawInput)
	}
	if c.content.files > 0 && c.shown.w >= splitWidth {
		all = append(all, keys.DiffStyle)
	}
	return slices.Concat(all, []keys.Action{keys.Copy, keys.ToTimeline, keys.Back})
}

// Typing says that letters go into the word that confirms an answer.
func (c *Card) Typing() bool { return c.confirm != nil && c.was == open }

// Keys are hints of keys that are in no table.
func (c *Card) Keys() []keys.Hint {
	switch {
	case c.p == nil:
		return nil
	case c.was == lost:
		return []keys.Hint{{Key: "Enter", Text: "close"}}
	case c.was != open || c.barred() != "":
		return nil
	case c.confirm != nil:
		return []keys.Hint{{Key: c.confirm.word, Text: "and Enter"}, {Key: "Esc", Text: "go back"}}
	}
	var all []keys.Hint
	if free := c.free(); len(free) > 0 {
		all = []keys.Hint{{Key: spans(free), Text: "answer"}}
	}
	if _, ok := refusal(c.choices); !ok {
		all = append(all, keys.Hint{Key: c.twice(), Text: "deny"})
	}
	return all
}

// twice is the key that denies where no option does.
func (c *Card) twice() string { return string(c.options.Reject) + " " + string(c.options.Reject) }
