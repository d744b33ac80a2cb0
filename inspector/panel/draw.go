package panel

import (
	"fmt"
	"strings"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
)

// Draw paints the whole screen.
func (p *Panel) Draw(g *paint.Grid, now time.Time) {
	p.now = now
	p.settle()
	p.fulfil(p.card.Tick(now, p.context(atCard, now)))
	all := g.All()
	p.columns = all.W
	if all.W <= 0 || all.H <= 0 {
		p.plan_ = &plan{}
		return
	}
	l := p.plan(all)
	p.plan_ = l
	p.timeline.Pin = l.side.H == 0
	for s := range spots {
		if l.there(s) {
			p.pane(s).Draw(l.panes[s], p.context(s, now))
			p.drawHead(l, s)
		}
	}
	if p.summary != nil {
		p.summary.Draw(l.side)
	}
	for _, frame := range append(l.frames, l.joints...) {
		frame()
	}
	p.drawTitle(l, now)
	p.drawStrip(l.strip, now)
	p.drawBar(l, now)
}

// Shown says that what was drawn is on the screen. The card is told even when it
// was not among that: what it remembers of an earlier screen counts no longer.
func (p *Panel) Shown(now time.Time) { p.card.Shown(now) }

// settle follows what has changed since: the session that is selected, the
// permission that is first.
func (p *Panel) settle() {
	if s := p.sessions.Selected(p.model, p.now); s != p.shown {
		p.show(s)
	}
	if p.focus != atCard || p.card.Permission() == nil {
		p.card.Show(p.beside(), p.now)
	}
	p.unzoom()
	if p.focus == atSessions {
		p.trail = nil
	}
	switch nobody := len(p.model.Proxies) == 0; {
	case p.focus == atHelp, p.focus == atCard:
	case nobody:
		p.focus, p.alone = atMain, true
	case p.alone:
		p.focus, p.alone = atSessions, false
	}
}

// beside is the permission that a card shows beside the session that is shown: that
// session's, if it has one.
func (p *Panel) beside() *model.Permission {
	for _, w := range p.model.Waiting() {
		if w.Session == p.shown && p.focus != atCard {
			return w
		}
	}
	return p.first()
}

// first is the permission that a card shows that nobody has called for.
func (p *Panel) first() *model.Permission {
	if waiting := p.model.Waiting(); len(waiting) > 0 {
		return waiting[0]
	}
	return nil
}

// drawTitle paints the row above everything, or in the tiny layout what size is
// needed.
func (p *Panel) drawTitle(l *plan, now time.Time) {
	if l.class == tiny && l.title.H > 0 {
		l.title.Line(0, 0, paint.L(paint.Strong, "bobproxy"))
		for i, line := range paint.L(paint.Dim, fmt.Sprintf("This needs %d columns and %d rows. A permission can be answered here: p", leastWidth, leastHeight)).Wrap(l.title.W) {
			l.title.Line(0, i+1, line)
		}
		return
	}
	if l.title.H > 0 {
		l.title.Fill(paint.Style{Role: paint.Bar})
		left := paint.Line{bar(" bobproxy", true), bar("   "+p.counts(), false)}
		l.title.Both(0, left, p.titleRight(now))
	}
}

func bar(text string, bold bool) paint.Span {
	return paint.Span{Text: text, Style: paint.Style{Role: paint.Bar, Bold: bold}}
}

// counts says how much there is.
func (p *Panel) counts() string {
	live, recorded := 0, 0
	for _, proxy := range p.model.Proxies {
		switch proxy.Link {
		case model.Gone:
		case model.Recorded:
			recorded++
		default:
			live++
		}
	}
	sessions := " · " + howMany(p.sessions.Count(), "session", "sessions")
	switch {
	case live == 0 && recorded == 0:
		return "no proxies"
	case live == 0:
		return howMany(recorded, "recording", "recordings") + sessions
	}
	return howMany(live, "proxy", "proxies") + sessions
}

// countsIn is as much of the counts as there is room for.
func (p *Panel) countsIn(width int) string {
	if text := p.counts(); paint.Width(text) <= width {
		return text
	}
	return howMany(p.sessions.Count(), "session", "sessions")
}

func howMany(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func (p *Panel) titleRight(now time.Time) paint.Line {
	var line paint.Line
	if rate := p.rate(now); rate >= 1 {
		line = append(line, bar(howMany(int(rate+0.5), "frame", "frames")+"/s ", false))
	}
	if p.options.Card.Watch {
		line = append(line, bar(" watching only ", false))
	}
	if n := len(p.model.Waiting()); n > 0 {
		line = append(line, bar("  ", false), paint.S(paint.Alert, fmt.Sprintf(" %d WAITING ", n)))
	}
	return append(line, bar(" ", false))
}

func (p *Panel) rate(now time.Time) (sum float64) {
	for _, proxy := range p.model.Proxies {
		in, out := proxy.Rate(now)
		sum += in + out
	}
	return sum
}

// drawHead paints the row above a pane, and its status.
func (p *Panel) drawHead(l *plan, s spot) {
	a := l.heads[s]
	if a.H == 0 {
		return
	}
	h := p.head(s)
	alone := l.title.H == 0
	if alone {
		a.Rows(0, 1).Fill(paint.Style{Role: paint.Bar})
	}
	if s == atSessions && !alone { // the title has more to say
		h.Right = paint.L(paint.Dim, p.sessions.Position())
	}
	if s == atMain && p.shown != nil && p.tab != keys.Gone {
		h.Right = linkWord(p.shown.Proxy.Link, h.Right)
	}
	right := asBar(h.Right, alone)
	a.Both(0, p.headLeft(s, alone, a.W-right.Width()-1), right)
	if a.H > 1 {
		a.Rows(1, 1).In(1, 1).Both(0, h.Status, h.StatusRight)
	}
}

// linkWord is what stands where nothing can be followed.
func linkWord(l model.Link, following paint.Line) paint.Line {
	switch l {
	case model.Gone:
		return paint.L(paint.Warn, "GONE")
	case model.Lost:
		return paint.L(paint.Warn, "RECONNECTING")
	case model.Recorded:
		return paint.L(paint.Dim, "RECORDING")
	}
	return following
}

// asBar puts the plain parts of a line into the style of the title row, which
// keeps its right end free.
func asBar(l paint.Line, alone bool) paint.Line {
	out := make(paint.Line, 0, len(l)+1)
	for _, s := range l {
		if alone && s.Style.Role != paint.Alert && s.Style.Role != paint.Warn {
			s.Style.Role = paint.Bar
		}
		out = append(out, s)
	}
	if alone {
		return append(out, bar(" ", false))
	}
	return append(out, paint.S(paint.Plain, " "))
}

// headLeft is where we are.
func (p *Panel) headLeft(s spot, alone bool, width int) paint.Line {
	role := paint.Dim
	if s == p.focus {
		role = paint.Heading
	}
	if alone {
		role = paint.Bar
	}
	text := func(t string) paint.Line {
		return paint.Line{{Text: t, Style: paint.Style{Role: role, Bold: s == p.focus}}}
	}
	switch s {
	case atSessions:
		if alone {
			return text(" bobproxy   " + p.countsIn(width-12))
		}
		return text(" SESSIONS")
	case atCard:
		return text(" " + p.card.Heading(p.context(s, p.now)))
	case atDetail:
		return text(" " + p.detail.Heading())
	case atHelp:
		return text(" " + p.help.title)
	}
	if len(p.model.Proxies) == 0 {
		return text(" bobproxy   no proxies")
	}
	if alone {
		tabs := p.tabs(true, width >= 70)
		return paint.Line{bar(" "+p.where(width-tabs.Width()-3)+"  ", true)}.With(tabs)
	}
	return p.tabs(false, true)
}

// where is the session in a few words, in at most width cells.
func (p *Panel) where(width int) string {
	if p.shown == nil {
		return "no session"
	}
	folder := p.shown.Cwd
	if folder == "" {
		folder = p.shown.Proxy.State.Cwd
	}
	folder = folder[strings.LastIndexByte(folder, '/')+1:]
	if name := p.shown.Name(); name != folder {
		return paint.Cut(folder+" · "+name, width)
	}
	return paint.Cut(folder, width)
}

// tabs are the names of the main panes, the one that is shown in brackets; where
// there is little room it is the only one.
func (p *Panel) tabs(alone, all bool) (line paint.Line) {
	for i, tab := range p.allTabs() {
		if !all && tab != p.tab {
			continue
		}
		name := tabNames[tab]
		style := paint.Style{Role: paint.Dim}
		if alone {
			style.Role = paint.Bar
		}
		if tab == p.tab {
			name = "[" + name + "]"
			if !alone {
				style.Role = paint.Heading
			}
			style.Bold = p.focus == atMain
		} else {
			name = " " + name + " "
		}
		if i == 0 && !alone {
			line = append(line, paint.S(paint.Plain, " "))
		}
		line = append(line, paint.Span{Text: name, Style: style})
	}
	return line
}

var tabNames = map[keys.Place]string{keys.Timeline: "Timeline", keys.Wire: "Wire", keys.Info: "Info", keys.Gone: "Gone"}

func (p *Panel) allTabs() []keys.Place {
	tabs := []keys.Place{keys.Timeline, keys.Wire, keys.Info}
	if p.shown != nil && p.shown.Proxy.Link == model.Gone {
		tabs = append([]keys.Place{keys.Gone}, tabs...)
	}
	return tabs
}
