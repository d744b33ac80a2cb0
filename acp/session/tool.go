package session

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"bobproxy/acp"
)

const (
	maxToolPaths = 64
	maxOutput    = 16 << 10 // bytes kept of an output, the end of it
	maxTerminals = 16       // of one tool call, and tool calls of one terminal
)

// reading is how far the words of a tool call were read.
type reading struct {
	diffs, shown sum // of the content that was read
	diffPaths    []string
	text         string // of its content, the end of it
	textSize     int    // its true size
	raw          string // of its raw output, the end of it
	rawSize      int    // its true size
	weak         bool   // that is only what it looks like
	announced    bool   // an update told of it
	answered     bool   // a permission request for it was answered
}

// size is what a tool call is counted with.
func (t *Tool) size() int {
	n := len(t.ID) + len(t.Title) + len(t.Kind) + len(t.Status) + len(t.Name) + len(t.Input) + len(t.Output) + len(t.Exit) +
		len(t.reading.text) + len(t.reading.raw)
	for _, all := range [][]string{t.Paths, t.Terminals, t.reading.diffPaths} {
		for _, s := range all {
			n += 16 + len(s)
		}
	}
	return n
}

func (t *Tool) over() bool { return ended(t.Status) }

func ended(status string) bool {
	return status == "completed" || status == "failed" || status == "cancelled"
}

// callUpdate takes an update of a tool call.
func (s *Story) callUpdate(c *scene, variant string, update []byte) {
	id := str(update, maxName, "toolCallId")
	if id == "" {
		s.unknown(c, variant, update)
		return
	}
	c.told.Call = id
	call := s.call(c, id, update)
	e := c.find("t" + id)
	if variant == "tool_call" && e != nil {
		e = s.again(c, e)
	}
	if e == nil {
		e = s.newTool(c, id)
	}
	t := e.Tool
	t.reading.announced = true
	s.tell(c, e, call, update)
	if variant == "tool_call_content_chunk" {
		s.contentChunk(c, e, call, get(update, "content"))
	} else {
		s.content(c, e, call)
	}
	t.located(call.told().locations)
	s.output(c, e, update)
	s.composed(c.touch(e), c.talk)
	c.told.First = callWords(id, t.Kind, t.Title)
	if variant != "tool_call" {
		c.told.Run = "call " + id + " " + t.Status
	}
}

// again is for a tool_call under an id that is known: it starts anew, as another
// one when the old one was over.
func (s *Story) again(c *scene, e *Entry) *Entry {
	if e.Tool.over() || e.Replay != c.replay {
		return nil
	}
	t := e.Tool
	*t = Tool{ID: t.ID, Started: t.Started, Replay: t.Replay, reading: reading{answered: t.reading.answered}}
	return e
}

func (s *Story) newTool(c *scene, id string) *Entry {
	e := s.add(c, ToolEntry, "t"+id)
	e.ID = id
	e.Tool = &Tool{ID: id, Started: c.at, Replay: c.replay}
	return e
}

// call is what the fold knows of the call: what was announced, and with what the
// last permission request said on top. What it could not keep is read from the
// frame alone.
func (s *Story) call(c *scene, id string, update []byte) *call {
	if it := s.fold.remembered(c.session, id); it != nil && c.session != "" {
		return it
	}
	u := acp.ReadUpdate(c.frame.Params)
	it := &call{}
	it.announced.merge(&u.Call, c.v2)
	return it
}

// tell takes the words of a call. What is missing stays, since the fold may have
// forgotten it, unless it was taken back.
func (s *Story) tell(c *scene, e *Entry, it *call, update []byte) {
	t, said := e.Tool, it.told()
	before := t.Status
	word := func(to *string, now, name, otherwise string) {
		if now != "" {
			*to = now
		} else if *to == "" || c.v2 && isNull(get(update, name)) {
			*to = otherwise
		}
	}
	word(&t.Title, said.title, "title", "")
	word(&t.Kind, said.kind, "kind", "other")
	word(&t.Status, said.status, "status", "pending")
	if name := str(update, maxWord, "name"); name != "" {
		t.Name = name
	}
	if said.rawInput != nil {
		t.Input = said.rawInput
	} else if c.v2 && isNull(get(update, "rawInput")) {
		t.Input = nil
	}
	t.timed(c, before)
	e.Over = t.over()
}

// timed takes the time of a change of status.
func (t *Tool) timed(c *scene, before string) {
	if !t.over() {
		t.Ended = time.Time{}
		if t.Status == "in_progress" && before != "in_progress" {
			t.Started = c.at
		}
		return
	}
	if t.NotRun = false; t.Ended.IsZero() {
		t.Ended = c.at
	}
}

// located puts the paths together. When there are none any more the last ones
// stay: some agents send an empty list at the end.
func (t *Tool) located(locations []string) {
	paths := make([]string, 0, min(len(locations)+len(t.reading.diffPaths), maxToolPaths))
	for _, all := range [][]string{locations, t.reading.diffPaths} {
		for _, p := range all {
			if p != "" && len(paths) < maxToolPaths && !slices.Contains(paths, p) {
				paths = append(paths, p)
			}
		}
	}
	if len(paths) > 0 {
		t.Paths = paths
	}
}

// content reads what the call shows, unless it was read already. Once there
// were diffs they stay, since many agents put a short word in their place when
// they are done.
func (s *Story) content(c *scene, e *Entry, it *call) {
	t, said := e.Tool, it.told()
	if now := said.sums[ofContent]; now != t.reading.diffs {
		t.reading.diffs = now
		s.diffs(c, t, said)
		for item := range acp.Elements(whatIsThere(said)) {
			s.terminalOf(c, e, item)
		}
	}
	if now := it.announced.sums[ofContent]; now != t.reading.shown {
		t.reading.shown = now
		t.reading.text, t.reading.textSize = "", 0
		for item := range acp.Elements(whatIsThere(&it.announced)) {
			t.shows(item)
		}
	}
}

// whatIsThere is the content of a call, closed when it was cut.
func whatIsThere(t *told) []byte {
	if t.contentSize > len(t.content) {
		return acp.Close(t.content)
	}
	return t.content
}

// contentChunk takes one more piece of content (v2).
func (s *Story) contentChunk(c *scene, e *Entry, it *call, item []byte) {
	t := e.Tool
	t.reading.diffs, t.reading.shown = it.told().sums[ofContent], it.announced.sums[ofContent]
	t.counts(item, c.frame.Cut)
	t.shows(item)
	s.terminalOf(c, e, item)
}

// shows adds the text of one piece of content.
func (t *Tool) shows(item []byte) {
	switch str(item, maxWord, "type") {
	case "diff", "terminal":
		return
	}
	if text := block(item); text != "" {
		text = lineBreak(t.reading.text) + text
		t.reading.text, t.reading.textSize = tail(t.reading.text+text, maxOutput), t.reading.textSize+len(text)
	}
}

func lineBreak(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return ""
	}
	return "\n"
}

// composed puts the output together: of its terminal, else what it put out,
// else what it shows.
func (s *Story) composed(e *Entry, t *talk) {
	tool := e.Tool
	var parts []string
	size := 0
	for _, id := range tool.Terminals {
		if term := t.terminal(id); term != nil {
			parts = append(parts, term.text())
			size += term.size
			if term.exit != "" {
				tool.Exit = term.exit
			}
		}
	}
	r := &tool.reading
	switch text := strings.Join(parts, ""); {
	case text != "":
		tool.Output, tool.OutputSize = tail(text, maxOutput), size
	case r.raw != "" && !(r.weak && r.text != ""):
		tool.Output, tool.OutputSize = r.raw, r.rawSize
	case r.text != "" || len(tool.Terminals) == 0: // else its terminal was forgotten
		tool.Output, tool.OutputSize = r.text, r.textSize
	}
}

// callWords is the words of a tool call in a row.
func callWords(id, kind, title string) string {
	return strings.TrimSpace(short(id) + " " + kind + " " + clip(title, MaxFirst))
}

// tail is the end of s, at most limit bytes of it, whole characters, with memory
// of its own when it is shorter.
func tail(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.Clone(end(s, limit))
}

// end is tail without memory of its own.
func end(s string, limit int) string {
	i := max(len(s)-limit, 0)
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return s[i:]
}
