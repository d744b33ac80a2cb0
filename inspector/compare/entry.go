package compare

import (
	"fmt"
	"slices"
	"strings"

	"bobproxy/acp/session"
	"bobproxy/proxy/journal"
)

// tool takes what is known of a tool call by now.
func (c *conversation) tool(p *part, e *journal.Event, entry *session.Entry) {
	t := c.live(p, entry, func() *item { return &item{kind: "tool call", frame: e.Seq} })
	tool := entry.Tool
	t.of, t.name = clip(tool.Kind, maxValue), mapped(p.roots, clip(tool.Title, maxValue))
	paths := slices.Clone(tool.Paths)
	slices.Sort(paths)
	c.set(p, t, "title", tool.Title)
	c.set(p, t, "kind", tool.Kind)
	c.set(p, t, "status", tool.Status)
	c.set(p, t, "paths", mapped(p.roots, strings.Join(slices.Compact(paths), ", ")))
	c.set(p, t, "exit", tool.Exit)
	if tool.Diffs > 0 {
		c.set(p, t, "lines", fmt.Sprintf("+%d -%d", tool.Added, tool.Removed))
	}
	if c.opts.Texts {
		c.words(p, t, tool.Output)
	}
}

// message takes a message or a thought; what follows another one belongs to it.
func (c *conversation) message(p *part, e *journal.Event, entry *session.Entry) {
	kind := "message"
	if entry.Kind == session.Thought {
		kind = "thought"
	}
	known := p.live[entry]
	if last := p.messages; known == nil && last != nil && last.kind == kind {
		known = last
		p.live[entry] = last
		if c.opts.Texts {
			last.facts, last.said = nil, last.get("text")
		}
	}
	if known == nil {
		known = c.live(p, entry, func() *item { return &item{kind: kind, frame: e.Seq} })
		p.messages = known
	}
	if c.opts.Texts {
		c.words(p, known, known.said+entry.Text)
	}
}

// turnEnd ends a turn.
func (c *conversation) turnEnd(p *part, e *journal.Event, entry *session.Entry) {
	p.settle()
	t := c.add(p, &item{kind: "end of turn", frame: e.Seq})
	c.set(p, t, "stop reason", entry.Name)
	if c.opts.Texts {
		c.words(p, t, entry.Text)
	}
}

// setting takes a change of what the session is like, and what else is told of it.
// Titles that an agent gives to a session are texts.
func (c *conversation) setting(p *part, e *journal.Event, entry *session.Entry) {
	if entry.Kind == session.Setting && entry.Name == "title" && !c.opts.Texts {
		return
	}
	kinds := map[session.EntryKind]string{session.Setting: "setting", session.Compaction: "compaction", session.Subagent: "subagent", session.Notice: "notice"}
	t := c.live(p, entry, func() *item { return &item{kind: kinds[entry.Kind], frame: e.Seq} })
	switch {
	case entry.Kind == session.Setting:
		t.of = clip(entry.Name, maxValue)
		c.set(p, t, "to", entry.Text)
		return
	case entry.Kind == session.Compaction, entry.Kind == session.Notice:
		c.set(p, t, "status", entry.Name)
	}
	if c.opts.Texts {
		c.words(p, t, entry.Text)
	}
}
