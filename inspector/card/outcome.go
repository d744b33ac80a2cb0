package card

import (
	"fmt"
	"strings"
	"time"

	"bobproxy/inspector/lapse"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// drawOutcome paints what became of a request that nothing can be done about any
// more.
func (c *Card) drawOutcome(a paint.Area, ctx pane.Context) {
	d := down{area: a}
	title := c.title(a.W)
	d.lines(title[:min(len(title), 2)])
	d.skip(a.H > 8)
	d.lines(c.outcome(a.W, ctx))
	if note := c.saying(ctx.Now); note != "" {
		d.skip(a.H > 8)
		d.lines(indented(paint.L(paint.Warn, note), 1, a.W))
	}
	c.drawLists(a.Rows(d.y+1, a.H-d.y-1), d.y+1, ctx)
}

func (c *Card) outcome(width int, ctx pane.Context) []paint.Line {
	o := telling{width: width}
	switch c.stage(ctx.Now) {
	case lost:
		c.tellLost(&o, ctx)
	case elsewhere:
		c.tellElsewhere(&o)
		o.gap()
		o.say(paint.Plain, "Your keys do nothing here any more.")
	case timedOut:
		c.tellTimedOut(&o)
	case withdrawn:
		if c.p.Decision.By == string(broker.ByAgent) {
			o.head(paint.Strong, "· WITHDRAWN by the agent")
		} else {
			o.head(paint.Strong, "· WITHDRAWN: the turn was cancelled in the editor")
		}
		o.gap()
		o.say(paint.Plain, "Nothing is left to answer.")
	case ended:
		c.tellEnded(&o)
	}
	for _, late := range c.p.Late[:min(len(c.p.Late), 3)] {
		if !late.HasOption {
			continue // the editor only took its own card away
		}
		o.say(paint.Warn, "An answer came later and was dropped: "+byWhom(c, late)+", "+c.answered(late))
	}
	c.tellNext(&o, ctx)
	return o.rows
}

// telling collects rows.
type telling struct {
	rows  []paint.Line
	width int
}

func (o *telling) head(role paint.Role, text string) {
	o.rows = append(o.rows, indented(paint.Clean(role, text), 1, o.width)...)
}

func (o *telling) say(role paint.Role, text string) {
	for _, l := range paint.Clean(role, text).Wrap(o.width - 4) {
		o.rows = append(o.rows, paint.L(paint.Plain, "   ").With(l))
	}
}

func (o *telling) gap() { o.rows = append(o.rows, nil) }

// answer is an option as a row.
func (o *telling) answer(ch choice, ok bool, otherwise string) {
	if !ok {
		o.rows = append(o.rows, indented(paint.Clean(paint.Strong, otherwise), 5, o.width)...)
		return
	}
	right := reading(ch)
	name := paint.L(paint.Plain, fmt.Sprintf("     %d  ", ch.Number)).With(ch.name(paint.Strong)).Cut(o.width - right.Width() - 3)
	gap := max(o.width-name.Width()-right.Width()-1, 1)
	o.rows = append(o.rows, append(name, paint.S(paint.Plain, strings.Repeat(" ", gap))).With(right))
}

// chosen is the option that a decision names.
func (c *Card) chosen(d journal.Decision) (choice, bool) {
	if !d.HasOption {
		return choice{}, false
	}
	return c.byID(d.OptionID, d.OptionKind)
}

func (c *Card) byID(id, kind string) (choice, bool) {
	for _, ch := range c.choices {
		if ch.ID == id && ch.Kind == kind && !ch.Odd {
			return ch, true
		}
	}
	return choice{}, false
}

// answered is a decision in a few words.
func (c *Card) answered(d journal.Decision) string {
	if ch, ok := c.chosen(d); ok {
		return fmt.Sprintf("%d %s", ch.Number, orWords(paint.Cut(ch.Name, 40), ch.means.String()))
	}
	if d.HasOption {
		return `option "` + paint.Cut(d.OptionID, 40) + `"`
	}
	return orWords(d.Outcome, "cancelled")
}

// byWhom says who decided.
func byWhom(c *Card, d journal.Decision) string {
	switch broker.By(d.By) {
	case broker.ByEditor:
		return "the editor (" + clientName(c.p) + ")"
	case broker.ByPanel:
		return "another panel" + peer(d.Peer)
	case broker.ByCommand:
		return "a command" + peer(d.Peer)
	case broker.ByTimeout:
		return "the time-out"
	case broker.ByBounds:
		return "the workspace bounds"
	case broker.ByCancel:
		return "the cancelled turn"
	case broker.ByAgent:
		return "the agent"
	case broker.ByGone:
		return "the end of the proxy"
	}
	return paint.Cut(d.By, 20)
}

func peer(p *journal.Peer) string {
	switch {
	case p == nil:
		return ""
	case p.TTY != "":
		return " (" + paint.Cut(p.TTY, 24) + ")"
	}
	return fmt.Sprintf(" (pid %d)", p.PID)
}

func (c *Card) tellElsewhere(o *telling) {
	d := *c.p.Decision
	ch, ok := c.chosen(d)
	mark, role := "·", paint.Strong
	switch {
	case ok && ch.says.rejects():
		mark, role = "×", paint.Bad
	case ok && ch.says == allowsOnce, ok && ch.says == allowsAlways:
		mark, role = "✓", paint.Good
	}
	where := map[broker.By]string{
		broker.ByEditor:  "ANSWERED IN THE EDITOR (" + clientName(c.p) + ")",
		broker.ByPanel:   "ANSWERED IN ANOTHER PANEL" + peer(d.Peer),
		broker.ByCommand: "ANSWERED BY A COMMAND" + peer(d.Peer),
		broker.ByBounds:  "REFUSED BY THE WORKSPACE BOUNDS",
	}[broker.By(d.By)]
	if where == "" {
		where = "ANSWERED BY " + paint.Cut(d.By, 20)
	}
	o.head(role, fmt.Sprintf("%s %s after %s", mark, where, lapse.Took(c.waited())))
	o.answer(ch, ok, c.answered(d))
}

// waited is how long the request was open.
func (c *Card) waited() time.Duration {
	if d := c.p.Decision; d != nil && d.Wait > 0 {
		return d.Wait
	}
	return max(c.p.Closed.Sub(c.p.Opened), 0)
}

func (c *Card) tellTimedOut(o *telling) {
	o.head(paint.Warn, "! NOBODY ANSWERED IN "+lapse.Clock(c.waited().Round(time.Second)))
	ch, ok := c.chosen(*c.p.Decision)
	if ok {
		o.say(paint.Plain, "Sent to the agent:")
		o.answer(ch, ok, "")
	} else {
		o.say(paint.Plain, "Sent to the agent: "+c.answered(*c.p.Decision))
	}
	o.gap()
	o.say(paint.Plain, "The editor may still show its own card; an answer given there now is dropped.")
	o.say(paint.Plain, "To run it after all, ask "+agentName(c.p)+" again.")
}

func (c *Card) tellEnded(o *telling) {
	text := "× IT HAS ENDED: the agent or the editor has left"
	if c.p.Ended || hasEnded(c.p) {
		text = "× THIS PROXY HAS ENDED"
	}
	o.head(paint.Bad, text)
	if s := c.dossier.sent; s != nil {
		o.say(paint.Warn, "Your answer, "+s.String()+", may not have counted.")
	}
	o.say(paint.Plain, "Nothing can be answered any more.")
}

// tellLost says that an answer given here did not count, and which one did.
func (c *Card) tellLost(o *telling, ctx pane.Context) {
	s := c.dossier.sent
	if s == nil {
		s = c.dossier.doubt
	}
	o.head(paint.Bad, "× YOUR ANSWER DID NOT COUNT")
	who, got, means := c.winner(s)
	zone := ctx.Now.Location()
	o.vs("you", s.String(), s.at.In(zone))
	at := time.Time{}
	if !c.p.Closed.IsZero() {
		at = c.p.Closed.In(zone)
	}
	if who != "" {
		o.vs(who, got, at)
	}
	o.gap()
	switch {
	case who == "":
		o.say(paint.Plain, orWords(s.ruling.Text, "The proxy knows of no such request any more."))
	case means == "":
		o.say(paint.Plain, "The agent got: "+got+".")
	default:
		o.rows = append(o.rows, indented(paint.Line{paint.S(paint.Plain, "The agent got the other answer: "), paint.S(paint.Strong, means), paint.S(paint.Plain, ".")}, 3, o.width)...)
	}
	o.say(paint.Plain, "Enter closes this notice.")
}

// winner is who settled it, with what, and whether that was yes or no.
func (c *Card) winner(s *sent) (who, got, means string) {
	if d := c.p.Decision; d != nil {
		ch, ok := c.chosen(*d)
		return inAWord(d.By), c.answered(*d), verdictWord(ch, ok)
	}
	if s.ruling.By == "" {
		return "", "", ""
	}
	d := journal.Decision{By: string(s.ruling.By), OptionID: s.ruling.Option, OptionKind: s.ruling.Kind, HasOption: s.ruling.Option != ""}
	ch, ok := c.chosen(d)
	return inAWord(d.By), c.answered(d), verdictWord(ch, ok)
}

func verdictWord(ch choice, ok bool) string {
	switch {
	case !ok || ch.says == unclear:
		return ""
	case ch.says.rejects():
		return "NO"
	}
	return "YES"
}

// inAWord is who decided, in a word.
func inAWord(by string) string {
	switch broker.By(by) {
	case broker.ByTimeout:
		return "time-out"
	case broker.ByCancel:
		return "the turn"
	case broker.ByGone:
		return "the end"
	}
	return paint.Cut(by, 8)
}

// vs is one of two answers.
func (o *telling) vs(who, what string, at time.Time) {
	var right paint.Line
	if !at.IsZero() {
		right = paint.L(paint.Dim, "  "+at.Format("15:04:05.00"))
	}
	left := paint.L(paint.Strong, fmt.Sprintf("     %-8s  ", who)).With(paint.Clean(paint.Plain, what)).Cut(o.width - right.Width() - 1)
	gap := max(o.width-left.Width()-right.Width()-1, 0)
	o.rows = append(o.rows, append(left, paint.S(paint.Plain, strings.Repeat(" ", gap))).With(right))
}

// tellNext says when the next card comes.
func (c *Card) tellNext(o *telling, ctx pane.Context) {
	at := c.movesOn()
	if c.lived && c.settled.IsZero() && c.was != lost {
		at = ctx.Now.Add(linger) // it is about to be shown
	}
	if at.IsZero() || c.next(ctx.Model) == nil {
		return
	}
	o.gap()
	s := int((max(at.Sub(ctx.Now), 0) + time.Second - 1) / time.Second)
	o.say(paint.Dim, fmt.Sprintf("Next card in %ds, or press ] now.", s))
}
