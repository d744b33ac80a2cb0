package talk

import (
	"strings"
	"time"

	"bobproxy/acp/session"
	"bobproxy/inspector/gist"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// From this width on times have seconds, and texts stand beside their label.
const wideEnough = 60

// leastText is how many cells a text beside its label must have at least.
const leastText = 38

// columns is where things stand in a timeline.
type columns struct {
	width  int
	clock  string // layout of a time
	label  int    // who speaks, or the status of a tool
	text   int    // what is said
	sub    int    // what stands under a tool
	inline bool   // the text begins beside its label
	agent  string // the agent's label
}

func columnsFor(width int, s *model.Session) columns {
	c := columns{width: width, clock: "15:04", label: 8, text: 3, sub: 10, agent: agentLabel(s)}
	if width < wideEnough {
		return c
	}
	c.clock, c.label, c.sub = "15:04:05", 11, 13
	if text := c.label + max(paint.Width(c.agent), 3) + 2; width-text-1 >= leastText {
		c.text, c.inline = max(text, 17), true
	}
	return c
}

// maxLabel is how many cells the agent's name has at most.
const maxLabel = 12

// agentLabel is the agent's name as a label: its title, or its name without the
// folder and the words that only say what it is.
func agentLabel(s *model.Session) string {
	name := ""
	if s.Proxy != nil {
		name = agentName(s.Proxy)
	}
	if name == "" {
		return "AGENT"
	}
	name = strings.ToUpper(name)
	if paint.Width(name) > maxLabel {
		if first, _, ok := strings.Cut(name, " "); ok && paint.Width(first) <= maxLabel {
			return first
		}
	}
	return paint.Cut(name, maxLabel)
}

// agentName is what the agent calls itself, fit for a sentence; empty: not
// known.
func agentName(p *model.Proxy) string {
	name := p.Agent.Title
	if name == "" {
		name = p.Agent.Name[strings.LastIndexByte(p.Agent.Name, '/')+1:]
		for _, suffix := range []string{"-acp", "-agent"} {
			name = strings.TrimSuffix(name, suffix)
		}
	}
	return head(strings.TrimSpace(name), 256)
}

// line is one line of an item: left from a column on, right at the edge.
type line struct {
	at    int
	left  paint.Line
	right paint.Line
}

// scene is what an item needs to know to be told.
type scene struct {
	*Timeline
	columns
	c     pane.Context
	view  *view
	over  bool // nothing goes on any more, and the clock stands
	opens int  // the item that Enter opens; -1: none
}

func (t *Timeline) scene(width int, c pane.Context) *scene {
	s := &scene{Timeline: t, columns: columnsFor(width, t.session), c: c, view: t.view()}
	s.c.Now, s.over = t.session.Until(c.Now)
	s.opens = t.enters()
	return s
}

// place is where the session works.
func (s *scene) place() gist.Place { return gist.Of(s.session, s.c.Home) }

// lines are the lines of item i; there is at least one.
func (s *scene) lines(i int) []line {
	it := &s.items[i]
	switch {
	case it.kind == forgotten:
		return s.forgotten(it)
	case it.kind == replayStart || it.kind == replayEnd:
		return s.bracket(it)
	case it.kind == stderr:
		return s.stderr(i)
	case it.kind == warning:
		return s.labelled(it, paint.L(paint.Warn, "!"), it.words[0].At, "warning", it.words[0].Text, paint.Warn)
	case it.kind == gap:
		return s.gap(it)
	case it.kind == asking:
		return s.alone(it)
	case it.kind == signing:
		return s.signing(it)
	case it.entry.Kind == session.ToolEntry && it.entry.Tool != nil:
		return s.tool(i)
	}
	return s.said(i)
}

// first is the first line of an item: its time, its label, what stands behind
// that, and what stands at the edge.
func (s *scene) first(at time.Time, label, right paint.Line) line {
	clock := "     "
	if !at.IsZero() {
		clock = at.In(s.c.Now.Location()).Format(s.clock)
	}
	gap := strings.Repeat(" ", s.label-1-len(clock))
	return line{1, paint.L(paint.Dim, clock+gap).With(label), right}
}
