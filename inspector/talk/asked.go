package talk

import (
	"strings"
	"time"

	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/proxy/journal"
)

// open says that a permission waits for an answer.
func open(p *model.Permission) bool { return p.Decision == nil && !p.Ended && !p.Unknown }

// alone is a permission whose tool call nobody told of.
func (s *scene) alone(it *item) []line {
	p := it.asked[0]
	st := other
	sign := paint.S(paint.Dim, "·")
	if open(p) {
		st = asks
		sign = signs[st]
	}
	lead := s.lead(sign, p.Kind)
	title := paint.Clean(paint.Plain, head(p.Title, 1024))
	if p.Title == "" {
		title = paint.L(paint.Dim, "permission without a title")
	}
	lines := []line{s.first(p.Opened, lead.With(title), nil)}
	return append(lines, s.asked(p)...)
}

// asked says below a tool call what became of the question.
func (s *scene) asked(p *model.Permission) []line {
	if open(p) {
		return []line{s.waits(p)}
	}
	said, took := s.verdict(p)
	lines := s.under(said, took)
	for _, d := range p.Late {
		if d.HasOption { // or else the editor only took its card away
			lines = append(lines, s.under(late(p, d), nil)...)
		}
	}
	return lines
}

// under is a sentence below a tool call, whole, with what stands at the edge.
func (s *scene) under(words, right paint.Line) []line {
	room := s.width - s.sub - 1
	if len(right) > 0 {
		room -= right.Width() + 1
	}
	lines := indent(s.sub, words.Wrap(max(room, 8)))
	lines[0].right = right
	return lines
}

// waits is the question that is open, and how long there is to answer it, or how
// long it has waited.
func (s *scene) waits(p *model.Permission) line {
	words := paint.S(paint.Warn, waitsFor(p, s.c.Model))
	right := paint.L(paint.Dim, clock(s.c.Now.Sub(p.Opened)))
	if p.Card != nil && p.Card.Deadline != nil {
		rest := p.Card.Deadline.Sub(s.c.Now)
		right = paint.Line{{Text: left(rest), Style: urgent(rest, p.Card.Deadline.Sub(p.Opened))}}
	}
	return line{at: s.sub, left: paint.Line{words}, right: right}
}

// urgent is the style of a time that runs out: the last quarter is yellow, the
// last ten seconds are red.
func urgent(rest, of time.Duration) paint.Style {
	switch {
	case rest < 10*time.Second:
		return paint.Style{Role: paint.Danger, Bold: true}
	case rest < of/4:
		return paint.Style{Role: paint.Warn}
	}
	return paint.Style{}
}

// waitsFor says who can answer, or which place it has in the queue.
func waitsFor(p *model.Permission, m *model.Model) string {
	answers := ""
	if p.Proxy != nil {
		answers = p.Proxy.Greeting.Answers
	}
	switch n := ahead(p, m); {
	case answers == "none":
		return "waiting for the editor alone"
	case answers == "deny-only", p.Card != nil && p.Card.Unanswerable != "":
		return "waiting for the editor, or a no from you"
	case n == 0:
		return "waiting for you or the editor"
	case n < len(ordinals):
		return "waiting, " + ordinals[n] + " in the queue"
	default:
		return "waiting, " + count(n) + " before it in the queue"
	}
}

var ordinals = [...]string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}

// ahead is how many permissions of all proxies were opened before it and wait.
func ahead(p *model.Permission, m *model.Model) (n int) {
	var proxies []*model.Proxy
	switch {
	case m != nil:
		proxies = m.Proxies
	case p.Proxy != nil:
		proxies = []*model.Proxy{p.Proxy}
	}
	for _, proxy := range proxies {
		for _, q := range proxy.Pending {
			if q != p && open(q) && (q.Opened.Before(p.Opened) || q.Opened.Equal(p.Opened) && q.Request < p.Request) {
				n++
			}
		}
	}
	return n
}

// verdict is who answered what, and after how long.
func (s *scene) verdict(p *model.Permission) (said, took paint.Line) {
	d := p.Decision
	switch {
	case d == nil && p.Unknown:
		return paint.L(paint.Warn, "answered").With(paint.L(paint.Dim, ", and nobody could tell us how")), nil
	case d == nil && p.Proxy.Link == model.Recorded && p.Proxy.Exit == nil:
		return paint.L(paint.Warn, "not answered").With(paint.L(paint.Dim, " where the recording ends")), nil
	case d == nil:
		return paint.L(paint.Warn, "never answered").With(paint.L(paint.Dim, ": the proxy ended")), nil
	}
	took = paint.L(paint.Dim, seconds(d.Wait))
	switch d.By {
	case "timeout":
		return paint.L(paint.Warn, "nobody answered in "+d.Wait.Truncate(time.Second).String()).With(sent(p, d)), nil
	case "bounds":
		return paint.L(paint.Bad, "refused").With(paint.L(paint.Dim, " by the workspace bounds")), nil
	case "cancel":
		return paint.L(paint.Warn, "withdrawn").With(paint.L(paint.Dim, ": the turn was cancelled")), took
	case "agent":
		return paint.L(paint.Warn, "withdrawn").With(paint.L(paint.Dim, " by the agent")), took
	case "gone":
		return paint.L(paint.Warn, "never answered").With(paint.L(paint.Dim, ": one side went away")), took
	}
	verb, role := verb(d)
	where := where(d, s.Self, !s.inline && s.width < wideEnough)
	return paint.L(role, verb).With(paint.L(paint.Dim, " "+where)).With(chosen(p, d)), took
}

// verb is what an answer comes to.
func verb(d *journal.Decision) (string, paint.Role) {
	switch {
	case d.OptionKind == "allow_always":
		return "allowed always", paint.Good
	case strings.HasPrefix(d.OptionKind, "allow"):
		return "allowed", paint.Good
	case d.OptionKind == "reject_always":
		return "refused always", paint.Bad
	case strings.HasPrefix(d.OptionKind, "reject"):
		return "refused", paint.Bad
	case d.Outcome == "cancelled":
		return "cancelled", paint.Warn
	}
	return "answered", paint.Plain
}

// where is where an answer was given.
func where(d *journal.Decision, self int, short bool) string {
	switch {
	case d.By == "editor":
		return "in the editor"
	case d.By == "panel" && d.Peer != nil && d.Peer.PID == self && short:
		return "here"
	case d.By == "panel" && d.Peer != nil && d.Peer.PID == self:
		return "in this panel"
	case d.By == "panel":
		return "in another panel" + terminal(d.Peer)
	case d.By == "command":
		return "by a command" + terminal(d.Peer)
	}
	return "by " + head(d.By, 64)
}

// terminal is where a process sits, in brackets.
func terminal(p *journal.Peer) string {
	if p == nil || p.TTY == "" {
		return ""
	}
	return " (" + strings.TrimPrefix(head(p.TTY, 64), "/dev/") + ")"
}

// chosen is the option that was chosen, in the agent's words.
func chosen(p *model.Permission, d *journal.Decision) paint.Line {
	if name := option(p, d); name != "" {
		return paint.L(paint.Dim, ": ").With(paint.Clean(paint.Dim, name))
	}
	return nil
}

// sent is what the agent got when nobody answered.
func sent(p *model.Permission, d *journal.Decision) paint.Line {
	if name := option(p, d); name != "" {
		return paint.L(paint.Dim, ", sent: ").With(paint.Clean(paint.Dim, name))
	}
	return nil
}

func option(p *model.Permission, d *journal.Decision) string {
	if !d.HasOption {
		return ""
	}
	if p.Card != nil {
		for _, o := range p.Card.Options {
			if o.ID == d.OptionID {
				return count(o.Number) + " " + head(o.Name, 256)
			}
		}
	}
	return head(d.OptionID, 256)
}

// late is an answer that came too late to count, aloud when it was another one.
func late(p *model.Permission, d journal.Decision) paint.Line {
	said, _ := verb(&d)
	if p.Decision != nil {
		if counted, _ := verb(p.Decision); counted == said {
			return paint.L(paint.Dim, "later "+said+" "+where(&d, 0, false)+", too")
		}
	}
	return paint.L(paint.Warn, "! too late, and dropped: ").With(paint.L(paint.Dim, said+" "+where(&d, 0, false))).With(chosen(p, &d))
}
