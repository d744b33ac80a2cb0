package home

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/control"
)

// order is how the list is sorted.
type order uint8

const (
	byActivity order = iota
	byStart
	byWaiting
	orders
)

var orderNames = [...]string{"newest activity first", "in order of start", "who waits first"}

// Sessions is the list of all sessions, two rows each. The selected one stays
// selected wherever it moves to; while nobody has chosen one it is the first that
// appeared.
type Sessions struct {
	list     []*model.Session
	selected *model.Session
	chosen   bool // by the person
	order    order
	find     string
	top      int // first session on the screen
	fit      int // sessions on the screen
	each     int // rows a session
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
		l.sort(all, now)
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

// listed are the sessions that have something to show: what belongs to no
// session is listed only while its proxy has nothing else.
func listed(m *model.Model) []*model.Session {
	var all []*model.Session
	for _, p := range m.Proxies {
		for _, s := range p.Sessions {
			if s.Talk.Session != "" || len(p.Sessions) == 1 {
				all = append(all, s)
			}
		}
	}
	return all
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

func (l *Sessions) sort(all []*model.Session, now time.Time) {
	switch l.order {
	case byActivity:
		slices.SortStableFunc(all, func(a, b *model.Session) int { return b.Activity.Compare(a.Activity) })
	case byStart:
		slices.SortStableFunc(all, func(a, b *model.Session) int { return a.Talk.First.Compare(b.Talk.First) })
	case byWaiting:
		slices.SortStableFunc(all, func(a, b *model.Session) int { return cmp.Compare(rank(a, now), rank(b, now)) })
	}
}

// ended is the rank of a session that is no more.
const ended = 3

func rank(s *model.Session, now time.Time) int {
	state, _ := s.State(now)
	return slices.Index([]model.Phase{model.IsWaiting, model.IsWorking, model.IsIdle, model.IsGone}, state)
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
		if strings.Contains(strings.ToLower(s.Name()+" "+s.Talk.Session+" "+s.Cwd+" "+program(s.Proxy.Agent)+" "+program(s.Proxy.Client)), l.find) {
			some = append(some, s)
		}
	}
	return some
}

// Head implements [pane.Headed].
func (l *Sessions) Head(c pane.Context) pane.Head {
	h := pane.Head{Right: paint.L(paint.Dim, fmt.Sprint(len(l.list))), Status: paint.L(paint.Heading, "SESSIONS"), StatusRight: paint.L(paint.Dim, orderNames[l.order])}
	if n := len(c.Model.Waiting()); n > 0 {
		h.Right = paint.L(paint.Alert, fmt.Sprintf(" %d WAITING ", n))
	}
	if l.find != "" {
		h.StatusRight = paint.L(paint.Dim, "/ "+l.find)
	}
	return h
}

// Draw implements [pane.Pane].
func (l *Sessions) Draw(a paint.Area, c pane.Context) {
	l.each = 2
	if a.W >= 40 {
		l.each = 3 // one row of air
	}
	l.take(c.Model, c.Now)
	shown := l.shown()
	l.fit = max(a.H/l.each, 1)
	l.scroll(shown)
	for i, s := range shown[l.top:] {
		if i*l.each >= a.H {
			break
		}
		l.drawOne(a.Rows(i*l.each, 2), s, c)
	}
	if len(shown) == 0 && l.find != "" {
		a.Line(1, 1, paint.L(paint.Dim, "no session is like that"))
	}
}

func (l *Sessions) scroll(shown []*model.Session) {
	at := max(slices.Index(shown, l.selected), 0)
	l.top = min(max(l.top, at-l.fit+1), at)
	l.top = max(min(l.top, len(shown)-l.fit), 0)
}

// drawOne is a session in two rows: what it is and when it last moved; who, where
// and what it does now.
func (l *Sessions) drawOne(a paint.Area, s *model.Session, c pane.Context) {
	state, since := s.State(c.Now)
	mark, role := look(state)
	cursor := paint.S(paint.Plain, " ")
	if s == l.selected {
		cursor = paint.S(paint.Key, "►")
	}
	name := paint.Span{Text: s.Name(), Style: paint.Style{Bold: s == l.selected}}
	if state == model.IsGone {
		name.Style.Role = paint.Dim
	}
	a.Both(0, paint.Line{cursor, paint.S(role, mark+" "), name}, paint.L(paint.Dim, sinceText(s, c.Now)+" "))
	a.Both(1, paint.L(paint.Dim, "   "+l.about(s, a.W, c.Home)), l.doing(s, state, since, c.Now))
	if s == l.selected && c.Focus {
		a.Select(0)
	}
}

func look(state model.Phase) (mark string, role paint.Role) {
	switch state {
	case model.IsWaiting:
		return "!", paint.Warn
	case model.IsWorking:
		return "●", paint.Good
	case model.IsGone:
		return "×", paint.Dim
	}
	return "○", paint.Plain
}

func (l *Sessions) about(s *model.Session, width int, home string) string {
	var parts []string
	if width >= 40 {
		parts = append(parts, program(s.Proxy.Agent))
	}
	parts = append(parts, program(s.Proxy.Client), short(folder(s), home))
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " · ")
}

func (l *Sessions) doing(s *model.Session, state model.Phase, since, now time.Time) paint.Line {
	switch state {
	case model.IsWaiting:
		return paint.Line{paint.S(paint.Warn, "ASK"), paint.S(paint.Plain, " "+left(s, now)+" ")}
	case model.IsWorking:
		return paint.L(paint.Plain, "turn "+minutes(now.Sub(since))+" ")
	case model.IsGone:
		return paint.L(paint.Dim, ending(s.Proxy)+" ")
	}
	return paint.L(paint.Dim, "idle ")
}

// left is how much time there is to answer the session's oldest permission.
func left(s *model.Session, now time.Time) string {
	for _, w := range s.Proxy.Pending {
		if w.Session == s && w.Card != nil && w.Card.Deadline != nil {
			return minutes(max(w.Card.Deadline.Sub(now), 0))
		}
	}
	return ""
}

// ending is how a proxy ended, in a word or two.
func ending(p *model.Proxy) string {
	switch {
	case p.Exit == nil:
		return "gone"
	case p.Exit.Signal != "":
		return p.Exit.Signal
	}
	return fmt.Sprintf("exit %d", p.Exit.Status)
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

// Click implements [pane.Clicker].
func (l *Sessions) Click(_, y int, double bool, c pane.Context) []pane.Wish {
	at := l.top + y/max(l.each, 1)
	if shown := l.shown(); at < len(shown) {
		l.selected, l.chosen, l.moved = shown[at], true, c.Now
		if double {
			return l.Do(keys.Open, c)
		}
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

// program is how a peer calls itself.
func program(p control.Program) string {
	if p.Title != "" {
		return p.Title
	}
	return p.Name
}

// folder is where a session works.
func folder(s *model.Session) string {
	if s.Cwd != "" {
		return s.Cwd
	}
	return s.Proxy.State.Cwd
}

// short is a path with ~ for the home folder.
func short(path, home string) string {
	if home == "" || path == home {
		return path
	}
	if rest, ok := strings.CutPrefix(path, strings.TrimSuffix(home, "/")+"/"); ok {
		return filepath.Join("~", rest)
	}
	return path
}

// minutes is a span as m:ss.
func minutes(d time.Duration) string {
	s := int(max(d, 0) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// sinceText says how long ago something happened in a session.
func sinceText(s *model.Session, now time.Time) string {
	for _, t := range []time.Time{s.Activity, s.Proxy.ExitAt, s.Proxy.GoneAt, s.Proxy.State.Started} {
		if !t.IsZero() {
			return age(now.Sub(t))
		}
	}
	return ""
}

// age is a span in one unit.
func age(d time.Duration) string {
	switch {
	case d < 2*time.Second:
		return "now"
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d/time.Second))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d/time.Minute))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d/time.Hour))
	}
	return fmt.Sprintf("%dd", int(d/(24*time.Hour)))
}
