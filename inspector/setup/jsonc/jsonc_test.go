package jsonc

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

var entry = Object{{"command", "/bin/p"}, {"args", []string{"acp"}}}

func TestSet(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", "{\n  \"S\": {\n    \"B\": {\n      \"command\": \"/bin/p\",\n      \"args\": [\"acp\"]\n    }\n  }\n}\n"},
		{"only a comment", "// mine", "// mine\n{\n  \"S\": {\n    \"B\": {\n      \"command\": \"/bin/p\",\n      \"args\": [\"acp\"]\n    }\n  }\n}\n"},
		{"an empty object", "{}", "{\n  \"S\": {\n    \"B\": {\n      \"command\": \"/bin/p\",\n      \"args\": [\"acp\"]\n    }\n  }\n}"},
		{
			"comments and a comma at the end",
			"// mine\n{\n    \"a\": 1, // one, or\n    /* two, */ \"b\": [1, 2,],\n    // the end\n}\n",
			"// mine\n{\n    \"a\": 1, // one, or\n    /* two, */ \"b\": [1, 2,],\n    // the end\n    \"S\": {\n        \"B\": {\n            \"command\": \"/bin/p\",\n            \"args\": [\"acp\"]\n        }\n    },\n}\n",
		},
		{
			"no comma, a comment behind the last value",
			"{\n\t\"a\": 1 // it, and\n}\n",
			"{\n\t\"a\": 1, // it, and\n\t\"S\": {\n\t\t\"B\": {\n\t\t\t\"command\": \"/bin/p\",\n\t\t\t\"args\": [\"acp\"]\n\t\t}\n\t}\n}\n",
		},
		{
			"one line",
			`{"a":1}`,
			"{\"a\":1,\n  \"S\": {\n    \"B\": {\n      \"command\": \"/bin/p\",\n      \"args\": [\"acp\"]\n    }\n  }\n}",
		},
		{
			"others in it, carriage returns",
			"{\r\n  \"S\": {\r\n    \"A\": {}\r\n  },\r\n  \"z\": 1\r\n}\r\n",
			"{\r\n  \"S\": {\r\n    \"A\": {},\r\n    \"B\": {\r\n      \"command\": \"/bin/p\",\r\n      \"args\": [\"acp\"]\r\n    }\r\n  },\r\n  \"z\": 1\r\n}\r\n",
		},
		{
			"ours, of before, with more in it",
			"{\"S\": {\"B\": {\n  \"command\": \"/bin/bob\", // direct\n  \"args\": [ \"acp\" ],\n  \"mode\": \"ask\",\n}}}",
			"{\"S\": {\"B\": {\n  \"command\": \"/bin/p\", // direct\n  \"args\": [ \"acp\" ],\n  \"mode\": \"ask\",\n}}}",
		},
		{
			"ours is no object",
			"{\"S\": {\"B\": null}}",
			"{\"S\": {\"B\": {\n  \"command\": \"/bin/p\",\n  \"args\": [\"acp\"]\n}}}",
		},
		{
			"what looks like comments in strings",
			`{"a": "// no /* no */ \" ,}"}`,
			"{\"a\": \"// no /* no */ \\\" ,}\",\n  \"S\": {\n    \"B\": {\n      \"command\": \"/bin/p\",\n      \"args\": [\"acp\"]\n    }\n  }\n}",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Set([]byte(tt.text), []string{"S", "B"}, entry)
			if err != nil || string(got) != tt.want {
				t.Errorf("%v:\n%s\nwant\n%s", err, got, tt.want)
			}
			again, err := Set(got, []string{"S", "B"}, entry)
			if err != nil || !bytes.Equal(again, got) {
				t.Errorf("once more, %v:\n%s", err, again)
			}
		})
	}
}

func TestWhatCannotBeChanged(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"no JSON", "{\n a: 1}", "line 2"},
		{"two values", "{} {}", "line 1"},
		{"a list", "[]", "no object"},
		{"a list on the way", `{"S": []}`, "no object"},
		{"null on the way", `{"S": null}`, "no object"},
		{"twice", `{"S": {}, "S": {}}`, "twice"},
		{"twice, escaped", `{"S": {}, "\u0053": {}}`, "twice"},
		{"a comment without an end", "{}\n/* and", "line 2: a comment has no end"},
		{"two commas", `{"a": 1,,}`, "line 1"},
		{"a comma alone", `{,}`, "line 1"},
		{"a string without an end", `{"a`, "line 1"},
		{"an end too many", `{}}`, "line 1"},
	} {
		if got, err := Set([]byte(tt.text), []string{"S", "B"}, entry); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %q, %v; want an error with %q", tt.name, got, err, tt.want)
		}
	}
}

func TestGet(t *testing.T) {
	text := []byte(mark + "{\"a\": {\"b\": [1, /* 2 */ 3,], // c\n}}")
	got, found, err := Get(text, "a", "b")
	var list []int
	if err != nil || !found || json.Unmarshal(got, &list) != nil || !reflect.DeepEqual(list, []int{1, 3}) {
		t.Errorf("got %s, %t, %v", got, found, err)
	}
	if _, found, err := Get(text, "a", "x"); found || err != nil {
		t.Errorf("what is not there: %t, %v", found, err)
	}
	if _, found, err := Get([]byte(" // \n"), "a"); found || err != nil {
		t.Errorf("an empty file: %t, %v", found, err)
	}
}

// FuzzSet checks that what was read can be read afterwards, has the entry, and
// has lost and gained nothing else: not in its values, and not in its bytes.
func FuzzSet(f *testing.F) {
	for _, text := range []string{
		"", "{}", " // a\n{ /* b */ \"a\": [1,2,], \"S\": {\"B\": {\"x\": 1,},\n},\n}", `{"S":{"B":1}}`, `{"S":{"B":{"command":"/bin/p"}}}`,
		mark + "{\r\n\"S\": {} // x\r\n}", `{"a":"\"//"}`, "{\"S\":{//\n}}", `{"S":{"B":{"args":["acp",]/**/}}}`, "/**/", `[1,2,]`, "{\"a\":1//,\n}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := []string{"S", "B"}
		got, err := Set(text, path, entry)
		if err != nil {
			return
		}
		standard, err := Standard(got)
		if err != nil {
			t.Fatalf("%q became %q: %v", text, got, err)
		}
		for _, m := range entry {
			if value, found, err := Get(got, "S", "B", m.Name); err != nil || !found || !same(value, m.Value) {
				t.Fatalf("%q became %q: %s is %s, %v", text, got, m.Name, value, err)
			}
		}
		if again, err := Set(got, path, entry); err != nil || !bytes.Equal(again, got) {
			t.Fatalf("%q became %q, then %q", text, got, again)
		}
		if before, after := without(t, text), without(t, standard); !reflect.DeepEqual(before, after) {
			t.Fatalf("%q became %q: other values differ", text, got)
		}
		if !has(t, text) && !subsequence(text, got) {
			t.Fatalf("%q became %q: something is lost", text, got)
		}
		if comments(text) != comments(got) && !has(t, text) {
			t.Fatalf("%q became %q: comments differ", text, got)
		}
	})
}

// without is what a text says apart from the entry.
func without(t *testing.T, text []byte) any {
	t.Helper()
	standard, err := Standard(text)
	if err != nil {
		t.Fatal(err)
	}
	object := map[string]any{}
	_ = json.Unmarshal(standard, &object)
	servers, _ := object["S"].(map[string]any)
	if ours, ok := servers["B"].(map[string]any); ok {
		delete(ours, "command")
		delete(ours, "args")
	}
	if ours, ok := servers["B"].(map[string]any); !ok || len(ours) == 0 {
		delete(servers, "B")
	}
	if len(servers) == 0 {
		delete(object, "S")
	}
	return object
}

func has(t *testing.T, text []byte) bool {
	t.Helper()
	_, found, err := Get(text, "S", "B")
	return found && err == nil
}

// subsequence says that all of small is in large, in its order.
func subsequence(small, large []byte) bool {
	for _, c := range large {
		if len(small) > 0 && small[0] == c {
			small = small[1:]
		}
	}
	return len(small) == 0
}

// comments are what Standard takes away, but for commas and blanks.
func comments(text []byte) string {
	blanked := bytes.Clone(text)
	_ = blankComments(blanked)
	var b strings.Builder
	for i, c := range text {
		if c != blanked[i] && !isBlank(c) {
			b.WriteByte(c)
		}
	}
	return b.String()
}
