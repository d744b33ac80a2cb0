package acp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// validate judges a whole text as RFC 8259 does, line breaks between tokens
// included: what Scan does to a member's value, but not bound to one line.
func validate(b []byte) Reason {
	l := lexer{b: b}
	start := l.blank(0)
	end, ok := l.value(start, 0)
	switch {
	case !ok:
		return l.reason
	case l.blank(end) < len(b):
		return BytesAfter
	}
	return l.garbled
}

func TestValue(t *testing.T) {
	accepted := []string{
		`0`, `-0`, `10`, `-1`, `1.5`, `0.0`, `1e5`, `1E+05`, `-1.25e-300`, `1e400`, `123456789012345678901234567890`,
		`true`, `false`, `null`, `""`, `" "`, "\"\x7f\"", `"\"\\\/\b\f\n\r\t"`, `"\u0000"`, `"\uABcd"`, `"\ud83d\ude00"`, `"\uDBFF\uDFFF"`,
		`"\uffff"`, "\"\u00e9\"", "\"\u2028\u2029\"", "\"\ufeff\"", "\"\U0010ffff\"", "\"\uffff\"", "\"\ue000\ud7ff\"", `"1234567"`, `"12345678"`, `"123456789"`,
		`[]`, `[ ]`, `{}`, `{ }`, `[1]`, `[1,2]`, "[1\n,\r\n2]", `[[],{}]`, `{"":0}`, `{"a":{"a":[]}}`, `{"a":1,"a":2}`,
		" \t\r\n[]", "[] \t\r\n", `[" ",{"x":[true,null]},-0.1e1]`,
	}
	for _, text := range accepted {
		if r := validate([]byte(text)); r != 0 {
			t.Errorf("%q: got %v, want it accepted", text, r)
		}
	}
	refused := []string{
		``, ` `, `x`, `,`, `:`, `]`, `}`, `"`, `'a'`, `a`, "\x00", "\x0b1", "\u00a01", "1\u00a0",
		`01`, `-01`, `00`, `1.`, `.5`, `-.5`, `-`, `+1`, `--1`, `1e`, `1e+`, `1.e1`, `e1`, `0x1`, `1_0`, `1a`, `1 2`, `NaN`, `Infinity`, `-Infinity`, `1e1.5`,
		"\uff11", `tru`, `truee`, `True`, `nul`, `nulL`, `undefined`, `f`, `fals`,
		`"\x61"`, `"\a"`, `"\0"`, `"\'"`, `"\U0041"`, `"\u"`, `"\u1"`, `"\u12"`, `"\u123"`, `"\u123g"`, `"\u-123"`, `"\u 123"`, `"\`, `"\"`, `"\u12`,
		`"\ud800"`, `"\udc00"`, `"\ud800x"`, `"\ud800\n"`, `"\ud800\u0041"`, `"\ud800\ud800"`, `"\udc00\ud800"`, `"\ud800\u"`, `"\ud800\`, `"\ud8`,
		"\"\x00\"", "\"\t\"", "\"\n\"", "\"\r\"", "\"\x1f\"", "\"1234567\x1f\"", "\"123456789\x1f\"",
		"\"\xff\"", "\"\x80\"", "\"\xc0\xaf\"", "\"\xc1\xbf\"", "\"\xe0\x80\xaf\"", "\"\xf0\x80\x80\xaf\"", "\"\xed\xa0\x80\"", "\"\xed\xbf\xbf\"",
		"\"\xf4\x90\x80\x80\"", "\"\xf8\x88\x80\x80\x80\"", "\"\xe2\x82\"", "\"\xe2\"", "\"\xc3", "\"12345678\xff12345678\"", "\"\xe2\\u0082\xac\"",
		`[`, `[1`, `[1,`, `[1,]`, `[,]`, `[,1]`, `[1,,2]`, `[1 2]`, `[1:2]`, `[}`, `[1}`, `[[]`, `[]]`, `["a"`, `[1,}`,
		`{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{,}`, `{"a"}`, `{"a",1}`, `{"a":}`, `{"a"::1}`, `{"a":1 "b":2}`, `{1:1}`, `{a:1}`, `{'a':1}`, `{null:1}`,
		`{"a":1]`, `{]`, `{}}`, `{[]:1}`, `{"a":[}`, `{"a":{]}`, `{"a" "b"}`, `{"\x":1}`, "{\"\xff\":1}",
		`[]x`, `{} {}`, `1,`, `"a" "b"`, `/**/1`, `1//`, `[1/**/]`, `{"a":1#x` + "\n}", `{"a":1,...}`, "\ufeff1", "[\f]", "[\u2060]", "[\x00]", "[]\x00",
	}
	for _, text := range refused {
		if r := validate([]byte(text)); r == 0 {
			t.Errorf("%q: accepted, want it refused", text)
		}
	}
}

// TestValueAtEveryOffset puts what must be found at every place of an
// eight-byte word, and at the end of the input.
func TestValueAtEveryOffset(t *testing.T) {
	for pad := range 20 {
		for tail := range 20 {
			for c := range 256 {
				text := `"` + strings.Repeat("x", pad) + string([]byte{byte(c)}) + strings.Repeat("y", tail) + `"`
				want := c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\'
				if got := validate([]byte(text)) == 0; got != want {
					t.Fatalf("%q: accepted %v, want %v", text, got, want)
				}
			}
		}
	}
}

// TestSuite runs the collection of the JSONTestSuite project through the
// validator and, as the params of a request, through Scan.
func TestSuite(t *testing.T) {
	root := os.Getenv("BOBPROXY_TESTDATA")
	if root == "" {
		t.Skip("BOBPROXY_TESTDATA names no folder with the JSONTestSuite; the literal cases cover its rules")
	}
	files, err := filepath.Glob(filepath.Join(root, "corpora", "JSONTestSuite", "test_parsing", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	count := map[byte]int{}
	for _, file := range files {
		name := filepath.Base(file)
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		count[name[0]]++
		text := validate(content) == 0
		var f Frame
		Scan(asParams(content, name[0] != 'n'), &f)
		line := f.Kind == Request && f.Reason == 0 && f.Strict
		switch name[0] {
		case 'y':
			if !text || !line {
				t.Errorf("%s: accepted as a text %v, in a line %v; want both", name, text, line)
			}
		case 'n':
			if text || line {
				t.Errorf("%s: accepted as a text %v, in a line %v; want neither", name, text, line)
			}
			if !line && f.Kind != Ambiguous {
				t.Errorf("%s: got %v, want ambiguous", name, f.Kind)
			}
		default:
			want := jsontext.Value(content).IsValid(jsontext.AllowDuplicateNames(true))
			if text != want && validate(content) != TooDeep {
				t.Errorf("%s: accepted %v, by jsontext %v", name, text, want)
			}
		}
	}
	if count['y'] != 95 || count['n'] != 188 || count['i'] != 35 {
		t.Errorf("got %d, %d and %d files to accept, to refuse and to choose; want 95, 188 and 35", count['y'], count['n'], count['i'])
	}
}

// asParams makes value the params of a request on one line. A line break
// between two tokens is a blank that no line can contain; in a text that is
// known to be good it stands nowhere else, so another blank says the same.
func asParams(value []byte, good bool) []byte {
	text := strings.TrimRight(string(value), "\n")
	if good {
		text = strings.NewReplacer("\n", " ", "\r", " ").Replace(text)
	}
	return []byte(`{"jsonrpc":"2.0","id":1,"method":"x","params":` + text + `}`)
}

func TestBrackets(t *testing.T) {
	var s brackets
	object := func(i int) bool { return i%3 == 0 || i == 64 }
	for i := range maxDepth {
		s.push(object(i))
	}
	for i := maxDepth - 1; i >= 0; i-- {
		if s.object() != object(i) {
			t.Fatalf("bracket %d is remembered wrong", i)
		}
		s.pop()
	}
}

func TestUnescape(t *testing.T) {
	for in, want := range map[string]string{
		``:                          ``,
		`a`:                         `a`,
		`\u0061\/\\\"`:              `a/\"`,
		`\b\f\n\r\t`:                "\b\f\n\r\t",
		`\u00e9\u20AC\ud83d\ude00`:  "\u00e9\u20ac\U0001f600",
		`\ufffd\uffff\ud7ff\ue000`:  "\ufffd\uffff\ud7ff\ue000",
		`\uDBFF\uDFFF`:              "\U0010ffff",
		`\x\u12\`:                   `\x\u12\`,
		`\ud800a\udc00\ud800\u0041`: "\ufffda\ufffd\ufffdA",
		`\ud800\ud83d\ude00\ud8`:    "\ufffd\U0001f600\\ud8",
		"\xff\\u0041":               "\xffA",
	} {
		if got := unescape(nil, []byte(in)); string(got) != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
