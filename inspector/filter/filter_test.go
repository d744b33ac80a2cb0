package filter

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/inspector/model"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

var (
	zone = time.FixedZone("zone", 2*60*60)
	now  = time.Date(2026, 9, 30, 12, 30, 0, 0, zone)
)

// conversation is a small one, by name.
func conversation() map[string]*model.Row {
	api := &model.Session{Talk: &session.Talk{Session: "7f3a9c01", Title: "Fix nil token panic"}}
	web := &model.Session{Talk: &session.Talk{Session: "b2220000", Prompt: "Colours of the Website"}}
	frame := func(kind acp.Kind, from acp.Direction, at string, body string) *model.Row {
		when, err := time.ParseInLocation(time.DateTime, "2026-09-30 "+at, zone)
		if err != nil {
			panic(err)
		}
		return &model.Row{Type: journal.FrameEvent, Kind: kind, From: from, Time: when, Size: int64(len(body)), Body: []byte(body), Session: api}
	}
	rows := map[string]*model.Row{}

	prompt := frame(acp.Request, acp.Client, "12:04:15", `{"jsonrpc":"2.0","id":6,"method":"session/prompt","params":{"sessionId":"7f3a9c01","prompt":[{"type":"text","text":"The login crashes with a \"nil token\" Panic"},{"type":"resource_link","uri":"file:///home/me/src/auth/token.go"}]}}`)
	prompt.Method, prompt.ID, prompt.Waiting = "session/prompt", "6", true
	rows["prompt"] = prompt

	message := frame(acp.Notification, acp.Agent, "12:04:16", `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"7f3a9c01","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Caf\u00e9 or fatal"}}}}`)
	message.Method, message.Update, message.Chunk = "session/update", "agent_message_chunk", true
	rows["message"] = message

	thought := frame(acp.Notification, acp.Agent, "12:04:17", `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"7f3a9c01","update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hmm"}}}}`)
	thought.Method, thought.Update, thought.Chunk = "session/update", "agent_thought_chunk", true
	rows["thought"] = thought

	call := frame(acp.Notification, acp.Agent, "12:04:19", `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"7f3a9c01","update":{"sessionUpdate":"tool_call","toolCallId":"call_0042","kind":"execute","status":"pending","title":"Run","locations":[{"path":"/home/me/src/auth/run.sh","line":3}]}}}`)
	call.Method, call.Update, call.Call, call.Tool, call.Status = "session/update", "tool_call", "call_0042", "execute", "pending"
	rows["call"] = call

	read := frame(acp.Request, acp.Agent, "12:04:20", `{"jsonrpc":"2.0","id":"5","method":"fs/read_text_file","params":{"sessionId":"b2220000","path":"/home/me/web/a b.css","limit":250}}`)
	read.Method, read.ID, read.Session = "fs/read_text_file", `"5"`, web
	rows["read"] = read

	content := frame(acp.Response, acp.Client, "12:04:22", `{"jsonrpc":"2.0","id":"5","result":{"content":"colour: red; /* x */"}}`)
	content.Method, content.ID, content.Session, content.Pair, content.Waited = "fs/read_text_file", `"5"`, web, read, 2400*time.Millisecond
	read.Pair = content
	rows["content"] = content

	ask := frame(acp.Request, acp.Agent, "12:04:27", `{"jsonrpc":"2.0","id":5,"method":"session/request_permission","params":{"sessionId":"7f3a9c01","toolCall":{"toolCallId":"call_0043","kind":"delete","title":"Delete x","content":[{"type":"diff","path":"/home/me/old.go","oldText":"a","newText":""}]},"options":[]}}`)
	ask.Method, ask.ID = "session/request_permission", "5"
	ask.Permission = &model.Permission{Call: "call_0043", Kind: "delete", Decision: &journal.Decision{By: "timeout"}}
	rows["ask"] = ask

	timeout := frame(acp.Response, acp.Client, "12:06:27", `{"jsonrpc":"2.0","id":5,"result":{"outcome":{"outcome":"cancelled"}}}`)
	timeout.Method, timeout.ID, timeout.Pair, timeout.Added, timeout.By, timeout.Waited = ask.Method, "5", ask, true, "timeout", 2*time.Minute
	ask.Pair = timeout
	rows["timeout"] = timeout

	failed := frame(acp.Error, acp.Agent, "12:07:00", `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"Panic in tool"}}`)
	failed.Method, failed.ID, failed.Waited, failed.Session = "session/set_mode", "7", 20*time.Millisecond, nil
	rows["failed"] = failed

	garbage := frame(acp.Text, acp.Agent, "12:07:01", "npm WARN fatal: deprecated")
	garbage.Session, garbage.Reason = nil, "no object"
	rows["garbage"] = garbage

	late := frame(acp.Response, acp.Client, "12:08:00", `{"jsonrpc":"2.0","id":5,"result":{}}`)
	late.Method, late.Action = "session/request_permission", "swallowed"
	rows["late"] = late

	dropped := frame(acp.Notification, acp.Client, "11:00:00", "")
	dropped.Body, dropped.Method, dropped.First, dropped.Size = nil, "session/cancel", "stop it", 30000
	rows["dropped"] = dropped

	for name, t := range map[string]journal.Type{
		"stderr": journal.StderrEvent, "warning": journal.WarningEvent, "flagged": journal.FlaggedEvent,
		"opened": journal.OpenedEvent, "decision": journal.DecisionEvent, "gap": journal.GapEvent,
	} {
		rows[name] = &model.Row{Type: t, Time: now.Add(-10 * time.Second), Text: name + " of bob"}
	}
	return rows
}

func TestMatch(t *testing.T) {
	rows := conversation()
	w := World{
		Now:    now,
		Marked: func(r *model.Row) bool { return r == rows["call"] },
		Hidden: func(r *model.Row) bool { return r == rows["thought"] },
	}
	const frames = "prompt message thought call read content ask timeout failed garbage late dropped"
	const others = "stderr warning flagged opened decision gap"
	for _, tt := range []struct{ filter, want string }{
		{"", frames + " " + others},
		{"-u:message,thought", without(frames+" "+others, "message thought")},
		{"kind:err or is:bad", "failed garbage"},
		{"m:fs/* dir:in", "read"},
		{"id:5", "read content ask timeout"},
		{"s:7f3 tool:execute", "call"},
		{"perm:timeout", "ask timeout"},
		{"slow>2s -m:session/prompt", "content timeout"},
		{"params.toolCall.kind:delete", "ask"},
		{`text:"nil token"`, "prompt"},
		{"/panic|fatal/i", "prompt message failed garbage"},
		{"/panic|fatal/", "message garbage"},

		{"method:PROMPT", "prompt"},
		{"m:update", "message thought call"},
		{"m:session/*", "prompt message thought call ask timeout failed late dropped"},
		{"m:*_file", "read content"},
		{"m:s*_per*ion", "ask timeout late"},
		{"m:/^fs/", "read content"},
		{"m:/^FS/i,prompt", "prompt read content"},
		{"u:tool_call,plan", "call"},
		{"u:agent_*_chunk", "message thought"},
		{"u:agent_message_chunk", "message"},
		{"dir:→", "prompt content timeout late dropped"},
		{"dir:agent -is:chunk", "call read ask failed garbage"},
		{"k:req", "prompt read ask"},
		{"k:response", "content timeout late"},
		{"k:ntf", "message thought call dropped"},
		{"k:bad", "garbage"},
		{"k:stderr,gap", "stderr gap"},
		{"k:note", "warning flagged"},
		{"k:decision", "opened decision"},
		{"id:6,7", "prompt failed"},
		{"s:fix", "prompt message thought call ask timeout late dropped"},
		{"s:a9c", ""},
		{"s:website", "read content"},
		{"s:b2*", "read content"},
		{"call:call_0042", "call"},
		{"call:CALL_*", "call ask timeout"},
		{"tool:delete", "ask timeout"},
		{"status:pending", "call"},
		{"file:old.go", "ask timeout"},
		{"file:/home/me/web", "read content"},
		{"file:auth", "prompt call"},
		{`file:"a b.css"`, "read content"},
		{"text:hmm", ""},
		{"text:FATAL", "message"},
		{"text:café", "message"},
		{"by:editor", "prompt content late dropped"},
		{"by:timeout", "timeout"},
		{"by:agent kind:req", "read ask"},
		{"by:proxy", "warning flagged opened decision gap"},
		{"perm:here,open", ""},
		{"params.limit:250", "read"},
		{"params.limit:25", ""},
		{"params.limit>100", "read"},
		{"params.limit>=250 params.limit<251", "read"},
		{"error.code=-32603", "failed"},
		{"error.code:-32603", "failed"},
		{"error.message:panic", "failed"},
		{"result.outcome.outcome:cancelled", "timeout"},
		{"result.outcome:cancelled", "timeout"},
		{"params.prompt.text:login", "prompt"},
		{"params.prompt.1.uri:token.go", "prompt"},
		{"params.prompt.0.uri:*", ""},
		{"params.prompt.*.type:resource_link", "prompt"},
		{"params.*.locations.line:3", "call"},
		{"params.update.content:*", "message thought"},
		{`params."sessionId":b2220000`, "read"},
		{"is:slow", "content timeout"},
		{"is:error", "failed"},
		{"is:open", "prompt"},
		{"is:marked", "call"},
		{"is:hidden", "thought"},
		{"is:added", "timeout"},
		{"is:flagged", "garbage flagged"},
		{"is:swallowed", "late"},
		{"is:refused,withheld", ""},
		{"slow>25m", "prompt"},
		{"slow<100", "failed"},
		{"slow=2400", "content"},
		{"size>24k", "dropped"},
		{"size:>=29.2k", "dropped"},
		{"size<0.1k kind:rsp", "content timeout late"},
		{"after:12:07", "failed garbage late " + others},
		{"after:12:07:01 before:12:08:00", "garbage"},
		{"before:2026-09-30T11:04", "dropped"},
		{"before:2026-09-30T09:04:00Z", "dropped"},
		{"after:-22m30s before:-21m", "late"},
		{"after:2026-10-01", ""},
		{"after:-1d before:11:30", "dropped"},
		{"before:12:31", ""},

		{"bob", others},
		{`"STDERR of"`, "stderr"},
		{"café", "message"},
		{"CAFÉ", "message"},
		{`"\"nil token\""`, "prompt"},
		{"stop", "dropped"},
		{"co*red", "content"},
		{"/r: [a-z]+;/ /x/ or /css/", "read content"},
		{"login or hmm css", "prompt"},
		{"(login or hmm) thought", "thought"},
		{"login and panic", "prompt"},
		{"not (m:session or k:note,stderr,decision,gap)", "read content garbage"},
		{"-(-login)", "prompt"},
		{"not not login", "prompt"},
		{"login OR hmm", "prompt thought"},
		{"@noise", ""},
		{"-@noise m:prompt", "prompt"},
	} {
		t.Run(tt.filter, func(t *testing.T) {
			e, err := Parse(tt.filter)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, name := range strings.Fields(frames + " " + others) {
				if e.Match(rows[name], w) {
					got = append(got, name)
				}
			}
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func without(all, some string) string {
	var left []string
	for _, s := range strings.Fields(all) {
		if !strings.Contains(" "+some+" ", " "+s+" ") {
			left = append(left, s)
		}
	}
	return strings.Join(left, " ")
}

func TestString(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{" \t\n", ""},
		{"foo", "foo"},
		{`"foo"`, "foo"},
		{`"foo bar"`, `"foo bar"`},
		{`"a*b"`, `"a*b"`},
		{`"or" "-x" "/y" "@z" "k:v"`, `"or" "-x" "/y" "@z" "k:v"`},
		{`foo"bar"`, "foo bar"},
		{`"a\"b\\c\nd\te"`, `"a\"b\\c\nd\te"`},
		{`C:x`, "no key C; put quotes around it to look for the text (at 1)"},
		{`"C:\x"`, `"C:\\x"`},
		{"a OR b AND c", "a or b c"},
		{"(a or b) c", "(a or b) c"},
		{"((a b)) (c)", "a b c"},
		{"a (b (c or d))", "a b (c or d)"},
		{"not a -b not (c d) -(-e)", "-a -b -(c d) -(-e)"},
		{"M:x U:message", "method:x update:message"},
		{"k:Request,ERROR dir:→", "kind:req,err dir:out"},
		{"m:fs/*,session/prompt", "method:fs/*,session/prompt"},
		{"file:/home/me", `file:"/home/me"`},
		{"file:/home/", "file:/home/"},
		{`/a\/b/i /c\.d/`, `/a\/b/i /c\.d/`},
		{"size:>1.50k slow>2", "size>1.5k slow>2ms"},
		{"SIZE>=3 size<=4M size=5", "size>=3b size<=4m size=5b"},
		{"after:12:04 before:-5m", "after:12:04 before:-5m"},
		{`params.a."b c"."d".*.0:x`, `params.a."b c".d.*.0:x`},
		{`params."*":x`, `params."*":x`},
		{"@noise or -@x", "@noise or -@x"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			e, err := Parse(tt.text)
			got := e.String()
			if err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		text string
		at   int
		want string
	}{
		{"slow>", 5, "expected number"},
		{"slow>x", 5, "expected number"},
		{"slow>1.2.3", 5, "expected number"},
		{"size>9999999999999999", 5, "expected number"},
		{"slow>5h", 6, "expected ms, s or m"},
		{"size>5x", 6, "expected b, k or m"},
		{"slow:5", 5, "expected > or <, as in slow>100"},
		{"params.a>5k", 10, "expected a number without a unit"},
		{"method>5", 6, "expected : after method"},
		{"foo methd:x", 4, "no key methd, but method; put quotes around it to look for the text"},
		{"sta:x", 0, "no key sta, but status; put quotes around it to look for the text"},
		{"http://x", 0, "no key http; put quotes around it to look for the text"},
		{":x", 0, "expected a key before :, or quotes around text"},
		{"->", 1, "expected a key before >, or quotes around text"},
		{"m:", 2, "expected a value"},
		{"m:a,", 4, "expected a value"},
		{"m:a, b", 4, "expected a value"},
		{`m:""`, 2, "expected a value"},
		{`m:"a"b`, 5, "expected a blank or a comma"},
		{`""`, 0, "expected a word in the quotes"},
		{`foo "bar`, 8, `expected " for the " at 5`},
		{"k:req,frame", 6, "expected one of req rsp ntf err bad stderr note decision gap"},
		{"dir:/out/", 4, "expected one of out in"},
		{"after:noon", 6, "expected a time, as 12:04, -5m or 2026-09-30"},
		{"after:25:00", 6, "expected a time, as 12:04, -5m or 2026-09-30"},
		{"after:12:04,12:05", 11, "expected a blank or a comma"},
		{"before:--5m", 7, "expected a time, as 12:04, -5m or 2026-09-30"},
		{"before:-", 7, "expected a time, as 12:04, -5m or 2026-09-30"},
		{"params.:x", 7, "expected a name"},
		{"params.a..b:x", 9, "expected a name"},
		{`params."a"b:x`, 10, "expected . or :"},
		{"/(/", 1, "expected a regular expression: missing closing )"},
		{"m:/[/", 3, "expected a regular expression: missing closing ]"},
		{"/(a{900}b{900}){1}c{900}/", 1, "expected a smaller regular expression"},
		{"@", 1, "expected the name of a saved filter"},
		{"@a.b", 2, "expected a letter, a digit, - or _"},
		{"or a", 0, "expected a term"},
		{"a or", 4, "expected a term"},
		{"a or or b", 5, "expected a term"},
		{"a and and b", 6, "expected a term"},
		{"and", 0, "expected a term"},
		{"a -", 3, "expected a term"},
		{"not", 3, "expected a term"},
		{"()", 1, "expected a term"},
		{"(a", 2, "expected ) for the ( at 1"},
		{"a)", 1, "expected no ) here"},
		{strings.Repeat("(", 51) + "a", 50, "expected at most 50 levels"},
		{strings.Repeat("-", 51) + "a", 50, "expected at most 50 levels"},
		{strings.Repeat("a", MaxText+1), MaxText, "expected at most 4096 bytes"},
	} {
		t.Run(tt.text[:min(40, len(tt.text))], func(t *testing.T) {
			_, err := Parse(tt.text)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want an *Error", err)
			}
			if e.At != tt.at || e.Want != tt.want {
				t.Errorf("got  %d %s\nwant %d %s", e.At, e.Want, tt.at, tt.want)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	filters := map[string]string{
		"noise": "u:message,thought", "two": "@noise b", "either": "x or y", "none": "",
		"loop": "a @back", "back": "-(@loop or b)", "wide": strings.Repeat("@many ", 40), "many": strings.Repeat("@two ", 40),
	}
	lookup := func(name string) (Expr, bool) {
		text, ok := filters[name]
		return parse(t, text), ok
	}
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"a", "a"},
		{"-@noise", "-update:message,thought"},
		{"a @two", "a update:message,thought b"},
		{"a @either", "a (x or y)"},
		{"a or @either", "a or x or y"},
		{"-@either", "-(x or y)"},
		{"-@two", "-(update:message,thought b)"},
		{"@other", "no saved filter @other (at 1)"},
		{"@none", "the saved filter @none is empty (at 1)"},
		{"@loop", "@loop leads back to itself (at 1)"},
		{"@wide", "the saved filters in it are too large together (at 1)"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			e, err := parse(t, tt.text).Resolve(lookup)
			got := e.String()
			if err != nil {
				got = err.Error()
			} else if again := parse(t, got); !reflect.DeepEqual(again, e) {
				t.Errorf("%s reads as %s", got, again)
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func parse(t *testing.T, text string) Expr {
	t.Helper()
	e, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestWhatIsShownOfAPermissionIsFound(t *testing.T) {
	asked := &model.Permission{Title: "Run it", Card: &control.Pending{Command: "./verify --all"}}
	opened := &model.Row{Type: journal.OpenedEvent, Permission: asked}
	decided := &model.Row{Type: journal.DecisionEvent, Permission: asked, Decision: &journal.Decision{By: "editor", OptionKind: "allow_once", HasOption: true}}
	for _, tt := range []struct {
		filter          string
		opened, decided bool
	}{
		{"/verify", true, true},
		{`"run it"`, true, true},
		{`"editor allowed once"`, false, true},
		{"refused", false, false},
		{"-verify", false, false},
	} {
		e := parse(t, tt.filter)
		if o, d := e.Match(opened, World{}), e.Match(decided, World{}); o != tt.opened || d != tt.decided {
			t.Errorf("%s: got %v and %v, want %v and %v", tt.filter, o, d, tt.opened, tt.decided)
		}
	}
}

func TestClockOfYesterday(t *testing.T) {
	w := World{Now: time.Date(2026, 10, 1, 0, 10, 0, 0, zone)}
	r := &model.Row{Time: time.Date(2026, 9, 30, 23, 55, 0, 0, zone)}
	for text, want := range map[string]bool{"after:23:50": true, "after:23:56": false, "before:23:56": true, "after:00:05": false, "after:00:10": false} {
		if got := parse(t, text).Match(r, w); got != want {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}

func TestUpdateNames(t *testing.T) {
	for variant, names := range map[string]string{
		"agent_message_chunk":       "message",
		"user_message_chunk":        "user message",
		"agent_thought_chunk":       "thought",
		"tool_call":                 "tool_call",
		"tool_call_update":          "tool_update",
		"available_commands_update": "commands",
		"current_mode_update":       "mode",
		"config_option_update":      "settings config_option",
		"session_info_update":       "info session_info",
		"usage_update":              "usage",
		"plan":                      "plan",
		"plan_update":               "plan",
	} {
		for _, other := range []string{"message", "user", "thought", "tool_call", "tool_update", "commands", "mode", "settings", "info", "usage", "plan", variant} {
			want := other == variant || strings.Contains(" "+names+" ", " "+other+" ")
			if got := parse(t, "u:"+other).Match(&model.Row{Update: variant}, World{}); got != want {
				t.Errorf("u:%s of %s: got %v, want %v", other, variant, got, want)
			}
		}
	}
}

func TestTerm(t *testing.T) {
	long := strings.Repeat("é", 200)
	for _, tt := range []struct{ path, value, want string }{
		{"method", "session/prompt", "method:session/prompt"},
		{"m", "a b", `method:"a b"`},
		{"id", "5", "id:5"},
		{Path("params", "toolCall", "kind"), "delete", "params.toolCall.kind:delete"},
		{Path("params", "a b", "", `c"\`, "0"), "x,y", `params."a b"."".` + `"c\"\\".0:"x,y"`},
		{Path("params", "x"), "", "params.x:*"},
		{Path("params", "x"), "a*b\n\"", `params.x:"a*b\n\""`},
		{Path("params", "x"), "-1", `params.x:"-1"`},
		{Path("params", "x"), long, "params.x:" + long[:160]},
		{"id", long[:400], "id:" + long[:400]},
		{"params", "x", "params:x"},
		{"jsonrpc", "2.0", "2.0"},
		{"size", "5", "5"},
		{"other", "", ""},
	} {
		t.Run(tt.path+" "+tt.value[:min(len(tt.value), 10)], func(t *testing.T) {
			got := Term(tt.path, tt.value)
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if e := parse(t, got); e.String() != got {
				t.Errorf("%s reads as %s", got, e)
			}
		})
	}
}

func TestComplete(t *testing.T) {
	var rows []*model.Row
	byName := conversation()
	for _, name := range []string{"prompt", "message", "thought", "call", "read", "content", "ask", "timeout", "failed"} {
		rows = append(rows, byName[name])
	}
	for _, tt := range []struct{ text, want string }{
		{"s|", "session: 0|status: 0|slow> 0|size> 0"},
		{"foo -me|", "foo -method: 0"},
		{"(k|", "(kind: 0"},
		{"pa|", "params. 0"},
		{"@n|", "@noise 0"},
		{"m:up|", "m:session/update 3"},
		{"m:session/|", "m:session/update 3|m:session/request_permission 2|m:session/prompt 1|m:session/set_mode 1"},
		{"u:message,tho|", "u:message,thought 1|u:message,agent_thought_chunk 1"},
		{"-u:call|", "-u:tool_call 1"},
		{"k:|", "k:ntf 3|k:req 3|k:rsp 2|k:err 1|k:bad 0|k:decision 0|k:gap 0|k:note 0|k:stderr 0"},
		{"is:op|", "is:open 1"},
		{"s:fix|", `s:"Fix nil token panic" 6`},
		{"call:|", "call:call_0043 2|call:call_0042 1"},
		{"file:web|", `file:"/home/me/web/a b.css" 2`},
		{"params.to|", "params.toolCall 1"},
		{"params.toolCall.|", "params.toolCall.content 1|params.toolCall.kind 1|params.toolCall.title 1|params.toolCall.toolCallId 1"},
		{"params.prompt.te|", "params.prompt.text 1"},
		{"params.toolCall.ki:|", ""},
		{"params.toolCall.kind:d|", "params.toolCall.kind:delete 1"},
		{"error.code:|", `error.code:"-32603" 1`},
		{"after:|", ""},
		{"slow>|", ""},
		{`m:"se|`, ""},
		{"nokey:|", ""},
		{"m:fs|xx dir:in", "m:fs/read_text_file dir:in 2"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			text, rest, _ := strings.Cut(tt.text, "|")
			var got []string
			for _, c := range Complete(text+rest, len(text), rows, []string{"noise", "other", "bad name"}) {
				with, at := c.In(text + rest)
				if !strings.HasSuffix(with[:at], c.Text) {
					t.Errorf("the cursor is at %d of %q", at, with)
				}
				got = append(got, fmt.Sprint(with, " ", c.Count))
			}
			if got := strings.Join(got, "|"); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
