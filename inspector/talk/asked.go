package talk

import (
	"strings"
	"time"

	"bobproxy/inspector/lapse"
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
	about := s.place().Line(p.Subject(), max(s.width-1-s.label-lead.Width(), 4))
	if len(about) == 0 {
		about = paint.L(paint.Dim, "permission without a title")
	}
	lines := []line{s.first(p.Opened, lead.With(about), nil)}
	return append(lines, s.asked(p)...)
}

// asked says below a tool call what became of the question.
func (s *scene) asked(p *model.Permission) []line {
	if open(p) {
		return s.under(paint.L(paint.Warn, waitsFor(p, s.c.Model)), clockOf(p, s.c.Now))
	}
	lines := s.rows(s.verdict(p))
	for _, d := range p.Late {
		if d.HasOption { // or else the editor only took its card away
			lines = append(lines, s.rows(s.late(p, d), nil)...)
		}
	}
	return lines
}

// under is a sentence below a tool call, whole, with what stands at the edge of
// its last row.
func (s *scene) under(words, right paint.Line) []line {
	return s.rows([]paint.Line{words}, right)
}

// rows are sentences below a tool call, each from a row of its own on.
func (s *scene) rows(words []paint.Line, right paint.Line) (lines []line) {
	room := s.width - s.sub - 1
	for i, w := range words {
		rows := w.Wrap(max(room, 8))
		if last := rows[len(rows)-1]; i == len(words)-1 && len(right) > 0 && last.Width()+1+right.Width() > room {
			rows = w.Wrap(max(room-right.Width()-1, 8))
		}
		lines = append(lines, indent(s.sub, rows)...)
	}
	lines[len(lines)-1].right = right
	return lines
}

// clockOf is how much time is left to answer, or how long it has waited.
func clockOf(p *model.Permission, now time.Time) paint.Line {
	style := paint.Style{Role: paint.Dim}
	if rest, limited := p.Left(now); limited {
		style = urgent(rest, p.Card.Deadline.Sub(p.Opened))
	}
	return paint.Line{{Text: p.Clock(now), Style: style}}
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

// verdict is who answered what, in a row if there is room for one, and after how
// long.
func (s *scene) verdict(p *model.Permission) (said []paint.Line, took paint.Line) {
	d := p.Decision
	if d == nil {
		return []paint.Line{s.unsettled(p)}, nil
	}
	took = paint.L(paint.Dim, lapse.Took(d.Wait))
	if d.By == "timeout" {
		return s.withOption(p, d, nil, paint.L(paint.Warn, "nobody answered in "+d.Wait.Truncate(time.Second).String()).With(sent(d))), nil
	}
	if words, timed := settledBy(d); words != nil {
		if !timed {
			took = nil
		}
		return []paint.Line{words}, took
	}
	verb, role := verb(d)
	var forms []paint.Line
	for _, place := range where(d, s.Self, !s.inline && s.width < wideEnough) {
		forms = append(forms, paint.L(role, verb).With(paint.L(paint.Dim, " "+place)))
	}
	return s.withOption(p, d, took, forms...), took
}

// withOption is a sentence in the first form in which the option that d names
// fits behind it. The option is never broken for it: it comes below where it fits
// behind none.
func (s *scene) withOption(p *model.Permission, d *journal.Decision, right paint.Line, forms ...paint.Line) []paint.Line {
	name := option(p, d)
	if name == "" {
		return forms[:1]
	}
	said := paint.Clean(paint.Dim, name)
	room := max(s.width-s.sub-1, 8)
	for _, words := range forms {
		if whole := words.With(paint.L(paint.Dim, ": ")).With(said); whole.Width() <= room && (len(right) == 0 || whole.Width()+1+right.Width() <= room) {
			return []paint.Line{whole}
		}
	}
	for _, words := range forms {
		if words.Width() < room {
			return []paint.Line{words.With(paint.L(paint.Dim, ":")), said}
		}
	}
	return []paint.Line{forms[len(forms)-1].With(paint.L(paint.Dim, ":")), said}
}

// unsettled is what became of a question that has no answer.
func (s *scene) unsettled(p *model.Permission) paint.Line {
	switch {
	case p.Unknown:
		return paint.L(paint.Warn, "answered").With(paint.L(paint.Dim, ", and nobody could tell us how"))
	case p.Proxy.Link == model.Recorded && p.Proxy.Exit == nil:
		return paint.L(paint.Warn, "not answered").With(paint.L(paint.Dim, " where the recording ends"))
	}
	return paint.L(paint.Warn, "never answered").With(paint.L(paint.Dim, ": the proxy ended"))
}

// settledBy is what became of a question that neither a person nor a time-out
// answered, and whether that took a time worth telling; nil: one of these did.
func settledBy(d *journal.Decision) (words paint.Line, timed bool) {
	switch d.By {
	case "bounds":
		return paint.L(paint.Bad, "refused").With(paint.L(paint.Dim, " by the workspace bounds")), false
	case "cancel":
		return paint.L(paint.Warn, "withdrawn").With(paint.L(paint.Dim, ": the turn was cancelled")), true
	case "agent":
		return paint.L(paint.Warn, "withdrawn").With(paint.L(paint.Dim, " by the agent")), true
	case "gone":
		return paint.L(paint.Warn, "never answered").With(paint.L(paint.Dim, ": one side went away")), true
	}
	return nil, false
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

// where is where an answer was given, in fewer and fewer words; at least once.
func where(d *journal.Decision, self int, short bool) []string {
	mine := d.Peer != nil && d.Peer.PID == self
	switch {
	case d.By == "editor":
		return []string{"in the editor"}
	case d.By == "panel" && mine && short:
		return []string{"here"}
	case d.By == "panel" && mine:
		return []string{"in this panel", "here"}
	case d.By == "panel" && terminal(d.Peer) == "":
		return []string{"in another panel"}
	case d.By == "panel":
		return []string{"in another panel (" + terminal(d.Peer) + ")", "in panel " + terminal(d.Peer), "in another panel"}
	case d.By == "command" && terminal(d.Peer) != "":
		return []string{"by a command (" + terminal(d.Peer) + ")", "by a command"}
	case d.By == "command":
		return []string{"by a command"}
	}
	return []string{"by " + head(d.By, 64)}
}

// terminal is where a process sits; empty: not known.
func terminal(p *journal.Peer) string {
	if p == nil {
		return ""
	}
	return strings.TrimPrefix(head(p.TTY, 64), "/dev/")
}

// chosen is the option that was chosen, in the agent's words.
func chosen(p *model.Permission, d *journal.Decision) paint.Line {
	if name := option(p, d); name != "" {
		return paint.L(paint.Dim, ": ").With(paint.Clean(paint.Dim, name))
	}
	return nil
}

// sent leads to the option that the agent got when nobody answered.
func sent(d *journal.Decision) paint.Line {
	if d.HasOption {
		return paint.L(paint.Dim, ", sent")
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
func (s *scene) late(p *model.Permission, d journal.Decision) []paint.Line {
	said, _ := verb(&d)
	if p.Decision != nil {
		if counted, _ := verb(p.Decision); counted == said {
			return []paint.Line{paint.L(paint.Dim, "later "+said+" "+where(&d, 0, false)[0]+", too")}
		}
	}
	answer := paint.L(paint.Dim, said+" "+where(&d, 0, false)[0])
	return s.withOption(p, &d, nil, paint.L(paint.Warn, "! too late, and dropped: ").With(answer), paint.L(paint.Warn, "! too late: ").With(answer))
}
