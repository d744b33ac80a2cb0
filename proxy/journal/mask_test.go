package journal

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
)

// masked is what becomes of one line: body and count.
func masked(t *testing.T, m *masker, dir acp.Direction, method, line string) Event {
	t.Helper()
	f := frames(dir, line)[0]
	e := Event{Type: FrameEvent, Dir: dir, Kind: f.Scan.Kind, Method: string(f.Scan.Method), ID: f.Scan.ID, Body: f.Line}
	if method != "" {
		e.Method = method
	}
	ok := m.frame(&e, f.Scan.Strict)
	if ok != f.Scan.Strict && f.Scan.Strict {
		t.Errorf("a strict frame became one that is not: %s", e.Body)
	}
	if ok && !valid(e.Body) {
		t.Errorf("not JSON: %s", e.Body)
	}
	return e
}

func TestMasking(t *testing.T) {
	for _, tt := range []struct {
		name, method, line, want string
		masked                   int
	}{
		{"server environment", "",
			`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[{"name":"db","command":"x","args":["a"],"env":[{"name":"DATABASE_URL","value":"postgres://u:pw123456@h/d"},{"name":"N","value":"short"}]}]}}`,
			`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[{"name":"db","command":"x","args":["a"],"env":[{"name":"DATABASE_URL","value":"[masked]"},{"name":"N","value":"[masked]"}]}]}}`, 2},
		{"server environment as a map, spaced", "",
			`{"id":1,"method":"session/load","params":{"mcpServers":[{"env": {"A": "one", "B" : 2, "C":null,"D":true}}]}}`,
			`{"id":1,"method":"session/load","params":{"mcpServers":[{"env": {"A": "[masked]", "B" : "[masked]", "C":null,"D":true}}]}}`, 2},
		{"environment as assignments", "",
			`{"id":1,"method":"session/new","params":{"mcpServers":[{"env":["A=one"]}]}}`,
			`{"id":1,"method":"session/new","params":{"mcpServers":[{"env":["[masked]"]}]}}`, 1},
		{"headers, both shapes, escaped names", "",
			`{"id":1,"method":"session/resume","params":{"mcpServers":[{"he\u0061ders":[{"value":"Bearer abc","name":"Authorization"}]},{"headers":{"X":"y"}}]}}`,
			`{"id":1,"method":"session/resume","params":{"mcpServers":[{"he\u0061ders":[{"value":"[masked]","name":"Authorization"}]},{"headers":{"X":"[masked]"}}]}}`, 2},
		{"address of a server", "",
			`{"id":1,"method":"session/new","params":{"mcpServers":[{"url":"https://bob:pw@h.example/p?token=abc&x=1&api_key=d#f"}]}}`,
			`{"id":1,"method":"session/new","params":{"mcpServers":[{"url":"https://[masked]@h.example/p?token=[masked]&x=1&api_key=[masked]#f"}]}}`, 3},
		{"address without secrets keeps its spelling", "",
			`{"id":1,"method":"session/new","params":{"mcpServers":[{"url":"https:\/\/h\/p?x=1"}]}}`,
			`{"id":1,"method":"session/new","params":{"mcpServers":[{"url":"https:\/\/h\/p?x=1"}]}}`, 0},
		{"credential of a server", "",
			`{"id":1,"method":"session/fork","params":{"mcpServers":[{"bearerToken":"t","args":["--x"]}]}}`,
			`{"id":1,"method":"session/fork","params":{"mcpServers":[{"bearerToken":"[masked]","args":["--x"]}]}}`, 1},
		{"arguments of a server", "",
			`{"id":1,"method":"session/new","params":{"mcpServers":[{"name":"a","command":"npx","args":["-y","srv","--token","tok-\u0031","--password=hunter22pw","-H","Authorization: Bearer x1","--max-tokens","4096","K_TOKEN=t1",7,["--key","k1"]]}]}}`,
			`{"id":1,"method":"session/new","params":{"mcpServers":[{"name":"a","command":"npx","args":["-y","srv","--token","[masked]","--password=[masked]","-H","Authorization: [masked]","--max-tokens","4096","K_TOKEN=[masked]",7,["--key","k1"]]}]}}`, 4},
		{"arguments of servers in other requests", "",
			`{"id":1,"method":"session/resume","params":{"mcpServers":[{"args":["--token"]},{"args":["plain","postgres://u:p1@h/d"]}]}}`,
			`{"id":1,"method":"session/resume","params":{"mcpServers":[{"args":["--token"]},{"args":["plain","postgres://u:[masked]@h/d"]}]}}`, 1},
		{"arguments in an unknown request", "",
			`{"id":1,"method":"_x/fork","params":{"mcpServers":[{"args":["--api-key","k1"]}]}}`,
			`{"id":1,"method":"_x/fork","params":{"mcpServers":[{"args":["--api-key","[masked]"]}]}}`, 1},
		{"arguments cut off", "",
			`{"id":1,"method":"session/new","params":{"mcpServers":[{"args":["--token","tok-1","--api-key" , "k1","--auth","--port","--secret=s1","--password","4096","-H","Authorization: Bearer x1","--key","k1`,
			`{"id":1,"method":"session/new","params":{"mcpServers":[{"args":["--token","[masked]","--api-key" , "[masked]","--auth","--port","--secret=[masked]","--password","4096","-H","Authorization: [masked]","--key","[masked]`, 5},
		{"arguments of a terminal", "",
			`{"id":1,"method":"terminal/create","params":{"command":"curl --token t1 h","args":["-c","x --api-key 'k 1' | y"],"cwd":"/w"}}`,
			`{"id":1,"method":"terminal/create","params":{"command":"curl --token [masked] h","args":["-c","x --api-key '[masked]' | y"],"cwd":"/w"}}`, 2},
		{"provider", "",
			`{"id":1,"method":"providers/set","params":{"providerId":"p","baseUrl":"http://u:p@h","headers":{"Authorization":"Bearer q"}}}`,
			`{"id":1,"method":"providers/set","params":{"providerId":"p","baseUrl":"http://[masked]@h","headers":{"Authorization":"[masked]"}}}`, 2},
		{"terminal", "",
			`{"id":1,"method":"terminal/create","params":{"command":"env","args":["-i"],"env":[{"name":"A","value":"b"}],"cwd":"/w"}}`,
			`{"id":1,"method":"terminal/create","params":{"command":"env","args":["-i"],"env":[{"name":"A","value":"[masked]"}],"cwd":"/w"}}`, 1},
		{"authenticate", "",
			`{"id":1,"method":"authenticate","params":{"methodId":"api-key","key":"k","_meta":{"n":[1,"x",null,{"y":"z"}]}}}`,
			`{"id":1,"method":"authenticate","params":{"methodId":"api-key","key":"[masked]","_meta":{"n":["[masked]","[masked]",null,{"y":"[masked]"}]}}}`, 4},
		{"login", "",
			`{"id":1,"method":"auth/login","params":{"methodId":"m","code":"c"}}`,
			`{"id":1,"method":"auth/login","params":{"methodId":"m","code":"[masked]"}}`, 1},
		{"initialize meta", "",
			`{"id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"auth":{"terminal":true},"fs":{"readTextFile":true}},"_meta":{"gateway":{"headers":{"X-Key":"v"},"apiToken":"t","url":"https://h/?sig=s","name":"n"}}}}`,
			`{"id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"auth":{"terminal":true},"fs":{"readTextFile":true}},"_meta":{"gateway":{"headers":{"X-Key":"[masked]"},"apiToken":"[masked]","url":"https://h/?sig=[masked]","name":"n"}}}}`, 3},
		{"initialize result", "initialize",
			`{"id":0,"result":{"protocolVersion":1,"authMethods":[{"id":"t","type":"terminal","args":["login"],"env":{"K":"v"}},{"env":[{"name":"K","value":"v"}]}]}}`,
			`{"id":0,"result":{"protocolVersion":1,"authMethods":[{"id":"t","type":"terminal","args":["login"],"env":{"K":"[masked]"}},{"env":[{"name":"K","value":"[masked]"}]}]}}`, 2},
		{"elicitation", "elicitation/create",
			`{"id":3,"result":{"action":"accept","content":{"password":"p","n":5,"b":true}}}`,
			`{"id":3,"result":{"action":"accept","content":{"password":"[masked]","n":"[masked]","b":true}}}`, 2},
		{"account", "auth/status",
			`{"id":3,"result":{"state":"in","accounts":[{"name":"Bob","email":"b@x"}]}}`,
			`{"id":3,"result":{"state":"in","accounts":[{"name":"[masked]","email":"[masked]"}]}}`, 2},
		{"account update", "",
			`{"method":"auth/status_update","params":{"state":"in","accounts":["Bob"]}}`,
			`{"method":"auth/status_update","params":{"state":"in","accounts":["[masked]"]}}`, 1},
		{"echo in an error", "session/new",
			`{"id":3,"error":{"code":-32602,"message":"no","data":{"params":{"mcpServers":[{"env":[{"name":"A","value":"b"}]}]}}}}`,
			`{"id":3,"error":{"code":-32602,"message":"no","data":{"params":{"mcpServers":[{"env":[{"name":"A","value":"[masked]"}]}]}}}}`, 1},
		{"unknown method", "",
			`{"id":3,"method":"_x/start","params":{"deep":[{"env":{"A":"b"}}]}}`,
			`{"id":3,"method":"_x/start","params":{"deep":[{"env":{"A":"[masked]"}}]}}`, 1},
		{"update is left alone", "",
			`{"method":"session/update","params":{"update":{"rawInput":{"env":{"A":"b"}}}}}`,
			`{"method":"session/update","params":{"update":{"rawInput":{"env":{"A":"b"}}}}}`, 0},
		{"truncated", "",
			`{"id":1,"method":"session/new","params":{"mcpServers":[{"env":[{"name":"A","value":"sk-abc`,
			`{"id":1,"method":"session/new","params":{"mcpServers":[{"env":[{"name":"A","value":"[masked]`, 1},
		{"blank before", "",
			` {"id":1,"method":"session/new","params":{"mcpServers":[{"env":[{"name":"A","value":"b\"c"},{"name":"B","value":"d"}],"url":"http://u:p@h"}]}}`,
			` {"id":1,"method":"session/new","params":{"mcpServers":[{"env":[{"name":"A","value":"[masked]"},{"name":"B","value":"[masked]"}],"url":"http://[masked]@h"}]}}`, 3},
		{"keys twice", "",
			`{"id":1,"method":"session/new","method":"x","params":{"env":{"A":"b","B":7},"apiKey":"c","x":"y"}}`,
			`{"id":1,"method":"session/new","method":"x","params":{"env":{"A":"[masked]","B":"[masked]"},"apiKey":"[masked]","x":"y"}}`, 3},
		{"unquoted surroundings", "",
			`bad request "{"headers":[{"name":"Authorization","value":"Bearer abc"}]}" at 5`,
			`bad request "{"headers":[{"name":"Authorization","value":"[masked]"}]}" at 5`, 1},
		{"string in a string", "",
			`error: "{\"apiKey\":\"abc\",\"x\":\"y\"}"`,
			`error: "{\"apiKey\":\"[masked]\",\"x\":\"y\"}"`, 1},
		{"header in text", "",
			`> Authorization: Bearer abc.def, Accept: */*`,
			`> Authorization: [masked], Accept: */*`, 1},
		{"plain text", "", `Starting: value: 7, env is fine`, `Starting: value: 7, env is fine`, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := masked(t, newMasker(nil), acp.Client, tt.method, tt.line)
			if string(e.Body) != tt.want || e.Masked != tt.masked {
				t.Errorf("got  %s (%d)\nwant %s (%d)", e.Body, e.Masked, tt.want, tt.masked)
			}
		})
	}
}

func TestKnownValuesAreFoundLater(t *testing.T) {
	const secret = `sk-"quoted"/<&>` + "\t9"
	for _, tt := range []struct{ name, line, want string }{
		{"as it was", `{"id":1,"error":{"code":1,"message":"no ` + escape(secret) + `!"}}`, `{"id":1,"error":{"code":1,"message":"no [masked]!"}}`},
		{"other escapes", `{"id":1,"error":{"code":1,"data":"\u0073k-\"quoted\"/<&>\u00099"},"x":"sk-\"quoted\"/<&>\t9"}`, `{"id":1,"error":{"code":1,"data":"[masked]"},"x":"[masked]"}`},
		{"nothing but other escapes", `{"method":"session/update","params":{"t":"\u0073k-\"quoted\"\u002f<&>\u00099"}}`, `{"method":"session/update","params":{"t":"[masked]"}}`},
		{"ASCII alone", `{"method":"session/update","params":{"t":"p\u00e4ssw\u00F6rter"}}`, `{"method":"session/update","params":{"t":"[masked]"}}`},
		{"for HTML", `{"id":1,"error":{"data":"` + escapeHTML(escape(secret)) + `"}}`, `{"id":1,"error":{"data":"[masked]"}}`},
		{"string in a string", `{"id":1,"error":{"data":"{\"v\":\"` + escape(escape(secret)) + `\"}"}}`, `{"id":1,"error":{"data":"{\"v\":\"[masked]\"}"}}`},
		{"as a name", `{"id":1,"error":{"` + escape(secret) + `":1}}`, `{"id":1,"error":{"[masked]":1}}`},
		{"broken line", `{"id":1,"error":"` + escape(secret), `{"id":1,"error":"[masked]`},
		{"banner", `using ` + secret, `using [masked]`},
		{"number", `{"method":"session/update","params":{"n":[1234567890123]}}`, `{"method":"session/update","params":{"n":["[masked]"]}}`},
		{"after an escape", `{"method":"session/update","params":{"s":"\nabcdefgh"}}`, `{"method":"session/update","params":{"s":"\nabcdefgh"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMasker([]string{"234567890123", "nabcdefgh", "pässwörter"})
			masked(t, m, acp.Client, "", `{"id":1,"method":"authenticate","params":{"methodId":"k","key":"`+escape(secret)+`"}}`)
			e := masked(t, m, acp.Agent, "", tt.line)
			if string(e.Body) != tt.want {
				t.Errorf("got  %s\nwant %s", e.Body, tt.want)
			}
		})
	}
}

// An id is masked like the frame that it stands in.
func TestSecretAsAnID(t *testing.T) {
	m := newMasker([]string{"correct-horse"})
	for _, id := range []string{`"correct-horse"`, `"correct-\u0068orse"`} {
		e := masked(t, m, acp.Agent, "", `{"id":`+id+`,"method":"x"}`)
		if want := `{"id":"[masked]","method":"x"}`; string(e.Body) != want || string(e.ID) != `"[masked]"` {
			t.Errorf("got %s and %s, want %s", e.ID, e.Body, want)
		}
	}
}

func TestPartsOfValuesAreKnown(t *testing.T) {
	m := newMasker(nil)
	masked(t, m, acp.Client, "", `{"id":1,"method":"session/new","params":{"mcpServers":[{"url":"https://bob:correct-horse@h?token=a%2Fbcdefgh","headers":[{"name":"Authorization","value":"Bearer tok-12345"}],"env":[{"name":"D","value":"postgres://u:battery-staple@h/d"},{"name":"HOME","value":"/home/bob"},{"name":"S","value":"short"}]}]}}`)
	e := masked(t, m, acp.Agent, "session/new", `{"id":1,"error":{"data":"correct-horse a/bcdefgh tok-12345 battery-staple /home/bob short"}}`)
	if want := `{"id":1,"error":{"data":"[masked] [masked] [masked] [masked] /home/bob short"}}`; string(e.Body) != want {
		t.Errorf("got  %s\nwant %s", e.Body, want)
	}
}

// An agent can teach generated keys, but no words, commands or addresses.
func TestAgentsCannotHideWords(t *testing.T) {
	m := newMasker(nil)
	masked(t, m, acp.Agent, "", `{"id":1,"method":"terminal/create","params":{"env":[{"name":"A","value":"rm -rf everything1"},{"name":"B","value":"https://evil1.example/x.sh"},{"name":"C","value":"evil1.example/install.sh"},{"name":"D","value":"required"},{"name":"E","value":"ghp_16C7e42F292c6912E7710c838347Ae178B4a"}]}}`)
	masked(t, m, acp.Agent, "", `password: required, token: "rm -rf everything1"`)
	masked(t, m, acp.Client, "", `auth: required`)
	line := `{"method":"session/update","params":{"t":"rm -rf everything1 https://evil1.example/x.sh evil1.example/install.sh required ghp_16C7e42F292c6912E7710c838347Ae178B4a"}}`
	e := masked(t, m, acp.Agent, "", line)
	if want := strings.Replace(line, "ghp_16C7e42F292c6912E7710c838347Ae178B4a", mark, 1); string(e.Body) != want {
		t.Errorf("got  %s\nwant %s", e.Body, want)
	}
}

// What the editor says in arguments is found later; what the agent does only
// when it looks like a key, or it could hide the command that it asks for.
func TestArgumentsAreKnown(t *testing.T) {
	m := newMasker(nil)
	masked(t, m, acp.Client, "", `{"id":1,"method":"session/new","params":{"mcpServers":[{"args":["--token","tulip-mania","--password=p1","--key","/etc/ssl/key","-H","X-Token: Bearer dahlia-mania"]}]}}`)
	masked(t, m, acp.Agent, "", `{"id":1,"method":"terminal/create","params":{"command":"x","args":["--token","everything1","--secret=evil1.example/x.sh","--api-key","ghp_16C7e42F292c6912E7710c838347Ae178B4a"]}}`)
	line := `{"id":2,"method":"session/request_permission","params":{"toolCall":{"title":"tulip-mania p1 /etc/ssl/key dahlia-mania","rawInput":{"command":"rm everything1 evil1.example/x.sh ghp_16C7e42F292c6912E7710c838347Ae178B4a --token t1"}}}}`
	want := `{"id":2,"method":"session/request_permission","params":{"toolCall":{"title":"[masked] p1 /etc/ssl/key [masked]","rawInput":{"command":"rm everything1 evil1.example/x.sh [masked] --token t1"}}}}`
	if e := masked(t, m, acp.Agent, "", line); string(e.Body) != want {
		t.Errorf("got  %s\nwant %s", e.Body, want)
	}
}

// How the agent was started is masked in the recording and in what is shown
// beside it, and its secrets are known from then on.
func TestCommandsAreMasked(t *testing.T) {
	command := []string{"agent", "--api-key", "tulip-mania", "--token=t1"}
	j := begin(t, Options{})
	j.Note(Event{Type: StartEvent, Start: &Start{Command: command}})
	j.Note(Event{Type: StderrEvent, Text: "with tulip-mania"})
	j.Note(Event{Type: FlaggedEvent, Text: "runs x --token t2"})
	j.Note(Event{Type: ExitEvent, Exit: &Exit{Left: []Process{{8, "curl --token t3 tulip-mania"}}}})
	shown := j.Mask().Arguments(command)
	closed(t, j)
	tail, _ := j.Watch(0)
	_, w := j.Watch(10)
	for e := range w.Events() {
		tail = append(tail, e)
	}
	if len(tail) != 4 {
		t.Fatalf("%d events, want 4", len(tail))
	}
	got := fmt.Sprintln(shown, tail[0].Start.Command, tail[0].Masked, tail[1].Text, tail[2].Text, tail[3].Exit.Left[0].Command, tail[3].Masked)
	if want := "[agent --api-key [masked] --token=[masked]] [agent --api-key [masked] --token=[masked]] 2 with [masked] runs x --token [masked] curl --token [masked] [masked] 2\n"; got != want {
		t.Errorf("got  %swant %s", got, want)
	}
	if command[2] != "tulip-mania" {
		t.Error("what the caller has was changed")
	}
}

func TestKnownValuesAreBounded(t *testing.T) {
	m := newMasker(nil)
	for i := range 3 * secretMax {
		m.known.add(fmt.Sprintf("secret-%06d", i), true)
	}
	if n := len(m.known.values); n != secretMax || len(m.known.have) != n {
		t.Errorf("%d values known, %d in the set", n, len(m.known.have))
	}
	if !m.known.in([]byte(fmt.Sprintf("xsecret-%06dx", 3*secretMax-1))) || m.known.in([]byte("secret-000000")) {
		t.Error("not the newest were kept")
	}
}

// The table walk has to find what plain search finds, wherever it lies.
func TestFindIsComplete(t *testing.T) {
	var s secrets
	for _, v := range []string{"abcdefgh", "abcdefghij", "bcdefghabc", "12345678xy", "aXbXcXdXeX"} {
		s.add(v, true)
	}
	for pad := range 20 {
		for _, v := range s.values {
			text := strings.Repeat("a", pad) + v + strings.Repeat("h", pad%5)
			first := len(text)
			for _, w := range s.values {
				if i := strings.Index(text, w); i >= 0 {
					first = min(first, i)
				}
			}
			if start, end := s.find([]byte(text), 0); start != first || end <= start {
				t.Fatalf("%q in %q: found at %d, is at %d", v, text, start, first)
			}
		}
	}
}

func TestSecretsAreMaskedEverywhere(t *testing.T) {
	const secret = "sk-0123456789abcdef"
	m := &memory{}
	j := begin(t, Options{Secrets: []string{secret}, open: m.open})
	j.Note(Event{Type: StartEvent, Start: &Start{Command: []string{"bob", "--key=" + secret}, PID: 7}})
	j.Note(Event{Type: StderrEvent, Text: "using " + secret + "\n"})
	j.Note(Event{Type: ExitEvent, Exit: &Exit{Left: []Process{{8, "curl " + secret}}}})
	fs := frames(acp.Agent, `{"id":"`+secret+`","method":"m`+secret+`","params":{"sessionId":"`+secret+`"}}`+"\n")
	fs[0].Reason = "because " + secret
	j.Append(time.Now(), fs)
	_, w := j.Watch(10)
	closed(t, j)
	tail, _ := j.Watch(0)
	if len(tail) != 4 {
		t.Fatalf("%d events in the tail", len(tail))
	}
	for e := range w.Events() {
		tail = append(tail, e)
	}
	for _, e := range tail {
		s := fmt.Sprintf("%+v %+v %+v %s %s", e, e.Start, e.Exit, e.Body, e.ID)
		if strings.Contains(s, secret) {
			t.Errorf("not masked: %s", s)
		}
	}
	if strings.Contains(m.text(), secret) {
		t.Errorf("not masked: %s", m.text())
	}
}

func FuzzMask(f *testing.F) {
	for _, s := range []string{
		`{"id":1,"method":"session/new","params":{"mcpServers":[{"env":[{"name":"A","value":"abcdefgh"}],"url":"https://u:p@h?token=x"}]}}`,
		`{"id":"abcdefgh","method":"authenticate","params":{"k":"abcdefgh\n","n":[12345678]}}`,
		`{"method":"session/new","method":"x","params":{"env":{"A":-1.5e3,"B":"\ud800"}}}`,
		`{"method":"session/new","params":{"args":["--token","abcdefgh","-H","\u0041uth: x","sh -c 'x --key=\"y\"'",1]}}`, `"--token","x`, `"-key\",\"`,
		`"env":{"a":1`, `authorization:`, `{"url":"\`, `{"id":1,"error":{"data":"\\\"abcdefgh"}}`,
	} {
		f.Add([]byte(s), "session/new")
		f.Add([]byte(s), "initialize")
	}
	f.Fuzz(func(t *testing.T, line []byte, method string) {
		m := newMasker([]string{"abcdefgh", `a\"\u00`, "12345678"})
		var scan acp.Frame
		acp.Scan(line, &scan)
		body, _ := splitEOL(line)
		before := string(body)
		e := Event{Type: FrameEvent, Kind: scan.Kind, Method: method, ID: scan.ID, Body: body}
		ok := m.frame(&e, scan.Strict)
		if string(body) != before {
			t.Fatal("the wire's bytes were changed")
		}
		if ok && !valid(e.Body) {
			t.Fatalf("%q became %q", body, e.Body)
		}
		if scan.Strict && scan.Kind != acp.Ambiguous && !ok {
			t.Fatalf("%q became the text %q", body, e.Body)
		}
	})
}
