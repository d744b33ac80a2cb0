package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSpread(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"a word", `"x"`, `"x"`},
		{"a number", `-1.50e+2`, `-1.50e+2`},
		{"nothing", `null`, `null`},
		{"empty", `{ }`, `{}`},
		{"empty inside", `[[],{}, "" ]`, "[\n  [],\n  {},\n  \"\"\n]"},
		{"an object", `{"a":1,"b":{"c":[true]}}`, "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": [\n      true\n    ]\n  }\n}"},
		{"order and duplicates", `{"b":1,"a":2,"b":3}`, "{\n  \"b\": 1,\n  \"a\": 2,\n  \"b\": 3\n}"},
		{"escapes hide nothing", `"\u0072m -\u0072f \u002f"`, `"rm -rf /"`},
		{"quotes", `"a\"b\\n"`, `"a\"b\\n"`},
		{"brackets in strings", `["{","]:,"]`, "[\n  \"{\",\n  \"]:,\"\n]"},
		{"lines", `{"c":"a\nb\tc\r\n"}`, "{\n  \"c\": \"a\\n\n    b\\tc\\r\\n\n    \"\n}"},
		{"lines in a name", `{"a\nb":1}`, "{\n  \"a\\n\n    b\": 1\n}"},
		{"control characters", `"\u001b[0m\u0000"`, `"␛[0m␀"`},
		{"lone surrogate", `"\ud800"`, "\"\ufffd\""},
		{"three empty lines", `"a\n\n\n\nb"`, "\"a\\n\n  \\n\n  \\n\n  \\n\n  b\""},
		{"many empty lines", `"a\n` + strings.Repeat(`\n \t`, 500) + `\nb"`, "\"a\\n\n‹501 blank lines›\n  b\""},
	} {
		if got := strings.Join(spread([]byte(c.value)), "\n"); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// Nesting costs no more than it is long.
func TestSpreadIsBounded(t *testing.T) {
	for name, value := range map[string]string{
		"deep":      strings.Repeat("[", 9000) + strings.Repeat("]", 9000),
		"deeper":    strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000),
		"cut short": strings.Repeat("[", 9000),
		"unclosed":  `{"a`,
		"closed":    strings.Repeat("]", 9000),
	} {
		size := 0
		for _, line := range spread([]byte(value)) {
			size += len(line) + 1
		}
		if size > 40*len(value) {
			t.Errorf("%s: %d bytes are shown as %d", name, len(value), size)
		}
	}
}

// Nothing in a value gets lost: what is shown, blanks aside, is the value.
func FuzzSpread(f *testing.F) {
	for _, seed := range []string{`{"a":[1,"b\n\n",{}],"c":null}`, `"\u0072\ud83d\ude42"`, `[[],[ ],{"":""}]`, `-0.1e5`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		lines := spread([]byte(value))
		for _, line := range lines {
			if wrong := unfit(line); wrong != "" || strings.Contains(line, "\n") {
				t.Fatalf("%q shows %s", value, wrong)
			}
		}
		var doc any
		if json.Unmarshal([]byte(value), &doc) != nil {
			return
		}
		text := strings.Join(lines, "\n")
		if strings.Contains(text, "<") { // something was cleaned or counted
			return
		}
		var joined strings.Builder
		for line := range strings.Lines(text) {
			joined.WriteString(strings.TrimSuffix(line, "\n"))
		}
		if !json.Valid([]byte(joined.String())) {
			t.Fatalf("%q is shown as %q, which is no JSON", value, text)
		}
	})
}
