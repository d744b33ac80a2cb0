package home

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// Sessions is the list of all sessions, two rows each. The selected one stays
// selected wherever it moves to; while nobody has chosen one it is the first that
// appeared.
type Sessions struct {
	list     []*model.Session
	selected *model.Session
	chosen   bool // by the person
	order    order
	find     string
	drawn    []*model.Session // on the screen, from its top
	top      int              // first session on the screen
	fit      int              // sessions on the screen
	each     int              // rows a session
	moved    time.Time
}

// NewSessions is an empty list.
func NewSessions() *Sessions { return &Sessions{} }

// Place implements [pane.Pane].
func (l *Sessions) Place() keys.Place { return keys.Sessions }

// Count is how many sessions there are, those that are filtered out included.
func (l *Sessions) Count() int { return len(l.list) }

// Select selects a session.
func (l *Sessions) Select(s *model.Session) { l.selected, l.chosen = s, true }

// Selected is the selected session of m; nil when there is none.
func (l *Sessions) Selected(m *model.Model, now time.Time) *model.Session {
	l.take(m, now)
	return l.selected
}

// settleAfter is how long the order stays as it is after the person has moved
// in the list, so that nothing moves under the cursor.
const settleAfter = 5 * time.Second

// take sorts what there is now.
func (l *Sessions) take(m *model.Model, now time.Time) {
	all := listed(m)
	if now.Sub(l.moved) < settleAfter {
		all = l.asBefore(all)
	} else {
		all = l.order.sort(all, now)
	}
	l.list = all
	if !slices.Contains(all, l.selected) {
		l.selected = l.successor()
	}
	if !l.chosen {
		l.prefer(now)
	}
}

// prefer selects a session that is alive instead of one that is not, while
// nobody has chosen one.
func (l *Sessions) prefer(now time.Time) {
	if l.selected == nil || rank(l.selected, now) < ended {
		return
	}
	for _, s := range l.list {
		if rank(s, now) < ended {
			l.selected = s
			return
		}
	}
}

// asBefore keeps the order there was; new ones come last.
func (l *Sessions) asBefore(all []*model.Session) []*model.Session {
	at := map[*model.Session]int{}
	for i, s := range l.list {
		at[s] = i + 1
	}
	place := func(s *model.Session) int {
		if i := at[s]; i > 0 {
			return i
		}
		return len(l.list) + 1
	}
	slices.SortStableFunc(all, func(a, b *model.Session) int { return cmp.Compare(place(a), place(b)) })
	return all
}

// successor is selected when the selected session is no longer there.
func (l *Sessions) successor() *model.Session {
	if len(l.list) == 0 {
		return nil
	}
	if l.selected != nil {
		for _, s := range l.list { // a session without an id has got one
			if s.Proxy == l.selected.Proxy {
				return s
			}
		}
	}
	return l.list[0]
}

// shown are those that the search leaves.
func (l *Sessions) shown() []*model.Session {
	if l.find == "" {
		return l.list
	}
	var some []*model.Session
	for _, s := range l.list {
		if strings.Contains(strings.ToLower(s.Name()+" "+s.Talk.Session+" "+folder(s)+" "+program(s.Proxy.Agent)+" "+program(s.Proxy.Client)), l.find) {
			some = append(some, s)
		}
	}
	return some
}

// Head implements [pane.Headed].
func (l *Sessions) Head(c pane.Context) pane.Head {
	h := pane.Head{Status: paint.L(paint.Heading, "SESSIONS"), StatusRight: paint.L(paint.Dim, orderNames[l.order])}
	if n := len(c.Model.Waiting()); n > 0 {
		h.Right = paint.L(paint.Alert, fmt.Sprintf(" %d WAITING ", n))
	}
	if len(l.drawn) < len(l.shown()) {
		h.StatusRight = paint.L(paint.Dim, l.Position()+" · "+orderNames[l.order])
	}
	if l.find != "" {
		h.StatusRight = paint.Clean(paint.Dim, "/ "+l.find)
	}
	return h
}

// Position says how many sessions there are, and where in them the selected one
// is when they are not all in sight.
func (l *Sessions) Position() string {
	shown := l.shown()
	if at := slices.Index(shown, l.selected); at >= 0 && len(l.drawn) < len(shown) {
		return fmt.Sprintf("%d of %d", at+1, len(shown))
	}
	return fmt.Sprint(len(l.list))
}

// Rows is how many rows all sessions take in a width.
func (l *Sessions) Rows(width int) int {
	return max(len(l.shown())*rowsEach(width)-(rowsEach(width)-2), 0)
}

// rowsEach is how many rows a session takes: where there is room with one of air,
// which the last one does not need.
func rowsEach(width int) int {
	if width >= 40 {
		return 3
	}
	return 2
}

// Draw implements [pane.Pane].
func (l *Sessions) Draw(a paint.Area, c pane.Context) {
	l.each = rowsEach(a.W)
	l.take(c.Model, c.Now)
	shown := l.shown()
	l.fit = max((a.H+l.each-2)/l.each, 1)
	l.scroll(shown)
	l.drawn = shown[l.top:min(l.top+l.fit, len(shown))]
	names := l.names()
	for i, s := range l.drawn {
		at := a.Rows(i*l.each, 2)
		l.row(s, names[nameOf(s)], c.Now).draw(at, c, s == l.selected)
		if s == l.selected && c.Focus {
			at.Select(0)
		}
	}
	if len(shown) == 0 && l.find != "" {
		a.Line(1, 0, paint.L(paint.Dim, "no session is like that"))
	}
}

// name is what people know a session by.
type name struct{ title, folder string }

func nameOf(s *model.Session) name { return name{s.Name(), folder(s)} }

// names are the sessions by what people know them by.
func (l *Sessions) names() map[name][]*model.Session {
	names := make(map[name][]*model.Session, len(l.list))
	for _, s := range l.list {
		names[nameOf(s)] = append(names[nameOf(s)], s)
	}
	return names
}

func (l *Sessions) scroll(shown []*model.Session) {
	at := max(slices.Index(shown, l.selected), 0)
	l.top = min(max(l.top, at-l.fit+1), at)
	l.top = max(min(l.top, len(shown)-l.fit), 0)
}

// Do implements [pane.Pane].
func (l *Sessions) Do(action keys.Action, c pane.Context) []pane.Wish {
	l.take(c.Model, c.Now)
	switch action {
	case keys.Open:
		if l.selected != nil {
			return []pane.Wish{pane.Visit{Session: l.selected}}
		}
	case keys.Sort:
		l.order = (l.order + 1) % orders
		l.moved = time.Time{}
		return []pane.Wish{pane.Say{Text: "sessions: " + orderNames[l.order]}}
	case keys.Drop:
		return l.drop()
	case keys.Back:
		if l.find != "" {
			l.find = ""
			return []pane.Wish{pane.Say{Text: "all sessions"}}
		}
	default:
		l.move(action, c.Now)
	}
	return nil
}

func (l *Sessions) drop() []pane.Wish {
	switch {
	case l.selected == nil:
		return nil
	case l.selected.Proxy.Link != model.Gone:
		return []pane.Wish{pane.Say{Text: "only what has ended can be dropped"}}
	}
	return []pane.Wish{pane.DropProxy{Proxy: l.selected.Proxy}}
}

func (l *Sessions) move(action keys.Action, now time.Time) {
	shown := l.shown()
	if len(shown) == 0 {
		return
	}
	at := slices.Index(shown, l.selected)
	switch action {
	case keys.Down:
		at++
	case keys.Up:
		at--
	case keys.PageDown, keys.HalfDown:
		at += max(l.fit, 1)
	case keys.PageUp, keys.HalfUp:
		at -= max(l.fit, 1)
	case keys.Top:
		at = 0
	case keys.Bottom:
		at = len(shown) - 1
	default:
		return
	}
	l.selected, l.chosen = shown[max(min(at, len(shown)-1), 0)], true
	l.moved = now
}

// Click implements [pane.Clicker]. What is clicked is what was drawn there.
func (l *Sessions) Click(_, y int, double bool, c pane.Context) []pane.Wish {
	at := y / max(l.each, 1)
	if at >= len(l.drawn) || !slices.Contains(l.list, l.drawn[at]) {
		return nil
	}
	l.selected, l.chosen, l.moved = l.drawn[at], true, c.Now
	if double {
		return l.Do(keys.Open, c)
	}
	return nil
}

// Find implements [pane.Finder]: it leaves only what is like text.
func (l *Sessions) Find(text string, _ pane.Context) string {
	l.find = strings.ToLower(text)
	n := len(l.shown())
	if n == 0 {
		return "not found"
	}
	if shown := l.shown(); !slices.Contains(shown, l.selected) {
		l.selected = shown[0]
	}
	return fmt.Sprintf("%d of %d sessions", n, len(l.list))
}

// Hints implements [pane.Pane].
func (l *Sessions) Hints(pane.Context) []keys.Action {
	hints := []keys.Action{keys.Open}
	if l.selected != nil && l.selected.Proxy.Link == model.Gone {
		hints = append(hints, keys.Drop)
	}
	return append(hints, keys.Sort)
}
