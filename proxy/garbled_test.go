package proxy

import (
	"strings"
	"testing"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// garbage is what agents leave when they cut a text, or read one in another
// encoding, and the word for it in the recording.
var garbage = []struct{ text, reason string }{
	{`\ud83d`, "lone surrogate"},
	{"\xff", "invalid UTF-8"},
	{"\xc0\xaf", "invalid UTF-8"},
	{"\xed\xa0\x80", "invalid UTF-8"},
}

// Texts may be garbled: what an agent writes into a file, shows or says passes
// byte for byte. Where something is opened, run or found by it, it is refused.
func TestGarbledFromAgent(t *testing.T) {
	root, _ := workspace(t)
	line := func(id, method, members string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + members + `}}`
	}
	call := func(members string) string {
		return `"sessionId":"s","toolCall":{"toolCallId":"c",` + members + `},"options":` + threeOptions
	}
	for _, g := range garbage {
		t.Run(g.reason, func(t *testing.T) {
			sit(t, Policy{}, func(x *table) {
				x.opens("s", root)
				cases := []lineCase{
					{"content", line("1", "fs/write_text_file", `"sessionId":"s","path":"{in}","content":"x§y"`), passes, "", g.reason},
					{"content that cannot be where it goes", line("2", "fs/write_text_file", `"sessionId":"s","path":"/etc/x","content":"§"`), turned, "2", "outside the workspace: escape"},
					{"path to write to", line("3", "fs/write_text_file", `"sessionId":"s","path":"{in}§","content":""`), turned, "3", g.reason},
					{"path to read", line("4", "fs/read_text_file", `"sessionId":"s","path":"{in}/..§etc"`), turned, "4", g.reason},
					{"session", line("5", "fs/read_text_file", `"sessionId":"s§","path":"{in}"`), turned, "5", g.reason},
					{"name beside the path", line("6", "fs/read_text_file", `"sessionId":"s","path":"{in}","path§":"/etc/x"`), turned, "6", g.reason},
					{"what is around the params", `{"jsonrpc":"2.0","_meta":{"x":"§"},` + line("7", "fs/read_text_file", `"sessionId":"s","path":"{in}"`)[len(`{"jsonrpc":"2.0",`):], passes, "", g.reason},
					{"name on the envelope", `{"§":1,` + line("8", "fs/read_text_file", `"sessionId":"s","path":"{in}"`)[1:], turned, "8", g.reason},
					{"id", line(`"§"`, "fs/read_text_file", `"sessionId":"s","path":"{in}"`), kept, "", g.reason},
					{"arguments of a command", line("10", "terminal/create", `"sessionId":"s","command":"make","args":["§"],"cwd":"{root}"`), passes, "", g.reason},
					{"command", line("11", "terminal/create", `"sessionId":"s","command":"make§"`), turned, "11", g.reason},
					{"where it runs", line("12", "terminal/create", `"sessionId":"s","command":"make","cwd":"/§"`), turned, "12", g.reason},
					{"message", `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"§"}}}}`, passes, "", g.reason},

					{"permission: title", asks4("13", call(`"title":"Run § it","kind":"execute"`)), passes, "", g.reason},
					{"permission: raw input", asks4("14", call(`"rawInput":{"command":"echo §","§":1}`)), passes, "", g.reason},
					{"permission: diff inside", asks4("15", call(`"kind":"edit","content":[{"type":"diff","path":"{in}","oldText":"§","newText":"§"}]`)), passes, "", g.reason},
					{"permission: diff of nobody knows what", asks4("16", call(`"kind":"edit","content":[{"type":"diff","path":"{in}§","newText":""}]`)), turned, "16", g.reason},
					{"permission: location", asks4("17", call(`"kind":"edit","locations":[{"path":"{in}§"}]`)), turned, "17", g.reason},
					{"permission: kind", asks4("18", call(`"kind":"edit§"`)), turned, "18", g.reason},
					{"permission: session", asks4("19", strings.Replace(call(`"kind":"edit"`), `"s"`, `"s§"`, 1)), turned, "19", g.reason},
					{"permission: command", asks4("20", `"sessionId":"s","title":"§","subject":{"type":"command","command":"make §","cwd":"{in}"},"options":`+threeOptions), turned, "20", g.reason},
				}
				fill := strings.NewReplacer("§", g.text, "{in}", root+"/a.txt", "{root}", root)
				for i := range cases {
					cases[i].text = fill.Replace(cases[i].text)
				}
				x.judge(acp.Agent, cases)
			})
		})
	}
}

// A permission whose title was cut in the middle of an emoji is one like any
// other: it is asked, shown in characters, and can be answered by anybody.
func TestGarbledPermissionIsAsked(t *testing.T) {
	for _, g := range garbage {
		request := asks4("7", strings.ReplaceAll(`"sessionId":"s","toolCall":{"toolCallId":"c","title":"Fix §","kind":"execute","rawInput":{"command":"echo §"}},"options":`+
			`[{"optionId":"yes","name":"Allow §","kind":"allow_once"},{"optionId":"no","name":"Reject","kind":"reject_once"},{"optionId":"no§","name":"Never","kind":"reject_always"}]`, "§", g.text))
		for _, tt := range []struct {
			name    string
			answers func(x *table)
			bob     string
			decided string
		}{
			{"editor", func(x *table) { x.editor(selects("7", "yes")) }, selects("7", "yes"), "editor selected yes allow_once"},
			{"panel", func(x *table) { x.panel(1) }, selects("7", "yes"), "panel selected yes allow_once"},
			{"panel, no", func(x *table) { x.panel(0) }, selects("7", "no"), "panel selected no reject_once"},
			{"editor, with something to show beside it", func(x *table) {
				x.editor(strings.Replace(selects("7", "yes"), `"result":{`, `"result":{"_meta":{"note":"`+g.text+`"},`, 1))
			}, strings.Replace(selects("7", "yes"), `"result":{`, `"result":{"_meta":{"note":"`+g.text+`"},`, 1), "editor selected yes allow_once"},
			{"editor, an error in odd words", func(x *table) {
				x.editor(`{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"` + g.text + `"}}`)
			}, `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"` + g.text + `"}}`, "editor error"},
			{"editor, the odd one", func(x *table) { x.editor(selects("7", "no"+g.text)) }, selects("7", "no"+g.text), "editor unreadable"},
			{"editor, an odd outcome", func(x *table) {
				x.editor(`{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"selected` + g.text + `","optionId":"yes"}}}`)
			}, `{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"selected` + g.text + `","optionId":"yes"}}}`, "editor unreadable"},
		} {
			t.Run(g.reason+" "+tt.name, func(t *testing.T) {
				sit(t, Policy{}, func(x *table) {
					x.opens("s", t.TempDir())
					x.bob(request)
					x.editorHears(request)
					open := x.host.State().Pending
					if len(open) != 1 {
						t.Fatalf("%d permissions wait", len(open))
					}
					p := open[0]
					if title := strings.Trim(p.Title, "\ufffd"); title != "Fix " || title == p.Title || p.Options[0].Odd || p.Options[1].Odd || !p.Options[2].Odd || p.Unanswerable != "" {
						t.Errorf("shown: title %q, options %+v, %q", p.Title, p.Options, p.Unanswerable)
					}
					tt.answers(x)
					x.bobHears(tt.bob)
					if got := x.decided(); len(got) != 1 || got[0] != tt.decided {
						t.Errorf("decided: %q, want %q", got, tt.decided)
					}
				})
			})
		}
	}
}

// What an update says in garbled words is remembered like the rest, save where
// it leads: a permission that is about it counts as one that leads outside.
func TestGarbledToolCallIsJudgedByThePermission(t *testing.T) {
	for _, g := range garbage {
		t.Run(g.reason, func(t *testing.T) {
			sit(t, Policy{}, func(x *table) {
				root := t.TempDir()
				x.opens("s", root)
				tell := func(id, members string) {
					x.bob(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"` + id + `",` +
						strings.ReplaceAll(members, "§", g.text) + `}}}`)
				}
				tell("title", `"title":"Fix §","kind":"edit","locations":[{"path":"`+root+`/a"}]`)
				tell("place", `"title":"Fix it","kind":"edit","locations":[{"path":"`+root+`/a"},{"path":"`+root+`/§"}]`)
				tell("diff", `"title":"Fix it","kind":"edit","content":[{"type":"diff","path":"`+root+`/§","newText":""}]`)
				x.client.heard()
				asks := func(id, call string) {
					x.bob(asks4(id, `"sessionId":"s","toolCall":{"toolCallId":"`+call+`"},"options":`+threeOptions))
				}
				asks("1", "title")
				if open := x.host.State().Pending; len(open) != 1 || strings.Trim(open[0].Title, "\ufffd") != "Fix " || open[0].Verdict.Level != "inside" {
					t.Errorf("pending: %+v", open)
				}
				x.client.heard()
				asks("2", "place")
				asks("3", "diff")
				x.editorHears()
				x.bobHears(selects("2", "no"), selects("3", "no"))
				if flagged := x.happened(journal.FlaggedEvent); len(flagged) != 1 || flagged[0].Text != "a tool call names more paths than are looked at" {
					t.Errorf("flagged: %v", flagged)
				}
			})
		})
	}
}

// An editor's session whose texts are garbled has its roots, and one whose
// directories are has none, nor gets past a ceiling.
func TestGarbledSetup(t *testing.T) {
	root, _ := workspace(t)
	for _, g := range garbage {
		t.Run(g.reason, func(t *testing.T) {
			setup := func(id, members string) string {
				return `{"jsonrpc":"2.0","id":` + id + `,"method":"session/new","params":{` + strings.ReplaceAll(members, "§", g.text) + `}}`
			}
			sit(t, Policy{Ceiling: root}, func(x *table) {
				x.judge(acp.Client, []lineCase{
					{"a server's name", setup("1", `"cwd":"`+root+`","mcpServers":[{"name":"§"}]`), passes, "", g.reason},
					{"cwd", setup("2", `"cwd":"`+root+`/§","mcpServers":[]`), turned, "2", "outside the workspace root"},
					{"a directory", setup("3", `"cwd":"`+root+`","additionalDirectories":["`+root+`/§"]`), turned, "3", "outside the workspace root"},
				})
				answer := `{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s","_meta":"` + g.text + `"}}`
				x.bob(answer)
				x.editorHears(answer)
				inside := reads("4", "s", root+"/a.txt")
				x.bob(inside)
				x.editorHears(inside)
			})
			sit(t, Policy{}, func(x *table) {
				x.editor(setup("1", `"cwd":"`+root+`/§","mcpServers":[]`))
				x.bob(`{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}`)
				x.client.heard()
				x.bob(reads("2", "s", root+"/a.txt"))
				x.editorHears()
			})
		})
	}
}

// An answer to nothing is recorded as that, be it garbled or not.
func TestGarbledStrayAnswer(t *testing.T) {
	sit(t, Policy{}, func(x *table) {
		for _, g := range garbage {
			x.judge(acp.Client, []lineCase{{"stray", `{"jsonrpc":"2.0","id":9,"result":{"x":"` + g.text + `"}}`, passes, "", "answers no request"}})
		}
	})
}
