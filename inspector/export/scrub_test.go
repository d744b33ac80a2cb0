package export_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"bobproxy/acp"
	"bobproxy/inspector/export"
	"bobproxy/proxy/journal"
)

const demo = "../model/testdata/demo.jsonl"

// recording is a line for each event: members of a record, as JSON without the
// usual ones.
func recording(lines ...string) string {
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, `{"time":"2026-03-02T12:04:%02d.5Z","seq":%d,"instance":"demo1",%s}`+"\n", i%60, i+1, line)
	}
	return b.String()
}

// sent is a frame's members of a record.
func sent(from, kind, method, frame string) string {
	var f acp.Frame
	acp.Scan([]byte(frame), &f)
	id := ""
	if f.ID != nil {
		id = `,"id":` + string(f.ID)
	}
	session := ""
	if f.Session != nil {
		session = `,"session":"` + string(f.Session) + `"`
	}
	return fmt.Sprintf(`"event":"frame","dir":%q,"kind":%q,"method":%q%s%s,"bytes":%d,"frame":%s`, from, kind, method, id, session, len(frame), frame)
}

// copied is the recording that is made of one.
func copied(t *testing.T, text string, o export.Options) (string, *export.Scrubber) {
	t.Helper()
	var out bytes.Buffer
	damaged := 0
	s := export.NewScrubber(o)
	if _, err := export.JSONL(&out, s.Scrubbed(journal.Read(strings.NewReader(text)), &damaged)); err != nil {
		t.Fatal(err)
	}
	return out.String(), s
}

func TestText(t *testing.T) {
	// Made of parts, so that nobody takes them for real ones.
	openai, github, slack := "sk-"+"proj-abcdefghij0123456789", "ghp_"+"0123456789abcdefghijABCDEFGHIJ", "xoxb-"+"123456789-abcdef"
	aws, jwt := "AKIA"+"IOSFODNN7EXAMPLE", "eyJ"+"hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
	pem := "-----BEGIN " + "PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----"
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "go test ./...", "go test ./..."},
		{"home on Linux", "cd /home/ann/src && ls", "cd /home/me/src && ls"},
		{"home on a Mac", "/Users/ann.b/src", "/home/me/src"},
		{"home on Windows", `C:\Users\Ann\src`, `/home/me\src`},
		{"home of root", "/root/.ssh", "/home/me/.ssh"},
		{"not of root", "/rooted", "/rooted"},
		{"home in a URI", "file:///home/ann/a.go", "file:///home/me/a.go"},
		{"a home of its own", "/srv/people/ann/x /srv/people/annex", "/home/me/x /srv/people/annex"},
		{"user", "ann: anna, ann_b; -home-ann-src", "me: anna, ann_b; -home-me-src"},
		{"host", "ann@box.example.org box boxes", "me@host host boxes"},
		{"key with a prefix", "use " + openai + ".", "use [removed 1]."},
		{"several", github + " " + slack + " " + github, "[removed 1] [removed 2] [removed 1]"},
		{"access key", "id=" + aws, "id=[removed 1]"},
		{"web token", "t " + jwt + ";", "t [removed 1];"},
		{"private key", "x " + pem + " y", "x [removed 1] y"},
		{"private key without an end", "x " + pem[:40], "x [removed 1]"},
		{"authorization", `-H "Authorization: Basic dXNlcjpwYXNz"`, `-H "Authorization: Basic [removed 1]"`},
		{"authorization in JSON", `{"authorization":"Bearer abcdefghij12"}`, `{"authorization":"Bearer [removed 1]"}`},
		{"bearer", "Bearer abcdefghij123456", "Bearer [removed 1]"},
		{"a bearer of news", "the bearer of good news", "the bearer of good news"},
		{"address with a password", "postgres://app:hunter2@db/x", "postgres://app:[removed 1]@db/x"},
		{"assignment", "API_KEY=abc123def456ghi789", "API_KEY=[removed 1]"},
		{"assignment in a program", "token := nextTokenOfTheLexer()", "token := nextTokenOfTheLexer()"},
		{"lines of an .env", "DB_PASSWORD=hunter22\nexport PASSWORD=tulips\nPASSWORD=\nPASSWORD=${PASSWORD}\n", "DB_PASSWORD=[removed 1]\nexport PASSWORD=[removed]\nPASSWORD=\nPASSWORD=${PASSWORD}\n"},
		{"lines of a diff", "-api_key: \"hunter22\"\n+api_key: \"tulips\"", "-api_key: \"[removed 1]\"\n+api_key: \"[removed]\""},
		{"once more in the text", `{"password": "hunter22"} hunter22`, `{"password": "[removed 1]"} [removed 1]`},
		{"code", `password := os.Getenv("X"); token = nextToken(r)`, `password := os.Getenv("X"); token = nextToken(r)`},
		{"known from before", "Bearer abcdefghij123456, then abcdefghij123456", "Bearer [removed 1], then [removed 1]"},
		{"told", "the plan is tulip-mania.", "the plan is [removed 1]."},
		{"masked already", "Authorization: [masked]", "Authorization: [masked]"},
		{"a private sign", "a \uFDD0 b tulip-mania", "a ‹U+FDD0› b [removed 1]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := export.NewScrubber(export.Options{User: "ann", Host: "box.example.org", Home: "/srv/people/ann", Secrets: []string{"tulip-mania", "ab"}})
			if got := s.Text(test.text); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestNumbersStay(t *testing.T) {
	s := export.NewScrubber(export.Options{Secrets: []string{"first secret", "second secret"}})
	got := s.Text("second secret") + s.Text("first secret") + s.Text("second secret")
	if want := "[removed 1][removed 2][removed 1]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	want := []export.Removed{{What: export.Secrets, Count: 3, Different: 2}}
	if got := s.Removed(); !reflect.DeepEqual(got, want) {
		t.Errorf("removed: got %+v, want %+v", got, want)
	}
}

func TestFrame(t *testing.T) {
	key := "sk-" + "abcdefghij0123456789"
	for _, test := range []struct {
		name, from, kind, method string
		o                        export.Options
		frame, want              string
	}{
		{
			"bytes stay where nothing is removed", "agent", "notification", "session/update", export.Options{},
			`{"jsonrpc" : "2.0","method":"session\/update","params":{"a":1.50,"a":"\u00e9"}}`,
			`{"jsonrpc" : "2.0","method":"session\/update","params":{"a":1.50,"a":"\u00e9"}}`,
		},
		{
			"escaped", "agent", "notification", "session/update", export.Options{},
			`{"method":"session/update","params":{"x":"\u0073k-abcdefghij0123456789"}}`,
			`{"method":"session/update","params":{"x":"[removed 1]"}}`,
		},
		{
			"names of members", "agent", "notification", "_x", export.Options{},
			`{"method":"_x","params":{"/home/ann/a.go":{"` + key + `":1}}}`,
			`{"method":"_x","params":{"/home/me/a.go":{"[removed 1]":1}}}`,
		},
		{
			"a number that is told", "agent", "notification", "_x", export.Options{Secrets: []string{"4711081512"}},
			`{"method":"_x","params":[4711081512,1]}`, `{"method":"_x","params":["[removed 1]",1]}`,
		},
		{
			"by the name of the member", "client", "request", "_login", export.Options{},
			`{"id":1,"method":"_login","params":{"accessToken":"q1w2e3r4t5z6","tokens":"12"}}`,
			`{"id":1,"method":"_login","params":{"accessToken":"[removed 1]","tokens":"12"}}`,
		},
		{
			"arguments of a server", "client", "request", "session/new", export.Options{NoContents: true},
			`{"id":1,"method":"session/new","params":{"mcpServers":[{"command":"npx","args":["srv","--token","tulips","--password=hunter22","--max-tokens","4096"]},{"args":["hunter22"]}]}}`,
			`{"id":1,"method":"session/new","params":{"mcpServers":[{"command":"npx","args":["srv","--token","[removed]","--password=[removed 1]","--max-tokens","4096"]},{"args":["[removed 1]"]}]}}`,
		},
		{
			"a command line", "agent", "notification", "session/update", export.Options{},
			`{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call","rawInput":{"command":"curl --token tulips h","argv":["sh","-c","K_TOKEN=t1 x --secret s1"]}}}}`,
			`{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call","rawInput":{"command":"curl --token [removed] h","argv":["sh","-c","K_TOKEN=[removed] x --secret [removed]"]}}}}`,
		},
		{
			"contents of a file with a password", "agent", "request", "fs/write_text_file", export.Options{},
			`{"id":1,"method":"fs/write_text_file","params":{"path":"/w/.env","content":"A=1\nPASSWORD=tulips\n","api_key":"tulips"}}`,
			`{"id":1,"method":"fs/write_text_file","params":{"path":"/w/.env","content":"A=1\nPASSWORD=[removed]\n","api_key":"[removed]"}}`,
		},
		{
			"words of the protocol", "agent", "notification", "session/update", export.Options{User: "update"},
			`{"method":"session/update","params":{"sessionId":"update","x":"update"}}`,
			`{"method":"session/update","params":{"sessionId":"update","x":"me"}}`,
		},
		{
			"contents of a file", "client", "response", "fs/read_text_file", export.Options{NoContents: true},
			`{"id":1,"result":{"content":"a b\ncé"}}`, `{"id":1,"result":{"content":"xxx\nxxx"}}`,
		},
		{
			"contents of a diff", "agent", "notification", "session/update", export.Options{NoContents: true},
			`{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call","toolCallId":"c1","title":"Edit","content":[{"type":"diff","path":"/a","oldText":null,"newText":"ab"},{"type":"content","content":{"type":"text","text":"cd"}}]}}}`,
			`{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call","toolCallId":"c1","title":"Edit","content":[{"type":"diff","path":"/a","oldText":null,"newText":"xx"},{"type":"content","content":{"type":"text","text":"xx"}}]}}}`,
		},
		{
			"input and output", "agent", "notification", "session/update", export.Options{NoContents: true},
			`{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call_update","toolCallId":"c1","rawInput":{"command":"cat <<E\nab\nE","note":"n","path":"/a"},"rawOutput":["ab",{"x":"y"}]}}}`,
			`{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call_update","toolCallId":"c1","rawInput":{"command":"cat \u003c\u003cE\nxx\nx","note":"x","path":"/a"},"rawOutput":["xx",{"x":"x"}]}}}`,
		},
		{
			"messages stay with the contents gone", "agent", "notification", "session/update", export.Options{NoContents: true},
			`{"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hello"}}}}`,
			`{"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hello"}}}}`,
		},
		{
			"messages", "agent", "notification", "session/update", export.Options{NoTexts: true},
			`{"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hello"}}}}`,
			`{"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"xxxxx"}}}}`,
		},
		{
			"a prompt and what came with it", "client", "request", "session/prompt", export.Options{NoContents: true},
			`{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"hi"},{"type":"resource","resource":{"uri":"file:///a","text":"ab"}},{"type":"image","data":"QUJD"}]}}`,
			`{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"hi"},{"type":"resource","resource":{"uri":"file:///a","text":"xx"}},{"type":"image","data":"xxxx"}]}}`,
		},
		{
			"a plan", "agent", "notification", "session/update", export.Options{NoTexts: true},
			`{"method":"session/update","params":{"update":{"sessionUpdate":"plan","entries":[{"content":"do","priority":"high","status":"pending"}]}}}`,
			`{"method":"session/update","params":{"update":{"sessionUpdate":"plan","entries":[{"content":"xx","priority":"high","status":"pending"}]}}}`,
		},
		{
			"of a method nobody knows", "agent", "notification", "_acme/x", export.Options{NoContents: true},
			`{"method":"_acme/x","params":{"what":"ever","name":"n"}}`, `{"method":"_acme/x","params":{"what":"xxxx","name":"n"}}`,
		},
		{
			"the program's title", "agent", "response", "initialize", export.Options{NoTexts: true},
			`{"id":0,"result":{"agentInfo":{"name":"bob","title":"Bob"}}}`, `{"id":0,"result":{"agentInfo":{"name":"bob","title":"Bob"}}}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, _ := copied(t, recording(sent(test.from, test.kind, test.method, test.frame)), test.o)
			for e, err := range journal.Read(strings.NewReader(out)) {
				if err != nil {
					t.Fatal(err)
				}
				if string(e.Body) != test.want {
					t.Errorf("got  %s\nwant %s", e.Body, test.want)
				}
				if e.Bytes != int64(len(test.want)) {
					t.Errorf("bytes: got %d, want %d", e.Bytes, len(test.want))
				}
			}
		})
	}
}

func TestOtherEvents(t *testing.T) {
	key := "ghp_" + "0123456789abcdefghij"
	out, _ := copied(t, recording(
		`"event":"start","command":["agent","--token=`+key+`","--api-key","tulips"],"pid":1,"cwd":"/home/ann/work"`,
		`"event":"stderr","text":"`+key+` for ann"`,
		`"event":"frame","dir":"agent","kind":"text","bytes":100,"raw":"hello /home/ann"`,
		`"event":"decision","request":"demo1:1","by":"panel","outcome":"selected","optionId":"o","peer":{"pid":1,"exe":"/home/ann/bin/bobproxy"}`,
		`"event":"exit","status":0,"left":[{"pid":2,"command":"/home/ann/bin/watch --token tulips"}]`,
	), export.Options{Workspace: true})
	for _, gone := range []string{key, "ann", "tulips"} {
		if strings.Contains(out, gone) {
			t.Errorf("%q is in\n%s", gone, out)
		}
	}
	for _, there := range []string{`"cwd":"/workspace"`, `--token=[removed 1]`, `"text":"[removed 1] for me"`, `"bytes":99`, `"raw":"hello /home/me"`} {
		if !strings.Contains(out, there) {
			t.Errorf("%s is not in\n%s", there, out)
		}
	}
	if blank, _ := copied(t, recording(`"event":"stderr","text":"abc"`), export.Options{NoContents: true}); !strings.Contains(blank, `"text":"xxx"`) {
		t.Errorf("stderr stays: %s", blank)
	}
}

// What was blanked is told with each event, so that nobody takes blanks for what
// was said.
func TestBlankedIsCounted(t *testing.T) {
	lines := recording(
		`"event":"stderr","text":"abc"`,
		sent("agent", "request", "fs/write_text_file", `{"id":1,"method":"fs/write_text_file","params":{"path":"/w/a","content":"abc"}}`),
		sent("client", "request", "session/prompt", `{"id":1,"method":"session/prompt","params":{"prompt":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}`),
		sent("client", "response", "session/prompt", `{"id":1,"result":{"stopReason":"end_turn"}}`),
	)
	for _, test := range []struct {
		o    export.Options
		want string
	}{
		{export.Options{}, "[0 0 0 0]"},
		{export.Options{NoContents: true}, "[1 1 0 0]"},
		{export.Options{NoTexts: true}, "[1 1 2 0]"},
	} {
		out, _ := copied(t, lines, test.o)
		again, _ := copied(t, out, test.o)
		if again != out {
			t.Errorf("a copy of a copy is\n%s, want\n%s", again, out)
		}
		var got []int
		for e, err := range journal.Read(strings.NewReader(again)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e.Blanked)
		}
		if fmt.Sprint(got) != test.want {
			t.Errorf("%+v: got %v, want %s", test.o, got, test.want)
		}
	}
}

// A copy is the same conversation: the same frames in the same order and at the
// same time, which ask and answer the same.
func TestCopyIsTheSameConversation(t *testing.T) {
	text, err := os.ReadFile(demo)
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]export.Options{
		"nothing is in it": {}, "raw": {Raw: true}, "workspace": {Workspace: true, User: "retrybudget"}, "contents": {NoContents: true}, "texts": {NoTexts: true},
	} {
		t.Run(name, func(t *testing.T) {
			out, _ := copied(t, string(text), o)
			if again, _ := copied(t, string(text), o); again != out {
				t.Error("another copy is different")
			}
			if (name == "raw" || name == "nothing is in it") && out != string(text) {
				t.Error("the copy is not the recording")
			}
			before, after := frames(t, string(text)), frames(t, out)
			if !reflect.DeepEqual(before, after) {
				t.Errorf("got\n%v\nwant\n%v", after, before)
			}
		})
	}
}

// frames are what the events of a recording are, whatever they say.
func frames(t *testing.T, text string) (all []string) {
	t.Helper()
	for e, err := range journal.Read(strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		var f acp.Frame
		if e.Type == journal.FrameEvent {
			acp.Scan(e.Body, &f)
			if int(e.Bytes) != len(e.Body) {
				t.Errorf("frame %d has %d bytes, and says %d", e.Seq, len(e.Body), e.Bytes)
			}
			if !json.Valid(e.Body) {
				t.Errorf("frame %d is no JSON: %s", e.Seq, e.Body)
			}
		}
		all = append(all, fmt.Sprintln(e.Time, e.Seq, e.Type, e.Kind, e.Method, string(e.ID), e.Session, f.Kind, f.Reason, string(f.Method), string(f.ID), string(f.Session), string(f.Update)))
	}
	return all
}

func FuzzCopy(f *testing.F) {
	f.Add(`{"method":"session/update","params":{"a":["hunter2hunter2",1e5]}}`, "hunter2hunter2", true)
	f.Add(`{"id":"hunter22","method":"hunter22","params":{"sessionId":"\u0068unter22","hunter22":"x"}}`, "hunter22", false)
	f.Add(`{"id":1,"error":{"message":"/home/hunter22/x Bearer hunter22hunter22"}}`, "hunter22", false)
	f.Add("half { of \"hunter22\xff", "hunter22", false)
	f.Fuzz(func(t *testing.T, frame, secret string, blank bool) {
		for _, c := range []byte(secret) { // what JSON would spell in another way, or is said by a record itself
			if c < '!' || c > '~' || strings.IndexByte(`"\<>&[]{},:`, c) >= 0 {
				t.Skip("no such secret")
			}
		}
		e := event(frame)
		var vocabulary bytes.Buffer
		vocabulary.Write((&journal.Event{Seq: 1, Instance: "demo1", Type: journal.FrameEvent, Dir: acp.Agent, Kind: e.Kind, Bytes: e.Bytes}).AppendRecord(nil))
		vocabulary.WriteString(`"method","id","session","added","action","reason","masked","eol","frame","raw","base64"[removed 0123456789]xxxxxxxxxxxxxxxx/home/me`)
		if len(secret) < 8 || strings.Contains(vocabulary.String(), secret) {
			t.Skip("no such secret")
		}
		s := export.NewScrubber(export.Options{Secrets: []string{secret}, NoTexts: blank})
		scrubbed := s.Event(e)
		record := scrubbed.AppendRecord(nil)
		if e.Form != journal.Base64Body && bytes.Contains(record, []byte(secret)) {
			t.Errorf("the secret %q is in %s", secret, record)
		}
		for back, err := range journal.Read(bytes.NewReader(append(record, '\n'))) {
			if err != nil {
				t.Fatalf("%v: %s", err, record)
			}
			if back.Form == journal.FrameBody && !json.Valid(back.Body) {
				t.Errorf("no JSON: %s", back.Body)
			}
			if bytes.Contains(back.Body, []byte(secret)) {
				t.Errorf("the secret %q is in %s", secret, back.Body)
			}
		}
	})
}

// event is the event of a frame of the agent.
func event(frame string) journal.Event {
	e := journal.Event{Seq: 1, Instance: "demo1", Type: journal.FrameEvent, Dir: acp.Agent, Body: []byte(frame), Bytes: int64(len(frame)), Form: journal.Base64Body}
	var f acp.Frame
	acp.Scan(e.Body, &f)
	e.Kind, e.Method, e.ID = f.Kind, string(f.Method), f.ID
	if f.Strict && json.Valid(e.Body) {
		e.Form = journal.FrameBody
	}
	return e
}
