package panel

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bobproxy/inspector/gist"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
)

// drawStrip paints the row that says who waits for an answer.
func (p *Panel) drawStrip(a paint.Area, now time.Time) {
	waiting := p.model.Waiting()
	if p.focus == atCard {
		waiting = slices.DeleteFunc(slices.Clone(waiting), func(w *model.Permission) bool { return w == p.card.Permission() })
	}
	if len(waiting) == 0 {
		text := " no permission waiting"
		if p.focus == atCard && p.card.Permission() != nil {
			text = " no other permission waiting"
		}
		a.Line(0, 0, paint.L(paint.Dim, text))
		return
	}
	next := mostUrgent(waiting, now)
	role := paint.Alert
	if p.focus == atCard {
		role = paint.Plain
	}
	a.Fill(paint.Style{Role: role})
	left, right := p.stripText(next, len(waiting)-1, a.W, now)
	a.Both(0, paint.L(role, left), paint.L(role, right))
}

func (p *Panel) stripText(next *model.Permission, more, width int, now time.Time) (left, right string) {
	right = next.Clock(now) + " "
	if more > 0 && width >= 60 {
		right = next.Clock(now) + fmt.Sprintf("   +%d more ", more)
	}
	if p.focus == atCard {
		lead := " next: "
		return lead + p.what(next, width-len(lead)-paint.Width(right)-1), right
	}
	right += "  " + p.keyOf(keys.Pending) + " to look "
	lead := " ! "
	left = lead + p.what(next, width-len(lead)-paint.Width(right)-1)
	if room := width - paint.Width(left) - 3 - paint.Width(right) - 1; room >= leastWho {
		left += "   " + who(next, room)
	}
	return left, right
}

// leastWho is how much room there must be to say whose a permission is.
const leastWho = 12

// keyOf is the key that does something everywhere.
func (p *Panel) keyOf(do keys.Action) string {
	b, _ := p.keys.Of(keys.Everywhere, do)
	if len(b.Keys) == 0 {
		return ":" + string(do)
	}
	return string(b.Keys[0])
}

// mostUrgent is the oldest, unless another has less than ten seconds left.
func mostUrgent(waiting []*model.Permission, now time.Time) *model.Permission {
	next := waiting[0]
	for _, w := range waiting[1:] {
		if w.Card == nil || w.Card.Deadline == nil || w.Card.Deadline.Sub(now) > 10*time.Second {
			continue
		}
		if next.Card == nil || next.Card.Deadline == nil || w.Card.Deadline.Before(*next.Card.Deadline) {
			next = w
		}
	}
	return next
}

// what a permission is about, in at most width cells: the command or the file.
// The agent's own words stand where nothing else is known.
func (p *Panel) what(w *model.Permission, width int) string {
	about, kind := w.Subject(), w.Kind
	switch {
	case about.Command != "" || about.File != "":
		about.Title = ""
	case about.Title == "" && kind == "":
		return "a permission"
	case about.Title == "":
		return kind
	case strings.HasPrefix(strings.ToLower(about.Title), strings.ToLower(kind)):
		kind = ""
	}
	if kind != "" {
		kind += "  "
	}
	return kind + gist.Of(w.Session, p.options.Home).Line(about, max(width-paint.Width(kind), 1)).String()
}

// who is whose a permission is: as many names as there is room for, the first one
// cut if it must be.
func who(w *model.Permission, width int) (names string) {
	for _, name := range []string{w.Session.Name(), programName(w.Proxy.Agent.Title, w.Proxy.Agent.Name), programName(w.Proxy.Client.Title, w.Proxy.Client.Name)} {
		name = paint.Cut(name, 20)
		switch longer := names + " · " + name; {
		case name == "":
		case names == "":
			names = paint.Cut(name, width)
		case paint.Width(longer) <= width:
			names = longer
		}
	}
	return names
}

func programName(title, name string) string {
	if title != "" {
		return title
	}
	return name
}
