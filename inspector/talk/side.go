package talk

import (
	"strings"

	"bobproxy/inspector/lapse"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// block is some rows of the side bar that belong together; the first blocks are
// the most important ones.
type block []row

// row is one row of it: at its left, and at its right edge.
type row struct{ left, right paint.Line }

// alarm is what makes the gate worthless, aloud.
func alarm(width int, s *model.Session) block {
	why := unguarded(s)
	if why == "" {
		return nil
	}
	var b block
	for _, l := range paint.L(paint.Danger, "! THE AGENT MAY ACT UNASKED: ").With(paint.Clean(paint.Danger, head(why, 200))).Wrap(width - 1) {
		b = append(b, row{left: l})
	}
	return b[:min(len(b), 3)]
}

// standing is how things stand: mode and model, context, cost and tools, and what
// was asked.
func standing(width int, s *model.Session, c pane.Context) (b block) {
	t := s.Talk
	if l := joined([]string{modeName(t), modelName(t)}); len(l) > 0 {
		b = append(b, row{left: l, right: turn(s, c)})
	}
	if t.Usage.Size > 0 {
		words := tokens(t.Usage.Used) + " of " + tokens(t.Usage.Size)
		b = append(b, row{left: bar(t.Usage.Used, t.Usage.Size, width-len(words)-2), right: paint.L(paint.Plain, words)})
	}
	n := tallyOf(s)
	facts := []string{head(t.Usage.Cost, 32)}
	if n.tools > 0 {
		facts = append(facts, plural(n.tools, "tool"), count(n.failed)+" failed")
	}
	return append(b, inOneOr(width, joined(facts), asked(n))...)
}

// inOneOr is two lines in one row where they fit into it, or else in one each.
func inOneOr(width int, first, second paint.Line) (b block) {
	if len(first) > 0 && len(second) > 0 {
		if whole := first.With(paint.L(paint.Dim, " · ")).With(second); whole.Width() <= width {
			return block{{left: whole}}
		}
	}
	for _, l := range []paint.Line{first, second} {
		if len(l) > 0 {
			b = append(b, row{left: l})
		}
	}
	return b
}

// asked is how many permissions were asked for, and what was done without.
func asked(n tally) paint.Line {
	if n.deeds == 0 && n.questions == 0 {
		return nil
	}
	l := paint.L(paint.Plain, count(n.questions)+" asked")
	if n.more {
		l = paint.L(paint.Plain, count(n.questions)+"+ asked")
	}
	if n.covered > 0 {
		l = l.With(paint.L(paint.Dim, " · ")).With(paint.L(paint.Plain, count(n.covered)+" covered"))
	}
	if n.unasked > 0 {
		l = l.With(paint.L(paint.Dim, " · ")).With(paint.L(paint.Danger, "! "+count(n.unasked)+" ran unasked"))
	}
	if n.despite > 0 {
		l = l.With(paint.L(paint.Dim, " · ")).With(paint.L(paint.Danger, "! "+count(n.despite)+" though refused"))
	}
	return l
}

// bar is a part of a whole as cells that are full.
func bar(part, whole int64, width int) paint.Line {
	width = min(max(width, 0), 40)
	full := 0
	if whole > 0 {
		full = int(float64(min(max(part, 0), whole)) / float64(whole) * float64(width))
	}
	if part > 0 && full == 0 && width > 0 {
		full = 1
	}
	role := paint.Good
	switch {
	case part >= whole/10*9:
		role = paint.Bad
	case part >= whole/4*3:
		role = paint.Warn
	}
	return paint.L(role, strings.Repeat("█", full)).With(paint.L(paint.Dim, strings.Repeat("░", width-full)))
}

// offers are what the person can choose from.
func offers(width int, s *model.Session) (b block) {
	names := make([]string, len(s.Talk.Commands))
	for i, c := range s.Talk.Commands {
		names[i] = "/" + strings.TrimPrefix(c.Name, "/")
	}
	if len(names) > 0 {
		b = append(b, row{left: paint.L(paint.Heading, "COMMANDS ").With(few(names, width-10))})
	}
	names = nil
	for _, m := range s.Talk.Modes {
		names = append(names, or(m.Name, m.ID))
	}
	if len(names) > 0 {
		b = append(b, row{left: paint.L(paint.Heading, "MODES ").With(few(names, width-7))})
	}
	return b
}

// few are as many names as fit, and how many do not.
func few(names []string, width int) paint.Line {
	var l paint.Line
	used := 0
	for i, n := range names {
		n = head(n, 64)
		w := paint.Width(n) + 1
		rest := ""
		if i+1 < len(names) {
			rest = " +" + count(len(names)-i-1)
		}
		if used+w+len(rest) > width {
			if i == 0 {
				return paint.Clean(paint.Plain, n).Cut(width - len(rest)).With(paint.L(paint.Dim, rest))
			}
			return l.With(paint.L(paint.Dim, " +"+count(len(names)-i)))
		}
		l = l.With(paint.L(paint.Plain, " ")).With(paint.Clean(paint.Plain, n))
		used += w
	}
	return l
}

// peers are who talks, and through which proxy.
func peers(s *model.Session, c pane.Context) (b block) {
	p := s.Proxy
	if p == nil {
		return nil
	}
	fact := func(name, text string) {
		if text != "" {
			b = append(b, row{left: paint.L(paint.Heading, name).With(paint.Clean(paint.Plain, head(text, 256)))})
		}
	}
	fact("EDITOR  ", program(p.Client.Name, p.Client.Title, p.Client.Version))
	fact("AGENT   ", program(p.Agent.Name, p.Agent.Title, p.Agent.Version))
	fact("PROXY   ", proxyLine(p, c))
	fact("CAPS    ", strings.Join(capabilities(p).short(), " · "))
	return b
}

func proxyLine(p *model.Proxy, c pane.Context) string {
	if p.State.PID == 0 {
		return ""
	}
	words := "pid " + count(p.State.PID)
	switch {
	case p.Link == model.Gone:
		return words + "  ended"
	case p.Link == model.Recorded || p.State.Started.IsZero():
		return words
	}
	return words + "  up " + lapse.Age(c.Now.Sub(p.State.Started))
}

// words says that the agent wrote to stderr, and what the proxy warns of.
func words(s *model.Session) (b block) {
	if s.Proxy == nil {
		return nil
	}
	if n := len(s.Proxy.Warnings); n > 0 {
		b = append(b, row{left: paint.L(paint.Warn, "! "+plural(n, "warning"))})
	}
	if n := len(s.Proxy.Stderr); n > 0 {
		b = append(b, row{left: paint.L(paint.Heading, "STDERR  ").With(paint.L(paint.Plain, kept(n))), right: paint.L(paint.Key, "E").With(paint.L(paint.Dim, " opens"))})
	}
	return b
}
