package editor

import (
	"strings"

	"bobproxy/lab/wire"
)

// speech is a message or a thought as it streams in.
type speech struct {
	label string // empty when nobody is speaking
	id    string
	begun bool   // a paragraph of it has been printed
	text  string // what has not
}

var speakers = map[string]string{wire.AgentChunk: "agent", wire.ThoughtChunk: "thought", wire.UserChunk: "you"}

// chunk adds to what is being said and prints paragraphs that are complete. The
// caller holds mu.
func (s *screen) chunk(c wire.Chunk) {
	label := speakers[c.Kind]
	if label != s.speech.label || c.MessageID != s.speech.id {
		s.flush()
		s.speech = speech{label: label, id: c.MessageID}
	}
	text := c.Content.Text
	if c.Content.Type != "text" {
		text = "[" + strings.TrimSpace(c.Content.Type+" "+c.Content.URI) + "]"
	}
	s.speech.text = strings.ReplaceAll(s.speech.text+text, "\r\n", "\n")
	for {
		paragraph, rest, found := strings.Cut(s.speech.text, "\n\n")
		if !found {
			break
		}
		s.paragraph(paragraph)
		s.speech.text = strings.TrimLeft(rest, "\n")
	}
	if len(s.speech.text) > maxParagraph {
		s.paragraph(s.speech.text)
		s.speech.text = ""
	}
}

func (s *screen) paragraph(text string) {
	text = strings.Trim(text, "\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	head, lines := s.speech.label, cleanLines(text)
	if s.speech.begun {
		head, lines = "", append([]string{""}, lines...)
	}
	s.speech.begun = true
	s.print(s.speech.label, head, lines)
}

// flush prints what has been said so far and ends the message.
func (s *screen) flush() {
	text := s.speech.text
	s.speech.text = ""
	s.paragraph(text)
	s.speech = speech{}
}
