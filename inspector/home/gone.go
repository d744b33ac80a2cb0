package home

import (
	"bytes"
	"fmt"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/journal"
)

// Gone is what is left of a proxy that has ended.
type Gone struct {
	session *model.Session
	top     int
	rows    int
	all     int
}

// NewGone shows nothing yet.
func NewGone() *Gone { return &Gone{} }

// Show shows the proxy of a session.
func (g *Gone) Show(s *model.Session) { g.session, g.top = s, 0 }

// Place implements [pane.Pane].
func (g *Gone) Place() keys.Place { return keys.Gone }

// Head implements [pane.Headed].
func (g *Gone) Head(pane.Context) pane.Head { return pane.Head{Right: paint.L(paint.Bad, "GONE")} }

// Draw implements [pane.Pane].
func (g *Gone) Draw(a paint.Area, c pane.Context) {
	if g.session == nil {
		return
	}
	lines := g.lines(a.W-2, c)
	g.rows, g.all = a.H, len(lines)
	g.top = max(min(g.top, g.all-g.rows), 0)
	for y := range min(a.H, len(lines)-g.top) {
		a.In(1, 1).Line(0, y, lines[g.top+y])
	}
}

const lastWords = 6 // lines of stderr

func (g *Gone) lines(width int, c pane.Context) []paint.Line {
	p := g.session.Proxy
	b := &page{width: width}
	b.line(paint.Line{paint.S(paint.Bad, "× "), paint.S(paint.Strong, "This proxy has ended.")})
	b.add(paint.Clean(paint.Plain, fmt.Sprintf("  pid %d · %s · %s", p.State.PID, p.GoneAt.Local().Format(time.TimeOnly), how(p))))
	if p.LinkText != "" && p.Exit == nil {
		b.words(paint.Dim, "  "+p.LinkText)
	}
	b.gap()
	g.stderr(b, p)
	g.dead(b, p)
	b.words(paint.Plain, "What was seen stays readable until you quit:")
	b.add(choices("t", "timeline", "w", fmt.Sprintf("wire, %d rows", len(p.Rows))))
	b.add(choices("s", "save as .jsonl", "d", "drop from the list"))
	b.gap()
	if p.State.Recording != "" {
		b.words(paint.Plain, "The recording is on disk as well:")
		for _, line := range paint.Clean(paint.Dim, short(p.State.Recording, c.Home)).Break(max(width-2, 10)) {
			b.add(paint.L(paint.Plain, "  ").With(line))
		}
	}
	return b.lines
}

func (g *Gone) stderr(b *page, p *model.Proxy) {
	last := p.Stderr[max(0, len(p.Stderr)-lastWords):]
	if len(last) == 0 {
		return
	}
	b.add(paint.L(paint.Heading, "  stderr, last lines"))
	for _, w := range last {
		for _, line := range paint.Clean(paint.Plain, w.Text).Wrap(max(b.width-4, 10)) {
			b.add(paint.L(paint.Plain, "    ").With(line))
		}
	}
	b.gap()
}

// dead are the permissions that nobody can answer any more.
func (g *Gone) dead(b *page, p *model.Proxy) {
	var titles []string
	for _, w := range p.Closed {
		if w.Ended {
			titles = append(titles, w.Kind+"  "+w.Title)
		}
	}
	if len(titles) == 0 {
		return
	}
	text := "1 permission request was open when it ended. It is dead: it can no longer be answered."
	if len(titles) > 1 {
		text = fmt.Sprintf("%d permission requests were open when it ended. They are dead: they can no longer be answered.", len(titles))
	}
	b.lines = append(b.lines, paint.L(paint.Plain, text).Wrap(b.width)...)
	for _, t := range titles {
		b.add(paint.L(paint.Plain, "  ").With(paint.Clean(paint.Dim, t)))
	}
	b.gap()
}

func how(p *model.Proxy) string {
	agent := program(p.Agent)
	if agent == "" {
		agent = "the agent"
	}
	switch {
	case p.Exit == nil:
		return "how " + agent + " ended is not known"
	case p.Exit.Signal != "":
		return agent + " was ended by " + p.Exit.Signal
	}
	return fmt.Sprintf("%s left with exit %d", agent, p.Exit.Status)
}

func choices(key1, text1, key2, text2 string) paint.Line {
	return paint.Line{paint.S(paint.Plain, "  "), paint.S(paint.Key, key1), paint.S(paint.Plain, fmt.Sprintf("  %-20s", text1)),
		paint.S(paint.Key, key2), paint.S(paint.Plain, "  "+text2)}
}

// Do implements [pane.Pane].
func (g *Gone) Do(action keys.Action, _ pane.Context) []pane.Wish {
	if g.session == nil {
		return nil
	}
	switch action {
	case keys.ToTimeline, keys.Open:
		return []pane.Wish{pane.Visit{Session: g.session, Tab: keys.Timeline}}
	case keys.ToWire:
		return []pane.Wish{pane.Visit{Session: g.session, Tab: keys.Wire}}
	case keys.Drop:
		return []pane.Wish{pane.DropProxy{Proxy: g.session.Proxy}}
	case keys.Save:
		return []pane.Wish{pane.Saved{Name: g.session.Proxy.Instance + ".jsonl", Data: lines(g.session.Proxy)}}
	case keys.Down, keys.HalfDown, keys.PageDown:
		g.top = max(min(g.top+1, g.all-g.rows), 0)
	case keys.Up, keys.HalfUp, keys.PageUp:
		g.top = max(g.top-1, 0)
	}
	return nil
}

// lines are the frames that are still whole, one a line.
func lines(p *model.Proxy) []byte {
	var b bytes.Buffer
	for _, r := range p.Rows {
		if r.Type == journal.FrameEvent && !r.Cut && len(r.Body) > 0 {
			b.Write(r.Body)
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

// Hints implements [pane.Pane].
func (g *Gone) Hints(pane.Context) []keys.Action {
	return []keys.Action{keys.ToTimeline, keys.ToWire, keys.Save, keys.Drop, keys.Back}
}
