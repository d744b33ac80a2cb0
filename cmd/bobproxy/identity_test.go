//go:build linux

package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// asks and answers are frames about which only method and id matter. An id is a
// raw token.
func asks(id, method string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{}}` + "\n"
}

func answers(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":{}}` + "\n" }

func refuses(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32601,"message":"no"}}` + "\n"
}

func request(id, method string) record {
	return record{kind: acp.Request, method: method, id: id}
}

// response is the record of one that was paired with a request of that method;
// none: it answers nothing that is open.
func response(id, method string) record {
	return record{kind: acp.Response, method: method, id: id, reason: stray(id, method)}
}

func failure(id, method string) record {
	return record{kind: acp.Error, method: method, id: id, reason: stray(id, method)}
}

func stray(id, method string) string {
	if method == "" && id != "null" {
		return "answers no request"
	}
	return ""
}

func (r record) flagged(reason string) record {
	r.reason = reason
	return r
}

const permission = "session/request_permission"

// A number and a string are two ids, whatever they spell, and a reply finds the
// request with its own.
func TestIDsKeepTheirType(t *testing.T) {
	t.Parallel()
	const uuid = `"550e8400-e29b-41d4-a716-446655440000"`
	playLines(t,
		line{fromAgent(asks("1", permission)), request("1", permission)},
		line{fromAgent(asks(`"1"`, "fs/read_text_file")), request(`"1"`, "fs/read_text_file")},
		line{fromAgent(asks(uuid, permission)), request(uuid, permission)},
		line{fromClient(answers(uuid)), response(uuid, permission)},
		line{fromClient(answers(`"1"`)), response(`"1"`, "fs/read_text_file")},
		line{fromClient(answers("1")), response("1", permission)},
	)
}

// An answer under an id of another type passes as it is, and answers nothing.
func TestAnswerWithAnIDOfAnotherType(t *testing.T) {
	t.Parallel()
	playLines(t,
		line{fromClient(asks(`"0"`, "initialize")), request(`"0"`, "initialize")},
		line{fromAgent(answers("0")), response("0", "").flagged("answers an id of another type")},
		line{fromAgent(answers(`"0"`)), response(`"0"`, "initialize")},
	)
}

// A null id makes a request, which is carried; no reply can be told to be its.
func TestNullID(t *testing.T) {
	t.Parallel()
	playLines(t,
		line{fromAgent(asks("null", permission)), request("null", permission).flagged("odd id")},
		line{fromClient(answers("null")), response("null", "").flagged("odd id")},
		line{fromClient(refuses("null")), failure("null", "")},
	)
}

// Odd ids are carried and flagged, and one finds another only token by token.
func TestOddIDs(t *testing.T) {
	t.Parallel()
	var lines []line
	for _, tt := range []struct{ id, other string }{
		{"true", "1"}, {"1.5", "1"}, {"1.0", "1"}, {"[]", "0"}, {"{}", "null"}, {"-0", "0"}, {"1e2", "100"},
		{"9223372036854775808", "9223372036854775807"}, {`["a"]`, `"a"`},
	} {
		plain := "answers no request"
		if tt.other == "null" {
			plain = "odd id"
		}
		lines = append(lines,
			line{fromAgent(asks(tt.id, "x")), request(tt.id, "x").flagged("odd id")},
			line{fromClient(answers(tt.other)), response(tt.other, "").flagged(plain)},
			line{fromClient(answers(tt.id)), response(tt.id, "x").flagged("odd id")},
		)
	}
	playLines(t, lines...)
}

// Strings are the same id however they are escaped.
func TestEscapedID(t *testing.T) {
	t.Parallel()
	playLines(t,
		line{fromAgent(asks(`"a\u0062\/"`, "x")), request(`"a\u0062\/"`, "x")},
		line{fromClient(answers(`"ab/"`)), response(`"ab/"`, "x")},
	)
}

// An id that is used again while it is open takes nothing over: both are
// carried, the second is flagged, and both replies find a request.
func TestIDInUse(t *testing.T) {
	t.Parallel()
	playLines(t,
		line{fromAgent(asks("7", permission)), request("7", permission)},
		line{fromAgent(asks("7", "fs/read_text_file")), request("7", "fs/read_text_file").flagged("id in use")},
		line{fromClient(answers("7")), response("7", permission)},
		line{fromClient(answers("7")), response("7", "fs/read_text_file")},
		line{fromClient(answers("7")), response("7", "")},
		line{fromAgent(asks("7", permission)), request("7", permission)},
		line{fromClient(refuses("7")), failure("7", permission)},
	)
}

// Ids of the editor's requests and of the agent's are two spaces.
func TestTwoIDSpaces(t *testing.T) {
	t.Parallel()
	playLines(t,
		line{fromClient(asks("3", "session/prompt")), request("3", "session/prompt")},
		line{fromAgent(asks("3", permission)), request("3", permission)},
		line{fromAgent(answers("3")), response("3", "session/prompt")},
		line{fromClient(answers("3")), response("3", permission)},
	)
}

// A reply that comes twice, late, or to nothing is carried and ends nothing.
func TestAnswersToNothing(t *testing.T) {
	t.Parallel()
	playLines(t,
		line{fromClient(answers("1")), response("1", "")},
		line{fromAgent(asks("1", permission)), request("1", permission)},
		line{fromClient(answers("1")), response("1", permission)},
		line{fromClient(answers("1")), response("1", "")},
		line{fromAgent(refuses("99")), failure("99", "")},
		line{fromAgent(chunk("goes on") + "\n"), isUpdate},
	)
}

// Members of the envelope that two parsers read differently are named as what
// they are; the line passes. What is odd deeper inside concerns only those who
// look there.
func TestParserDifferentials(t *testing.T) {
	t.Parallel()
	const write = "fs/write_text_file"
	ambiguous := func(method, id, reason string) record {
		return record{kind: acp.Ambiguous, method: method, id: id, reason: reason}
	}
	var lines []line
	for _, tt := range []struct {
		text string
		want record
	}{
		{`{"id":1,"method":"a","Method":"fs/write_text_file"}`, ambiguous("a", "1", "member name in other letter case")},
		{`{"id":2,"Method":"fs/write_text_file"}`, ambiguous(write, "2", "member name in other letter case")},
		{`{"id":3,"method":"fs/write_text_file","param\u017f":{}}`, ambiguous(write, "3", "member name in other letter case")},
		{`{"id":4,"method":"fs/write_text_file","paramſ":{}}`, ambiguous(write, "4", "member name in other letter case")},
		{`{"id":5,"method":"fs/write_text_file","params":{"path":"/w"},"params":{"path":"/e"}}`, ambiguous(write, "5", "duplicate member")},
		{`{"id":6,"id":7,"method":"session/request_permission"}`, ambiguous(permission, "7", "duplicate member")},
		{`{"id":8,"method":"a","method":"b"}`, ambiguous("b", "8", "duplicate member")},
		{`{"id":9,"m\u0065thod":"fs/write_text_file"}`, ambiguous(write, "9", "escaped member name")},
		{`{"id":10,"method":"fs/write_text_file","params":{"path":"/w","path":"/e","Path":"/f"}}`, request("10", write)},
		{`{"id":11,"method":"session/request_permission","params":{"options":[],"options":[]}}`, request("11", permission)},
		{`{"id":12,"method":"fs\/write\u005ftext_file"}`, request("12", write)},
		{`{"id":13,"method":7}`, ambiguous("", "13", "method is not a string")},
		{`{"id":14,"method":"a\u0000b"}`, ambiguous("a\x00b", "14", "odd characters in the method")},
		{`{"id":15,"method":"a"}{"id":16,"method":"b"}`, record{kind: acp.Ambiguous, method: "a", id: "15", reason: "bytes after the object", form: journal.RawBody}},
		{`{"jsonrpc":"1.0","id":17,"method":"a"}`, request("17", "a")},
	} {
		lines = append(lines, line{fromAgent(tt.text + "\n"), tt.want}, line{fromClient(tt.text + "\n"), tt.want})
	}
	playLines(t, lines...)
}

// A batch is no message of ACP. It passes whole and is flagged, and nothing in
// it counts as asked or answered.
func TestBatches(t *testing.T) {
	t.Parallel()
	batch := record{kind: acp.Ambiguous, reason: "batch", form: journal.RawBody}
	one := batch
	one.method, one.id = "fs/write_text_file", "1"
	two := batch
	two.id = "5"
	playLines(t,
		line{fromAgent(`[{"jsonrpc":"2.0","id":1,"method":"fs/write_text_file","params":{"path":"/etc/x"}}]` + "\n"), one},
		line{fromClient(answers("1")), response("1", "")},
		line{fromAgent(asks("5", permission)), request("5", permission)},
		line{fromClient(`[{"jsonrpc":"2.0","id":5,"result":{}},{"jsonrpc":"2.0","id":6,"result":{}}]` + "\n"), two},
		line{fromClient(answers("5")), response("5", permission)},
	)
}

// Nothing is ever said to a notification, nor to a response that is none.
func TestNothingAnswersWhatNeedsNoAnswer(t *testing.T) {
	t.Parallel()
	note := func(method string) line {
		return line{fromAgent(`{"jsonrpc":"2.0","method":"` + method + `"}` + "\n"), record{kind: acp.Notification, method: method}}
	}
	playLines(t,
		note("$/foo"), note("_ext/bar"), note("fs/write_text_file"), note("session/request_permission"),
		line{fromAgent(`{"jsonrpc":"2.0","id":4}` + "\n"), record{kind: acp.Ambiguous, id: "4", reason: "no method, result or error"}},
		line{fromClient(`{"jsonrpc":"2.0"}` + "\n"), record{kind: acp.Ambiguous, reason: "no method, result or error"}},
		line{fromAgent(`{"jsonrpc":"2.0","id":4,"result":1,"error":{"code":1,"message":""}}` + "\n"), failure("4", "").flagged("conflicting members")},
		line{fromClient(`{"jsonrpc":"2.0","result":1}` + "\n"), record{kind: acp.Response, reason: "no id"}},
		line{fromClient(`{"jsonrpc":"2.0","id":4,"method":"x","result":1}` + "\n"), request("4", "x").flagged("conflicting members")},
		line{fromClient("{}\n"), record{kind: acp.Ambiguous, reason: "no method, result or error"}},
	)
}

// An answer of a shape that is no longer used, or never was, is carried and
// counts as the answer.
func TestAnswersOfOtherShapes(t *testing.T) {
	t.Parallel()
	var lines []line
	for _, result := range []string{`{"approved":true}`, `null`, `{"outcome":"selected"}`, `"allow"`, `[]`} {
		lines = append(lines,
			line{fromAgent(asks("5", permission)), request("5", permission)},
			line{fromClient(`{"jsonrpc":"2.0","id":5,"result":` + result + `}` + "\n"), response("5", permission)},
		)
	}
	playLines(t, lines...)
}

// session/cancel with an id is a request, and what is open stays open.
func TestCancelSentAsARequest(t *testing.T) {
	t.Parallel()
	playLines(t,
		line{fromAgent(asks("1", permission)), request("1", permission)},
		line{fromClient(asks("9", "session/cancel")), request("9", "session/cancel")},
		line{fromAgent(refuses("9")), failure("9", "session/cancel")},
		line{fromClient(answers("1")), response("1", permission)},
	)
}

// The order of the wire is the order at the editor and in the recording.
func TestOrder(t *testing.T) {
	t.Parallel()
	const count = 2000
	s := script{Steps: []step{fromClient(asks("1", "session/prompt"))}}
	for i := range count {
		s.Steps = append(s.Steps, fromAgent(chunk(strconv.Itoa(i))+"\n"))
	}
	s.Steps = append(s.Steps, fromAgent(answers("1")), hangUp)
	got := s.play(t)
	if len(got) != count+2 {
		t.Fatalf("%d frames recorded, want %d", len(got), count+2)
	}
	for i, e := range got[1 : count+1] {
		if want := chunk(strconv.Itoa(i)); string(e.Body) != want || recorded(e) != isUpdate {
			t.Fatalf("frame %d is recorded as %s %q, want %q", i, recorded(e), e.Body, want)
		}
	}
	if want := response("1", "session/prompt"); recorded(got[count+1]) != want {
		t.Errorf("the end of the turn is recorded as %s, want %s", recorded(got[count+1]), want)
	}
}

// The order between the directions is that of cause and effect: no answer is
// recorded before its question, however fast the peers are.
func TestNoAnswerBeforeItsQuestion(t *testing.T) {
	t.Parallel()
	const count = 500
	var lines []line
	for i := range count {
		id := strconv.Itoa(i)
		lines = append(lines,
			line{fromClient(asks(id, "a")), request(id, "a")}, line{fromAgent(answers(id)), response(id, "a")},
			line{fromAgent(asks(id, "b")), request(id, "b")}, line{fromClient(answers(id)), response(id, "b")})
	}
	playLines(t, lines...)
}

// Frames for a session come before the result that names it, after the turn
// that they belong to, and for a session whose id is used again: they pass, and
// are recorded with the session they name.
func TestSessionsOutOfTurn(t *testing.T) {
	t.Parallel()
	const (
		create  = `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"%s","mcpServers":[]}}` + "\n"
		created = `{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}` + "\n"
		ask     = `{"jsonrpc":"2.0","id":2,"method":"session/request_permission","params":{"sessionId":"s","options":[]}}` + "\n"
		prompt  = `{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}` + "\n"
		remove  = `{"jsonrpc":"2.0","id":4,"method":"session/delete","params":{"sessionId":"s"}}` + "\n"
	)
	in := func(r record) record { r.session = "s"; return r }
	turn := func(cwd string) []line {
		return []line{
			{fromClient(fmt.Sprintf(create, cwd)), request("1", "session/new")},
			{fromAgent(chunk("early") + "\n"), isUpdate},
			{fromAgent(ask), in(request("2", permission))},
			{fromAgent(created), in(response("1", "session/new"))},
			{fromClient(answers("2")), in(response("2", permission))},
			{fromClient(prompt), in(request("3", "session/prompt"))},
			{fromAgent(answers("3")), in(response("3", "session/prompt"))},
			{fromAgent(chunk("late") + "\n"), isUpdate},
			{fromAgent(ask), in(request("2", permission))},
			{fromClient(answers("2")), in(response("2", permission))},
			{fromClient(remove), in(request("4", "session/delete"))},
			{fromAgent(answers("4")), in(response("4", "session/delete"))},
		}
	}
	playLines(t, append(turn("/a"), turn("/b")...)...)
}

// A session id is recorded as the text it spells.
func TestSessionIDWithEscapes(t *testing.T) {
	t.Parallel()
	playLines(t, line{
		fromAgent(strings.Replace(chunk("x"), `"sessionId":"s"`, `"sessionId":"\u0073\/\"漢"`, 1) + "\n"),
		record{kind: acp.Notification, method: "session/update", session: `s/"漢`},
	})
}
