package acp_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"bobproxy/acp"
)

// garbage is what can be no character in a string, and the reason that it gives.
var garbage = []struct {
	name, text string
	reason     acp.Reason
}{
	{"half an emoji", `\ud83d`, acp.LoneSurrogate},
	{"the other half", `\ude00`, acp.LoneSurrogate},
	{"halves in the wrong order", `\ude00\ud83d`, acp.LoneSurrogate},
	{"half before another escape", `\ud83d\n`, acp.LoneSurrogate},
	{"half in the other hand", `\uD83D`, acp.LoneSurrogate},
	{"no byte of UTF-8", "\xff", acp.InvalidUTF8},
	{"overlong slash", "\xc0\xaf", acp.InvalidUTF8},
	{"encoded surrogate", "\xed\xa0\x80", acp.InvalidUTF8},
	{"cut character", "\xf0\x9f\x98", acp.InvalidUTF8},
}

// TestGarbledBelowTheEnvelope: what nobody needs to read alike does not make a
// line ambiguous, at whatever depth it stands.
func TestGarbledBelowTheEnvelope(t *testing.T) {
	for _, c := range []struct {
		name, line string // each § is to be garbled
		want       facts
	}{
		{"params that are a string", `{"id":1,"method":"a","params":"§"}`, facts{kind: acp.Request, id: `1`, method: "a", params: `"§"`}},
		{"text in params", `{"id":1,"method":"a","params":{"sessionId":"s","text":"x§y"}}`,
			facts{kind: acp.Request, id: `1`, method: "a", params: `{"sessionId":"s","text":"x§y"}`, sess: "s"}},
		{"a name in params", `{"method":"a","params":{"§":1,"sessionId":"s"}}`, facts{kind: acp.Notification, method: "a", params: `{"§":1,"sessionId":"s"}`, sess: "s"}},
		{"deep in params", `{"method":"a","params":{"x":[[{"y":["§"]}]]}}`, facts{kind: acp.Notification, method: "a", params: `{"x":[[{"y":["§"]}]]}`}},
		{"text in an update", `{"method":"a","params":{"update":{"sessionUpdate":"u","content":{"text":"§"}},"sessionId":"s"}}`,
			facts{kind: acp.Notification, method: "a", params: `{"update":{"sessionUpdate":"u","content":{"text":"§"}},"sessionId":"s"}`, sess: "s", update: "u"}},
		{"text before the kind of update", `{"method":"a","params":{"update":{"x":"§","sessionUpdate":"u"}}}`,
			facts{kind: acp.Notification, method: "a", params: `{"update":{"x":"§","sessionUpdate":"u"}}`, update: "u"}},
		{"result", `{"id":"1","result":{"x":"§"}}`, facts{kind: acp.Response, id: `"1"`, result: `{"x":"§"}`}},
		{"error", `{"id":"1","error":{"code":1,"message":"§"}}`, facts{kind: acp.Error, id: `"1"`, error: `{"code":1,"message":"§"}`}},
		{"unknown member", `{"id":1,"_meta":{"§":"§"},"method":"a"}`, facts{kind: acp.Request, id: `1`, method: "a"}},

		// No session and no kind of update are given that peers read differently.
		{"session", `{"method":"a","params":{"sessionId":"s§","update":{"sessionUpdate":"u"}}}`,
			facts{kind: acp.Notification, method: "a", params: `{"sessionId":"s§","update":{"sessionUpdate":"u"}}`, update: "u"}},
		{"kind of update", `{"method":"a","params":{"sessionId":"s","update":{"sessionUpdate":"u§"}}}`,
			facts{kind: acp.Notification, method: "a", params: `{"sessionId":"s","update":{"sessionUpdate":"u§"}}`, sess: "s"}},
		{"name of the session", `{"id":1,"result":{"sessionId§":"s"}}`, facts{kind: acp.Response, id: `1`, result: `{"sessionId§":"s"}`}},
	} {
		for _, g := range garbage {
			fill := func(s string) string { return strings.ReplaceAll(s, "§", g.text) }
			want := c.want
			want.reason, want.params, want.result, want.error = g.reason, fill(want.params), fill(want.result), fill(want.error)
			line := []byte(fill(c.line) + "\n")
			f := litter()
			acp.Scan(line, &f)
			if got := factsOf(&f); got != want {
				t.Errorf("%s, %s: %q\n got %+v\nwant %+v", c.name, g.name, line, got, want)
			}
			checkSpans(t, line, &f)
			if checkLine(t, line); t.Failed() {
				return
			}
		}
	}
}

// TestGarbledOnTheEnvelope: what every peer must read alike makes a line
// ambiguous, and its id is not given where it is that.
func TestGarbledOnTheEnvelope(t *testing.T) {
	for _, c := range []struct{ name, line, id, method string }{
		{"method", `{"id":1,"method":"fs/§"}`, "1", "fs/§"},
		{"id", `{"id":"§","method":"a"}`, "", "a"},
		{"id that is an array", `{"id":["§"],"method":"a"}`, "", "a"},
		{"version", `{"jsonrpc":"2.0§","id":1,"method":"a"}`, "1", "a"},
		{"name of a member", `{"§":1,"id":1,"method":"a"}`, "1", "a"},
		{"name that ends in it", `{"id":1,"method§":"a"}`, "1", ""},
		{"after something garbled below", `{"id":1,"params":{"x":"§"},"method":"a§"}`, "1", "a§"},
	} {
		for _, g := range garbage {
			line := []byte(strings.ReplaceAll(c.line, "§", g.text) + "\n")
			f := litter()
			acp.Scan(line, &f)
			if f.Kind != acp.Ambiguous || f.Reason != g.reason || f.Strict || f.Params != nil || string(f.ID) != c.id {
				t.Errorf("%s, %s: %q: got %+v", c.name, g.name, line, factsOf(&f))
			}
			if g.text != `\ud83d\n` && string(f.Method) != fffd(strings.ReplaceAll(c.method, "§", g.text)) {
				t.Errorf("%s, %s: got method %q", c.name, g.name, f.Method)
			}
			checkLine(t, line)
		}
	}
}

// fffd is how an escaped half of a pair is resolved.
func fffd(s string) string {
	return strings.NewReplacer(`\ud83d`, "\ufffd", `\uD83D`, "\ufffd", `\ude00`, "\ufffd").Replace(s)
}

// TestGarbledYieldsToTheRest: whatever else is wrong or odd is said instead.
func TestGarbledYieldsToTheRest(t *testing.T) {
	for line, want := range map[string]struct {
		kind   acp.Kind
		reason acp.Reason
	}{
		`{"id":1,"method":"a","params":"\ud83d",}`:                 {acp.Ambiguous, acp.BrokenJSON},
		`{"id":1,"method":"a","params":"\ud83d"} x`:                {acp.Ambiguous, acp.BytesAfter},
		`{"id":1,"method":"a","params":["\ud83d","` + "\t" + `"]}`: {acp.Ambiguous, acp.ControlCharacter},
		`{"id":1,"method":"a","params":["\ud83d","\x"]}`:           {acp.Ambiguous, acp.BrokenJSON},
		`{"id":1,"params":"\ud83d","METHOD":"a"}`:                  {acp.Ambiguous, acp.FoldedMember},
		`{"id":1,"params":"\ud83d"}`:                               {acp.Ambiguous, acp.NoPurpose},
		`[{"id":1,"method":"a","params":"\ud83d"}]`:                {acp.Ambiguous, acp.Batch},
		`{"id":1.0,"method":"a","params":"\ud83d"}`:                {acp.Request, acp.OddID},
		`{"result":"\ud83d"}`:                                      {acp.Response, acp.NoID},
		`{"id":1,"result":"\ud83d","error":{}}`:                    {acp.Error, acp.Conflict},
		`{"id":1,"method":"a","params":["\ud83d","` + "\xff\"]}":   {acp.Request, acp.LoneSurrogate},
	} {
		var f acp.Frame
		if acp.Scan([]byte(line+"\n"), &f); f.Kind != want.kind || f.Reason != want.reason || f.Strict {
			t.Errorf("%q: got %v (%v), strict %v, want %v (%v)", line, f.Kind, f.Reason, f.Strict, want.kind, want.reason)
		}
		checkLine(t, []byte(line))
	}
}

// TestGarbledIsARefusalWhereItIsActedOn: of what peers open, run, choose or find
// something by, a strict reader says that they read different things, and gives
// nothing to act on.
func TestGarbledIsARefusalWhereItIsActedOn(t *testing.T) {
	reason := map[string]func([]byte) acp.Reason{
		"file":       func(v []byte) acp.Reason { return acp.ReadFile(v).Reason },
		"terminal":   func(v []byte) acp.Reason { return acp.ReadTerminal(v).Reason },
		"setup":      func(v []byte) acp.Reason { return acp.ReadSetup(v).Reason },
		"permission": func(v []byte) acp.Reason { return acp.ReadPermission(v).Reason },
		"outcome":    func(v []byte) acp.Reason { return acp.ReadOutcome(v).Reason },
	}
	call := func(members string) string { return `{"toolCall":{` + members + `},` + yesNo + `}` }
	for reader, values := range map[string]struct{ acted, shown []string }{
		"file": {
			acted: []string{`{"path":"/ws/§"}`, `{"sessionId":"§","path":"/ws"}`, `{"path":"/ws","§":1}`, `{"path§":"/ws"}`,
				`{"path":"/ws","` + strings.Repeat("long", 100) + `§":1}`},
			shown: []string{`{"path":"/ws","content":"§"}`, `{"path":"/ws","_meta":{"§":"§"}}`, `{"path":["§"]}`},
		},
		"terminal": {
			acted: []string{`{"command":"§"}`, `{"cwd":"/§"}`, `{"sessionId":"§"}`, `{"§":1}`},
			shown: []string{`{"command":"a","args":["§"],"env":[{"name":"§","value":"§"}]}`},
		},
		"setup": {
			acted: []string{`{"cwd":"/§"}`, `{"sessionId":"§"}`, `{"additionalDirectories":["/a","/§"]}`, `{"additionalDirectories":"§"}`, `{"§":1}`},
			shown: []string{`{"cwd":"/a","mcpServers":[{"name":"§","env":[{"name":"A","value":"§"}]}],"_meta":"§"}`},
		},
		"permission": {
			acted: []string{
				`{"sessionId":"§"}`, `{"§":1}`, call(`"toolCallId":"§"`), call(`"kind":"§"`), call(`"§":1`),
				call(`"locations":[{"path":"/§"}]`), call(`"locations":[{"path":"/a","§":1}]`),
				call(`"content":[{"type":"§"}]`), call(`"content":[{"type":"diff","path":"/§"}]`), call(`"content":[{"§":1}]`),
				call(`"content":[{"type":"diff","changes":[{"path":"/§"}]}]`), call(`"content":[{"type":"diff","changes":[{"oldPath":"/§"}]}]`),
				call(`"content":[{"type":"diff","changes":[{"operation":"§"}]}]`), call(`"content":[{"type":"diff","changes":[{"§":1}]}]`),
				`{"subject":{"type":"§"}}`, `{"subject":{"command":"§"}}`, `{"subject":{"cwd":"§"}}`, `{"subject":{"toolCallId":"§"}}`, `{"subject":{"§":1}}`,
				`{"subject":{"toolCall":{"toolCallId":"§"}}}`,
			},
			shown: []string{
				`{"title":"§","description":"§"}`, call(`"title":"§"`), call(`"status":"§"`), call(`"rawInput":{"§":"§"}`), call(`"rawOutput":"§"`),
				call(`"locations":[{"path":"/a","line":"§"}]`), call(`"content":[{"type":"diff","path":"/a","oldText":"§","newText":"§"}]`),
				call(`"content":[{"type":"content","content":{"type":"text","text":"§","uri":"file:///§","§":1}}]`),
				call(`"content":[{"type":"diff","patch":"§","changes":[{"path":"/a","fileType":"§"}]}]`),
				`{"subject":{"type":"command","x":"§"}}`, `{"options":[{"optionId":"a","name":"§","kind":"allow_once"}]}`, `{"_meta":"§"}`,
				// The options' own affair.
				`{"options":[{"optionId":"§"}]}`, `{"options":[{"kind":"§"}]}`, `{"options":[{"§":1}]}`,
			},
		},
		"outcome": {
			acted: []string{`{"outcome":{"outcome":"§"}}`, `{"outcome":{"outcome":"selected","optionId":"§"}}`, `{"outcome":{"outcome":"cancelled","§":1}}`, `{"§":1}`},
			shown: []string{`{"outcome":{"outcome":"cancelled","_meta":{"§":"§"}},"x":"§"}`, `{"outcome":"§"}`},
		},
	} {
		for _, g := range garbage {
			for _, v := range values.acted {
				v = strings.ReplaceAll(v, "§", g.text)
				if got := reason[reader]([]byte(v)); got != g.reason {
					t.Errorf("%s of %q: got %q, want %q", reader, v, got, g.reason)
				}
				checkReaders(t, []byte(v))
			}
			for _, v := range values.shown {
				v = strings.ReplaceAll(v, "§", g.text)
				if got := reason[reader]([]byte(v)); got != 0 {
					t.Errorf("%s of %q: got %q, want no reason", reader, v, got)
				}
				checkReaders(t, []byte(v))
			}
			if id := acp.ReadCancelRequest(fmt.Appendf(nil, `{"requestId":"%s"}`, g.text)); id != nil {
				t.Errorf("%s: got the id %q to cancel", g.name, id)
			}
		}
	}
}

// TestGarbledIsNotActedOn: of a garbled string that is acted on only that it is
// there is given, and one that is shown is given in characters.
func TestGarbledIsNotActedOn(t *testing.T) {
	for _, g := range garbage {
		value := []byte(strings.ReplaceAll(`{"sessionId":"s","toolCall":{"title":"a§b","toolCallId":"c"},"options":[
			{"optionId":"y","name":"a§b","kind":"allow_once"},{"optionId":"n§","name":"no","kind":"reject_once"},{"optionId":"n","kind":"reject§"}]}`, "§", g.text))
		p := acp.ReadPermission(value)
		title := strings.Trim(p.Title, "ab")
		if p.Reason != 0 || strings.Trim(title, "\ufffd\n") != "" || title == "" || p.Options[0].Name != p.Title {
			t.Errorf("%s: got %q, title %q, name %q", g.name, p.Reason, p.Title, p.Options[0].Name)
		}
		for n, odd := range []bool{false, true, true} {
			if o := p.Options[n]; o.Odd != odd || n == 1 && (o.ID.OK || !o.ID.Odd || o.ID.Value != "" || !bytes.Contains(o.ID.Raw, []byte(g.text))) {
				t.Errorf("%s: got option %+v", g.name, o)
			}
		}
		u := acp.ReadUpdate([]byte(strings.ReplaceAll(
			`{"sessionId":"§","update":{"sessionUpdate":"tool_call","toolCallId":"§","title":"§","locations":[{"path":"/§"}]}}`, "§", g.text)))
		if u.Session.OK || u.Call.ID.OK || !u.Call.Title.OK || u.Call.Locations[0].OK || !u.Call.Locations[0].Odd {
			t.Errorf("%s: got %+v", g.name, u)
		}
		if code := acp.ErrorCode(fmt.Appendf(nil, `{"message":"%s","code":-32800}`, g.text)); code != -32800 {
			t.Errorf("%s: got code %d", g.name, code)
		}
		if code := acp.ErrorCode(fmt.Appendf(nil, `{"code":-32800,"code%s":1}`, g.text)); code != 0 {
			t.Errorf("%s: got code %d, want none", g.name, code)
		}
	}
}

func TestScanGarbledAllocates(t *testing.T) {
	line := []byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"u","content":{"text":"` +
		"\xff" + `\ud83d"}}}}` + "\n")
	var f acp.Frame
	if n := testing.AllocsPerRun(100, func() { acp.Scan(line, &f) }); n != 0 || f.Kind != acp.Notification {
		t.Errorf("got %v allocations for a %v", n, f.Kind)
	}
}
