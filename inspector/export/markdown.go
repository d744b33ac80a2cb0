package export

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"bobproxy/acp/session"
	"bobproxy/inspector/model"
)

// Markdown writes a transcript as GitHub reads it.
func Markdown(w io.Writer, t *Transcript) error {
	m := markdown{bufio.NewWriter(w), t}
	m.printf("# %s\n\n", inline(t.Scrub.Text(t.Name)))
	for _, p := range t.Model.Proxies {
		m.proxy(p)
	}
	return m.Flush()
}

type markdown struct {
	*bufio.Writer
	t *Transcript
}

func (m *markdown) printf(format string, args ...any) { fmt.Fprintf(m, format, args...) }

func (m *markdown) proxy(p *model.Proxy) {
	m.printf("| | |\n|---|---|\n")
	for _, f := range facts(p) {
		m.printf("| %s | %s |\n", f[0], inline(f[1]))
	}
	m.WriteString("\n")
	for _, text := range omissions(p) {
		m.printf("*%s*\n\n", inline(text))
	}
	for _, s := range p.Sessions {
		m.session(s)
	}
	m.words(p)
}

func (m *markdown) session(s *model.Session) {
	m.printf("## %s\n\n", inline(m.t.Scrub.Text(s.Name())))
	if s.Talk.Session != "" {
		m.printf("Session %s", inline(s.Talk.Session))
		if s.Cwd != "" {
			m.printf(" in %s", inline(s.Cwd))
		}
		m.WriteString("\n\n")
	}
	turn := 0
	for i, e := range s.Talk.Entries {
		begins := e.Kind == session.UserMessage && (i == 0 || s.Talk.Entries[i-1].Kind != session.UserMessage)
		if begins {
			turn++
			m.printf("### Turn %d%s\n\n", turn, at(e))
		}
		m.entry(s, e)
	}
	m.plans(s)
	m.ledger(s)
}

func at(e *session.Entry) string {
	if clock := stamp(e.At); clock != "" {
		return " · " + clock
	}
	return ""
}

func (m *markdown) entry(s *model.Session, e *session.Entry) {
	text := m.t.Scrub.Text(e.Text)
	switch e.Kind {
	case session.UserMessage:
		m.block("> ", text)
	case session.AgentMessage:
		m.block("", text)
	case session.Thought:
		m.printf("<details><summary>Thought%s</summary>\n\n", at(e))
		m.block("> ", text)
		m.printf("</details>\n\n")
	case session.ToolEntry:
		m.tool(s, e)
	case session.TurnEnd:
		m.printf("*Turn ended: %s%s*\n\n", inline(joined(e.Name, text)), at(e))
	default:
		m.printf("*%s: %s*\n\n", speaker(e), inline(joined(e.Name, text)))
	}
	if e.Size > len(e.Text) && e.Kind != session.ToolEntry {
		m.printf("*… %s in all*\n\n", size(int64(e.Size)))
	}
}

func joined(name, text string) string {
	switch {
	case name == "":
		return text
	case text == "":
		return name
	}
	return name + ", " + text
}

func (m *markdown) tool(s *model.Session, e *session.Entry) {
	tool := e.Tool
	m.printf("- **%s** %s — %s%s\n", inline(word(tool.Kind, "tool")), inline(m.t.Scrub.Text(word(tool.Title, tool.ID))), inline(status(tool)), at(e))
	changes := m.t.changes(s, tool)
	for _, path := range otherPaths(tool, changes) {
		m.printf("  - %s\n", inline(path))
	}
	for _, o := range s.Permissions(e) {
		m.printf("  - %s\n", inline("permission: "+m.t.Scrub.Text(settled(o))))
	}
	m.WriteString("\n")
	for _, c := range changes {
		m.diff(c)
	}
	if tool.Output != "" {
		m.printf("  <details><summary>Output, %s</summary>\n\n", size(int64(tool.OutputSize)))
		m.fence("  ", "text", codeLines(m.t.Scrub.Text(tool.Output)))
		m.printf("  </details>\n\n")
	}
}

// otherPaths are those of a tool call that its diffs do not name.
func otherPaths(tool *session.Tool, changes []change) (paths []string) {
	for _, path := range tool.Paths {
		if !slices.ContainsFunc(changes, func(c change) bool { return c.Path == path }) {
			paths = append(paths, path)
		}
	}
	return paths
}

func word(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// status says what became of a tool call.
func status(tool *session.Tool) string {
	text := word(tool.Status, "pending")
	if tool.NotRun {
		text = "never ran"
	}
	switch {
	case digits(tool.Exit):
		text += ", exit status " + tool.Exit
	case tool.Exit != "":
		text += ", " + tool.Exit
	}
	if !tool.Ended.IsZero() && !tool.Started.IsZero() {
		text += ", " + lasting(tool.Ended.Sub(tool.Started))
	}
	return text
}

func (m *markdown) diff(c change) {
	about := c.Path
	if c.OldText == nil {
		about += ", a new file"
	}
	m.printf("  %s\n\n", inline(about))
	var lines []string
	for _, l := range c.lines() {
		if l.sign == '@' {
			lines = append(lines, "@@ "+l.text+" @@")
		} else {
			lines = append(lines, string(l.sign)+l.text)
		}
	}
	m.fence("  ", "diff", lines)
}

func (m *markdown) plans(s *model.Session) {
	for _, plan := range s.Talk.Plans {
		m.printf("### Plan\n\n")
		for _, step := range plan.Steps {
			box := " "
			if step.Status == "completed" {
				box = "x"
			}
			m.printf("- [%s] %s\n", box, inline(m.t.Scrub.Text(step.Text)))
		}
		if plan.Text != "" {
			m.block("> ", m.t.Scrub.Text(plan.Text))
		}
		m.WriteString("\n")
	}
}

func (m *markdown) ledger(s *model.Session) {
	if len(s.Deeds) == 0 {
		return
	}
	m.printf("### What was done, and who allowed it\n\n| Time | What | About | Asked | By | Option | Waited |\n|---|---|---|---|---|---|---|\n")
	for _, d := range s.Deeds {
		for _, v := range verdicts(d) {
			m.printf("| %s | %s | %s | %s | %s | %s | %s |\n", stamp(d.At), inline(d.What), inline(m.t.Scrub.Text(d.Subject().Whole())),
				inline(v.judged), inline(m.t.Scrub.Text(v.who)), inline(m.t.Scrub.Text(v.option())), inline(v.waited()))
		}
	}
	m.WriteString("\n")
}

// words are what the agent and the proxy said beside the protocol.
func (m *markdown) words(p *model.Proxy) {
	for _, list := range []struct {
		title string
		words []model.Words
	}{{"Agent's stderr", p.Stderr}, {"Warnings of the proxy", p.Warnings}} {
		if len(list.words) == 0 {
			continue
		}
		m.printf("<details><summary>%s, %d lines</summary>\n\n", list.title, len(list.words))
		var lines []string
		for _, said := range list.words {
			lines = append(lines, codeLines(m.t.Scrub.Text(said.Text))...)
		}
		m.fence("", "text", lines)
		m.printf("</details>\n\n")
	}
}

// block writes a text of a peer, line by line, as nothing but text.
func (m *markdown) block(prefix, text string) {
	lines := codeLines(text)
	for i, line := range lines {
		m.WriteString(prefix)
		m.WriteString(inline(line))
		if i+1 < len(lines) && line != "" && lines[i+1] != "" {
			m.WriteString(`\`)
		}
		m.WriteString("\n")
	}
	m.WriteString("\n")
}

// fence writes lines, which are clean, in a fence that none of them can end.
func (m *markdown) fence(indent, language string, lines []string) {
	mark := "```"
	for _, line := range lines {
		for strings.Contains(line, mark) {
			mark += "`"
		}
	}
	m.printf("%s%s%s\n", indent, mark, language)
	for _, line := range lines {
		m.printf("%s%s\n", indent, line)
	}
	m.printf("%s%s\n\n", indent, mark)
}
