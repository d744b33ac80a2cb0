//go:build unix

package proxy

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"bobproxy/proxy/journal"
)

// remarks are what was flagged since the last look, in words.
func (x *tenant) remarks() (all []string) {
	x.t.Helper()
	for _, e := range x.happened(journal.FlaggedEvent, journal.WarningEvent) {
		all = append(all, e.Text)
	}
	return all
}

func (x *tenant) remarked(want ...string) {
	x.t.Helper()
	if got, want := strings.Join(x.remarks(), "\n"), x.Replace(strings.Join(want, "\n")); got != want {
		x.t.Errorf("flagged\n%s\nwant\n%s", got, want)
	}
}

const leadsOut = ", which is outside of the workspace or leads out of it"

// What updates tell of files outside passes and gets a word.
func TestUpdatesAreFlagged(t *testing.T) {
	for _, tt := range []struct {
		name, update string
		want         []string
	}{
		{"inside", told1("tool_call", `"toolCallId":"c","locations":[{"path":"{a}/file"},{"path":"file"}],"content":[{"type":"diff","path":"{a}/x","newText":""}]`), nil},
		{"a location", told1("tool_call", `"toolCallId":"c","locations":[{"path":"/etc/shadow"},{"path":"{a}/x"},{"path":7}]`), []string{`a tool call names "/etc/shadow"` + leadsOut}},
		{"a relative location", told1("tool_call", `"toolCallId":"c","locations":[{"path":"door/x"}]`), []string{`a tool call names "door/x"` + leadsOut}},
		{"a diff", told1("tool_call_update", `"toolCallId":"c","content":[{"type":"diff","path":"{out}/x","newText":""}]`), []string{`a tool call shows a change of "{out}/x"` + leadsOut}},
		{"changes", told1("tool_call_update", `"toolCallId":"c","content":[{"type":"diff","changes":[{"operation":"move","oldPath":"{b}/x","path":"{a}/x"}]}]`),
			[]string{`a tool call shows a change of "{b}/x"` + leadsOut}},
		{"a chunk", told1("tool_call_content_chunk", `"toolCallId":"c","content":{"type":"diff","path":"{out}/x","newText":""}`), []string{`a tool call shows a change of "{out}/x"` + leadsOut}},
		{"a change that takes effect later", told1("tool_call", `"toolCallId":"c","content":[{"type":"diff","path":"{a}/.envrc","newText":""}]`),
			[]string{`a tool call shows a change of "{a}/.envrc", inside the workspace, but *`}},
		{"a link", told1("tool_call", `"toolCallId":"c","content":[{"type":"content","content":{"type":"resource_link","uri":"file://{out}/file"}}]`), []string{`a tool call links to "{out}/file"` + leadsOut}},
		{"a link to the web", told1("tool_call", `"toolCallId":"c","content":[{"type":"content","content":{"type":"resource_link","uri":"https://{out}/file"}}]`), nil},
		{"a plan", told1("plan_update", `"plan":{"type":"file","planId":"p","uri":"file://{out}/plan.md"}`), []string{`the agent keeps its plan in "{out}/plan.md"` + leadsOut}},
		{"a plan inside", told1("plan_update", `"plan":{"type":"file","planId":"p","uri":"file://{a}/plan.md"}`), nil},
		{"a terminal", told1("terminal_update", `"terminalId":"t","command":"ls","cwd":"{out}"`), []string{`the agent runs a terminal in "{out}"` + leadsOut}},
		{"a terminal inside", told1("terminal_update", `"terminalId":"t","command":"ls","cwd":"{a}"`), nil},
		{"spelt with escapes", told1(`tool\u005fcall`, `"toolCallId":"c","locations":[{"path":"{out}/x"}]`), []string{`a tool call names "{out}/x"` + leadsOut}},
		{"a message", told1("agent_message_chunk", `"content":{"type":"resource_link","uri":"file://{out}/x"},"locations":[{"path":"{out}/x"}]`), nil},
		{"of a session that nobody knows", strings.Replace(told1("tool_call", `"toolCallId":"c","locations":[{"path":"{out}/x"}]`), `"s"`, `"t"`, 1), nil},
		{"many", told1("tool_call", `"toolCallId":"c","locations":[`+strings.Repeat(`{"path":"{a}/x"},`, maxTold)+`{"path":"{a}/x"}]`), []string{"a tool call names more paths than are looked at"}},
		{"a path that is too long", told1("tool_call", `"toolCallId":"c","locations":[{"path":"{a}/`+strings.Repeat("x", 1<<20)+`"}]`), []string{`a tool call names "{a}/xxx*`}},
		{"long ones", told1("tool_call", `"toolCallId":"c","locations":[`+strings.Repeat(`{"path":"{a}/`+strings.Repeat("x/", 1500)+`"},`, 30)+`{"path":"{out}/x"}]`),
			[]string{"a tool call names more paths than are looked at"}},
		{"what the editor links to in a prompt",
			`> {"jsonrpc":"2.0","id":5,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"resource_link","uri":"file://{out}/notes.md","name":"n"}]}}`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dwell(t, Policy{}, func(x *tenant) {
				x.does(newS, madeS)
				line := x.Replace(tt.update)
				heard := x.client
				if line[0] == '>' {
					x.editor(line[2:])
					heard = x.agent
				} else {
					x.bob(line[2:])
				}
				if got := heard.heard(); len(got) != 1 || got[0] != line[2:] {
					t.Errorf("the other side hears %q", got)
				}
				got := x.remarks()
				for i, want := range tt.want {
					start, open := strings.CutSuffix(x.Replace(want), "*")
					if i >= len(got) || got[i] != start && (!open || !strings.HasPrefix(got[i], start)) {
						t.Errorf("flagged %q, want %q", got, want)
					}
				}
				if len(got) != len(tt.want) {
					t.Errorf("flagged %q, want %q", got, tt.want)
				}
			})
		})
	}
}

// What may be done and is worth a word: a write that takes effect outside later,
// and a command that could answer for its agent.
func TestRequestsAreFlagged(t *testing.T) {
	for _, tt := range []struct{ frame, want string }{
		{writes("{id}", "s", "{a}/.git/hooks/pre-commit"), `writes {a}/.git/hooks/pre-commit, inside the workspace, but *`},
		{writes("{id}", "s", "{a}/sub/.VSCode/tasks.json"), `writes {a}/sub/.VSCode/tasks.json, inside the workspace, but *`},
		{writes("{id}", "s", "{a}/.mcp.json"), `writes {a}/.mcp.json, inside the workspace, but *`},
		{writes("{id}", "s", "{a}/.envrc"), `writes {a}/.envrc, inside the workspace, but *`},
		{reads("{id}", "s", "{a}/.git/hooks/pre-commit"), ""},
		{writes("{id}", "s", "{a}/git/hooks/pre-commit"), ""},
		{starts("{id}", "s", ""), ""},
		{starts("{id}", "s", `,"args":["-c","bobproxy approve x"]`), "asks the editor to run a command that names bobproxy: ls -c bobproxy approve x"},
		{starts("{id}", "s", `,"cwd":"{a}","args":["/usr/bin/bobproxy"]`), "asks the editor to run a command that names bobproxy: ls /usr/bin/bobproxy"},
	} {
		dwell(t, Policy{}, func(x *tenant) {
			x.does(newS, madeS)
			if rule, _ := x.asks(x.Replace(tt.frame)); rule != "" {
				t.Errorf("%s: refused for %s", tt.frame, rule)
			}
			got := strings.Join(x.remarks(), "\n")
			want, open := strings.CutSuffix(x.Replace(tt.want), "*")
			if got != want && (!open || !strings.HasPrefix(got, want)) {
				t.Errorf("%s: flagged %q, want %q", tt.frame, got, want)
			}
		})
	}
}

// What was flagged is flagged once for each session.
func TestFlagsAreNotRepeated(t *testing.T) {
	dwell(t, Policy{}, func(x *tenant) {
		x.does(newS, madeS, sets("2", "new", `"cwd":"{b}"`), says("2", `{"sessionId":"t"}`))
		for range 3 {
			x.does(told1("tool_call", `"toolCallId":"c","locations":[{"path":"{out}/x"},{"path":"{out}/x"},{"path":"{out}/y"}]`))
		}
		x.remarked(`a tool call names "{out}/x"`+leadsOut, `a tool call names "{out}/y"`+leadsOut)
		x.does(strings.Replace(told1("tool_call", `"toolCallId":"c","locations":[{"path":"{out}/x"}]`), `"s"`, `"t"`, 1))
		x.remarked(`a tool call names "{out}/x"` + leadsOut)
	})
}

// What was looked at is looked at again a moment later, and at once when sessions
// may have got other roots.
func TestFlagsLookAgain(t *testing.T) {
	dwell(t, Policy{}, func(x *tenant) {
		x.does(newS, madeS)
		tell := told1("tool_call_update", `"toolCallId":"c","locations":[{"path":"{a}/sub/x"}]`)
		x.does(tell)
		x.remarked()
		x.later(moment)
		sub := x.Replace("{a}/sub")
		if err := firstError(os.Rename(sub, sub+"-moved"), os.Symlink(x.Replace("{out}"), sub)); err != nil {
			t.Fatal(err)
		}
		x.does(tell)
		x.remarked(`a tool call names "{a}/sub/x"` + leadsOut)

		tell = told1("tool_call_update", `"toolCallId":"c","locations":[{"path":"{b}/x"}]`)
		x.does(sets("2", "load", `"sessionId":"s","cwd":"{b}"`), says("2", "null"), tell)
		x.does(sets("3", "load", `"sessionId":"s","cwd":"{c}"`), says("3", "null"), tell)
		x.remarked(`a tool call names "{b}/x"` + leadsOut)
	})
}

// An update that tells nothing new costs no look.
func TestFlagsLookOnceInAMoment(t *testing.T) {
	dwell(t, Policy{}, func(x *tenant) {
		x.does(newS, madeS)
		g := newFlagger(x.relay.journal)
		x.relay.ledger.mu.Lock()
		x.relay.ledger.flags = g // which nobody runs
		x.relay.ledger.mu.Unlock()
		for range 100 {
			x.does(told1("tool_call_update", `"toolCallId":"c","locations":[{"path":"{a}/x"}]`))
		}
		x.does(told1("tool_call_update", `"toolCallId":"c","locations":[{"path":"{a}/x"},{"path":"{a}/y"}]`))
		if n := len(g.jobs); n != 2 {
			t.Errorf("%d looks, want 2", n)
		}
		for i := range 3 * maxLately {
			x.bob(x.Replace(told1("tool_call", fmt.Sprintf(`"toolCallId":"c","locations":[{"path":"{out}/%d"}]`, i)))[2:])
		}
		if n := len(g.lately); n > maxLately+1 {
			t.Errorf("%d are remembered", n)
		}
	})
}

// What was said is remembered up to a bound, and then anew.
func TestFlagsAreBounded(t *testing.T) {
	dwell(t, Policy{}, func(x *tenant) {
		x.does(newS, madeS)
		for i := range maxSaid + 10 {
			x.bob(x.Replace(told1("tool_call", fmt.Sprintf(`"toolCallId":"c","locations":[{"path":"{out}/%d"}]`, i)))[2:])
		}
		if n := len(x.remarks()); n != maxSaid+10 {
			t.Errorf("%d flags, want %d", n, maxSaid+10)
		}
		if n := len(x.relay.gate.flags.said); n != 10 {
			t.Errorf("%d are remembered, want 10", n)
		}
	})
}

// What is told again while a session is loaded did not happen now: one word for
// all of it. What happens afterwards is flagged as ever.
func TestThePastIsNotFlaggedAnew(t *testing.T) {
	const past = "told again while the session is loaded, and the only word about its past: "
	update := func(path string) string {
		return told1("tool_call", `"toolCallId":"c","locations":[{"path":"`+path+`"}]`)
	}
	for _, method := range []string{"load", "resume"} {
		dwell(t, Policy{}, func(x *tenant) {
			x.does(sets("1", method, `"sessionId":"s","cwd":"{a}"`), update("{out}/x"), update("{out}/y"))
			x.remarked(past + `a tool call names "{out}/x"` + leadsOut)
			x.does(says("1", "{}"), update("{out}/x"))
			x.remarked(`a tool call names "{out}/x"` + leadsOut)
			x.does(sets("2", method, `"sessionId":"s","cwd":"{a}"`), update("{out}/x"), child("s", "k", ""),
				strings.Replace(update("{out}/x"), `"s"`, `"k"`, 1), says("2", "{}"))
			x.remarked(past + `a tool call names "{out}/x"` + leadsOut) // of the child
		})
	}
}

// What comes faster than it can be looked at is counted, and said at the end.
func TestFlagsThatFoundNoRoom(t *testing.T) {
	var all []journal.Event
	dwell(t, Policy{}, func(x *tenant) {
		x.does(newS, madeS)
		g := newFlagger(x.relay.journal)
		x.relay.ledger.mu.Lock()
		x.relay.ledger.flags = g // which nobody runs yet
		x.relay.ledger.mu.Unlock()
		for i := range maxJobs + 5 {
			x.bob(x.Replace(told1("tool_call", fmt.Sprintf(`"toolCallId":"c","locations":[{"path":"{out}/%d"}]`, i)))[2:])
		}
		if got := x.happened(journal.FlaggedEvent); len(got) != 0 {
			t.Errorf("flagged: %+v", got)
		}
		g.close()
		g.run()
		synctest.Wait()
		all = x.happened(journal.FlaggedEvent, journal.WarningEvent)
	})
	if n := len(all); n != maxJobs+1 || all[n-1].Text != "the paths of 5 updates were not looked at" {
		t.Errorf("%d events, the last one %q", n, all[n-1].Text)
	}
}

// A word about a frame names that frame's session, whatever came with it.
func TestRemarksBelongToTheirFrames(t *testing.T) {
	dwell(t, Policy{}, func(x *tenant) {
		x.does(newS, madeS, sets("2", "new", `"cwd":"{b}"`), says("2", `{"sessionId":"t"}`))
		mode := told1("current_mode_update", `"currentModeId":"bypassPermissions"`)[2:]
		other := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"t","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"}}}}`
		x.bob(mode, other) // in one write
		got := x.happened(journal.FlaggedEvent)
		if len(got) != 1 || got[0].Session != "s" || got[0].Method != "session/update" ||
			got[0].Text != `the agent goes to mode "bypassPermissions"; by its name it asks for no permission, so there is nothing to guard what it does` {
			t.Errorf("flagged: %+v", got)
		}
		for _, s := range x.host.State().Sessions {
			if want := map[string]string{"s": "bypassPermissions", "t": ""}[s.ID]; s.Mode != want {
				t.Errorf("session %s is in mode %q", s.ID, s.Mode)
			}
			if want := map[string]string{"s": `mode "bypassPermissions"`, "t": ""}[s.ID]; s.AutoApprove != want {
				t.Errorf("session %s approves by itself: %q, want %q", s.ID, s.AutoApprove, want)
			}
		}
	})
}
