package talk

import (
	"bytes"
	"encoding/json"
	"strings"

	"bobproxy/acp/session"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
)

// What is shown of the inside of a tool call, in lines.
const (
	insidePaths  = 8
	insideInput  = 24 // lines of it, before they are broken to fit
	insideRows   = 60 // rows of these on the screen
	insideOutput = 12
)

// maxMember is how many bytes are shown of one line of an input.
const maxMember = 4096

// opened says whether an item shows its inside.
func (s *scene) opened(it *item) bool {
	byItself := it.kind == kind(session.Thought) && s.thoughts == whole
	return s.view.open[it.key] != byItself
}

// inside adds what a tool call was given and what it gave.
func (s *scene) inside(i int, lines []line) []line {
	it := &s.items[i]
	tool := it.entry.Tool
	lines = append(lines, s.hinted(i, line{at: s.sub, left: paint.L(paint.Dim, "call ").With(paint.Clean(paint.Dim, head(tool.ID, 128)))}))
	if tool.Title != "" && (!shownFirst(tool) || s.label+aboutAt+paint.Width(head(tool.Title, 256)) > s.width-10) {
		lines = append(lines, s.field("title", tool.Title)...)
	}
	for n, p := range tool.Paths {
		if n == insidePaths {
			lines = append(lines, line{at: s.sub, left: paint.L(paint.Dim, "… "+count(len(tool.Paths)-n)+" more files")})
			break
		}
		lines = append(lines, s.field("file", s.place().AtHome(p))...)
	}
	if about := model.SubjectOf(tool, it.asked); about.Command != model.SubjectOf(tool, nil).Command {
		lines = append(lines, s.field("command", about.Command)...)
	}
	lines = append(lines, s.input(it)...)
	lines = append(lines, s.diffs(it)...)
	for _, id := range tool.Terminals {
		lines = append(lines, s.field("terminal", id)...)
	}
	return append(lines, s.output(it)...)
}

// shownFirst says that the title is what stands in the row of a tool call.
func shownFirst(tool *session.Tool) bool {
	about := model.SubjectOf(tool, nil)
	return about.Command == "" && about.File == ""
}

// field is a name and what it says, whole.
func (s *scene) field(name, text string) []line {
	lead := paint.L(paint.Dim, name+" ")
	var lines []line
	at := s.sub + lead.Width()
	for i, l := range paint.Clean(paint.Plain, head(text, 4096)).Wrap(s.width - at - 1) {
		if i == 0 {
			lines = append(lines, line{at: s.sub, left: lead.With(l)})
			continue
		}
		lines = append(lines, line{at: at, left: l})
	}
	return lines
}

// input is the raw input of a tool call, each member from a row of its own on,
// and whole: what a row cuts can be read here.
func (s *scene) input(it *item) []line {
	raw := it.entry.Tool.Input
	if len(raw) == 0 {
		return nil
	}
	lines := []line{{at: s.sub, left: paint.L(paint.Dim, "input")}}
	for i, m := range members(raw) {
		for n, l := range m.Break(max(s.width-s.sub-5, 8)) {
			if i == insideInput || len(lines) > insideRows {
				return append(lines, line{at: s.sub, left: paint.L(paint.Dim, "… and more; w shows its frames")})
			}
			lines = append(lines, line{at: s.sub + 2 + min(n, 1)*2, left: l})
		}
	}
	return lines
}

// members are the members of an object, a line each, and strings of several
// lines as these; anything else is one line.
func members(raw []byte) []paint.Line {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return []paint.Line{paint.Clean(paint.Plain, head(string(raw), maxMember))}
	}
	var lines []paint.Line
	for d.More() && len(lines) <= insideInput {
		name, err := d.Token()
		if err != nil {
			break
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			break
		}
		lines = append(lines, member(name.(string), value)...)
	}
	return lines
}

func member(name string, value json.RawMessage) []paint.Line {
	lead := paint.Clean(paint.Dim, head(name, 64)+"  ")
	var s string
	if json.Unmarshal(value, &s) != nil {
		return []paint.Line{lead.With(paint.Clean(paint.Plain, head(string(value), maxMember)))}
	}
	rows := strings.Split(strings.TrimRight(s, "\r\n"), "\n")
	if len(rows) == 1 {
		return []paint.Line{lead.With(paint.Clean(paint.Plain, head(rows[0], maxMember)))}
	}
	lines := []paint.Line{lead.With(paint.L(paint.Dim, plural(len(rows), "line")))}
	for _, r := range rows[:min(len(rows), insideInput)] {
		lines = append(lines, paint.L(paint.Plain, "  ").With(paint.Clean(paint.Plain, head(strings.TrimSuffix(r, "\r"), maxMember))))
	}
	return lines
}

// output is the end of what a tool call produced, in a box.
func (s *scene) output(it *item) []line {
	tool := it.entry.Tool
	if tool.Output == "" {
		if tool.Exit != "" {
			return []line{{at: s.sub, left: paint.Clean(paint.Dim, exitWords(tool.Exit)+" · no output")}}
		}
		return nil
	}
	rows := lastLines(tool.Output, insideOutput)
	width := s.width - 1 - s.sub
	if width < 12 {
		return nil
	}
	title := "output"
	switch n := lineCount(tool.Output); {
	case tool.OutputSize > len(tool.Output):
		title = "output, the end of " + size(tool.OutputSize)
	case n > len(rows):
		title = "output, last " + count(len(rows)) + " of " + count(n)
	}
	lines := []line{{at: s.sub, left: edge("┌", "┐", title, width)}}
	for _, r := range rows {
		lines = append(lines, line{at: s.sub, left: boxed(head(r, 1024), width)})
	}
	return append(lines, line{at: s.sub, left: edge("└", "┘", exitWords(tool.Exit), width)})
}

// lastLines are the last lines of a text, at most n.
func lastLines(s string, n int) []string {
	s = strings.TrimRight(s, "\r\n")
	from := len(s)
	for range n {
		i := strings.LastIndexByte(s[:from], '\n')
		if i < 0 {
			return lines(s)
		}
		from = i
	}
	return lines(s[from+1:])
}

func lines(s string) []string {
	rows := strings.Split(s, "\n")
	for i := range rows {
		rows[i] = strings.TrimSuffix(rows[i], "\r")
	}
	return rows
}

func edge(left, right, title string, width int) paint.Line {
	l := paint.L(paint.Border, left+"─")
	if title != "" {
		l = l.With(paint.Clean(paint.Dim, " "+title+" ")).Cut(width - 2)
	}
	return l.With(paint.L(paint.Border, strings.Repeat("─", max(width-1-l.Width(), 0))+right))
}

func boxed(text string, width int) paint.Line {
	return boxedLine(paint.Clean(paint.Plain, text), width)
}

func boxedLine(inside paint.Line, width int) paint.Line {
	l := paint.L(paint.Border, "│ ").With(inside.Cut(width - 4))
	return l.With(paint.L(paint.Border, strings.Repeat(" ", max(width-1-l.Width(), 0))+"│"))
}
