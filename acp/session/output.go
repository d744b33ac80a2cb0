package session

import "bobproxy/acp"

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
