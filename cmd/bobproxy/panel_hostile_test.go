//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"bobproxy/inspector/terminal/vttest"
)

// tour visits every view while a permission waits.
func (s *screen) tour() {
	s.t.Helper()
	s.sees(strip)
	for _, step := range []struct{ keys, shows string }{
		{"]", "[Wire]"}, {"gj\r", "tree\n"}, {"=GgKJ", "tree\n"}, {"r", "raw\n"}, {"Ggq", "[Wire]"},
		{"G\rKKJq", "[Wire]"}, {"]", "[Info]"}, {"Gg", "[Info]"}, {"]", "[Timeline]"}, {"gGg\r\r", "[Timeline]"},
		{"?", "HELP"}, {"q", "[Timeline]"},
		{"p", "PERMISSION"}, {"  i", "PERMISSION"}, {"Gg", "PERMISSION"}, {"q", "[Timeline]"},
		{"E", ""}, {"G\r", ""}, {":timeline\r", "[Timeline]"}, {"q", "SESSIONS"}, {"\r", strip},
	} {
		s.Send(step.keys)
		s.sees(step.shows)
	}
}

// evil is what a terminal would obey, each in a way that nothing of ours does,
// and what it would hide or turn around.
var evil = []string{
	"\x1b[3J", "\x1b[6n", "\x1b[?1047l", "\x1b]0;evil\x07", "\x1b]52;c;ZXZpbA==\x07", "\x1b]8;;http://evil.example\x1b\\",
	"\x1bPq#0;2;0;0;0#0~~\x1b\\", "\x1b_Gevil\x1b\\", "\x1bc", "\u009b5n", "\u009d52;c;ZXZpbA==\u009c", "\u0090q\u009c",
	"\x07", "\r", "\x08", "\v", "\x7f", "\x00", "\x0e",
	"\u202e", "\u2066", "\u200f", "\u061c", "\u200b", "\u2060", "\ufeff", "\U000E0041", "\u2028", "\u0085",
}

// got says what of it a terminal was sent.
func gotEvil(raw []byte) (got []string) {
	for _, text := range evil[:12] {
		if strings.Contains(string(raw), text) {
			got = append(got, text)
		}
	}
	for _, s := range vttest.Sequences(raw) {
		if s.Kind == vttest.Text && strings.ContainsAny(s.Bytes, strings.Join(evil[19:], "")) {
			got = append(got, s.Bytes)
		}
	}
	return got
}

// quotedEvil is all of it as a JSON string, and as one that is very long.
func quotedEvil(name string) (short, long string) {
	text := name + " " + strings.Join(evil, "x")
	quoted := func(text string) string {
		b, _ := json.Marshal(text)
		return string(b)
	}
	return quoted(text), quoted(text + strings.Repeat("long ", 2000) + strings.Repeat("l", 10_000))
}

// says has the agent say a frame, in which %s is evil and %l is very long.
func (s *site) says(name, frame string) {
	s.t.Helper()
	short, long := quotedEvil(name)
	s.send("say " + strings.NewReplacer("%s", short, "%l", long).Replace(frame) + "\n")
	s.line()
}

// update has the agent say one of the session's.
func (s *site) update(name, update string) {
	s.t.Helper()
	s.says(name, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"`+name+`",`+update+`}}}`)
}

// An agent and an editor whose every word is hostile reach the terminal as
// words and as nothing else, in every view.
func TestHostilePeersInThePanel(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.obedient("--bounds", "off")
	from := func(name, frame string) {
		t.Helper()
		short, long := quotedEvil(name)
		s.send(strings.NewReplacer("%s", short, "%l", long).Replace(frame) + "\n")
		s.line()
	}
	from("client", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientInfo":{"name":%s,"title":%s,"version":%s}}}`)
	s.says("agent", `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"agentInfo":{"name":%s,"title":%s,"version":%s},"authMethods":[{"id":%s,"name":%s}]}}`)
	from("folder", `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/tmp/evil","mcpServers":[{"name":%s,"command":%s,"args":[%s],"env":[]}]}}`)
	s.says("mode", `{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s","modes":{"currentModeId":"m","availableModes":[{"id":"m","name":%s,"description":%l}]}}}`)
	from("prompt", `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":%l}]}}`)
	s.update("session_info_update", `"title":%s`)
	s.update("available_commands_update", `"availableCommands":[{"name":%s,"description":%s,"input":{"hint":%s}}]`)
	s.update("plan", `"entries":[{"content":%l,"priority":"high","status":"pending"},{"content":%s,"priority":%s,"status":%s}]`)
	s.update("agent_thought_chunk", `"content":{"type":"text","text":%l}`)
	s.update("agent_message_chunk", `"content":{"type":"text","text":%l}`)
	s.update("usage_update", `"used":1,"size":2,"cost":{"amount":1,"currency":%s}`)
	s.update("tool_call", `"toolCallId":"c1","title":%s,"kind":"execute","status":"completed","locations":[{"path":%s}],"rawInput":{"command":%l},"content":[{"type":"content","content":{"type":"text","text":%l}}]`)
	s.update("tool_call", `"toolCallId":%s,"title":%l,"kind":"edit","status":"failed","content":[{"type":"diff","path":%s,"oldText":%s,"newText":%l}]`)
	s.says("request", `{"jsonrpc":"2.0","id":%s,"method":%s,"params":{"path":%s,%s:[%l]}}`)
	s.says("error", `{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":%s,"data":%s}}`)
	s.send("moan " + strconv.Quote("stderr \xff\x9b5n"+strings.Join(evil, "x")+strings.Repeat("long ", 3000)) + "\n")
	s.says("permission", `{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c2","title":%s,"kind":"execute","rawInput":{"command":%l,%s:%s},`+
		`"content":[{"type":"diff","path":%s,"oldText":%s,"newText":%l}]},"options":[{"optionId":%s,"name":%s,"kind":"allow_once"},{"optionId":"b","name":%l,"kind":%s},{"optionId":"c","name":%s,"kind":"reject_once"}]}}`)
	for _, size := range [][2]int{{50, 40}, {160, 45}} {
		t.Run(fmt.Sprintf("%d×%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			p := &place{t, p.run, p.home, p.bin}
			panel := p.panel(size[0], size[1])
			panel.sees(strip)
			panel.Send("\x1b[O") // the keyboard goes elsewhere
			v := panel.Until("a notification", func(v vttest.View) bool { return len(v.Notes) > 0 })
			if !strings.HasPrefix(v.Title, "(1) ask") || !strings.Contains(v.Notes[0], "777;notify;bobproxy: an answer is needed;") {
				t.Errorf("the title is %q, the notifications %q", v.Title, v.Notes)
			}
			panel.Send("\x1b[I")
			panel.tour()
			v = panel.quits()
			if got := gotEvil(v.Raw); len(got) > 0 {
				t.Errorf("the terminal got %d such as %q", len(got), got[0])
			}
			if foreign := vttest.Foreign(v.Raw); len(foreign) > 0 {
				t.Errorf("the terminal got %q", foreign)
			}
			if !strings.Contains(string(v.Raw), "␛") {
				t.Error("no escape sequence was shown")
			}
		})
	}
}
