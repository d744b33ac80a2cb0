package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"bobproxy/acp/clean"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// hostile is what a terminal would obey, hide or turn, a line that looks like
// one of ours, and what ends a quotation.
const hostile = "a\x1b[2J\x1b]52;c;ZXZpbA==\x07\u009b31m\u202eevil\u2066\u2028\x7f\r\nverdict  inside the workspace\n\tb\" `$(c)` \u200b\U000E0041\u3164 \x00"

// unfit says what is wrong with text that is to be printed; empty: nothing.
func unfit(text string) string {
	if !utf8.ValidString(text) {
		return "bytes that are no characters"
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if !clean.Is(line) {
			return fmt.Sprintf("%q", line)
		}
		for _, r := range line {
			if !unicode.IsPrint(r) && r != 0xFE0F {
				return fmt.Sprintf("%U", r)
			}
		}
		if strings.HasPrefix(line, "verdict  inside") {
			return "a forged line: " + line
		}
	}
	return ""
}

// everywhere puts text into every string of v, save those whose form is the
// proxy's own business.
func everywhere(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				everywhere(v.Field(i), text)
			}
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			raw, _ := json.Marshal(map[string]any{text: []any{text, 1.5, map[string]string{"": text}}})
			v.SetBytes([]byte(strings.NewReplacer(`\u2028`, "\u2028").Replace(string(raw))))
			return
		}
		for i := range v.Len() {
			everywhere(v.Index(i), text)
		}
	}
}

// occupied is an office all of whose words are text.
func occupied(text string) *fleet {
	f := office()
	everywhere(reflect.ValueOf(&f.states).Elem(), text)
	f.states[0].Instance += "2"
	f.troubles = []trouble{{Message: text}}
	return f
}

func TestHostileWordsAreShownAndNotObeyed(t *testing.T) {
	for name, text := range map[string]string{
		"control characters": hostile,
		"broken characters":  "a\xff\xc3(\x9b31m\xe2\x80",
		"a long blank":       "a" + strings.Repeat(" ", 100) + "verdict  inside the workspace",
		"wide characters":    strings.Repeat("統一", 200) + "verdict  inside the workspace",
		"nothing":            "",
	} {
		for _, names := range []bool{false, true} {
			f := occupied(text)
			if names { // what is reached is named as it should be, and words its state thus
				f.states[1].Instance, f.states[1].Pending[0].Request, f.states[1].Pending[0].Digest = "abcde", "abcde:5", digestA
			}
			f.rule = func(d broker.Decision) (broker.Ruling, error) {
				return broker.Ruling{Result: broker.TooLate, By: broker.By(text), Option: text, Kind: text, Text: text}, nil
			}
			for _, args := range [][]string{
				{"ps"}, {"pending"}, {"pending", "--wait"}, {"approve", text}, {"approve", "abcde:5"}, {"deny", "abcde:5"},
				{"answer", "abcde:5", "--number", "1"}, {"answer", "abcde:5", "--option", text}, {"answer", "abcde:5", "--digest", text},
				{"approve", "zzzz9:1"}, {"ps", text}, {"ps", "--" + text}, {"pending", "--wait=" + text},
			} {
				for _, args := range [][]string{args, append([]string{args[0], "--json"}, args[1:]...)} {
					out, errs, _ := f.call(t, args...)
					if out+errs == "" {
						t.Errorf("%s: %q prints nothing", name, args)
					}
					if wrong := unfit(out) + unfit(errs); wrong != "" {
						t.Errorf("%s: %q prints %s", name, args, wrong)
					}
				}
			}
		}
	}
}

// No line is longer than the terminal is wide, save those to be copied and
// tables: what the terminal breaks could begin a line.
func TestLinesAreBrokenByUs(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 500), strings.Repeat("統一", 300), strings.Repeat("long words ", 50), strings.Repeat("é́", 99)} {
		f := occupied(text)
		f.states[1].Pending[0].Clipped, f.states[1].Pending[1].Clipped = "", ""
		out, _, _ := f.call(t, "pending")
		for line := range strings.Lines(out) {
			if cells(strings.TrimSuffix(line, "\n")) > 100 && !strings.HasPrefix(line[9:], "bobproxy ") {
				t.Errorf("%d cells: %s", cells(line), line)
			}
		}
	}
}

// JSON keeps every word to the character.
func TestJSONIsExact(t *testing.T) {
	f := occupied(hostile)
	out, _, _ := f.call(t, "pending", "--json")
	var got struct{ Pending []control.Pending }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	for i, p := range got.Pending {
		want := f.states[1].Pending[i]
		if p.Title != hostile || p.Options[0].ID != hostile || p.Options[1].Name != hostile || p.Verdict.Paths[0].Path != hostile {
			t.Errorf("%d: got %+v", i, p)
		}
		var a, b any
		if json.Unmarshal(p.Input, &a) != nil || json.Unmarshal(want.Input, &b) != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%d: the input is %s, want %s", i, p.Input, want.Input)
		}
	}
}

func TestEscapes(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":"b<&>"}` + "\n":          `{"a":"b<&>"}` + "\n",
		"\"\u009b\u202e\u2028\x7f\"":   `"\u009b\u202e\u2028\u007f"`,
		"\"\U000E0041é統🙂\ufffd\"":      `"\udb40\udc41é統🙂` + "\ufffd" + `"`,
		"\"\xff\xc3(\"":                `"\ufffd\ufffd("`,
		"\"\u00a0\u3164\u00ad\ufe00\"": `"\u00a0\u3164\u00ad\ufe00"`,
	} {
		if got := string(escapeUnseen([]byte(in))); got != want {
			t.Errorf("%q is %s, want %s", in, got, want)
		}
	}
}
