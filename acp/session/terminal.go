package session

import (
	"encoding/base64"
	"slices"
	"strings"

	"bobproxy/acp"
)

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

// terminalResult takes what the client says of a terminal that it runs (v1).
func (s *Story) terminalResult(c *scene, id string, result []byte) {
	term := c.talk.terminal(id)
	if term == nil {
		return
	}
	if output, ok := acp.Unquote(get(result, "output")); ok {
		term.build, term.size = nil, 0
		term.add(output)
	}
	if exit := exitOf(result); exit != "" {
		term.exit = exit
	}
	s.shared(c, term)
}
