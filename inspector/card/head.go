package card

import (
	"fmt"
	"strings"

	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// Heading is what stands in its title.
func (c *Card) Heading(ctx pane.Context) string {
	c.sync(ctx.Now)
	at, of := c.place(ctx.Model)
	switch s := c.stage(ctx.Now); {
	case s == none && of == 0:
		return "PERMISSIONS"
	case s == none:
		return fmt.Sprintf("PERMISSIONS  %d waiting", of)
	case s == timedOut:
		return "PERMISSION  timed out"
	case s == withdrawn:
		return "PERMISSION  withdrawn"
	case s.over():
		return "PERMISSION  closed"
	case at > 0 && of > 1:
		return fmt.Sprintf("PERMISSION %d of %d", at, of)
	}
	return "PERMISSION"
}

// Head is what stands above it.
func (c *Card) Head(ctx pane.Context) pane.Head {
	c.sync(ctx.Now)
	h := pane.Head{Always: true}
	s := c.stage(ctx.Now)
	if s == none {
		return h
	}
	h.Status = c.who()
	h.StatusRight = paint.L(paint.Dim, "asked "+c.p.Opened.In(ctx.Now.Location()).Format("15:04:05"))
	if _, of := c.place(ctx.Model); of > 1 && !s.over() {
		h.Right = paint.L(paint.Dim, "oldest first")
	}
	if s.over() && !c.p.Closed.IsZero() {
		h.Right = paint.L(paint.Dim, c.p.Closed.In(ctx.Now.Location()).Format("15:04:05"))
	}
	return h
}

// who is folder, agent, editor and session, the last one cut first.
func (c *Card) who() paint.Line {
	var names []string
	if s := c.p.Session; s != nil {
		names = append(names, folderOf(s.Cwd))
	}
	names = append(names, agentName(c.p), clientName(c.p))
	if s := c.p.Session; s != nil && s.Talk != nil {
		names = append(names, s.Talk.Session)
	}
	var full []string
	for _, n := range names {
		if n != "" {
			full = append(full, n)
		}
	}
	return paint.Clean(paint.Plain, paint.Cut(strings.Join(full, " · "), 200))
}
