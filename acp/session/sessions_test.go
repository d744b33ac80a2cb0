package session

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"bobproxy/acp"
)

const open = `
	> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
	< {"id":1,"result":{"sessionId":"S","modes":{"currentModeId":"code","availableModes":[{"id":"code","name":"Code"},{"id":"m4","name":"YOLO mode"}]}}}
`

func TestTurns(t *testing.T) {
	prompt := `> {"id":2,"method":"session/prompt","params":{"sessionId":"S","prompt":[]}}` + "\n"
	for _, tt := range []struct {
		name, script string
		want         bool
	}{
		{"none", open, false},
		{"a prompt", open + prompt, true},
		{"of another session", open + strings.Replace(prompt, `"S"`, `"T"`, 1), false},
		{"answered", open + prompt + `< {"id":2,"result":{"stopReason":"end_turn"}}`, false},
		{"failed", open + prompt + `< {"id":2,"error":{"code":1}}`, false},
		{"one of two", open + prompt + strings.Replace(prompt, "2", "3", 1) + `< {"id":2,"result":{}}`, true},
		{"cancelled and not answered", open + prompt + `> {"method":"session/cancel","params":{"sessionId":"S"}}`, true},
		{"the agent's", open + strings.Replace(prompt, ">", "<", 1), false},
		{"as a notification", open + strings.Replace(prompt, `"id":2,`, "", 1), false},
		{"with an id that nobody can answer", open + strings.Replace(prompt, `"id":2`, `"id":null`, 1), false},
		{"in a session that nobody knows", prompt, true},
		{"version 2: taken", version2 + open + prompt + `< {"id":2,"result":{"messageId":"m"}}`, false},
		{"version 2: running", version2 + open + prompt + update("state_update", `"state":"running"`) + `< {"id":2,"result":{"messageId":"m"}}`, true},
		{"version 2: waiting for the user", version2 + open + update("state_update", `"state":"requires_action"`), true},
		{"version 2: idle", version2 + open + update("state_update", `"state":"running"`) + update("state_update", `"state":"idle","stopReason":"end_turn"`), false},
		{"version 2: a state of the future", version2 + open + update("state_update", `"state":"running"`) + update("state_update", `"state":"_napping"`), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := conversation{t: t}
			c.exchange(tt.script)
			if got := c.fold.Prompt("S"); got != tt.want {
				t.Errorf("a prompt is being answered: %v", got)
			}
			if s, ok := c.fold.Session("S"); ok && s.Turn != tt.want {
				t.Errorf("the session's turn is open: %v", s.Turn)
			}
		})
	}
}

func TestTitlesAndModes(t *testing.T) {
	for _, tt := range []struct{ name, script, title, mode string }{
		{"at first", open, "", "code"},
		{"a title", open + update("session_info_update", `"title":"Repair"`), "Repair", "code"},
		{"a title that is kept", open + update("session_info_update", `"title":"Repair"`) + update("session_info_update", `"updatedAt":"now"`), "Repair", "code"},
		{"a title that is taken back", open + update("session_info_update", `"title":"Repair"`) + update("session_info_update", `"title":null`), "", "code"},
		{"the agent changes the mode", open + update("current_mode_update", `"currentModeId":"plan"`), "", "plan"},
		{"the client asks for a mode", open + `> {"id":2,"method":"session/set_mode","params":{"sessionId":"S","modeId":"plan"}}`, "", "code"},
		{"the client changes the mode", open + `
			> {"id":2,"method":"session/set_mode","params":{"sessionId":"S","modeId":"plan"}}
			< {"id":2,"result":null}`, "", "plan"},
		{"the agent refuses the mode", open + `
			> {"id":2,"method":"session/set_mode","params":{"sessionId":"S","modeId":"plan"}}
			< {"id":2,"error":{"code":1}}`, "", "code"},
		{"the mode is an option", open + `
			> {"id":2,"method":"session/set_config_option","params":{"sessionId":"S","configId":"m","value":"plan"}}
			< {"id":2,"result":{"configOptions":[{"id":"m","category":"mode","name":"Mode","type":"select","currentValue":"plan","options":[]}]}}`, "", "plan"},
		{"the option changes", open + update("config_option_update", `"configOptions":[{"configId":"m","category":"mode","type":"select","currentValue":"plan","options":[]}]`), "", "plan"},
		{"a long title", open + update("session_info_update", `"title":"`+strings.Repeat("x", maxTitle+1)+`"`), strings.Repeat("x", maxTitle), "code"},
		{"loading keeps what the replay said", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}` + "\n" +
			update("session_info_update", `"title":"Repair"`) + update("current_mode_update", `"currentModeId":"plan"`) + `
			< {"id":1,"result":{}}`, "Repair", "plan"},
		{"another session under the same id", open + update("session_info_update", `"title":"Repair"`) + `
			> {"id":2,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":2,"result":{"sessionId":"S"}}`, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := conversation{t: t}
			c.exchange(tt.script)
			s, ok := c.fold.Session("S")
			if !ok || s.Title != tt.title || s.Mode != tt.mode {
				t.Errorf("%v: title %q, mode %q; want %q, %q", ok, s.Title, s.Mode, tt.title, tt.mode)
			}
		})
	}
}

func TestNotesOnModes(t *testing.T) {
	const sorry = "; by its name it asks for no permission, so there is nothing to guard what it does"
	switched := func(value string) string {
		return update("config_option_update", `"configOptions":[{"id":"auto_approve","name":"Auto-approve","type":"boolean","currentValue":`+value+`}]`)
	}
	for _, tt := range []struct{ name, script, want string }{
		{"an ordinary start", open, ``},
		{"a start without asking", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"S","modes":{"currentModeId":"bypassPermissions","availableModes":[]}}}`,
			`the session starts in mode "bypassPermissions"` + sorry},
		{"known by its name", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}
			< {"id":1,"result":{"modes":{"currentModeId":"m4","availableModes":[{"id":"m4","name":"Full Access"}]}}}`,
			`the session starts in mode "m4"` + sorry},
		{"an option at the start", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"S","configOptions":[{"id":"mode","category":"mode","type":"select","currentValue":"x","options":[{"group":"g","name":"G","options":[{"value":"x","name":"YOLO"}]}]}]}}`,
			`option "mode" is "x"` + sorry},
		{"the client sets an ordinary one", open + `> {"id":2,"method":"session/set_mode","params":{"sessionId":"S","modeId":"plan"}}`, ``},
		{"the client sets it", open + `> {"id":2,"method":"session/set_mode","params":{"sessionId":"S","modeId":"auto-approve"}}`,
			`the client sets mode "auto-approve"` + sorry},
		{"the client sets what is called so", open + `> {"id":2,"method":"session/set_mode","params":{"sessionId":"S","modeId":"m4"}}`,
			`the client sets mode "m4"` + sorry},
		{"the client sets it in a session that nobody knows", `> {"id":2,"method":"session/set_mode","params":{"sessionId":"S","modeId":"yolo"}}`,
			`the client sets mode "yolo"` + sorry},
		{"the client chooses an option", open + `> {"id":2,"method":"session/set_config_option","params":{"sessionId":"S","configId":"approval_policy","value":"never"}}`,
			`the client sets option "approval_policy" to "never"` + sorry},
		{"the client chooses a mode", open + `> {"id":2,"method":"session/set_config_option","params":{"sessionId":"S","configId":"mode","value":"full-access"}}`,
			`the client sets mode "full-access"` + sorry},
		{"the client switches one on", open + `> {"id":2,"method":"session/set_config_option","params":{"sessionId":"S","type":"boolean","configId":"auto_approve","value":true}}`,
			`the client sets option "auto_approve" to on` + sorry},
		{"the client switches one off", open + `> {"id":2,"method":"session/set_config_option","params":{"sessionId":"S","type":"boolean","configId":"auto_approve","value":false}}`, ``},
		{"an option about approvals, set to ask", open + `> {"id":2,"method":"session/set_config_option","params":{"sessionId":"S","configId":"approval_policy","value":"on-request"}}`, ``},
		{"another option, set to never", open + `> {"id":2,"method":"session/set_config_option","params":{"sessionId":"S","configId":"telemetry","value":"never"}}`, ``},
		{"the agent sets approvals to never", open + update("config_option_update", `"configOptions":[{"id":"approval","name":"Approval","type":"select","currentValue":"never","options":[{"value":"never","name":"Never"}]}]`), `option "approval" is "never"` + sorry},
		{"the agent goes there", open + update("current_mode_update", `"currentModeId":"yolo"`), `the agent goes to mode "yolo"` + sorry},
		{"the agent goes there, spelled otherwise", open + update("current_mode_update", `"modeId":"YOLO"`), `the agent goes to mode "YOLO"` + sorry},
		{"the agent goes elsewhere", open + update("current_mode_update", `"currentModeId":"plan"`), ``},
		{"the agent switches one on", open + switched("true"), `option "auto_approve" is on` + sorry},
		{"the agent leaves one on", open + switched("true") + switched("true"), ``},
		{"the agent switches one off", open + switched("true") + switched("false"), ``},
		{"the agent switches one on again", open + switched("true") + switched("false") + switched("true"), `option "auto_approve" is on` + sorry},
		{"options that are none", open + update("config_option_update", `"configOptions":[7,null,{},[],{"options":[[]],"currentValue":"a"},{"id":3,"currentValue":true}]`), ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := conversation{t: t}
			if got := strings.Join(c.exchange(tt.script).Notes, "; "); got != tt.want {
				t.Errorf("noted %q, want %q", got, tt.want)
			}
		})
	}
}

// A session says what lets its agent go without asking, for as long as it does.
func TestWhatApproves(t *testing.T) {
	switched := func(value string) string {
		return update("config_option_update", `"configOptions":[{"id":"auto_approve","name":"Auto-approve","type":"boolean","currentValue":`+value+`}]`)
	}
	for _, tt := range []struct{ name, script, want string }{
		{"nothing", open, ``},
		{"a mode, by its id", open + update("current_mode_update", `"currentModeId":"bypassPermissions"`), `mode "bypassPermissions"`},
		{"a mode, by its name", open + update("current_mode_update", `"currentModeId":"m4"`), `mode "m4"`},
		{"a mode that was left", open + update("current_mode_update", `"currentModeId":"m4"`) + update("current_mode_update", `"currentModeId":"code"`), ``},
		{"a mode that is only asked for", open + `> {"id":2,"method":"session/set_mode","params":{"sessionId":"S","modeId":"m4"}}`, ``},
		{"an option", open + switched("true"), `option "auto_approve" is on`},
		{"an option that was switched off", open + switched("true") + switched("false"), ``},
		{"a mode without an id, in none", `
			> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
			< {"id":1,"result":{"sessionId":"S","modes":{"availableModes":[{"name":"YOLO"}]}}}`, ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := conversation{t: t}
			c.exchange(tt.script)
			if s, ok := c.fold.Session("S"); !ok || s.AutoApprove != tt.want {
				t.Errorf("%v, %q, want %q", ok, s.AutoApprove, tt.want)
			}
		})
	}
}

// Some clients say hello twice and get their answers in another order.
func TestHello(t *testing.T) {
	c := conversation{t: t}
	if v := c.fold.Version(); v != 0 {
		t.Errorf("version %d before any is known", v)
	}
	c.exchange(`
		> {"id":1,"method":"initialize","params":{"protocolVersion":99,"clientInfo":{"name":"zed","title":"Zed","version":"1.2"}}}
		> {"id":2,"method":"initialize","params":{"protocolVersion":1,"clientInfo":{"name":"JetBrains.WebStorm","version":"3"}}}
		< {"id":2,"result":{"protocolVersion":1,"agentInfo":{"name":"bob","title":"Bob","version":"4"}}}`)
	if v := c.fold.Version(); v != 1 {
		t.Errorf("version %d, want 1", v)
	}
	client, agent := c.fold.Peers()
	if want := (Peer{"JetBrains.WebStorm", "", "3"}); client != want {
		t.Errorf("the client is %v, want %v", client, want)
	}
	if want := (Peer{"bob", "Bob", "4"}); agent != want {
		t.Errorf("the agent is %v, want %v", agent, want)
	}
	c.exchange(`
		< {"id":1,"result":{"protocolVersion":2,"info":{"name":"bob","version":"5"}}}
		> {"id":3,"method":"initialize","params":{"protocolVersion":7}}
		< {"id":3,"error":{"code":-32022}}
		< {"id":4,"method":"initialize","params":{"protocolVersion":8}}
		> {"id":4,"result":{"protocolVersion":8}}`)
	if _, agent := c.fold.Peers(); c.fold.Version() != 2 || agent.Version != "5" {
		t.Errorf("version %d of agent %v", c.fold.Version(), agent)
	}
}

func TestSessionsOldestFirst(t *testing.T) {
	c := conversation{t: t}
	c.exchange(`
		> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
		< {"id":1,"result":{"sessionId":"Z"}}
		> {"id":2,"method":"session/new","params":{"cwd":"/b"}}
		< {"id":2,"result":{"sessionId":"A"}}
		> {"id":3,"method":"session/load","params":{"sessionId":"waiting","cwd":"/b"}}
		< {"method":"session/update","params":{"sessionId":"Z","update":{"sessionUpdate":"subagent_update","sessionId":"child"}}}
		> {"id":4,"method":"session/prompt","params":{"sessionId":"Z"}}`)
	want := []Session{
		{ID: "Z", Grant: Grant{Cwd: "/a", Dirs: []string{"/a"}}, Turn: true},
		{ID: "A", Grant: Grant{Cwd: "/b", Dirs: []string{"/b"}}},
	}
	if got := c.fold.Sessions(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if s, ok := c.fold.Session("child"); !ok || s.Parent != "Z" || s.Grant.Cwd != "/a" {
		t.Errorf("the child is %+v, %v", s, ok)
	}
	if s, ok := c.fold.Session("waiting"); ok {
		t.Errorf("%+v is open", s)
	}
}

// The session that is forgotten is the one that was idle longest: not one with
// a prompt, nor one that was asked for lately.
func TestForgottenSessions(t *testing.T) {
	c := conversation{t: t}
	load := func(i int) {
		c.line(acp.Client, fmt.Sprintf(`{"id":%d,"method":"session/load","params":{"sessionId":"s%d","cwd":"/w%d"}}`, i, i, i))
		c.line(acp.Agent, fmt.Sprintf(`{"id":%d,"result":null}`, i))
	}
	for i := range MaxSessions {
		load(i)
	}
	c.exchange(`
		> {"id":"p","method":"session/prompt","params":{"sessionId":"s0"}}
		< {"id":"r","method":"fs/read_text_file","params":{"sessionId":"s1","path":"/w1/x"}}`)
	for i := range MaxSessions - 10 {
		load(MaxSessions + i)
	}
	for i, want := range map[int]string{0: "[/w0]", 2: "?", 3: "?", MaxSessions: fmt.Sprintf("[/w%d]", MaxSessions)} {
		if got := c.granted(fmt.Sprint("s", i)); got != want {
			t.Errorf("session %d may use %s, want %s", i, got, want)
		}
	}
	if got := c.granted("s1"); got != "[/w1]" {
		t.Errorf("a session in use may use %s", got)
	}
	c.exchange(`< {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"subagent_update","sessionId":"child"}}}`)
	if got := c.granted("child"); got != "[/w1]" {
		t.Errorf("its child may use %s", got)
	}
	for i := range MaxSessions {
		load(2*MaxSessions + i)
	}
	for session, want := range map[string]string{"s0": "[/w0]", "s1": "?", "child": "?"} {
		if got := c.granted(session); got != want {
			t.Errorf("after many others %s may use %s, want %s", session, got, want)
		}
	}
	if n := len(c.fold.Sessions()); n != MaxSessions {
		t.Errorf("%d sessions, want %d", n, MaxSessions)
	}
}

// However many children an agent announces, the client's sessions stay.
func TestChildrenPushOutOnlyChildren(t *testing.T) {
	c := conversation{t: t}
	c.exchange(open)
	for i := range MaxChildren + 1 {
		c.exchange(update("subagent_update", fmt.Sprintf(`"sessionId":"c%d"`, i)))
	}
	for session, want := range map[string]string{"S": "[/a]", "c0": "?", "c1": "[/a]", fmt.Sprint("c", MaxChildren): "[/a]"} {
		if got := c.granted(session); got != want {
			t.Errorf("%s may use %s, want %s", session, got, want)
		}
	}
}

// Sessions with much to remember push each other out, and requests under way
// that are too many give nothing.
func TestGrantsTakeNoMoreThanTheirShare(t *testing.T) {
	var c conversation
	c.t = t
	dirs := strings.Repeat(`,"/`+strings.Repeat("d", 4000)+`"`, 60)[1:]
	request := func(i int) {
		c.line(acp.Client, fmt.Sprintf(`{"id":%d,"method":"session/load","params":{"sessionId":"s%d","cwd":"/w","additionalDirectories":[%s]}}`, i, i, dirs))
	}
	count := func(dirs int) (sessions int) {
		for i := range 100 {
			if grants, _ := c.fold.Grants(fmt.Sprint("s", i)); len(grants) == 1 && len(grants[0].Dirs) == dirs {
				sessions++
			}
		}
		return sessions
	}
	for i := range 100 {
		request(i)
	}
	fit := MaxGrants / (60*4001 + 4)
	if whole, empty := count(61), count(0); whole != fit || empty != 100-fit {
		t.Errorf("%d requests under way give something and %d nothing, want %d and %d", whole, empty, fit, 100-fit)
	}
	for i := range 100 {
		c.line(acp.Agent, fmt.Sprintf(`{"id":%d,"error":{}}`, i))
	}
	for i := range 100 {
		request(i)
		c.line(acp.Agent, fmt.Sprintf(`{"id":%d,"result":null}`, i))
	}
	if whole, empty := count(61), count(0); whole != fit || empty != 0 {
		t.Errorf("%d sessions have something and %d nothing, want %d and none", whole, empty, fit)
	}
}

// A request whose answer cannot be told takes away what it would have replaced.
func TestRequestsThatCannotBeRemembered(t *testing.T) {
	c := conversation{t: t}
	c.exchange(open + `> {"id":null,"method":"session/load","params":{"sessionId":"S","cwd":"/b"}}`)
	if got := c.granted("S"); got != "?" {
		t.Errorf("S may use %s", got)
	}
	c.exchange(open)
	for i := range MaxOpen {
		c.line(acp.Client, fmt.Sprintf(`{"id":"%d","method":"m"}`, i))
	}
	c.exchange(`
		> {"id":2,"method":"session/prompt","params":{"sessionId":"S"}}
		> {"id":3,"method":"session/close","params":{"sessionId":"S"}}
		> {"id":4,"method":"session/new","params":{"cwd":"/b"}}`)
	if got := c.granted("S"); got != "[/a]" || c.fold.Prompt("S") {
		t.Errorf("S may use %s, and has a prompt: %v", got, c.fold.Prompt("S"))
	}
	if got := c.granted("T"); got != "?" {
		t.Errorf("a request that is not remembered gives %s", got)
	}
	c.exchange(update("subagent_update", `"sessionId":"C"`))
	if got := c.granted("C"); got != "[/a]" {
		t.Errorf("a child of a session that stays open may use %s", got)
	}
	c.exchange(`> {"id":5,"method":"session/resume","params":{"sessionId":"S","cwd":"/b"}}`)
	if got := c.granted("S"); got != "?" {
		t.Errorf("S may use %s", got)
	}
}
