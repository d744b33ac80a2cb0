package home

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bobproxy/acp"
	"bobproxy/inspector/lapse"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// row is a session as the list shows it, in two rows of the screen: what it is
// and its age in the order of the list; who, where and what it does now.
type row struct {
	s      *model.Session
	state  model.Phase
	since  time.Time
	when   time.Time // its age is counted from
	indent int
	tag    string // tells it from others of its name; empty: it has no need to
	shares bool   // its proxy has other sessions
}

// row is what there is to show of a session; same are those that people
// know by the same name.
func (l *Sessions) row(s *model.Session, same []*model.Session, now time.Time) row {
	state, since := s.State(now)
	r := row{s: s, state: state, since: since, when: l.order.when(s, now), indent: 2 * depth(s)}
	r.shares = slices.ContainsFunc(l.list, func(other *model.Session) bool { return other != s && other.Proxy == s.Proxy && above(other) == nil })
	if len(same) > 1 {
		r.tag = tag(s, same)
	}
	return r
}

// tag tells a session from those of the same name: by its id, where that does.
func tag(s *model.Session, same []*model.Session) string {
	id := tail(s.Talk.Session, 6)
	alike := func(other *model.Session) bool { return other != s && tail(other.Talk.Session, 6) == id }
	if id != "" && !slices.ContainsFunc(same, alike) {
		return id
	}
	return fmt.Sprintf("pid %d", s.Proxy.State.PID)
}

func (r row) draw(a paint.Area, c pane.Context, selected bool) {
	mark, role := r.look()
	cursor := paint.S(paint.Plain, " ")
	if selected {
		cursor = paint.S(paint.Key, "►")
	}
	a.Line(0, 0, paint.Line{cursor})
	a = a.In(1+r.indent, 0)
	name := paint.Clean(paint.Plain, head(r.name()))
	for i := range name {
		name[i].Style.Bold = selected
		if r.state == model.IsGone {
			name[i].Style.Role = paint.Dim
		}
	}
	age := paint.L(paint.Dim, sinceText(r.when, c.Now)+" ")
	tag := paint.Line{}
	if r.tag != "" {
		tag = paint.L(paint.Dim, " ").With(paint.Clean(paint.Dim, r.tag))
	}
	name = name.Cut(max(a.W-2-tag.Width()-age.Width()-1, 8))
	a.Both(0, paint.Line{paint.S(role, mark+" ")}.With(name).With(tag), age)
	right := r.doing(c)
	a.Both(1, paint.L(paint.Dim, "  ").With(r.about(a.W-3-right.Width(), c.Home)), right)
}

func (r row) name() string {
	if r.s.Talk.Session == "" && r.s.Proxy.Link == model.Recorded && r.s.Proxy.Name != "" {
		return r.s.Proxy.Name
	}
	return r.s.Name()
}

func (r row) look() (mark string, role paint.Role) {
	switch {
	case r.s.Proxy.Link == model.Lost && r.state == model.IsWorking:
		return "●", paint.Warn
	case r.s.Proxy.Link == model.Recorded:
		return "·", paint.Dim
	case r.state == model.IsWaiting:
		return "!", paint.Warn
	case r.state == model.IsWorking:
		return "●", paint.Good
	case r.state == model.IsGone && r.s.Proxy.Exit != nil && r.s.Proxy.Exit.Status == 0 && r.s.Proxy.Exit.Signal == "":
		return "·", paint.Dim
	case r.state == model.IsGone:
		return "×", paint.Dim
	}
	return "○", paint.Plain
}

// about is which agent, for which editor, where: as many of these as there is
// room for.
func (r row) about(width int, home string) paint.Line {
	p := r.s.Proxy
	where := short(folder(r.s), home)
	agent, client := head(agentName(p)), head(program(p.Client))
	if r.indent > 0 {
		return paint.L(paint.Dim, "subagent").Cut(width)
	}
	pid := ""
	if r.shares {
		pid = fmt.Sprintf("pid %d", p.State.PID)
	}
	for _, parts := range [][]string{{agent, client, where, pid}, {agent, client, where}, {client, where, pid}, {client, where}} {
		if text := paint.Clean(paint.Dim, joined(parts...)); text.Width() <= width {
			return text
		}
	}
	room := width
	if client != "" && where != "" {
		room -= paint.Width(client) + 3
	}
	if room < 8 {
		return paint.Clean(paint.Dim, tailOf(where, width)).Cut(width)
	}
	return paint.Clean(paint.Dim, joined(client, tailOf(where, room))).Cut(width)
}

func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " · ")
}

// doing is what the session does now; first of all what of it cannot be trusted.
func (r row) doing(c pane.Context) paint.Line {
	now := r.now(c.Now)
	if what := r.approves(); what != "" && r.state != model.IsGone {
		loud := paint.L(paint.Danger, "!! auto-approves ")
		if r.state != model.IsWaiting {
			return loud
		}
		return paint.L(paint.Danger, "!! ").With(now)
	}
	return now
}

func (r row) approves() string {
	if r.s.AutoApprove != "" {
		return r.s.AutoApprove
	}
	return r.s.Proxy.AutoApprove
}

func (r row) now(now time.Time) paint.Line {
	p := r.s.Proxy
	switch {
	case p.Link == model.Lost && p.Exit == nil:
		return paint.L(paint.Warn, "reconnecting ")
	case p.Link == model.Recorded:
		return paint.L(paint.Dim, "recording ")
	case r.state == model.IsWaiting:
		return asking(r.s, now)
	case r.state == model.IsWorking:
		return paint.L(paint.Plain, "turn "+lapse.Clock(now.Sub(r.since))+" ")
	case r.state == model.IsGone && p.Link != model.Gone && p.Exit == nil:
		return paint.L(paint.Dim, "closed ")
	case r.state == model.IsGone:
		return paint.L(paint.Dim, ending(p)+" ")
	case r.s.Talk.Session == "":
		return beginning(p, now)
	}
	return paint.L(paint.Dim, "idle ")
}

// beginning is how far a proxy without sessions has got.
func beginning(p *model.Proxy, now time.Time) paint.Line {
	for _, r := range p.Open {
		if r.From == acp.Client {
			role := paint.Plain
			if r.Method == acp.MethodAuthenticate || r.Method == acp.MethodAuthLogin {
				role = paint.Warn // somebody has to do something somewhere else
			}
			return paint.Clean(role, paint.Cut(r.Method, 20)+" "+lapse.Clock(now.Sub(r.Time))+" ")
		}
	}
	switch {
	case p.Link == model.Connecting:
		return paint.L(paint.Dim, "connecting ")
	case p.Protocol == 0:
		return paint.L(paint.Dim, "no ACP yet ")
	}
	return paint.L(paint.Dim, "ready ")
}

// asking is how many permissions a session waits for, and how much time there is
// to answer the oldest, or how long it has waited.
func asking(s *model.Session, now time.Time) paint.Line {
	n, clock := 0, ""
	for _, w := range s.Proxy.Pending {
		if w.Session != s {
			continue
		}
		if n++; n == 1 {
			clock = w.Clock(now) + " "
		}
	}
	more := ""
	if n > 1 {
		more = fmt.Sprintf("+%d ", n-1)
	}
	return paint.Line{paint.S(paint.Warn, "ASK"), paint.S(paint.Plain, " "+more+clock)}
}

// ending is how a proxy ended, in a word or two.
func ending(p *model.Proxy) string {
	switch {
	case p.Exit == nil:
		return "gone"
	case p.Exit.Signal != "":
		return model.SignalName(p.Exit.Signal)
	}
	return model.HowEnded(p.Exit)
}

// sinceText says how long ago something was.
func sinceText(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	return ago(now.Sub(t))
}
