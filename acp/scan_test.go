package acp_test

import (
	"bytes"
	"strings"
	"testing"
	"unsafe"

	"bobproxy/acp"
)

// facts is a Frame in comparable form; a part that is absent is "".
type facts struct {
	kind   acp.Kind
	reason acp.Reason
	strict bool
	id     string
	method string
	params string
	result string
	error  string
	sess   string
	update string
}

func factsOf(f *acp.Frame) facts {
	return facts{f.Kind, f.Reason, f.Strict,
		string(f.ID), string(f.Method), string(f.Params), string(f.Result), string(f.Error), string(f.Session), string(f.Update)}
}

var scanCases = []struct {
	name string
	line string
	want facts
}{
	// Plain frames.
	{"request", `{"jsonrpc":"2.0","id":1,"method":"a/b","params":{"x":1}}`,
		facts{kind: acp.Request, strict: true, id: `1`, method: "a/b", params: `{"x":1}`}},
	{"notification", `{"jsonrpc":"2.0","method":"a"}`,
		facts{kind: acp.Notification, strict: true, method: "a"}},
	{"response", `{"jsonrpc":"2.0","id":"x","result":null}`,
		facts{kind: acp.Response, strict: true, id: `"x"`, result: `null`}},
	{"error", `{"jsonrpc":"2.0","id":2,"error":{"code":-32601}}`,
		facts{kind: acp.Error, strict: true, id: `2`, error: `{"code":-32601}`}},
	{"error without a readable id", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}`,
		facts{kind: acp.Error, strict: true, id: `null`, error: `{"code":-32700}`}},
	{"any order", `{"params":[],"method":"a","id":1}`,
		facts{kind: acp.Request, strict: true, id: `1`, method: "a", params: `[]`}},
	{"no jsonrpc", `{"id":1,"method":"a"}`, facts{kind: acp.Request, strict: true, id: `1`, method: "a"}},
	{"jsonrpc of another version", `{"jsonrpc":1.0,"method":"a"}`,
		facts{kind: acp.Notification, strict: true, method: "a"}},
	{"unknown members", `{"_meta":{"id":9},"_meta":1,"method":"a"}`,
		facts{kind: acp.Notification, strict: true, method: "a"}},
	{"blanks inside", "{ \"id\" :\t1 , \"method\" : \"a\" , \"params\" : { } }",
		facts{kind: acp.Request, strict: true, id: `1`, method: "a", params: `{ }`}},
	{"blanks before", ` {"method":"a"}`, facts{kind: acp.Notification, method: "a"}},
	{"blanks after", "{\"method\":\"a\"}\t ", facts{kind: acp.Notification, method: "a"}},
	{"empty method", `{"id":1,"method":""}`, facts{kind: acp.Request, strict: true, id: `1`}},
	{"escaped method", `{"method":"\u0061\/b"}`, facts{kind: acp.Notification, strict: true, method: "a/b"}},
	{"escaped other name", `{"\u005fmeta":1,"method":"a"}`, facts{kind: acp.Notification, strict: true, method: "a"}},
	{"braces in text", `{"method":"a","params":{"t":"}{]["}}`,
		facts{kind: acp.Notification, strict: true, method: "a", params: `{"t":"}{]["}`}},
	{"envelope's names inside", `{"method":"a","params":{"method":"b","METHOD":1,"id":2,"id":3}}`,
		facts{kind: acp.Notification, strict: true, method: "a", params: `{"method":"b","METHOD":1,"id":2,"id":3}`}},

	// Sessions.
	{"session of a request", `{"id":1,"method":"a","params":{"x":{"sessionId":"no"},"sessionId":"s\u0031"}}`,
		facts{kind: acp.Request, strict: true, id: `1`, method: "a",
			params: `{"x":{"sessionId":"no"},"sessionId":"s\u0031"}`, sess: `s\u0031`}},
	{"session of a result", `{"id":1,"result":{"sessionId":"s"}}`,
		facts{kind: acp.Response, strict: true, id: `1`, result: `{"sessionId":"s"}`, sess: "s"}},
	{"last session", `{"method":"a","params":{"sessionId":"s","sessionId":"t"}}`,
		facts{kind: acp.Notification, strict: true, method: "a", params: `{"sessionId":"s","sessionId":"t"}`, sess: "t"}},
	{"session under an escaped name", `{"method":"a","params":{"session\u0049d":"s"}}`,
		facts{kind: acp.Notification, strict: true, method: "a", params: `{"session\u0049d":"s"}`, sess: "s"}},
	{"session that is no string", `{"method":"a","params":{"sessionId":"s","sessionId":7}}`,
		facts{kind: acp.Notification, strict: true, method: "a", params: `{"sessionId":"s","sessionId":7}`}},
	{"update", `{"method":"a","params":{"update":{"x":[{"sessionUpdate":"no"}],"sessionUpdate":"plan"},"sessionId":"s"}}`,
		facts{kind: acp.Notification, strict: true, method: "a", sess: "s", update: "plan",
			params: `{"update":{"x":[{"sessionUpdate":"no"}],"sessionUpdate":"plan"},"sessionId":"s"}`}},
	{"update written with escapes", `{"method":"a","params":{"updat\u0065":{"session\u0055pdate":"pl\u0061n"}}}`,
		facts{kind: acp.Notification, strict: true, method: "a", update: `pl\u0061n`,
			params: `{"updat\u0065":{"session\u0055pdate":"pl\u0061n"}}`}},
	{"last update", `{"method":"a","params":{"update":{"sessionUpdate":"a","sessionUpdate":"b"},"update":{"sessionUpdate":"c","sessionUpdate":"d"}}}`,
		facts{kind: acp.Notification, strict: true, method: "a", update: "d",
			params: `{"update":{"sessionUpdate":"a","sessionUpdate":"b"},"update":{"sessionUpdate":"c","sessionUpdate":"d"}}`}},
	{"last update says nothing", `{"method":"a","params":{"update":{"sessionUpdate":"a"},"update":{}}}`,
		facts{kind: acp.Notification, strict: true, method: "a", params: `{"update":{"sessionUpdate":"a"},"update":{}}`}},
	{"last update is no object", `{"method":"a","params":{"update":{"sessionUpdate":"a"},"update":["sessionUpdate"]}}`,
		facts{kind: acp.Notification, strict: true, method: "a", params: `{"update":{"sessionUpdate":"a"},"update":["sessionUpdate"]}`}},
	{"update of a kind that is no string", `{"method":"a","params":{"update":{"sessionUpdate":"a","sessionUpdate":null}}}`,
		facts{kind: acp.Notification, strict: true, method: "a", params: `{"update":{"sessionUpdate":"a","sessionUpdate":null}}`}},
	{"update in a result", `{"id":1,"result":{"update":{"sessionUpdate":"a"}}}`,
		facts{kind: acp.Response, strict: true, id: `1`, result: `{"update":{"sessionUpdate":"a"}}`}},
	{"update of an ambiguous line", `{"method":"a","Method":"b","params":{"update":{"sessionUpdate":"a"}}}`,
		facts{kind: acp.Ambiguous, reason: acp.FoldedMember, strict: true, method: "a"}},
	{"session in params of a response", `{"id":1,"result":1,"params":{"sessionId":"s"}}`,
		facts{kind: acp.Response, strict: true, id: `1`, result: `1`, params: `{"sessionId":"s"}`}},
	{"session in the result of a request", `{"id":1,"method":"a","result":{"sessionId":"s"}}`,
		facts{kind: acp.Request, reason: acp.Conflict, strict: true, id: `1`, method: "a", result: `{"sessionId":"s"}`}},

	// Text.
	{"nothing", ``, facts{}},
	{"blank", " \t", facts{}},
	{"banner", `listening on port 80`, facts{}},
	{"number", `5`, facts{}},
	{"string", `"x"`, facts{}},
	{"null", `null`, facts{}},
	{"array without an object", `[1,[]]`, facts{}},
	{"garbage", "\x00\xff}", facts{}},
	{"CR in text", "10%\r20%", facts{}},

	// Odd ids.
	{"id null", `{"id":null,"method":"a"}`, facts{kind: acp.Request, reason: acp.OddID, strict: true, id: `null`, method: "a"}},
	{"id true", `{"id":true,"method":"a"}`, facts{kind: acp.Request, reason: acp.OddID, strict: true, id: `true`, method: "a"}},
	{"id 1.0", `{"id":1.0,"result":1}`, facts{kind: acp.Response, reason: acp.OddID, strict: true, id: `1.0`, result: `1`}},
	{"id 1e0", `{"id":1e0,"method":"a"}`, facts{kind: acp.Request, reason: acp.OddID, strict: true, id: `1e0`, method: "a"}},
	{"id -0", `{"id":-0,"method":"a"}`, facts{kind: acp.Request, reason: acp.OddID, strict: true, id: `-0`, method: "a"}},
	{"id beyond int64", `{"id":9223372036854775808,"method":"a"}`,
		facts{kind: acp.Request, reason: acp.OddID, strict: true, id: `9223372036854775808`, method: "a"}},
	{"id smallest int64", `{"id":-9223372036854775808,"method":"a"}`,
		facts{kind: acp.Request, strict: true, id: `-9223372036854775808`, method: "a"}},
	{"id object", `{"id":{"id":1},"method":"a"}`, facts{kind: acp.Request, reason: acp.OddID, strict: true, id: `{"id":1}`, method: "a"}},
	{"id array", `{"id":[1],"error":{}}`, facts{kind: acp.Error, reason: acp.OddID, strict: true, id: `[1]`, error: `{}`}},
	{"response to null", `{"id":null,"result":1}`, facts{kind: acp.Response, reason: acp.OddID, strict: true, id: `null`, result: `1`}},
	{"response to nobody", `{"result":1}`, facts{kind: acp.Response, reason: acp.NoID, strict: true, result: `1`}},
	{"error to nobody", `{"error":1}`, facts{kind: acp.Error, reason: acp.NoID, strict: true, error: `1`}},

	// Conflicting members.
	{"method beside result", `{"id":1,"method":"a","result":1}`,
		facts{kind: acp.Request, reason: acp.Conflict, strict: true, id: `1`, method: "a", result: `1`}},
	{"method beside error", `{"method":"a","error":1}`,
		facts{kind: acp.Notification, reason: acp.Conflict, strict: true, method: "a", error: `1`}},
	{"result beside error", `{"id":1,"result":1,"error":null}`,
		facts{kind: acp.Error, reason: acp.Conflict, strict: true, id: `1`, result: `1`, error: `null`}},

	// Envelope members that peers read differently.
	{"empty object", `{}`, facts{kind: acp.Ambiguous, reason: acp.NoPurpose, strict: true}},
	{"only an id", `{"jsonrpc":"2.0","id":1,"params":{}}`, facts{kind: acp.Ambiguous, reason: acp.NoPurpose, strict: true, id: `1`}},
	{"duplicate jsonrpc", `{"jsonrpc":"2.0","jsonrpc":"2.0","method":"a"}`,
		facts{kind: acp.Ambiguous, reason: acp.DuplicateMember, strict: true, method: "a"}},
	{"duplicate id", `{"id":1,"id":2,"method":"a"}`,
		facts{kind: acp.Ambiguous, reason: acp.DuplicateMember, strict: true, id: `2`, method: "a"}},
	{"duplicate method", `{"id":1,"method":"a","method":"b"}`,
		facts{kind: acp.Ambiguous, reason: acp.DuplicateMember, strict: true, id: `1`, method: "b"}},
	{"duplicate params", `{"params":1,"params":1,"method":"a"}`,
		facts{kind: acp.Ambiguous, reason: acp.DuplicateMember, strict: true, method: "a"}},
	{"duplicate result", `{"id":1,"result":1,"result":1}`,
		facts{kind: acp.Ambiguous, reason: acp.DuplicateMember, strict: true, id: `1`}},
	{"duplicate error", `{"id":1,"error":1,"error":1}`,
		facts{kind: acp.Ambiguous, reason: acp.DuplicateMember, strict: true, id: `1`}},
	{"id behind the duplicate", `{"method":"a","method":"b","id":1}`,
		facts{kind: acp.Ambiguous, reason: acp.DuplicateMember, strict: true, id: `1`, method: "b"}},
	{"upper case", `{"id":1,"METHOD":"a"}`,
		facts{kind: acp.Ambiguous, reason: acp.FoldedMember, strict: true, id: `1`, method: "a"}},
	{"exact name before other case", `{"Id":2,"id":1,"ID":3,"method":"a"}`,
		facts{kind: acp.Ambiguous, reason: acp.FoldedMember, strict: true, id: `1`, method: "a"}},
	{"long s", `{"method":"a","param` + "\u017f" + `":{}}`,
		facts{kind: acp.Ambiguous, reason: acp.FoldedMember, strict: true, method: "a"}},
	{"long s in another name", `{"method":"a","re` + "\u017f" + `ult":{}}`,
		facts{kind: acp.Ambiguous, reason: acp.FoldedMember, strict: true, method: "a"}},
	{"escaped other case", `{"method":"a","\u0050arams":{}}`,
		facts{kind: acp.Ambiguous, reason: acp.FoldedMember, strict: true, method: "a"}},
	{"escaped name", `{"\u0069d":1,"method":"a"}`,
		facts{kind: acp.Ambiguous, reason: acp.EscapedMember, strict: true, id: `1`, method: "a"}},
	{"Kelvin sign and dotless i fold to no member", `{"method":"a","` + "\u212a" + `":1,"` + "\u0131" + `d":1,"` + "\u0130" + `d":1}`,
		facts{kind: acp.Notification, strict: true, method: "a"}},
	{"near misses", `{"method":"a","methods":1,"_id":1,"param":1,"results":1,"":1}`,
		facts{kind: acp.Notification, strict: true, method: "a"}},
	{"method null", `{"id":1,"method":null,"result":1}`,
		facts{kind: acp.Ambiguous, reason: acp.MethodNotString, strict: true, id: `1`}},
	{"method object", `{"id":1,"method":{"method":"a"}}`,
		facts{kind: acp.Ambiguous, reason: acp.MethodNotString, strict: true, id: `1`}},
	{"method with an escaped NUL", `{"method":"a\u0000"}`,
		facts{kind: acp.Ambiguous, reason: acp.MethodCharacters, strict: true, method: "a\x00"}},
	{"method with DEL", "{\"method\":\"a\x7f\"}",
		facts{kind: acp.Ambiguous, reason: acp.MethodCharacters, strict: true, method: "a\x7f"}},
	{"method with a full-width letter", `{"method":"` + "\uff41" + `"}`,
		facts{kind: acp.Ambiguous, reason: acp.MethodCharacters, strict: true, method: "\uff41"}},
	{"method with an escaped pair", `{"method":"\ud83d\ude00"}`,
		facts{kind: acp.Ambiguous, reason: acp.MethodCharacters, strict: true, method: "\U0001f600"}},

	// Things around the object.
	{"BOM", "\ufeff" + `{"id":1,"method":"a"}`, facts{kind: acp.Ambiguous, reason: acp.BytesBefore, id: `1`, method: "a"}},
	{"no-break space", "\u00a0" + `{"id":1,"method":"a"}`, facts{kind: acp.Ambiguous, reason: acp.BytesBefore, id: `1`, method: "a"}},
	{"form feed", "\f" + `{"id":1,"method":"a"}`, facts{kind: acp.Ambiguous, reason: acp.BytesBefore, id: `1`, method: "a"}},
	{"NUL before", "\x00" + `{"id":1,"method":"a"}`, facts{kind: acp.Ambiguous, reason: acp.BytesBefore, id: `1`, method: "a"}},
	{"colour before", "\x1b[0m" + `{"id":1,"method":"a"}`, facts{kind: acp.Ambiguous, reason: acp.BytesBefore, id: `1`, method: "a"}},
	{"banner before", `it's "on {"id":1,"method":"a"}`, facts{kind: acp.Ambiguous, reason: acp.BytesBefore, id: `1`, method: "a"}},
	{"banner with braces", `{x} {"id":1,"method":"a"}`, facts{kind: acp.Ambiguous, reason: acp.BrokenJSON, id: `1`, method: "a"}},
	{"log tag before", `[info] {"id":1,"method":"a"}`, facts{kind: acp.Ambiguous, reason: acp.BytesBefore, id: `1`, method: "a"}},
	{"number before", `1{"id":1,"method":"a"}`, facts{kind: acp.Ambiguous, reason: acp.BytesBefore, id: `1`, method: "a"}},
	{"object in a string", `"{}"`, facts{kind: acp.Ambiguous, reason: acp.BytesBefore}},
	{"word after", `{"id":1,"method":"a"} ok`, facts{kind: acp.Ambiguous, reason: acp.BytesAfter, id: `1`, method: "a"}},
	{"object after", `{"id":1,"method":"a"}{"id":2,"method":"b"}`, facts{kind: acp.Ambiguous, reason: acp.BytesAfter, id: `1`, method: "a"}},
	{"NUL after", `{"id":1,"method":"a"}` + "\x00", facts{kind: acp.Ambiguous, reason: acp.BytesAfter, id: `1`, method: "a"}},
	{"brace after", `{"id":1,"method":"a"}}`, facts{kind: acp.Ambiguous, reason: acp.BytesAfter, id: `1`, method: "a"}},
	{"batch", `[{"id":1,"method":"a"},{"id":2,"method":"b"}]`, facts{kind: acp.Ambiguous, reason: acp.Batch, id: `1`, method: "a"}},
	{"batch behind blanks", ` [ [ {"id":1,"method":"a"}]]`, facts{kind: acp.Ambiguous, reason: acp.Batch, id: `1`, method: "a"}},
	{"batch with a number first", `[1,{"id":1,"method":"a"}]`, facts{kind: acp.Ambiguous, reason: acp.Batch, id: `1`, method: "a"}},
	{"broken batch", `[{"id":1,"method":"a"}`, facts{kind: acp.Ambiguous, reason: acp.Batch, id: `1`, method: "a"}},

	// Line breaks and encodings.
	{"CR between tokens", "{\"id\":1,\r\"method\":\"a\"}", facts{kind: acp.Ambiguous, reason: acp.LineBreak, id: `1`, method: "a"}},
	{"CR before", "\r{\"id\":1,\"method\":\"a\"}", facts{kind: acp.Ambiguous, reason: acp.LineBreak, id: `1`, method: "a"}},
	{"CR in a string", "{\"id\":1,\"method\":\"a\",\"params\":\"\r\"}", facts{kind: acp.Ambiguous, reason: acp.LineBreak, id: `1`, method: "a"}},
	{"CR between objects", "{\"id\":1,\"method\":\"a\"}\r{\"id\":2,\"method\":\"b\"}",
		facts{kind: acp.Ambiguous, reason: acp.LineBreak, id: `1`, method: "a"}},
	{"LF between tokens", "{\"id\":1,\n\"method\":\"a\"}", facts{kind: acp.Ambiguous, reason: acp.LineBreak, id: `1`, method: "a"}},
	{"UTF-16LE", "{\x00\"\x00i\x00d\x00\"\x00:\x001\x00}\x00", facts{kind: acp.Ambiguous, reason: acp.OtherEncoding}},
	{"UTF-16LE after a line of it", "\x00{\x00}\x00", facts{kind: acp.Ambiguous, reason: acp.OtherEncoding}},
	{"UTF-16LE with BOM", "\xff\xfe{\x00}\x00", facts{kind: acp.Ambiguous, reason: acp.OtherEncoding}},
	{"UTF-16BE", "\x00{\x00}", facts{kind: acp.Ambiguous, reason: acp.OtherEncoding}},
	{"UTF-16BE with BOM", "\xfe\xff\x00{\x00}", facts{kind: acp.Ambiguous, reason: acp.OtherEncoding}},
	{"UTF-32LE", "{\x00\x00\x00}\x00\x00\x00", facts{kind: acp.Ambiguous, reason: acp.OtherEncoding}},
	{"UTF-32BE with BOM", "\x00\x00\xfe\xff\x00\x00\x00{\x00\x00\x00}", facts{kind: acp.Ambiguous, reason: acp.OtherEncoding}},
	{"overlong", "{\"id\":1,\"method\":\"a\xc0\xaf\"}", facts{kind: acp.Ambiguous, reason: acp.InvalidUTF8, id: `1`, method: "a\xc0\xaf"}},
	{"encoded surrogates", "{\"method\":\"a\",\"\xed\xa0\xbd\xed\xb8\x80\":1}", facts{kind: acp.Ambiguous, reason: acp.InvalidUTF8, method: "a"}},

	// Broken, and what can still be read.
	{"trailing comma", `{"id":1,"method":"a",}`, facts{kind: acp.Ambiguous, reason: acp.BrokenJSON, id: `1`, method: "a"}},
	{"comment", `{/*c*/"id":1,"method":"a"}`, facts{kind: acp.Ambiguous, reason: acp.BrokenJSON, id: `1`, method: "a"}},
	{"names without quotes", `{id: 1, method: "a"}`, facts{kind: acp.Ambiguous, reason: acp.BrokenJSON, id: `1`, method: "a"}},
	{"single quotes", `{'id':1,'method':"a"}`, facts{kind: acp.Ambiguous, reason: acp.BrokenJSON}},
	{"unterminated", `{"id":1,"method":"a","params":{"t":"x`, facts{kind: acp.Ambiguous, reason: acp.BrokenJSON, id: `1`, method: "a"}},
	{"ends in the id", `{"method":"a","id":1`, facts{kind: acp.Ambiguous, reason: acp.BrokenJSON, id: `1`, method: "a"}},
	{"ends in the method", `{"id":1,"method":"a`, facts{kind: acp.Ambiguous, reason: acp.BrokenJSON, id: `1`, method: "a"}},
	{"ends in a name", `{"id":1,"method`, facts{kind: acp.Ambiguous, reason: acp.BrokenJSON, id: `1`}},
	{"ends in a colon", `{"method":"a","id":`, facts{kind: acp.Ambiguous, reason: acp.BrokenJSON, method: "a"}},
	{"brace alone", `{`, facts{kind: acp.Ambiguous, reason: acp.BrokenJSON}},
	{"id behind the fault", `{"params":{"t":"\x"},"id":"é\u0031","method":"a"}`,
		facts{kind: acp.Ambiguous, reason: acp.BrokenJSON, id: `"é\u0031"`, method: "a"}},
	{"nested id is not the id", `{"params":{"id":1,},"method":"a"}`, facts{kind: acp.Ambiguous, reason: acp.BrokenJSON, method: "a"}},
	{"id that is no value", `{"id":01,"method":"a"}`, facts{kind: acp.Ambiguous, reason: acp.BrokenJSON, method: "a"}},
	{"id in broken UTF-8", "{\"id\":\"\xff\",\"method\":\"a\"}", facts{kind: acp.Ambiguous, reason: acp.InvalidUTF8, method: "a"}},
	{"escaped names in a broken line", `{"\u0069d":1,"METH\u004fD":"\u0061",}`,
		facts{kind: acp.Ambiguous, reason: acp.EscapedMember, id: `1`, method: "a"}},
	{"control character", "{\"id\":1,\"method\":\"a\",\"params\":\"\t\"}", facts{kind: acp.Ambiguous, reason: acp.ControlCharacter, id: `1`, method: "a"}},
}

func TestScan(t *testing.T) {
	for _, c := range scanCases {
		t.Run(c.name, func(t *testing.T) {
			line := []byte(c.line + "\n")
			before := bytes.Clone(line)
			f := litter()
			acp.Scan(line, &f)
			if got := factsOf(&f); got != c.want {
				t.Errorf("%q\n got %+v\nwant %+v", c.line, got, c.want)
			}
			if f.EOL != acp.LF {
				t.Errorf("got line ending %d, want LF", f.EOL)
			}
			if !bytes.Equal(line, before) {
				t.Error("the line was changed")
			}
			checkSpans(t, line, &f)
		})
	}
}

// litter is a frame in which everything is set, to see that Scan resets it.
func litter() acp.Frame {
	old := []byte("old")
	return acp.Frame{Kind: acp.Error, EOL: acp.CRLF, Reason: acp.Conflict, Strict: true,
		ID: old, Method: old, Params: old, Result: old, Error: old, Session: old, Update: old}
}

// checkSpans verifies that f's slices are windows on line which appending to
// them cannot change.
func checkSpans(t *testing.T, line []byte, f *acp.Frame) {
	t.Helper()
	parts := map[string][]byte{"id": f.ID, "params": f.Params, "result": f.Result, "error": f.Error, "session": f.Session, "update": f.Update}
	if bytes.IndexByte(line, '\\') < 0 {
		parts["method"] = f.Method
	}
	start := uintptr(unsafe.Pointer(unsafe.SliceData(line)))
	for name, part := range parts {
		if part == nil {
			continue
		}
		at := uintptr(unsafe.Pointer(unsafe.SliceData(part)))
		if at < start || at+uintptr(len(part)) > start+uintptr(len(line)) {
			t.Errorf("%s %q lies outside of the line", name, part)
		}
		if cap(part) != len(part) {
			t.Errorf("%s has room to append into the line", name)
		}
	}
}

func TestScanLineEndings(t *testing.T) {
	const object = `{"method":"a"}`
	for _, c := range []struct {
		name   string
		line   string
		eol    acp.EOL
		kind   acp.Kind
		reason acp.Reason
		strict bool
	}{
		{"LF", object + "\n", acp.LF, acp.Notification, 0, true},
		{"CRLF", object + "\r\n", acp.CRLF, acp.Notification, 0, true},
		{"none", object, acp.NoEOL, acp.Notification, 0, true},
		{"CR without LF", object + "\r", acp.NoEOL, acp.Ambiguous, acp.LineBreak, false},
		{"two CRs", object + "\r\r\n", acp.CRLF, acp.Ambiguous, acp.LineBreak, false},
		{"two LFs", object + "\n\n", acp.LF, acp.Ambiguous, acp.LineBreak, false},
		{"blank before CRLF", object + " \r\n", acp.CRLF, acp.Notification, 0, false},
		{"empty LF", "\n", acp.LF, acp.Text, 0, false},
		{"empty CRLF", "\r\n", acp.CRLF, acp.Text, 0, false},
		{"empty", "", acp.NoEOL, acp.Text, 0, false},
		{"CR alone", "\r", acp.NoEOL, acp.Text, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := litter()
			acp.Scan([]byte(c.line), &f)
			if f.EOL != c.eol || f.Kind != c.kind || f.Reason != c.reason || f.Strict != c.strict {
				t.Errorf("got eol %v, %v (%v), strict %v", f.EOL, f.Kind, f.Reason, f.Strict)
			}
		})
	}
}

// TestScanDepth counts the envelope and the params among the brackets.
func TestScanDepth(t *testing.T) {
	for _, c := range []struct {
		arrays int
		want   acp.Kind
	}{{1, acp.Request}, {64, acp.Request}, {126, acp.Request}, {127, acp.Ambiguous}, {5_000_000, acp.Ambiguous}} {
		var f acp.Frame
		acp.Scan([]byte(deep(c.arrays)), &f)
		if f.Kind != c.want || f.Strict != (c.want == acp.Request) {
			t.Errorf("%d arrays: got %v (%v), strict %v", c.arrays, f.Kind, f.Reason, f.Strict)
		}
		if c.want == acp.Ambiguous && f.Reason != acp.TooDeep {
			t.Errorf("%d arrays: got reason %v", c.arrays, f.Reason)
		}
	}
	mixed := `{"method":"a","x":` + strings.Repeat(`[{"":`, 63) + `[]` + strings.Repeat(`}]`, 63) + `}`
	var f acp.Frame
	if acp.Scan([]byte(mixed), &f); f.Kind != acp.Notification {
		t.Errorf("mixed brackets: got %v (%v)", f.Kind, f.Reason)
	}
	crossed := strings.Replace(mixed, "}]", "]}", 1)
	if acp.Scan([]byte(crossed), &f); f.Reason != acp.BrokenJSON {
		t.Errorf("crossed brackets: got %v (%v)", f.Kind, f.Reason)
	}
}

func TestScanEmptyMethodIsPresent(t *testing.T) {
	var f acp.Frame
	if acp.Scan([]byte(`{"method":""}`), &f); f.Method == nil {
		t.Error("got no method, want an empty one")
	}
}

func TestScanAllocatesNothing(t *testing.T) {
	var f acp.Frame
	for name, line := range benchFrames() {
		if n := testing.AllocsPerRun(10, func() { acp.Scan(line, &f) }); n != 0 {
			t.Errorf("%s: got %v allocations", name, n)
		}
	}
	for _, line := range []string{`{"id":1,"method":"a","method":"b"}`, `{"id":1,,"method":"a"}`, "text\n", "[{}]"} {
		b := []byte(line)
		if n := testing.AllocsPerRun(10, func() { acp.Scan(b, &f) }); n != 0 {
			t.Errorf("%q: got %v allocations", line, n)
		}
	}
}

func TestReasonsHaveWords(t *testing.T) {
	words := map[string]acp.Reason{}
	for r := acp.Reason(0); r < 128; r++ {
		s := r.String()
		if s == "" {
			continue
		}
		if other, taken := words[s]; taken {
			t.Errorf("reasons %d and %d share %q", other, r, s)
		}
		words[s] = r
	}
	if len(words) != 19 {
		t.Errorf("got words for %d reasons, want 19", len(words))
	}
}
