package card

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/broker"
)

// labelWidth is how many cells the name of a fact takes, its margin included.
const labelWidth = 13

// fact is one thing that is to be known besides the input, over as many rows as
// it takes.
func fact(label string, text paint.Line, width int) []paint.Line {
	front := paint.L(paint.Dim, fmt.Sprintf("   %-*s", labelWidth-3, label))
	var out []paint.Line
	for _, l := range text.Wrap(width - labelWidth) {
		out = append(out, front.With(l))
		front = paint.L(paint.Plain, strings.Repeat(" ", labelWidth))
	}
	return out
}

// title is what the agent calls it. When that is not among what is shown, it is
// told as the agent's words.
func (c *Card) title(width int) []paint.Line {
	if c.p.Title == "" {
		return []paint.Line{paint.L(paint.Dim, " no title")}
	}
	var front paint.Line
	if !c.content.said {
		front = append(front, paint.S(paint.Dim, agentName(c.p)+" says: "))
	}
	text := strings.ReplaceAll(c.p.Title, "\n", "↵")
	return quoted(front.With((&ink{}).line(paint.Strong, text)), width)
}

// quoted is a line whose further rows have an edge: none of them can pass for one
// of ours.
func quoted(l paint.Line, width int) (out []paint.Line) {
	edge := paint.L(paint.Plain, " ")
	for _, r := range l.Wrap(width - 4) {
		out = append(out, edge.With(r))
		edge = paint.L(paint.Border, " │ ")
	}
	return out
}

func agentName(p *model.Permission) string {
	if p.Proxy != nil {
		if name := orWords(p.Proxy.Agent.Title, p.Proxy.Agent.Name); name != "" {
			return paint.Cut(name, 24)
		}
	}
	return "the agent"
}

func clientName(p *model.Permission) string {
	if p.Proxy != nil {
		if name := orWords(p.Proxy.Client.Title, p.Proxy.Client.Name); name != "" {
			return paint.Cut(name, 24)
		}
	}
	return "the editor"
}

// kind is the kind of the tool and the id of the call.
func (c *Card) kind(width int) []paint.Line {
	text := paint.Clean(paint.Strong, c.p.Kind)
	if c.p.Kind == "" {
		text = paint.L(paint.Dim, "not told")
	}
	if c.p.Call != "" {
		text = append(text, paint.S(paint.Plain, "  "))
		text = text.With(paint.Clean(paint.Dim, paint.Cut(c.p.Call, 40)))
	}
	return fact("kind", text, width)
}

// from says who asks, where.
func (c *Card) from(width int, ctx pane.Context) (out []paint.Line) {
	if p := c.p.Proxy; p != nil {
		text := (&ink{}).line(paint.Plain, paint.Cut(strings.Join(p.State.Command, " "), 120))
		text = append(text, paint.S(paint.Dim, fmt.Sprintf("  proxy pid %d", p.State.PID)))
		out = append(out, fact("agent", text, width)...)
	}
	if s := c.p.Session; s != nil {
		name := "none"
		if s.Talk != nil && s.Talk.Session != "" {
			name = s.Talk.Session
		}
		text := paint.Clean(paint.Plain, paint.Cut(name, 80))
		if s.Talk != nil && s.Talk.Title != "" {
			text = append(text, paint.S(paint.Dim, "  "))
			text = text.With(paint.Clean(paint.Dim, paint.Cut(s.Talk.Title, 80)))
		}
		if s.Parent != "" {
			text = append(text, paint.S(paint.Dim, "  a subagent's"))
		}
		out = append(out, fact("session", text, width)...)
	}
	return out
}

// where is the folder that a command would run in.
func (c *Card) where(width int, ctx pane.Context) []paint.Line {
	folder := c.content.cwd
	if c.told != nil && c.told.Cwd != "" {
		folder = c.told.Cwd
	}
	if folder == "" {
		return nil
	}
	if c.strays(folder) {
		text := (&ink{}).code(paint.Danger, short(folder, ctx.Home)).With(paint.L(paint.Danger, ", outside of the workspace"))
		out := fact("", text, width)
		out[0] = paint.L(paint.Danger, " ! in folder ").With(out[0][1:])
		return out
	}
	return fact("in folder", (&ink{}).code(paint.Plain, short(folder, ctx.Home)), width)
}

// strays says that a folder is outside of the workspace: by the proxy's verdict
// where that names it, else by its text.
func (c *Card) strays(folder string) bool {
	if c.told != nil {
		for _, p := range c.told.Verdict.Paths {
			if p.Path == folder {
				return !p.Inside
			}
		}
	}
	s := c.p.Session
	if s == nil || !path.IsAbs(s.Cwd) {
		return false // nobody knows where the workspace is
	}
	if !path.IsAbs(folder) && !strings.HasPrefix(folder, "~") {
		folder = path.Join(s.Cwd, folder)
	}
	return !slices.ContainsFunc(append([]string{s.Cwd}, s.Roots...), func(root string) bool { return within(path.Clean(folder), path.Clean(root)) })
}

// within says that a folder is another one, or in it; both are clean.
func within(folder, root string) bool {
	return folder == root || strings.HasPrefix(folder, strings.TrimSuffix(root, "/")+"/")
}

// short is a path with the person's home folder as ~.
func short(path, home string) string {
	if rest, ok := strings.CutPrefix(path, home); ok && home != "" && (rest == "" || rest[0] == '/') {
		return "~" + rest
	}
	return path
}

// verdict is what the bounds make of it, and the paths that this is about, as
// far as they are not told elsewhere.
func (c *Card) verdict(width int, ctx pane.Context) (out []paint.Line) {
	if c.told == nil {
		return nil
	}
	for _, l := range c.judgement(ctx) {
		out = append(out, indented(l, 3, width)...)
	}
	out = append(out, c.diskLines(width)...)
	if c.told.SessionUnknown {
		out = append(out, indented(paint.L(paint.Warn, "! neither editor nor agent has told of this session"), 3, width)...)
	}
	for _, p := range c.paths() {
		l := pathLine(p)
		if !p.Inside {
			l = paint.L(paint.Danger, "! outside  ").With(l)
		}
		out = append(out, indented(l, 5, width)...)
	}
	return out
}

// indented is a line that goes on two cells further in than it begins.
func indented(l paint.Line, n, width int) (out []paint.Line) {
	for i, r := range l.Wrap(width - n - 3) {
		if i == 1 {
			n += 2
		}
		out = append(out, paint.L(paint.Plain, strings.Repeat(" ", n)).With(r))
	}
	return out
}

// judgement is the verdict in a line or two.
func (c *Card) judgement(ctx pane.Context) []paint.Line {
	v := c.told.Verdict
	out := outside(v.Paths)
	switch {
	case v.Level == broker.LevelOutside || out > 0:
		return c.outsideLines(v, out, ctx)
	case v.Level == broker.LevelInside && c.runs():
		return []paint.Line{paint.L(paint.Plain, "· the paths it names are inside, but a shell command cannot be judged from its text")}
	case v.Level == broker.LevelInside:
		text := paint.L(paint.Good, "✓ inside the workspace")
		if len(v.Paths) > 1 {
			text = paint.L(paint.Good, fmt.Sprintf("✓ all %d paths are inside the workspace", len(v.Paths)))
		}
		return []paint.Line{c.root(text, ctx)}
	case v.Level == broker.LevelLater:
		return []paint.Line{paint.Clean(paint.Warn, "! "+orWords(v.Text, "inside the workspace, but takes effect outside later"))}
	case v.Level == broker.LevelUnjudged && c.runs():
		return []paint.Line{paint.L(paint.Plain, "· a shell command: what it touches cannot be judged from its text")}
	case v.Level == broker.LevelUnjudged && len(v.Paths) == 0:
		return []paint.Line{paint.L(paint.Plain, "· no path given: where it leads cannot be judged")}
	case v.Level == broker.LevelUnjudged:
		return []paint.Line{paint.Clean(paint.Plain, "· cannot be judged: "+v.Text)}
	case v.Level == broker.LevelOff:
		return []paint.Line{paint.L(paint.Warn, "! not checked: bounds are off")}
	}
	return []paint.Line{paint.Clean(paint.Warn, "! "+string(v.Level)+": "+v.Text)}
}

// runs says that it runs something.
func (c *Card) runs() bool { return c.p.Kind == "execute" || c.content.command }

func outside(paths []broker.Path) (n int) {
	for _, p := range paths {
		if !p.Inside {
			n++
		}
	}
	return n
}

func (c *Card) outsideLines(v broker.Verdict, out int, ctx pane.Context) []paint.Line {
	text := "! OUTSIDE the workspace"
	switch {
	case out == 0:
		text = "! OUTSIDE: " + v.Text
	case len(v.Paths) > 1:
		verb := "are"
		if out == 1 {
			verb = "is"
		}
		text = fmt.Sprintf("! %d of %d paths %s OUTSIDE the workspace", out, len(v.Paths), verb)
	}
	line := paint.Clean(paint.Danger, text)
	if out == 1 && len(v.Paths) == 1 {
		line = append(line, paint.S(paint.Danger, ": "))
		line = line.With(pathLine(v.Paths[0]))
	}
	if c.p.Session != nil && c.p.Session.Cwd != "" {
		line = append(line, paint.S(paint.Dim, "   workspace is "))
		line = line.With((&ink{}).code(paint.Dim, short(c.p.Session.Cwd, ctx.Home)))
	}
	lines := []paint.Line{line}
	if c.runs() {
		lines = append(lines, paint.L(paint.Plain, "· a shell command: what else it touches cannot be judged from its text"))
	}
	return lines
}

// root adds where the workspace is.
func (c *Card) root(text paint.Line, ctx pane.Context) paint.Line {
	if c.p.Session == nil || c.p.Session.Cwd == "" {
		return text
	}
	text = append(text, paint.S(paint.Dim, "  "))
	return text.With((&ink{}).code(paint.Dim, short(c.p.Session.Cwd, ctx.Home)))
}

// paths are those to be told: outside ones first, and inside ones that nothing
// else names or that lead somewhere.
func (c *Card) paths() []broker.Path {
	var named []string
	for _, p := range c.content.parts {
		if p.file > 0 {
			named = append(named, p.name)
		}
	}
	paths := slices.Clone(c.told.Verdict.Paths)
	if len(paths) == 1 && !paths[0].Inside {
		return nil
	}
	paths = slices.DeleteFunc(paths, func(p broker.Path) bool {
		return p.Inside && p.Target == "" && slices.Contains(named, p.Path)
	})
	slices.SortStableFunc(paths, func(a, b broker.Path) int { return order(a) - order(b) })
	return paths
}

func order(p broker.Path) int {
	switch {
	case !p.Inside:
		return 0
	case p.Target != "":
		return 1
	}
	return 2
}

// pathLine is a path, where it leads, and what is wrong with it.
func pathLine(p broker.Path) (l paint.Line) {
	k := &ink{}
	role := paint.Plain
	if !p.Inside {
		role = paint.Danger
	}
	l = l.With(k.code(role, p.Path))
	if p.Target != "" {
		l = append(l, paint.S(paint.Warn, " leads to "))
		l = l.With(k.code(role, p.Target))
	}
	if p.Reason != "" && p.Reason != "outside" {
		l = append(l, paint.S(paint.Dim, "  "))
		l = l.With(paint.Clean(paint.Dim, p.Reason))
	}
	return l
}

// folderOf is the last part of a folder.
func folderOf(folder string) string {
	if folder == "" {
		return ""
	}
	return path.Base(folder)
}
