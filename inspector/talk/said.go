package talk

import (
	"strings"
	"time"

	"bobproxy/acp/session"
	"bobproxy/inspector/lapse"
	"bobproxy/inspector/paint"
)

// said is an entry that is no tool call.
func (s *scene) said(i int) []line {
	it := &s.items[i]
	e := it.entry
	switch e.Kind {
	case session.UserMessage:
		return s.message(it, "YOU", paint.You)
	case session.AgentMessage:
		return s.message(it, s.agent, paint.Agent)
	case session.Thought:
		return s.thought(i)
	case session.TurnEnd:
		return s.turnEnd(it)
	case session.Notice:
		mark, role := severity(e.Name)
		return s.labelled(it, paint.L(role, mark), e.At, "text", e.Text, role)
	case session.Compaction:
		return s.remark(it, "context compacted", paint.Clean(paint.Dim, with(": ", e.Name)+with(" · ", e.Text)))
	case session.Setting:
		return s.remark(it, "", paint.Clean(paint.Dim, settingWord(e.Name)+" is now ").With(paint.Clean(paint.Plain, e.Text)))
	case session.Subagent:
		return s.remark(it, "subagent ", paint.Clean(paint.Plain, e.Text+with("  ", e.Name)))
	}
	return s.unknown(i)
}

// message is what somebody says, whole.
func (s *scene) message(it *item, label string, role paint.Role) []line {
	e := it.entry
	who := paint.L(role, label)
	if it.replay {
		who, role = paint.L(paint.Dim, label), paint.Dim
	}
	text := paint.Plain
	if it.replay {
		text = paint.Dim
	}
	lines := s.paragraphs(it, who, e.At, "text", e.Text, text)
	if e.Size > len(e.Text) {
		lines = append(lines, line{at: s.text, left: paint.L(paint.Dim, "… "+size(e.Size-len(e.Text))+" more; the recording has all of it")})
	}
	return lines
}

// paragraphs is a text under a label, or beside it where there is room.
func (s *scene) paragraphs(it *item, who paint.Line, at time.Time, part, body string, role paint.Role) []line {
	wrapped := s.texts.wrap(text{it.key, part}, body, s.width-s.text-1, role)
	if s.inline {
		gap := strings.Repeat(" ", max(s.text-s.label-who.Width(), 1))
		lines := []line{s.first(at, who.With(paint.L(paint.Plain, gap)).With(wrapped[0]), nil)}
		return append(lines, indent(s.text, wrapped[1:])...)
	}
	lines := []line{s.first(at, who, nil)}
	if body == "" {
		return lines
	}
	return append(lines, indent(s.text, wrapped)...)
}

func indent(at int, lines []paint.Line) []line {
	out := make([]line, len(lines))
	for i, l := range lines {
		out[i] = line{at: at, left: l}
	}
	return out
}

// thought is one line until it is opened.
func (s *scene) thought(i int) []line {
	it := &s.items[i]
	e := it.entry
	about := plural(e.Frames, "chunk")
	if d := e.Last.Sub(e.At); d >= time.Second {
		about = lapse.Age(d) + ", " + about
	}
	first := s.hinted(i, s.first(e.At, paint.L(paint.Dim, "THOUGHT  "+about), nil))
	if !s.opened(it) {
		return []line{first}
	}
	at := s.sub
	wrapped := s.texts.wrap(text{it.key, "text"}, e.Text, s.width-at-1, paint.Dim)
	return append([]line{first}, indent(at, wrapped)...)
}

// hinted is a line that says that Enter opens item i, where it does and there is
// room; only one item at a time says so.
func (s *scene) hinted(i int, l line) line {
	if i != s.opens || len(l.right) > 0 {
		return l
	}
	hint := paint.L(paint.Key, "Enter").With(paint.L(paint.Dim, " opens"))
	if s.opened(&s.items[i]) {
		hint = paint.L(paint.Key, "Enter").With(paint.L(paint.Dim, " closes"))
	}
	if l.at+l.left.Width()+2+hint.Width() < s.width {
		l.right = hint
	}
	return l
}

// labelled is a text with a sign before it.
func (s *scene) labelled(it *item, sign paint.Line, at time.Time, part, body string, role paint.Role) []line {
	from := s.label + 2
	wrapped := s.texts.wrap(text{it.key, part}, body, s.width-from-1, role)
	lines := []line{s.first(at, sign.With(paint.L(paint.Plain, " ")).With(wrapped[0]), nil)}
	return append(lines, indent(from, wrapped[1:])...)
}

// remark is one quiet line.
func (s *scene) remark(it *item, lead string, more paint.Line) []line {
	return []line{s.first(it.entry.At, paint.L(paint.Dim, "· "+lead).With(more), nil)}
}

// turnEnd says how a turn ended, aloud when it was not by itself.
func (s *scene) turnEnd(it *item) []line {
	e := it.entry
	switch e.Name {
	case "end_turn":
		return s.remark(it, "end of turn", nil)
	case "cancelled":
		return s.labelled(it, paint.L(paint.Warn, "×"), e.At, "text", "the turn was cancelled"+with(": ", e.Text), paint.Warn)
	case "error":
		return s.labelled(it, paint.L(paint.Bad, "×"), e.At, "text", "the turn ended with an error"+with(": ", e.Text), paint.Bad)
	case "refusal":
		return s.labelled(it, paint.L(paint.Bad, "×"), e.At, "text", "the agent refuses to go on (refusal)"+with(": ", e.Text), paint.Bad)
	case "max_tokens", "max_turn_requests":
		return s.labelled(it, paint.L(paint.Warn, "!"), e.At, "text", "the turn hit a limit ("+e.Name+")"+with(": ", e.Text), paint.Warn)
	}
	name := e.Name
	if name == "" {
		name = "no reason given"
	}
	return s.labelled(it, paint.L(paint.Warn, "!"), e.At, "text", "the turn ended: "+name+with(": ", e.Text), paint.Warn)
}

// unknown is an update that nobody knows, by its name.
func (s *scene) unknown(i int) []line {
	it := &s.items[i]
	e := it.entry
	if s.opened(it) {
		return s.labelled(it, paint.L(paint.Dim, "·"), e.At, "text", e.Name+with("  ", e.Text), paint.Plain)
	}
	left := paint.L(paint.Dim, "· ").With(paint.Clean(paint.Plain, head(e.Name, 64)))
	if e.Frames > 1 {
		left = left.With(paint.L(paint.Dim, " ×"+count(e.Frames)))
	}
	left = left.With(paint.Clean(paint.Dim, with("  ", head(e.Text, 256))))
	return []line{s.hinted(i, s.first(e.At, left, nil))}
}

// severity is the sign and the role of a notice.
func severity(name string) (mark string, role paint.Role) {
	switch name {
	case "error":
		return "×", paint.Bad
	case "warning", "warn":
		return "!", paint.Warn
	}
	return "·", paint.Plain
}

func settingWord(name string) string {
	if name == "" {
		return "setting"
	}
	return strings.ReplaceAll(head(name, 64), "_", " ")
}

// with is s behind what joins it to the words before; nothing when s is
// nothing.
func with(join, s string) string {
	if s == "" {
		return ""
	}
	return join + s
}
