package talk

import (
	"strings"

	"bobproxy/acp/session"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// Do does what a key stands for.
func (t *Timeline) Do(action keys.Action, c pane.Context) []pane.Wish {
	if t.session == nil {
		return nil
	}
	t.gather()
	if len(t.items) == 0 || t.w < 1 || t.h < 1 {
		return t.without(action)
	}
	s := t.scene(t.w, c)
	switch action {
	case keys.Follow:
		s.toggleFollow()
	case keys.Bottom:
		t.follow()
	case keys.Thoughts:
		return s.turnThoughts()
	case keys.Open:
		return s.enterItem(s.opens)
	case keys.Frames:
		return s.frames()
	case keys.Copy:
		return s.copied()
	case keys.NextMatch:
		return s.match(1)
	case keys.PrevMatch:
		return s.match(-1)
	default:
		s.move(action)
	}
	return nil
}

// without is what works where there is nothing.
func (t *Timeline) without(action keys.Action) []pane.Wish {
	if action == keys.Frames {
		return []pane.Wish{pane.Visit{Session: t.session, Tab: keys.Wire}}
	}
	return nil
}

func (s *scene) toggleFollow() {
	if s.view.paused {
		s.follow()
		return
	}
	last := len(s.items) - 1
	s.choose(last, s.h-len(s.lines(last)))
}

// turnThoughts goes on to the next way to show thoughts.
func (s *scene) turnThoughts() []pane.Wish {
	s.Timeline.thoughts = (s.Timeline.thoughts + 1) % (hidden + 1)
	for k := range s.view.open {
		if k.kind == kind(session.Thought) {
			delete(s.view.open, k)
		}
	}
	return []pane.Wish{pane.Say{Text: [...]string{"thoughts folded", "thoughts shown", "thoughts hidden"}[s.Timeline.thoughts]}}
}

// enters is the item that Enter opens: the one that is selected, or the newest
// one that can be opened; -1: none.
func (t *Timeline) enters() int {
	if i := t.selected(); i >= 0 {
		if t.opensUp(i) {
			return i
		}
		return -1
	}
	for i := len(t.items) - 1; i >= 0; i-- {
		if t.opensUp(i) {
			return i
		}
	}
	return -1
}

// opensUp says whether an item has an inside.
func (t *Timeline) opensUp(i int) bool {
	it := &t.items[i]
	switch {
	case it.kind == stderr:
		return true
	case it.kind == asking:
		return true
	case it.entry == nil:
		return false
	}
	switch it.entry.Kind {
	case session.Thought:
		return true
	case session.ToolEntry:
		return it.entry.Tool != nil
	case session.Unknown, 0:
		return it.entry.Text != ""
	}
	return false
}

// enterItem opens an item, or closes it. A permission that waits opens its card.
func (s *scene) enterItem(i int) []pane.Wish {
	if i < 0 || !s.opensUp(i) {
		return nil
	}
	it := &s.items[i]
	for _, p := range it.asked {
		if open(p) {
			return []pane.Wish{pane.Look{Permission: p}}
		}
	}
	if it.kind == asking {
		return []pane.Wish{pane.Look{Permission: it.asked[0]}}
	}
	if s.selected() < 0 {
		s.choose(i, s.rowOf(i))
	}
	s.turn(it.key)
	return nil
}

// rowOf is the row of an item while the end is shown.
func (s *scene) rowOf(i int) int {
	at, row := s.start(-1)
	for ; at < i; at++ {
		row += len(s.lines(at))
	}
	for ; at > i; at-- {
		row -= len(s.lines(at - 1))
	}
	return row
}

// turn opens what is closed. What is closed again is forgotten, so that only
// what differs is kept.
func (s *scene) turn(k key) {
	if s.view.open[k] {
		delete(s.view.open, k)
		return
	}
	if len(s.view.open) >= session.MaxEntries {
		clear(s.view.open)
	}
	s.view.open[k] = true
}

// current is the item that keys are about: the selected or else the last one.
func (s *scene) current() *item {
	if i := s.selected(); i >= 0 {
		return &s.items[i]
	}
	return &s.items[len(s.items)-1]
}

// frames visits an item's frames on the wire.
func (s *scene) frames() []pane.Wish {
	it := s.current()
	v := pane.Visit{Session: s.session, Tab: keys.Wire, Seq: it.seq}
	if it.entry != nil && it.entry.Tool != nil && it.entry.Tool.ID != "" {
		v.Filter = "call:" + quoted(it.entry.Tool.ID)
	}
	return []pane.Wish{v}
}

// copied puts the text of an item into the clipboard.
func (s *scene) copied() []pane.Wish {
	it := s.current()
	what, text := "the text", ""
	switch {
	case len(it.words) > 0:
		text = joinWords(it.words)
	case len(it.asked) > 0 && it.entry == nil:
		text = it.asked[0].Subject().String()
	case it.entry == nil:
		return []pane.Wish{pane.Say{Text: "nothing to copy here"}}
	case it.entry.Tool != nil:
		what, text = toolText(it.entry.Tool)
	default:
		text = it.entry.Text
	}
	return []pane.Wish{pane.Copied{What: what, Text: text}}
}

func joinWords(words []model.Words) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.Text)
		b.WriteByte('\n')
	}
	return b.String()
}

// toolText is what is worth to be copied of a tool call.
func toolText(tool *session.Tool) (what, text string) {
	switch {
	case tool.Output != "":
		return "the output", tool.Output
	case len(tool.Input) > 0:
		return "the input", string(tool.Input)
	}
	return "the title", tool.Title
}

// Head is what stands above it: whether it follows, and the session in a few
// words.
func (t *Timeline) Head(c pane.Context) pane.Head {
	if t.session == nil {
		return pane.Head{}
	}
	h := pane.Head{Right: paint.L(paint.Good, "FOLLOW ●"), Status: status(t.session), StatusRight: turn(t.session, c)}
	if v := t.view(); v.paused {
		h.Right = paint.L(paint.Warn, "PAUSED")
		t.gather()
		if n := t.news(v); n > 0 {
			h.Right = paint.L(paint.Warn, "PAUSED  "+count(n)+" new ▼")
		}
	}
	return h
}
