package session

import (
	"strings"

	"bobproxy/acp"
)

// maxPrompt is how many bytes are kept of the first prompt.
const maxPrompt = 1 << 10

// messageKinds are what the variants that bring messages make.
var messageKinds = map[string]EntryKind{
	"user_message": UserMessage, "agent_message": AgentMessage, "agent_thought": Thought,
}

// chunk adds a piece to a message: by its id, else to what the same side said
// last.
func (s *Story) chunk(c *scene, variant string, update []byte) {
	var content, id []byte
	for name, value := range acp.Members(update) {
		switch string(name) {
		case "content":
			content = value
		case "messageId":
			id = value
		}
	}
	text := blocks(content)
	c.told.Chunk, c.told.First = true, text
	kind := messageKinds[strings.TrimSuffix(variant, "_chunk")]
	if kind == UserMessage && c.repeats(text, id) {
		c.told.Run = variant
		return
	}
	e := s.message(c, kind, variant, id)
	e.append(text)
	c.opens(e)
	c.told.Run = e.run
}

// message finds the one that a chunk belongs to, or begins it.
func (s *Story) message(c *scene, kind EntryKind, variant string, rawID []byte) *Entry {
	id, _ := acp.Unquote(rawID)
	key := messageKey(kind, clip(id, maxName))
	if id != "" {
		if e := c.find(key); e != nil {
			return c.touch(e)
		}
	} else if !c.startsOver() {
		if e := c.talk.last(); e != nil && e.Kind == kind && e.ID == "" && !e.Over && e.Replay == c.replay {
			return c.touch(e)
		}
	}
	e := s.add(c, kind, key)
	e.ID, e.run = clip(id, maxName), strings.TrimSpace(variant+" "+clip(id, maxName))
	return e
}

// messageKey is empty for what has no id. Each kind has ids of its own.
func messageKey(kind EntryKind, id string) string {
	if id == "" {
		return ""
	}
	return string(rune('0'+kind)) + id
}

// upsert takes a whole message (v2): content that is omitted stays.
func (s *Story) upsert(c *scene, kind EntryKind, variant string, update []byte) {
	content, id := get(update, "content"), get(update, "messageId")
	text := blocks(content)
	c.told.First = text
	if kind == UserMessage && c.repeats(text, id) {
		return
	}
	e := s.message(c, kind, variant, id)
	if content != nil {
		e.replace(text)
	}
	c.opens(e)
}

// repeats says whether the agent repeats the prompt, which is told already, and
// takes the id that it has given to it.
func (c *scene) repeats(text string, rawID []byte) bool {
	if c.talk.echo == nil || c.replay {
		return false
	}
	t, e := c.talk, c.talk.echo
	rest, said := strings.TrimLeft(e.Text[t.echoed:], " \t\r\n"), strings.TrimSpace(text)
	switch known := strings.TrimSpace(rest); {
	case strings.HasPrefix(rest, said):
		t.echoed = len(e.Text) - len(rest) + len(said)
	case e.Size > len(e.Text) && known != "" && strings.HasPrefix(said, known):
		t.echoed = len(e.Text)
	default:
		return false
	}
	if id, _ := acp.Unquote(rawID); id != "" && e.ID == "" {
		c.named(e, clip(id, maxName))
	}
	c.touch(e)
	return true
}

// named gives an entry its id.
func (c *scene) named(e *Entry, id string) {
	e.ID, e.key = id, messageKey(e.Kind, id)
	c.talk.byKey[e.key] = e
}

// opens takes the first words of an old talk for its prompt.
func (c *scene) opens(e *Entry) {
	t := c.talk
	if e.Kind == UserMessage && t.Turns == 0 && t.Dropped == 0 && e == t.Entries[0] {
		t.Prompt = clip(e.Text, maxPrompt)
	}
}

// append adds text, as far as there is room.
func (e *Entry) append(text string) {
	e.Size += len(text)
	if len(e.Text) >= MaxEntryText || e.Size-len(text) > len(e.Text) {
		return
	}
	if e.build == nil {
		e.build = &strings.Builder{}
		e.build.WriteString(e.Text)
	}
	e.build.WriteString(clip(text, MaxEntryText-len(e.Text)))
	e.Text = e.build.String() // shares the builder's memory, which is only added to
}

func (e *Entry) replace(text string) {
	e.Text, e.Size, e.build = strings.Clone(clip(text, MaxEntryText)), len(text), nil
}
