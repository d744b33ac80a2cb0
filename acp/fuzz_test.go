package acp_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"bobproxy/acp"

	"github.com/go-json-experiment/json/jsontext"
)

// FuzzScan compares Scan with two independent parsers over arbitrary bytes.
func FuzzScan(f *testing.F) {
	for _, c := range scanCases {
		f.Add([]byte(c.line + "\n"))
	}
	for _, a := range attacks {
		if len(a.line) < 1000 {
			f.Add([]byte(a.line))
		}
	}
	f.Add([]byte(deep(126) + "\r\n"))
	f.Add([]byte(deep(127) + "\r\n"))
	f.Fuzz(checkLine)
}

// tokens are what hostile envelopes are made of. FuzzScanTokens strings them
// together, which reaches further than single bytes do.
var tokens = []string{
	`{`, `}`, `[`, `]`, `,`, `:`, `{`, `}`, `,`, `:`, ` `, "\t", "\r", "\n", "\x00", "\ufeff", "\u2028", `/**/`,
	`"id"`, `"id":1,`, `"ID"`, `"i\u0064"`, `id`, `1`, `"1"`, `1.0`, `-0`, `01`, `9223372036854775808`, `null`, `true`, `[1]`,
	`"method"`, `"method":"a",`, `"Method"`, `"m\u0065thod"`, `"fs\u002fread_text_file"`, `"a\u0000"`, "\"\u00e9\"",
	`"params"`, `"params":{`, "\"param\u017f\"", `"sessionId":"s",`, `"session\u0049d"`, `"sessionId"`, `{}`, `[]`, `{"a":[{}]}`,
	`"result"`, `"result":1,`, `"result":{`, `"error"`, `"error":{},`, `"jsonrpc":"2.0",`, `"x":`, `"\ud800"`, `"\ud83d\ude00"`, `"\x"`, "\"\xff\"", `"`, `\`,
	`[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[`, `]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]`,
	`"update":{`, `"sessionUpdate":"u",`, `"sessionId":"\udc00",`, "\"sessionUpdate\":\"u\xff\",",
}

// FuzzScanTokens compares Scan with the same parsers over lines in which each
// byte of the input stands for a token.
func FuzzScanTokens(f *testing.F) {
	for i := range tokens {
		f.Add([]byte{0, 18, byte(i)})
		f.Add([]byte{0, 19, 33, byte(i), 1})
		f.Add([]byte{0, 52, byte(i), 1, 4, 19, 33, 1})
		f.Add([]byte{0, 19, 33, 40, 63, 64, 54, byte(i), 1, 1, 1})
	}
	f.Fuzz(func(t *testing.T, picks []byte) {
		var line []byte
		for _, p := range picks {
			line = append(line, tokens[int(p)%len(tokens)]...)
		}
		checkLine(t, line)
	})
}

// TestScanOneByteOff compares Scan with the same parsers over every line that
// is one byte away from a sound one.
func TestScanOneByteOff(t *testing.T) {
	base := `{"jsonrpc":"2.0", "id":-10,"method":"a\/b","params":{"sessionId":"s","x":[1.5e+3,true]},"é":"\ud83d\ude00"}`
	for i := range len(base) + 1 {
		for c := range 256 {
			checkLine(t, []byte(base[:i]+string([]byte{byte(c)})+base[i:]))
			if i < len(base) {
				checkLine(t, []byte(base[:i]+string([]byte{byte(c)})+base[i+1:]))
			}
		}
		checkLine(t, []byte(base[:i]))
		checkLine(t, []byte(base[:i]+base[min(i+1, len(base)):]))
		if t.Failed() {
			t.Fatalf("at offset %d", i)
		}
	}
}

// checkLine compares what Scan says of line with what two independent parsers
// say, in both directions: what Scan calls a plain frame they must read the
// same way, and for what it refuses there must be a reason that they or the
// bytes confirm.
func checkLine(t *testing.T, line []byte) {
	t.Helper()
	got := litter()
	acp.Scan(line, &got)
	body := checkEOL(t, line, &got)
	checkSpans(t, line, &got)
	checkShape(t, body, &got)
	if object := readObject(body); object == nil {
		checkRefused(t, body, &got)
	} else {
		checkRead(t, body, object, &got)
	}
	checkIDKey(t, got.ID)
	if t.Failed() {
		t.Logf("line %q", line)
	}
}

// checkEOL verifies how the line ends and returns what is before.
func checkEOL(t *testing.T, line []byte, f *acp.Frame) []byte {
	t.Helper()
	want, body := acp.NoEOL, string(line)
	if s, ok := strings.CutSuffix(body, "\r\n"); ok {
		want, body = acp.CRLF, s
	} else if s, ok := strings.CutSuffix(body, "\n"); ok {
		want, body = acp.LF, s
	}
	if f.EOL != want {
		t.Errorf("got line ending %d, want %d", f.EOL, want)
	}
	return []byte(body)
}

// checkShape verifies what holds of every frame.
func checkShape(t *testing.T, body []byte, f *acp.Frame) {
	t.Helper()
	if hasBrace := bytes.IndexByte(body, '{') >= 0; hasBrace != (f.Kind != acp.Text) {
		t.Errorf("got %v, with a brace %v", f.Kind, hasBrace)
	}
	if f.Strict && !(utf8.Valid(body) && json.Valid(body) && body[0] == '{' && body[len(body)-1] == '}' && !bytes.ContainsAny(body, "\r\n")) {
		t.Error("strict, but cannot be embedded")
	}
	if f.ID != nil && !(json.Valid(f.ID) && utf8.Valid(f.ID)) {
		t.Errorf("id %q is no value", f.ID)
	}
	if f.Reason != 0 && f.Reason.String() == "" {
		t.Errorf("reason %d has no words", f.Reason)
	}
	rest := *f
	rest.Kind, rest.Reason, rest.EOL, rest.Strict, rest.ID, rest.Method = 0, 0, 0, false, nil, nil
	switch odd := f.Reason >= acp.OddID; f.Kind {
	case acp.Text:
		if f.Reason != 0 || f.Strict || f.ID != nil || f.Method != nil || factsOf(&rest) != (facts{}) {
			t.Errorf("text says %+v", factsOf(f))
		}
	case acp.Ambiguous:
		if f.Reason == 0 || odd || factsOf(&rest) != (facts{}) {
			t.Errorf("an ambiguous line says %+v", factsOf(f))
		}
	default:
		if f.Reason != 0 && !odd && !f.Reason.Garbled() {
			t.Errorf("got %v for the reason %v", f.Kind, f.Reason)
		}
	}
}

// parsed is one member of an object as jsontext reads it.
type parsed struct {
	name  string
	value string // raw
	key   string // the name as it is written
	plain bool   // it is written without escapes
}

// readObject reads body as one object with all of its members in order; nil
// when one of the two parsers refuses it, be they told not to mind what is no
// character. Duplicate names are allowed.
func readObject(body []byte) []parsed {
	text := bytes.Trim(body, " \t\r\n")
	if !json.Valid(text) || !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) || text[0] != '{' {
		return nil
	}
	members := []parsed{}
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	for d.PeekKind() == '"' {
		raw, err := d.ReadValue()
		if err != nil {
			return nil
		}
		name, _ := jsontext.AppendUnquote(nil, raw) // it minds what is no character, but goes on
		plain, spelled := !bytes.ContainsRune(raw, '\\'), string(raw)
		value, err := d.ReadValue()
		if err != nil {
			return nil
		}
		members = append(members, parsed{string(name), string(value), spelled, plain})
	}
	return members
}

// checkRefused verifies that a line in which no strict parser finds an object
// is none to Scan either.
func checkRefused(t *testing.T, body []byte, f *acp.Frame) {
	t.Helper()
	if f.Kind != acp.Text && f.Kind != acp.Ambiguous || f.Strict {
		t.Errorf("got %v, strict %v, but a parser refuses the line", f.Kind, f.Strict)
	}
	switch f.Reason {
	case acp.TooDeep: // the line may or may not be sound behind that
	case acp.DuplicateMember, acp.EscapedMember, acp.FoldedMember, acp.MethodNotString, acp.MethodCharacters, acp.LineBreak:
		// The first fault; another one follows.
	case acp.NoPurpose:
		t.Errorf("got %v, but a parser refuses the line", f.Reason)
	case acp.OtherEncoding:
		if bytes.IndexByte(body, 0) < 0 && bytes.IndexByte(body, 0xff) < 0 {
			t.Errorf("got %v without a sign of one", f.Reason)
		}
	}
}

// checkRead verifies what Scan says of a line that is one object.
func checkRead(t *testing.T, body []byte, object []parsed, f *acp.Frame) {
	t.Helper()
	values := map[string]string{}
	var duplicate, folded, escaped bool
	above := map[acp.Reason]bool{} // what is garbled on the envelope
	mind := func(raw string) {
		for _, reason := range garbled(raw) {
			above[reason] = true
		}
	}
	for _, m := range object {
		mind(m.key)
		for _, known := range []string{"jsonrpc", "id", "method"} {
			if strings.EqualFold(m.name, known) {
				mind(m.value)
			}
		}
		for _, known := range []string{"jsonrpc", "id", "method", "params", "result", "error"} {
			switch {
			case m.name == known:
				_, again := values[known]
				duplicate = duplicate || again
				escaped = escaped || !m.plain
				values[known] = m.value
			case strings.EqualFold(m.name, known):
				folded = true
			}
		}
	}
	var method *string
	if json.Unmarshal([]byte(values["method"]), &method) != nil {
		method = nil
	}
	printable := method != nil && strings.IndexFunc(*method, func(r rune) bool { return r < ' ' || r > '~' }) < 0
	_, hasMethod := values["method"]
	_, hasID := values["id"]
	_, hasResult := values["result"]
	_, hasError := values["error"]

	grounds := map[acp.Reason]bool{
		acp.DuplicateMember:  duplicate,
		acp.FoldedMember:     folded,
		acp.EscapedMember:    escaped,
		acp.MethodNotString:  hasMethod && (method == nil || duplicate),
		acp.MethodCharacters: hasMethod && (!printable || duplicate),
		acp.NoPurpose:        !hasMethod && !hasResult && !hasError,
		acp.LineBreak:        bytes.ContainsAny(body, "\r\n"),
		acp.TooDeep:          bytes.Count(body, []byte("["))+bytes.Count(body, []byte("{")) > 128,
		acp.InvalidUTF8:      above[acp.InvalidUTF8],
		acp.LoneSurrogate:    above[acp.LoneSurrogate],
	}
	if f.Kind == acp.Ambiguous {
		if !grounds[f.Reason] {
			t.Errorf("got %v, but two parsers accept the line", f.Reason)
		}
		return
	}
	for reason, found := range grounds {
		if found && reason != acp.TooDeep {
			t.Errorf("got %v in spite of %v", f.Kind, reason)
		}
	}

	below := garbled(string(bytes.Trim(body, " \t")))
	if f.Reason.Garbled() && !slices.Contains(below, f.Reason) || f.Reason == 0 && below != nil {
		t.Errorf("got %q, but a strict parser minds %v", f.Reason, below)
	}
	want := facts{
		reason: f.Reason, strict: len(bytes.Trim(body, " \t")) == len(body) && below == nil,
		id: values["id"], params: values["params"], result: values["result"], error: values["error"],
	}
	session := values["result"]
	switch {
	case hasMethod && hasID:
		want.kind, want.method, session = acp.Request, *method, values["params"]
	case hasMethod:
		want.kind, want.method, session = acp.Notification, *method, values["params"]
	case hasError:
		want.kind = acp.Error
	default:
		want.kind = acp.Response
	}
	want.sess = lastString([]byte(session), "sessionId")
	if hasMethod {
		want.update = lastString([]byte(lastValue([]byte(session), "update")), "sessionUpdate")
	}
	if got := factsOf(f); got != want {
		t.Errorf("%q\n got %+v\nwant %+v", body, got, want)
	}
}

// lastValue is the raw value of the last member of that name in an object.
func lastValue(object []byte, name string) (value string) {
	for _, m := range readObject(object) {
		if m.name == name {
			value = m.value
		}
	}
	return value
}

// lastString is the content of lastValue when that is a string and not garbled.
func lastString(object []byte, name string) string {
	value := lastValue(object, name)
	if !strings.HasPrefix(value, `"`) || garbled(value) != nil {
		return ""
	}
	return value[1 : len(value)-1]
}

// checkIDKey verifies that an id has one key, of bounded size, and that an
// ordinary one is what encoding/json takes for a string or an int64.
func checkIDKey(t *testing.T, id []byte) {
	t.Helper()
	key, ordinary := acp.IDKey(nil, id)
	if len(key) > 1+256 || (len(key) == 0) != (id == nil) {
		t.Errorf("id %.80q: got a key of %d bytes", id, len(key))
	}
	if !ordinary {
		return
	}
	var s string
	if json.Unmarshal(id, &s) == nil {
		again, _ := acp.IDKey(nil, quote(t, s))
		if !bytes.Equal(key, again) {
			t.Errorf("id %.80q has another key when it is spelled anew", id)
		}
		return
	}
	var n int64
	if err := json.Unmarshal(id, &n); err != nil {
		t.Errorf("id %.80q is ordinary, but: %v", id, err)
	}
}

func quote(t *testing.T, s string) []byte {
	t.Helper()
	quoted, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		t.Fatal(err)
	}
	return quoted
}
