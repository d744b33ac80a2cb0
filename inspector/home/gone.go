package home

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"bobproxy/inspector/gist"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/journal"
)

// Gone is what is left of a proxy that has ended.
type Gone struct {
	session *model.Session
	scroll  scroll
}

// NewGone shows nothing yet.
func NewGone() *Gone { return &Gone{} }

// Show shows the proxy of a session.
func (g *Gone) Show(s *model.Session) { g.session, g.scroll = s, scroll{} }

// Place implements [pane.Pane].
func (g *Gone) Place() keys.Place { return keys.Gone }

// Head implements [pane.Headed].
func (g *Gone) Head(pane.Context) pane.Head { return pane.Head{Right: paint.L(paint.Bad, "GONE")} }

// Draw implements [pane.Pane].
func (g *Gone) Draw(a paint.Area, c pane.Context) {
	if g.session == nil {
		return
	}
	g.scroll.draw(a, 1, g.lines(a.W-2, c))
}

const (
	lastWords = 6 // lines of stderr
	mostDead  = 5 // permissions that are named
)

func (g *Gone) lines(width int, c pane.Context) []paint.Line {
	p := g.session.Proxy
	b := &page{width: width}
	b.line(paint.Line{paint.S(paint.Bad, "× "), paint.S(paint.Strong, "This proxy has ended.")})
	b.under(paint.Plain, epitaph(p, c.Now))
	if p.LinkText != "" && p.Exit == nil {
		b.under(paint.Dim, p.LinkText)
	}
	b.gap()
	g.stderr(b, p)
	g.dead(b, p, c.Home)
	b.words(paint.Plain, "What was seen stays readable until you quit:")
	b.choices([]keys.Hint{{Key: "t", Text: "timeline"}, {Key: "w", Text: "wire, " + rowCount(len(p.Rows))}, {Key: "s", Text: "save as .jsonl"}, {Key: "d", Text: "drop from the list"}})
	b.gap()
	if p.State.Recording != "" {
		b.words(paint.Plain, "The recording is on disk as well:")
		for _, line := range pathLines(paint.Dim, short(p.State.Recording, c.Home), max(width-2, 10)) {
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
		for _, line := range paint.Clean(paint.Plain, head(strings.TrimRight(w.Text, "\r\n"))).Wrap(max(b.width-4, 10)) {
			b.add(paint.L(paint.Plain, "    ").With(line))
		}
	}
	b.gap()
}

// dead are the permissions that nobody can answer any more.
func (g *Gone) dead(b *page, p *model.Proxy, home string) {
	var titles []paint.Line
	for _, w := range p.Closed {
		if w.Ended {
			titles = append(titles, subject(w, b.width-2, home))
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
	for _, t := range titles[:min(len(titles), mostDead)] {
		b.add(paint.L(paint.Plain, "  ").With(t).Cut(b.width))
	}
	if more := len(titles) - mostDead; more > 0 {
		b.add(paint.L(paint.Dim, fmt.Sprintf("  and %d more", more)))
	}
	b.gap()
}

// subject is what a permission was asked for, in at most width cells.
func subject(w *model.Permission, width int, home string) paint.Line {
	about, kind := w.Subject(), head(w.Kind)
	switch {
	case about == (model.Subject{}):
		return paint.Clean(paint.Dim, orElse(kind, "a permission without a title"))
	case kind == "", about.Command == "" && about.File == "" && strings.HasPrefix(strings.ToLower(about.Title), strings.ToLower(kind)):
		kind = ""
	default:
		kind += "  "
	}
	l := paint.Clean(paint.Dim, kind)
	return l.With(gist.Of(w.Session, home).Line(about, max(width-l.Width(), 8)))
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// epitaph is which proxy it was, when it ended and how.
func epitaph(p *model.Proxy, now time.Time) string {
	at := p.ExitAt
	if at.IsZero() {
		at = p.GoneAt
	}
	at = at.In(now.Location())
	layout := time.TimeOnly
	if now.Sub(at) > 20*time.Hour {
		layout = time.DateTime
	}
	return fmt.Sprintf("pid %d · %s · %s", p.State.PID, at.Format(layout), how(p))
}

func rowCount(n int) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

func how(p *model.Proxy) string {
	agent := agentName(p)
	if agent == "" {
		agent = "the agent"
	}
	switch {
	case p.Exit == nil:
		return "how " + agent + " ended is not known"
	case p.Exit.Signal != "":
		return agent + " was ended " + model.HowEnded(p.Exit)
	}
	return agent + " left with " + model.HowEnded(p.Exit)
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
	default:
		g.scroll.do(action)
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
