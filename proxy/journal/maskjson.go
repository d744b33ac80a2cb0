package journal

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"bobproxy/acp/secret"
)

// edit replaces body[start:end].
type edit struct {
	start, end int
	text       string
}

func apply(body []byte, edits []edit) []byte {
	size := len(body)
	for _, e := range edits {
		size += len(e.text) - (e.end - e.start)
	}
	out := make([]byte, 0, size)
	at := 0
	for _, e := range edits {
		out = append(append(out, body[at:e.start]...), e.text...)
		at = e.end
	}
	return append(out, body[at:]...)
}

// walk goes through one JSON value and collects edits.
type walk struct {
	cursor
	body  []byte
	edits []edit
	mask  *masker
	count int
}

func (m *masker) walk(body []byte) *walk {
	return &walk{cursor: read(body), body: body, mask: m}
}

// members masks the known places of a strict frame. It reports false when
// the body cannot be read after all, and leaves it alone then.
func (m *masker) members(e *Event) bool {
	w := m.walk(e.Body)
	if w.envelope(e.Method) != nil {
		return false
	}
	if w.count > 0 {
		e.Body = apply(e.Body, w.edits)
		e.Masked += w.count
	}
	return true
}

func (w *walk) envelope(method string) error {
	return w.object(func(name string) error {
		part, known := parts[method]
		switch {
		case name == "params" && known:
			return w.value(part.params)
		case name == "result" && known:
			return w.value(part.result)
		case name == "params", name == "result", name == "error":
			return w.value(within)
		}
		return w.SkipValue()
	})
}

// value masks what the place p asks for in the value that comes next.
func (w *walk) value(p place) error {
	if p == elsewhere {
		return w.SkipValue()
	}
	switch w.PeekKind() {
	case '{':
		return w.object(func(name string) error { return w.value(p.below(name)) })
	case '[':
		switch p {
		case pairs:
			return w.array(w.pair)
		case arguments:
			return w.arguments()
		}
		return w.array(func() error { return w.value(p) })
	case '"':
		return w.text(p)
	case '0':
		if p == leaves || p == pairs || p == login {
			return w.hide()
		}
	}
	return w.SkipValue()
}

// pair masks one element of an array of {name, value}.
func (w *walk) pair() error {
	if w.PeekKind() != '{' {
		return w.value(pairs)
	}
	return w.object(func(name string) error {
		switch strings.ToLower(name) {
		case "name", "type":
			return w.SkipValue()
		case "value":
			return w.value(leaves)
		}
		return w.value(trusting)
	})
}

func (w *walk) text(p place) error {
	switch p {
	case leaves, login, pairs:
		return w.hide()
	case address:
		return w.address()
	case arguments:
		return w.hidden(secret.Line)
	}
	return w.SkipValue()
}

// hide replaces the string or number that comes next.
func (w *walk) hide() error {
	token, err := w.ReadToken()
	if err != nil {
		return err
	}
	value := token.String()
	end := int(w.InputOffset())
	w.edits = append(w.edits, edit{w.tokenStart(end), end, `"` + mark + `"`})
	w.count++
	w.mask.learn(value)
	return nil
}

func (w *walk) address() error {
	token, err := w.ReadToken()
	if err != nil {
		return err
	}
	clean, n := w.mask.url(token.String())
	if n > 0 {
		w.replace(clean, n)
	}
	return nil
}

// replace puts text in the place of the string read last.
func (w *walk) replace(text string, n int) {
	end := int(w.InputOffset())
	quoted, _ := jsontext.AppendQuote(nil, text)
	w.edits = append(w.edits, edit{w.tokenStart(end), end, string(quoted)})
	w.count += n
}

// tokenStart finds where the string or number that ends at end begins: going
// back from a string's last quote, the one before it that is not escaped.
func (w *walk) tokenStart(end int) int {
	i := end - 1
	if w.body[i] != '"' {
		for i > 0 && bytes.IndexByte([]byte("+-.0123456789eE"), w.body[i-1]) >= 0 {
			i--
		}
		return i
	}
	for {
		i = bytes.LastIndexByte(w.body[:i], '"')
		slashes := 0
		for i-slashes > 0 && w.body[i-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
}

// scrub masks known values in a frame. In an object they are looked for in
// the strings as they read, so that it stays an object and no spelling helps.
// It reports whether the body can stand in JSON as it is.
func (m *masker) scrub(e *Event, valid bool) bool {
	if valid {
		w := m.walk(e.Body)
		if w.known() == nil {
			if w.count > 0 {
				e.Body = apply(e.Body, w.edits)
				e.Masked += w.count
			}
			return true
		}
	}
	var n int
	e.Body, n = m.known.scrub(nil, e.Body)
	e.Masked += n
	return false
}

// known collects the edits for every token that holds a known value.
func (w *walk) known() error {
	for {
		token, err := w.ReadToken()
		if err != nil {
			return w.ended(err)
		}
		switch token.Kind() {
		case '"':
			if clean, n := w.mask.known.scrubString(token.String()); n > 0 {
				w.replace(clean, n)
			}
		case '0':
			if w.mask.known.in([]byte(token.String())) {
				w.replace(mark, 1)
			}
		}
	}
}
