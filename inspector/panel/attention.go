package panel

import (
	"fmt"
	"path/filepath"
	"time"

	"bobproxy/inspector/model"
	"bobproxy/inspector/terminal"
)

// attention is what was done to be noticed.
type attention struct {
	focused, knows bool // the terminal tells whether we have the keyboard, and whether
	quiet          bool
	title          string
	called         map[*model.Permission]int // how often somebody was called for it
}

// grace is how long a permission has to wait before anybody is called: editors
// that approve by themselves are quicker.
const grace = time.Second

// attend calls the person, if nobody seems to be looking: at once, when half of
// the time is over, and when thirty seconds are left. The title tells always.
func (p *Panel) attend(now time.Time) (effects []terminal.Effect) {
	waiting := p.model.Waiting()
	if title := p.titleText(waiting); title != p.attention.title {
		p.attention.title = title
		effects = append(effects, terminal.Title{Text: title})
	}
	var call *model.Permission // one call is enough for several
	called := map[*model.Permission]int{}
	for _, w := range waiting {
		due, done := p.due(w, now), p.attention.called[w]
		switch {
		case due <= done:
		case p.away(now) && p.attention.quiet, !p.away(now) && due == 1: // who is here has seen it come
			done = due
		case p.away(now):
			done = due
			if call == nil {
				call = w
			}
		}
		called[w] = done
	}
	p.attention.called = called
	if call != nil {
		effects = append(effects, terminal.Bell{}, terminal.Notify{Title: "bobproxy: an answer is needed", Body: p.callText(call)})
	}
	return effects
}

// Wake is called when Next's time has come: an agent that waits for its answer
// says nothing that would remind us of it.
func (p *Panel) Wake(now time.Time) []terminal.Effect {
	p.now = now
	p.miss(now)
	p.comeUp(now)
	return append(p.attend(now), p.compare(now)...)
}

var _ terminal.Waker = (*Panel)(nil)

// due is how often somebody should have been called for a permission by now.
func (p *Panel) due(w *model.Permission, now time.Time) int {
	if now.Sub(w.Opened) < grace {
		return 0
	}
	if w.Card == nil || w.Card.Deadline == nil {
		return 1
	}
	left, all := w.Card.Deadline.Sub(now), w.Card.Deadline.Sub(w.Opened)
	switch {
	case left <= 30*time.Second && all > time.Minute:
		return 3
	case left <= all/2:
		return 2
	}
	return 1
}

// away says that nobody seems to be looking at the panel.
func (p *Panel) away(now time.Time) bool {
	return p.attention.knows && !p.attention.focused || now.Sub(p.pressed) >= idle
}

func (p *Panel) titleText(waiting []*model.Permission) string {
	if len(waiting) == 0 {
		return "bobproxy"
	}
	return fmt.Sprintf("(%d) ask: %s", len(waiting), subject(waiting[0]))
}

// callText has no commands and no paths in it: notifications are shown on
// locked screens and kept in histories.
func (p *Panel) callText(w *model.Permission) string {
	agent := programName(w.Proxy.Agent.Title, w.Proxy.Agent.Name)
	if agent == "" {
		agent = "the agent"
	}
	return agent + " asks: " + subject(w)
}

// subject is the kind of the tool, and the base name of the file if it is one.
func subject(w *model.Permission) string {
	kind := w.Kind
	if !kindly(kind) {
		kind = "permission"
	}
	if w.Card != nil && (kind == "edit" || kind == "read" || kind == "delete" || kind == "move") {
		for _, path := range w.Card.Verdict.Paths {
			return kind + " " + filepath.Base(path.Path)
		}
	}
	return kind
}

// kindly says whether a kind is one of the protocol's words.
func kindly(kind string) bool {
	switch kind {
	case "read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other":
		return true
	}
	return false
}

// Next is when something changes by itself: a second of a clock, a notice, an
// arming, somebody to be called.
func (p *Panel) Next(now time.Time) time.Time {
	next := time.Time{}
	at := func(t time.Time) {
		if !t.IsZero() && t.After(now) && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	at(p.said.until)
	at(p.card.Next(now))
	if p.ticks() {
		at(now.Truncate(time.Second).Add(time.Second))
	}
	return next
}

// ticks says whether anything on the screen counts seconds.
func (p *Panel) ticks() bool { return len(p.model.Proxies) > 0 }
