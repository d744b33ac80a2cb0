package session

import (
	"encoding/base64"
	"slices"
	"strings"

	"bobproxy/acp"
)

// output takes what an update says of the outcome of a call: its raw output,
// and the terminal that some agents put in _meta for clients that show it.
func (s *Story) output(c *scene, e *Entry, update []byte) {
	t := e.Tool
	if raw := get(update, "rawOutput"); given(raw) {
		text, known := rawText(raw)
		if t.reading.weak = !known; !known {
			text = begin(raw, 500)
		}
		t.reading.raw, t.reading.rawSize = tail(text, maxOutput), len(text)
		if exit := exitOf(raw); exit != "" {
			t.Exit = exit
		}
	} else if c.v2 && isNull(raw) {
		t.reading.raw, t.reading.rawSize, t.Exit = "", 0, ""
	}
	meta := get(update, "_meta")
	if meta == nil {
		return
	}
	if data := get(meta, "terminal_output"); data != nil {
		term := s.named(c, e, str(data, maxName, "terminal_id"))
		term.add(str(data, len(data), "data"))
	}
	if exit := get(meta, "terminal_exit"); exit != nil {
		s.named(c, e, str(exit, maxName, "terminal_id")).exit = exitOf(exit)
	}
}

// rawText is the text in a raw output, wherever agents put it; known is false
// when there is no such place.
func rawText(raw []byte) (text string, known bool) {
	switch raw[0] {
	case '"':
		return plainText(raw), true
	case '[':
		text = blocks(raw)
		return text, text != ""
	case '{':
		return fieldText(raw)
	}
	return "", false
}

// fieldText takes everything that was put out before its two halves, and those
// before what is only about it.
func fieldText(raw []byte) (text string, known bool) {
	for _, name := range []string{"aggregated_output", "output", "formatted_output"} {
		if value := get(raw, name); given(value) {
			if text = blocks(value); text != "" {
				return text, true
			}
			known = true
		}
	}
	if out, failed := get(raw, "stdout"), get(raw, "stderr"); given(out) || given(failed) {
		text = blocks(out)
		return text + lineBreak(text) + blocks(failed), true
	}
	for _, name := range []string{"content", "text", "result", "message", "error"} {
		if text = blocks(get(raw, name)); text != "" {
			return text, true
		}
	}
	return "", known
}

// exitOf is the exit status or signal that a raw output or a terminal names,
// wherever agents put it.
func exitOf(raw []byte) string {
	for name, value := range acp.Members(raw) {
		switch string(name) {
		case "exit_code", "exitCode", "exit", "signal":
			if exit := exitWord(value); exit != "" {
				return exit
			}
		case "metadata", "exitStatus":
			if exit := exitOf(value); exit != "" {
				return exit
			}
		case "contents":
			for item := range acp.Elements(value) {
				if exit := exitOf(item); exit != "" {
					return exit
				}
			}
		}
	}
	return ""
}

func exitWord(value []byte) string {
	if s, ok := acp.Unquote(value); ok {
		return clip(s, maxWord)
	}
	if c := value[0]; c == '-' || '0' <= c && c <= '9' {
		return begin(value, 20)
	}
	return ""
}

// terminal is what a terminal has put out.
type terminal struct {
	id, exit string
	build    *strings.Builder
	size     int
	tools    []*Entry // that name it
}

// maxTalkTerminals is how many are kept of one session, the newest ones.
const maxTalkTerminals = 64

func (t *talk) terminal(id string) *terminal {
	for _, term := range t.terminals {
		if term.id == id {
			return term
		}
	}
	return nil
}

// terminal finds a terminal, or makes it.
func (s *Story) terminal(c *scene, id string) *terminal {
	t := c.talk
	if term := t.terminal(id); term != nil {
		return term
	}
	if len(t.terminals) == maxTalkTerminals {
		t.terminals = append(t.terminals[:0:0], t.terminals[1:]...)
	}
	term := &terminal{id: strings.Clone(id)}
	t.terminals = append(t.terminals, term)
	s.measure(t)
	return term
}

// named finds the terminal that a call names.
func (s *Story) named(c *scene, e *Entry, id string) *terminal {
	term := s.terminal(c, id)
	if t := e.Tool; len(t.Terminals) < maxTerminals && !slices.Contains(t.Terminals, id) {
		t.Terminals = append(t.Terminals, term.id)
	}
	term.join(e)
	return term
}

// terminalOf takes the terminal that a piece of content is.
func (s *Story) terminalOf(c *scene, e *Entry, item []byte) {
	if str(item, maxWord, "type") != "terminal" {
		return
	}
	if id := str(item, maxName, "terminalId"); id != "" {
		s.named(c, e, id)
	}
}

// join notes that a tool call names the terminal.
func (t *terminal) join(e *Entry) {
	for _, known := range t.tools {
		if known == e {
			return
		}
	}
	if len(t.tools) < maxTerminals {
		t.tools = append(t.tools, e)
	}
}

func (t *terminal) leave(e *Entry) {
	for i, known := range t.tools {
		if known == e {
			t.tools = append(t.tools[:i:i], t.tools[i+1:]...)
			return
		}
	}
}

// add appends to the output. Of what was there the end is kept, so that adding
// costs the same however much there is.
func (t *terminal) add(text string) {
	t.size += len(text)
	text = tail(text, maxOutput)
	if t.build == nil || t.build.Len()+len(text) > 2*maxOutput {
		old := t.text()
		t.build = &strings.Builder{}
		t.build.Grow(2 * maxOutput)
		t.build.WriteString(tail(old, maxOutput))
	}
	t.build.WriteString(text)
}

// text is the end of the output. It shares memory that is only added to.
func (t *terminal) text() string {
	if t.build == nil {
		return ""
	}
	return end(t.build.String(), maxOutput)
}

// terminalUpdate takes what the agent says of one of its terminals (v2).
func (s *Story) terminalUpdate(c *scene, variant string, update []byte) {
	id := str(update, maxName, "terminalId")
	if id == "" {
		s.unknown(c, variant, update)
		return
	}
	term := s.terminal(c, id)
	if variant == "terminal_output_chunk" {
		c.told.First = bytesAt(update, "data")
		c.told.Run = "terminal " + id
		term.add(c.told.First)
	} else {
		c.told.First = short(id)
		s.terminalWords(c, term, update)
	}
	s.shared(c, term)
}

// shared tells the tool calls that name a terminal what it says.
func (s *Story) shared(c *scene, term *terminal) {
	for _, e := range term.tools {
		s.composed(e, c.talk)
		s.resize(e)
		c.touch(e)
	}
}

func (s *Story) terminalWords(c *scene, term *terminal, update []byte) {
	for name, value := range acp.Members(update) {
		switch string(name) {
		case "output":
			term.build, term.size = nil, 0
			if text := bytesAt(value, "data"); text != "" {
				term.add(text)
				c.told.First = text
			}
		case "command":
			c.told.First = plainText(value)
		case "exitStatus":
			if term.exit = exitOf(value); term.exit != "" {
				c.told.First = "exit " + term.exit
			}
		}
	}
}

// bytesAt is base64 data, as far as it can be read.
func bytesAt(value []byte, name string) string {
	data := plainText(get(value, name))
	if n := len(data) % 4; n != 0 && len(data) > 4 {
		data = data[:len(data)-n]
	}
	text, _ := base64.StdEncoding.DecodeString(data)
	return string(text)
}
