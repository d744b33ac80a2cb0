package proxy

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// What becomes of a line.
const (
	passes = "" // byte for byte
	kept   = withheld
	turned = refused // and its sender is told so
)

// lineCase is what somebody says and what becomes of it, with bounds enforced.
type lineCase struct {
	name, text string
	fate       string
	id         string // of the answer, if its sender is told
	reason     string // in the recording, of the line itself
}

// judge says the lines one after the other and checks what each side hears,
// byte for byte, and what is recorded of each.
func (x *table) judge(from acp.Direction, cases []lineCase) {
	x.t.Helper()
	says, sender, receiver := x.bob, x.agent, x.client
	if from == acp.Client {
		says, sender, receiver = x.editor, x.client, x.agent
	}
	x.happened()
	for _, c := range cases {
		says(c.text)
		want := c.text
		if c.fate != passes {
			want = ""
		}
		if got := strings.Join(receiver.heard(), "\n"); got != want {
			x.t.Errorf("%s: arrives as %.200q, want %.200q", c.name, got, want)
		}
		x.answered(c, sender.heard())
		x.records(c, from)
	}
}

// answered checks what the sender of a line is told: nothing, or the one error
// that its request gets.
func (x *table) answered(c lineCase, heard []string) {
	x.t.Helper()
	if c.fate != turned {
		if len(heard) > 0 {
			x.t.Errorf("%s: the sender hears %q, want nothing", c.name, heard)
		}
		return
	}
	var got refusalFrame
	if len(heard) != 1 || json.Unmarshal([]byte(heard[0]), &got) != nil || got.Error.Code != invalidParams || string(got.ID) != c.id {
		x.t.Errorf("%s: the sender hears %q, want one error for %s", c.name, heard, c.id)
	}
}

// records checks the records since the last look: one of the line, and one of
// the answer if there is one.
func (x *table) records(c lineCase, from acp.Direction) {
	x.t.Helper()
	var got []string
	for _, e := range x.happened(journal.FrameEvent) {
		if e.Added {
			got = append(got, "added")
			continue
		}
		got = append(got, fmt.Sprintf("%s %q %q", e.Dir, e.Action, e.Reason))
	}
	want := []string{fmt.Sprintf("%s %q %q", from, c.fate, c.reason)}
	if c.fate == turned {
		want = append(want, "added")
	}
	if strings.Join(got, "; ") != strings.Join(want, "; ") {
		x.t.Errorf("%s: recorded as %s, want %s", c.name, strings.Join(got, "; "), strings.Join(want, "; "))
	}
}

// wide is text as UTF-16 has it, with the low byte first or not.
func wide(text string, low bool) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if low {
			b.Write([]byte{c, 0})
		} else {
			b.Write([]byte{0, c})
		}
	}
	return b.String()
}

// What an agent says that two editors could read differently is kept from them
// when one of them could read an enforced method, and answered where it can be a
// request with an id.
func TestAmbiguousFromAgent(t *testing.T) {
	root, out := workspace(t)
	in, secret := root+"/a.txt", out+"/secret"
	fs := func(id, members string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"fs/read_text_file",` + members + `}`
	}
	params := func(path string) string { return `"params":{"sessionId":"s","path":"` + path + `"}` }
	const other = "member name in other letter case"
	sit(t, Policy{}, func(x *table) {
		x.opens("s", root)
		x.judge(acp.Agent, []lineCase{
			// Names of members.
			{"two paths, the last one inside", fs("1", `"params":{"sessionId":"s","path":"`+secret+`","path":"`+in+`"}`), turned, "1", "duplicate member"},
			{"two paths, the first one inside", fs("2", `"params":{"sessionId":"s","path":"`+in+`","path":"`+secret+`"}`), turned, "2", "duplicate member"},
			{"the same path twice", fs("3", `"params":{"sessionId":"s","path":"`+in+`","path":"`+in+`"}`), turned, "3", "duplicate member"},
			{"Path beside path", fs("4", `"params":{"sessionId":"s","path":"`+in+`","Path":"`+secret+`"}`), turned, "4", other},
			{"sessionID beside sessionId", fs("5", `"params":{"sessionId":"s","sessionID":"t","path":"`+in+`"}`), turned, "5", other},
			{"params with a long s", fs("6", `"param\u017f":{"sessionId":"s","path":"`+secret+`"}`), turned, "6", other},
			{"params with a long s, raw", fs("7", `"paramſ":{"sessionId":"s","path":"`+secret+`"}`), turned, "7", other},
			{"two params", fs("8", params(in)+`,`+params(secret)), turned, "8", "duplicate member"},
			{"two methods", `{"jsonrpc":"2.0","id":9,"method":"x","method":"fs/read_text_file",` + params(in) + `}`, turned, "9", "duplicate member"},
			{"Method alone", `{"jsonrpc":"2.0","id":10,"Method":"fs/write_text_file",` + params(secret) + `}`, turned, "10", other},
			{"METHOD beside method", `{"jsonrpc":"2.0","id":11,"method":"x","METHOD":"terminal/create"}`, turned, "11", other},
			{"an escaped member", `{"jsonrpc":"2.0","id":12,"m\u0065thod":"fs/read_text_file",` + params(in) + `}`, turned, "12", "escaped member name"},
			{"two ids", fs(`13,"id":14`, params(in)), turned, "14", "duplicate member"},
			{"two ids, the last one null", fs(`15,"id":null`, params(in)), kept, "", "duplicate member"},
			// The method.
			{"NUL behind the method", strings.Replace(fs("16", params(in)), "_file", `_file\u0000`, 1), turned, "16", "odd characters in the method"},
			{"a method in an array", `{"jsonrpc":"2.0","id":17,"method":["fs/read_text_file"],` + params(in) + `}`, turned, "17", "method is not a string"},
			{"escapes of another language", strings.Replace(fs("18", params(in)), "fs/", `fs\x2f`, 1), turned, "18", "broken JSON"},
			// What is around the object, and how it is encoded.
			{"BOM", "\ufeff" + fs("19", params(in)), turned, "19", "bytes before the object"},
			{"BOM, outside", "\ufeff" + writes("20", "s", "/etc/x"), turned, "20", "bytes before the object"},
			{"a no-break space", "\u00a0" + fs("21", params(in)), turned, "21", "bytes before the object"},
			{"a word before", "debug: " + fs("22", params(in)), turned, "22", "bytes before the object"},
			{"a word after", fs("23", params(in)) + " ok", turned, "23", "bytes after the object"},
			{"a second object", `{"jsonrpc":"2.0","method":"x"}` + fs("24", params(secret)), kept, "", "bytes after the object"},
			{"a CR and a second object", `{"jsonrpc":"2.0","method":"x"}` + "\r" + fs("25", params(secret)), kept, "", "line break inside the line"},
			{"UTF-16", wide(fs("26", params(secret)), true), kept, "", "not UTF-8 but another encoding"},
			{"UTF-16, high byte first", "\xfe\xff" + wide(fs("27", params(secret)), false), kept, "", "not UTF-8 but another encoding"},
			{"a CESU-8 path", fs("28", params("/\xed\xa0\x80")), turned, "28", "invalid UTF-8"},
			{"half a pair", fs("29", params(`/\ud800`)), turned, "29", "lone surrogate"},
			{"a trailing comma", fs("30", params(in)+","), turned, "30", "broken JSON"},
			{"names without quotes", `{jsonrpc:"2.0",id:31,method:"fs/read_text_file",params:{path:"` + secret + `"}}`, turned, "31", "broken JSON"},
			{"too deep", fs("32", `"params":{"sessionId":"s","path":"`+in+`","x":`+strings.Repeat("[", 200)+strings.Repeat("]", 200)+`}`), turned, "32", "too deep"},
			{"too deep in what nobody reads", asks4("33", `"sessionId":"s","toolCall":{"toolCallId":"c","rawInput":`+strings.Repeat("[", 200)+strings.Repeat("]", 200)+`},"options":[]`), turned, "33", "too deep"},
			// Batches.
			{"a batch", "[" + fs("34", params(secret)) + "]", turned, "34", "batch"},
			{"a batch in a batch", "[[" + fs("35", params(in)) + "]]", turned, "35", "batch"},
			{"a batch that starts with something else", `[{"jsonrpc":"2.0","method":"x"},` + fs("36", params(secret)) + "]", kept, "", "batch"},
			// Permissions.
			{"two lists of options", strings.Replace(permits("37"), `"options"`, `"options":[],"options"`, 1), turned, "37", "duplicate member"},
			{"two locations", asks4("38", `"sessionId":"s","toolCall":{"toolCallId":"c","locations":[{"path":"`+in+`","path":"`+secret+`"}]},"options":[]`), turned, "38", "duplicate member"},
			{"two kinds", asks4("39", `"sessionId":"s","toolCall":{"toolCallId":"c","kind":"read","Kind":"edit"},"options":[]`), turned, "39", other},
			// What needs no answer gets none.
			{"a notification", `{"jsonrpc":"2.0","method":"fs/read_text_file","method":"fs/read_text_file"}`, kept, "", "duplicate member"},
			{"a response", `{"jsonrpc":"2.0","id":41,"result":"fs/read_text_file","result":1}`, kept, "", "duplicate member"},
			{"an error", `{"jsonrpc":"2.0","id":42,"error":{"code":1,"message":"terminal/create"}} ` + "\x00", kept, "", "bytes after the object"},
			{"a batch of responses", `[{"jsonrpc":"2.0","id":43,"result":"fs/read_text_file"}]`, kept, "", "batch"},
			{"an id that nobody can read", fs("01", params(in)), kept, "", "broken JSON"},
			{"an id that is an object", "\ufeff" + fs(`{"a":1}`, params(in)), kept, "", "bytes before the object"},
		})
		if n := len(x.host.State().Pending); n != 0 {
			t.Errorf("%d permissions are pending", n)
		}
	})
}

// What is odd, but cannot be read as an enforced method by anybody, passes and is
// flagged.
func TestHarmlessLinesPass(t *testing.T) {
	root, out := workspace(t)
	update := func(text string) string {
		return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + text + `"}}}}`
	}
	sit(t, Policy{}, func(x *table) {
		x.opens("s", root)
		x.judge(acp.Agent, []lineCase{
			{"plain words", "Loaded cached credentials.", passes, "", ""},
			{"a scalar that is the name of a method", `"fs/read_text_file"`, passes, "", ""},
			{"null", "null", passes, "", ""},
			{"an empty object", "{}", passes, "", "no method, result or error"},
			{"a log entry", `{"level":"info","msg":"ready"}`, passes, "", "no method, result or error"},
			{"a banner with a brace", "[info] {ready}", passes, "", "bytes before the object"},
			{"BOM", "\ufeff" + update("x"), passes, "", "bytes before the object"},
			{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"x"}]`, passes, "", "batch"},
			{"duplicate members", `{"jsonrpc":"2.0","method":"x","method":"y"}`, passes, "", "duplicate member"},
			{"a method that is null", `{"jsonrpc":"2.0","id":1,"method":null,"result":1}`, passes, "", "method is not a string"},
			{"half a character", update("\xf0\x9f"), passes, "", "invalid UTF-8"},
			{"half a pair", update(`\ud83d`), passes, "", "lone surrogate"},
			{"a CR", update("a\rb"), passes, "", "line break inside the line"},
			{"UTF-16", wide(update("x"), true), passes, "", "not UTF-8 but another encoding"},
			{"too deep", `{"jsonrpc":"2.0","method":"x","params":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}`, passes, "", "too deep"},
			{"other line breaks", update("a\u2028b\u2029c\u0085d"), passes, "", ""},
			{"who talks about a method", update("call fs/read_text_file with " + out + "/secret"), passes, "", ""},
			{"who quotes a request", update(`{\"method\":\"fs/read_text_file\",\"params\":{\"path\":\"/etc/shadow\"}}`), passes, "", ""},
			{"a method like it", `{"jsonrpc":"2.0","id":1,"method":"_fs/read_text_file","params":{"path":"/etc/shadow"}}`, passes, "", ""},
			{"any notification", `{"jsonrpc":"2.0","method":"$/foo"}`, passes, "", ""},
			{"any extension", `{"jsonrpc":"2.0","method":"_ext/bar","params":[]}`, passes, "", ""},
			{"another version", `{"jsonrpc":"1.0","id":7,"method":"fs/read_text_file","params":{"sessionId":"s","path":"` + root + `/a.txt"}}`, passes, "", ""},
			{"a result beside the method", `{"id":8,"method":"fs/read_text_file","result":1,"params":{"sessionId":"s","path":"` + root + `/a.txt"}}`, passes, "", "conflicting members"},
			{"an escaped slash", `{"id":9,"method":"fs\u002fread_text_file","params":{"sessionId":"s","path":"` + root + `\/a.txt"}}`, passes, "", ""},
			{"oddities in what nobody reads", `{"id":10,"method":"fs/read_text_file","params":{"sessionId":"s","path":"` + root + `/a.txt","_meta":{"path":1,"path":2,"Path":3}}}`, passes, "", ""},
			{"an option's id twice", asks4("40", `"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"a","optionId":"b","kind":"allow_once"}]`), passes, "", ""},
			{"oddities in raw input", asks4("11", `"sessionId":"s","toolCall":{"toolCallId":"c","rawInput":{"path":"/etc","path":"/x","Path":"/y"},"rawOutput":{"a":1,"a":2}},"options":`+threeOptions), passes, "", ""},
		})
	})
}

// A request that lies in several lines is none to those who read line by line, and
// one to those who do not. They do not get its method.
func TestRequestsInSeveralLines(t *testing.T) {
	root, out := workspace(t)
	params := `"params":{"sessionId":"s","path":"` + out + `/secret"}`
	for _, lines := range []string{
		`{"jsonrpc":"2.0","id":1,` + "\n" + `"method":"fs/read_text_file",` + "\n" + params + "}",
		`{"jsonrpc":"2.0","id":1,` + params + ",\n" + `"method":` + "\n" + `"fs\/read_text_file"` + "\n}",
		`{"x":[` + "\n" + `{"jsonrpc":"2.0","method":"y"}` + "\n" + `],"method":"\u0066s/read_text_file",` + "\n" + params + "}",
		"{\n" + params + ",\n" + `"Method":"fs/read_text_file"` + "\n}",
		`{"method":"fs/read_text_file",` + "\n" + params + "}",
		`{"jsonrpc":"2.0","method":"y"}{` + "\n" + `"method":"fs/read_text_file",` + "\n" + params + "}",
	} {
		sit(t, Policy{}, func(x *table) {
			x.opens("s", root)
			x.bob(lines)
			x.bobHears()
			all := strings.Join(x.client.heard(), "\n")
			for d := json.NewDecoder(strings.NewReader(all)); ; {
				var f struct{ Method string }
				if d.Decode(&f) != nil {
					break
				}
				if acp.NamesEnforced([]byte(f.Method)) {
					t.Errorf("an editor that does not read line by line finds %s in %q", f.Method, all)
				}
			}
			var kept []string
			for _, e := range x.happened(journal.FrameEvent) {
				if e.Action != "" {
					kept = append(kept, e.Action+" "+e.Reason+" "+string(e.Body))
				}
			}
			if len(kept) != 1 || !strings.HasPrefix(kept[0], withheld) {
				t.Errorf("of %q was kept back: %q", lines, kept)
			}
		})
	}
	sit(t, Policy{}, func(x *table) { // what somebody prints who debugs
		x.opens("s", root)
		for _, line := range []string{"{", `  "method": "session/update",`, `  "path": "/etc/shadow"`, "}", "fs/read", "", `{"jsonrpc":"2.0","method":"x"}`} {
			x.bob(line)
			x.editorHears(line)
		}
	})
	sit(t, Policy{Bounds: Warn}, func(x *table) {
		x.bob("{", `"method":"fs/read_text_file"`)
		x.editorHears("{", `"method":"fs/read_text_file"`)
		if got := x.happened(journal.FlaggedEvent); len(got) != 1 || !strings.HasPrefix(got[0].Text, "would be withheld: ") {
			t.Errorf("flags: %+v", got)
		}
	})
}

// The method alone decides: a result beside it or another version does not let
// a path pass.
func TestOddRequestsAreJudged(t *testing.T) {
	root, out := workspace(t)
	path := `"params":{"sessionId":"s","path":"` + out + `/secret"}}`
	const escape = "outside the workspace: escape"
	sit(t, Policy{}, func(x *table) {
		x.opens("s", root)
		x.judge(acp.Agent, []lineCase{
			{"no version", `{"id":1,"method":"fs/read_text_file",` + path, turned, "1", escape},
			{"a result beside the method", `{"id":2,"result":{},"method":"fs/read_text_file",` + path, turned, "2", escape},
			{"an error beside it", `{"id":3,"error":{},"method":"fs/read_text_file",` + path, turned, "3", escape},
			{"escapes in the method", `{"id":4,"method":"\u0066s\/read_text\u005ffile",` + path, turned, "4", escape},
			{"params that are an array", `{"id":5,"method":"fs/read_text_file","params":["` + root + `"]}`, turned, "5", "no path"},
			{"the path one level down", `{"id":6,"method":"fs/read_text_file","params":{"sessionId":"s","__proto__":{"path":"` + root + `"}}}`, turned, "6", "no path"},
			{"a string id", `{"id":"7","method":"fs/read_text_file",` + path, turned, `"7"`, escape},
			{"an escaped id", `{"id":"\u0037\/","method":"fs/read_text_file",` + path, turned, `"\u0037\/"`, escape},
			{"id null", `{"id":null,"method":"fs/read_text_file",` + path, kept, "", escape},
			{"id []", `{"id":[],"method":"fs/read_text_file",` + path, kept, "", escape},
			{"id {}", `{"id":{},"method":"fs/read_text_file",` + path, kept, "", escape},
			{"id true", `{"id":true,"method":"fs/read_text_file",` + path, turned, "true", escape},
			{"id 1.0", `{"id":1.0,"method":"fs/read_text_file",` + path, turned, "1.0", escape},
			{"id 1e2", `{"id":1e2,"method":"fs/read_text_file",` + path, turned, "1e2", escape},
			{"id -0", `{"id":-0,"method":"fs/read_text_file",` + path, turned, "-0", escape},
			{"id beyond int64", `{"id":9223372036854775808,"method":"fs/read_text_file",` + path, turned, "9223372036854775808", escape},
			{"a notification", `{"method":"fs/read_text_file",` + path, kept, "", escape},
			{"a terminal in a notification", `{"method":"terminal/create","params":{"sessionId":"s","command":"ls","cwd":"` + out + `"}}`, kept, "", escape},
		})
	})
}

// What an editor says passes, whatever it is; it is answered never.
func TestAmbiguousFromEditor(t *testing.T) {
	root, out := workspace(t)
	create := `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"` + out + `","mcpServers":[]}}`
	lines := []lineCase{
		{"neither result nor error", `{"jsonrpc":"2.0","id":4}`, passes, "", "no method, result or error"},
		{"both", `{"jsonrpc":"2.0","id":4,"result":1,"error":{"code":1,"message":""}}`, passes, "", "conflicting members"},
		{"a response without an id", `{"jsonrpc":"2.0","result":1}`, passes, "", "no id"},
		{"an unknown notification", `{"jsonrpc":"2.0","method":"$/foo"}`, passes, "", ""},
		{"an enforced method", writes("5", "s", out+"/x"), passes, "", ""},
		{"a batch", "[" + writes("6", "s", out+"/x") + "]", passes, "", "batch"},
		{"a BOM", "\ufeff" + `{"jsonrpc":"2.0","id":0,"method":"initialize"}`, passes, "", "bytes before the object"},
		{"broken", "{bad", passes, "", "broken JSON"},
	}
	sit(t, Policy{}, func(x *table) {
		x.opens("s", root)
		x.judge(acp.Client, append(lines, lineCase{"a BOM and roots", "\ufeff" + create, passes, "", "bytes before the object"}))
		x.bob(reads("9", "s", out+"/secret")) // it gave no roots
		x.refusedWith("escape")
	})
	// With a ceiling, what could set a root past it does not pass. It is answered if
	// it can be a request.
	sit(t, Policy{Ceiling: root}, func(x *table) {
		x.judge(acp.Client, append(lines,
			lineCase{"a BOM and roots", "\ufeff" + create, turned, "1", "bytes before the object"},
			lineCase{"a batch with roots", "[" + create + "]", turned, "1", "batch"},
			lineCase{"roots for null", strings.Replace(create, `"id":1`, `"id":null`, 1), kept, "", "outside the workspace root"},
			lineCase{"a notification with roots", "\ufeff" + strings.Replace(create, `"id":1,`, "", 1), kept, "", "bytes before the object"},
			lineCase{"a file that talks of it", `{"jsonrpc":"2.0","id":3,"result":{"content":"session/new` + "\t" + `"}}`, kept, "", "control character in a string"},
			lineCase{"a file that talks of it as it should", `{"jsonrpc":"2.0","id":3,"result":{"content":"session/new\t"}}`, passes, "", "answers no request"},
		))
	})
}

// Where a session is one too many and nobody can be told so, nobody is.
func TestTooManySessionsForNull(t *testing.T) {
	root, _ := workspace(t)
	sit(t, Policy{MaxSessions: 1}, func(x *table) {
		x.opens("s", root)
		create := `{"jsonrpc":"2.0","id":%s,"method":"session/new","params":{"cwd":"` + root + `"}}`
		x.judge(acp.Client, []lineCase{
			{"null", fmt.Sprintf(create, "null"), kept, "", "too many sessions"},
			{"7", fmt.Sprintf(create, "7"), turned, "7", "too many sessions"},
		})
	})
}

// Lines that end in CRLF are read like any other and pass with their CR; what the
// proxy says ends in LF.
func TestCRLF(t *testing.T) {
	root, out := workspace(t)
	sit(t, Policy{}, func(x *table) {
		x.opens("s", root)
		x.bob(reads("1", "s", root+"/a.txt")+"\r", reads("2", "s", out+"/secret")+"\r", permits("3")+"\r")
		x.editorHears(reads("1", "s", root+"/a.txt")+"\r", permits("3")+"\r")
		if got := x.refusedAlone(); string(got.ID) != "2" {
			t.Errorf("the refusal is %+v", got)
		}
		x.panel(1)
		x.bobHears(selects("3", "yes"))
		x.editorHears(withdraws("3"))
		x.editor(selects("3", "no")+"\r", `{"jsonrpc":"2.0","method":"x"}`+"\r")
		x.bobHears(`{"jsonrpc":"2.0","method":"x"}` + "\r")
		x.bob(permits("4"))
		x.client.heard()
		x.editor(selects("4", "no") + "\r")
		x.bobHears(selects("4", "no") + "\r")
	})
}

// refusedAlone is the one refusal that the agent heard.
func (x *table) refusedAlone() (got refusalFrame) {
	x.t.Helper()
	lines := x.agent.heard()
	if len(lines) != 1 || strings.HasSuffix(lines[0], "\r") || json.Unmarshal([]byte(lines[0]), &got) != nil {
		x.t.Errorf("the agent hears %q, want one refusal", lines)
	}
	return got
}

// An answer of a shape that says nothing is no approval, whatever it looks like.
func TestAnswersThatApproveNothing(t *testing.T) {
	for _, result := range []string{`{"approved":true}`, `null`, `{"outcome":"selected"}`, `"allow"`, `[]`, `{"outcome":{"outcome":"Selected","optionId":"yes"}}`} {
		sit(t, Policy{}, func(x *table) {
			answer := `{"jsonrpc":"2.0","id":5,"result":` + result + `}`
			x.bob(permits("5"))
			x.editor(answer)
			x.bobHears(answer)
			for _, said := range x.decided() {
				if strings.Contains(said, "allow") || strings.Contains(said, "selected") {
					t.Errorf("%s is recorded as %q", result, said)
				}
			}
		})
	}
}
