package card

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"bobproxy/inspector/paint"
	"bobproxy/proxy/control"
)

// Whatever an agent sends, it is drawn as clean text, in a bounded number of rows,
// and all that is code is there.
func FuzzCard(f *testing.F) {
	f.Add("Edit", "edit", `{"command":"make\ntest"}`, `[{"type":"diff","path":"a","oldText":"a\nb","newText":"a\nc"}]`, "", "Yes", "allow_once", uint8(50), uint8(33))
	f.Add("\x1b[2J", "", `["a",{"b":[1e9,"\u202e"]}]`, `{"x":{}}`, `{"com`, "", "", uint8(30), uint8(8))
	f.Add("", "execute", `"\n\n\n\n\n\n\n\n\n\n\n\nx"`, `[{"type":"content","content":{"type":"text","text":"e\u0301\u0301\u0301"}}]`, "", "日本語", "x", uint8(16), uint8(3))
	f.Fuzz(func(t *testing.T, title, kind, input, content, clipped, name, optionKind string, w, h uint8) {
		p := &control.Pending{Title: title, Kind: kind, Clipped: clipped, Options: []control.Option{{Number: 1, ID: name, Name: name, Kind: optionKind}}}
		if json.Valid([]byte(input)) {
			p.Input = json.RawMessage(input)
		}
		if json.Valid([]byte(content)) {
			p.Content = json.RawMessage(content)
		}
		s := newScene(Careful())
		s.grid.Clear(int(w), int(h))
		s.look(s.ask(p))
		s.press("1", "Space", "i", "d", "j", "G", "Down", "Enter", "a", "x")
		s.draw()
		checkGrid(t, s.grid)
		if n, most := len(s.card.content.lines), 4*(len(title)+len(input)+len(content)+len(clipped))+64; n > most {
			t.Errorf("%d lines of %d bytes", n, most)
		}
	})
}

// Nothing of a tree is lost: without blanks and breaks it is the value.
func FuzzTree(f *testing.F) {
	f.Add(`{"a":[1,"b\n",{}],"c":"\ud800"}`)
	f.Fuzz(func(t *testing.T, value string) {
		if !json.Valid([]byte(value)) || !utf8.ValidString(value) || strings.ContainsAny(value, "\\\u2039\u203a") {
			return
		}
		var got, want strings.Builder
		for _, l := range tree(json.RawMessage(value), &ink{}) {
			for _, span := range l.text {
				if span.Style.Role == paint.Odd {
					return // what stands for something else is tested there
				}
				got.WriteString(span.Text)
			}
		}
		want.WriteString(value)
		if strip(got.String()) != strip(want.String()) {
			t.Errorf("got %q, want %q", strip(got.String()), strip(want.String()))
		}
	})
}

func strip(s string) string { return strings.Join(strings.Fields(s), "") }
