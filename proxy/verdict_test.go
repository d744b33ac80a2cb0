//go:build unix

package proxy

import (
	"fmt"
	"strings"
	"testing"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// permit asks for a permission with these params and says what became of it:
// the verdict when it is asked, the option that was chosen when it is not.
func (x *tenant) permit(params string) (v broker.Verdict, chosen string) {
	x.t.Helper()
	x.asked++
	id := fmt.Sprint(9000 + x.asked)
	frame := x.Replace(asks4(id, params+`,"options":`+threeOptions))
	x.bob(frame)
	passed, answers := x.client.heard(), x.agent.heard()
	if len(passed) == 1 && passed[0] == frame && len(answers) == 0 {
		open := x.host.State().Pending
		v = open[len(open)-1].Verdict
		x.editor(selects(id, "no"))
		x.agent.heard()
		return v, ""
	}
	if len(passed) > 0 || len(answers) != 1 {
		x.t.Fatalf("%s\nthe editor hears %q, the agent %q", frame, passed, answers)
	}
	for _, option := range []string{"yes", "ever", "no"} {
		if answers[0] == selects(id, option) {
			chosen = option
		}
	}
	if chosen == "" {
		chosen = answers[0]
	}
	return v, chosen
}

func told1(kind, call string) string {
	return `< {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"` + kind + `",` + call + `}}}`
}

// What a permission request names decides whether anybody is asked, and what
// those who are asked read.
func TestVerdictsOfPaths(t *testing.T) {
	const (
		v2    = `"sessionId":"s","title":"May I","subject":{"type":"tool_call","toolCall":{"toolCallId":"c",`
		v1    = `"sessionId":"s","toolCall":{"toolCallId":"c",`
		bare1 = v1 + `"title":"May I"}`
		out   = "leads OUTSIDE the workspace: "
	)
	link := func(uri string) string {
		return `"content":[{"type":"content","content":{"type":"resource_link","name":"x","uri":"` + uri + `"}}]`
	}
	for _, tt := range []struct {
		name   string
		before []string
		params string
		want   string // "refused", or level: text
	}{
		{"edit inside", nil, v1 + `"kind":"edit","locations":[{"path":"{a}/x"}]}`, "inside: inside the workspace"},
		{"edit outside", nil, v1 + `"kind":"edit","locations":[{"path":"{out}/x"}]}`, "refused"},
		{"delete outside", nil, v1 + `"kind":"delete","locations":[{"path":"{out}/x"}]}`, "refused"},
		{"move outside", nil, v1 + `"kind":"move","locations":[{"path":"{a}/x"},{"path":"{out}/x"}]}`, "refused"},
		{"edit through a link", nil, v1 + `"kind":"edit","locations":[{"path":"{a}/door/x"}]}`, "refused"},
		{"edit, v2", nil, v2 + `"kind":"edit","locations":[{"path":"{out}/x"}]}}`, "refused"},
		{"edit inside, v2", nil, v2 + `"kind":"edit","locations":[{"path":"{a}/x"},{"path":"{a}/y"}]}}`, "inside: all 2 paths are inside the workspace"},
		{"edit with the kind only announced", []string{told1("tool_call", `"toolCallId":"c","kind":"edit"`)}, v1 + `"locations":[{"path":"{out}/x"}]}`, "refused"},
		{"the announced path, not repeated", []string{told1("tool_call", `"toolCallId":"c","kind":"edit","locations":[{"path":"{out}/x"}]`)}, bare1, "refused"},
		{"the announced diff, not repeated", []string{told1("tool_call_update", `"toolCallId":"c","content":[{"type":"diff","path":"{out}/x","newText":""}]`)}, bare1, "refused"},
		{"announced outside, asked inside", []string{told1("tool_call", `"toolCallId":"c","kind":"edit","locations":[{"path":"{out}/x"}]`)},
			v1 + `"locations":[{"path":"{a}/x"}]}`, "refused"},
		{"announced as reading, asked as an edit", []string{told1("tool_call", `"toolCallId":"c","kind":"read","locations":[{"path":"{out}/x"}]`)},
			v1 + `"kind":"edit"}`, "refused"},
		{"announced for another call", []string{told1("tool_call", `"toolCallId":"d","kind":"edit","locations":[{"path":"{out}/x"}]`)}, bare1,
			"unjudged: names no path: where it leads cannot be judged"},
		{"announced, v2 by its id", []string{told1("tool_call_update", `"toolCallId":"c","kind":"edit","locations":[{"path":"{out}/x"}]`)},
			`"sessionId":"s","title":"May I","subject":{"type":"tool_call","toolCallId":"c"}`, "refused"},

		{"a diff outside that claims to read", nil, v1 + `"kind":"read","content":[{"type":"diff","path":"{out}/x","newText":""}]}`, "refused"},
		{"a diff outside of no kind", nil, v1 + `"content":[{"type":"diff","path":"{out}/x","newText":""}]}`, "refused"},
		{"a diff outside of a kind that nobody knows", nil, v1 + `"kind":"_polish","content":[{"type":"diff","path":"{out}/x","newText":""}]}`, "refused"},
		{"a diff inside", nil, v1 + `"kind":"edit","content":[{"type":"diff","path":"{a}/x","oldText":null,"newText":""}]}`, "inside: inside the workspace"},
		{"one file in three places", nil, v1 + `"kind":"edit","locations":[{"path":"{a}/x"}],"content":[{"type":"diff","path":"{a}/x","newText":""},{"type":"content","content":{"uri":"{a}/x"}}]}`,
			"inside: inside the workspace"},
		{"one file outside, linked to and read", nil, v1 + `"kind":"read","locations":[{"path":"{out}/x"}],"content":[{"type":"content","content":{"uri":"file://{out}/x"}}]}`,
			"outside: " + out + "{out}/x"},
		{"a diff of no file", nil, v1 + `"kind":"edit","content":[{"type":"diff","newText":""}]}`, "refused"},
		{"changes, v2", nil, v2 + `"content":[{"type":"diff","changes":[{"operation":"modify","path":"{a}/x"},{"operation":"delete","path":"{out}/x"}]}]}}`, "refused"},
		{"moved out, v2", nil, v2 + `"content":[{"type":"diff","changes":[{"operation":"move","oldPath":"{a}/x","path":"{out}/x"}]}]}}`, "refused"},
		{"moved in, v2", nil, v2 + `"content":[{"type":"diff","changes":[{"operation":"move","oldPath":"{out}/x","path":"{a}/x"}]}]}}`, "refused"},
		{"moved about, v2", nil, v2 + `"content":[{"type":"diff","changes":[{"operation":"move","oldPath":"{a}/x","path":"{a}/y"}]}]}}`, "inside: all 2 paths are inside the workspace"},
		{"both versions in one", nil, v1 + `"kind":"edit","locations":[{"path":"{a}/x"}]},"subject":{"type":"tool_call","toolCall":{"toolCallId":"c","locations":[{"path":"{out}/x"}]}}`, "refused"},

		{"a relative location", nil, v1 + `"kind":"edit","locations":[{"path":"sub/x"}]}`, "inside: inside the workspace"},
		{"a relative location that leads out", nil, v1 + `"kind":"edit","locations":[{"path":"../out/x"}]}`, "refused"},
		{"a relative location through a link", nil, v1 + `"kind":"edit","locations":[{"path":"door/x"}]}`, "refused"},
		{"a relative location while two could be meant", []string{sets("2", "load", `"sessionId":"s","cwd":"{a}/sub","additionalDirectories":["{a}"]`)},
			v1 + `"kind":"read","locations":[{"path":"deep/x"}]}`, "outside: " + out + "deep/x"},
		{"a location that is a URI", nil, v1 + `"kind":"edit","locations":[{"path":"file://{out}/x"}]}`, "refused"},
		{"a location that is a URI inside", nil, v1 + `"kind":"edit","locations":[{"path":"file://{a}/x"}]}`, "inside: inside the workspace"},
		{"a location that is a URI of nothing", nil, v1 + `"kind":"edit","locations":[{"path":"file:"}]}`, "refused"},
		{"a location that is no string", nil, v1 + `"kind":"edit","locations":[{"path":7}]}`, "refused"},
		{"a home directory", nil, v1 + `"kind":"edit","locations":[{"path":"~/.bashrc"}]}`, "refused"},

		{"read outside", nil, v1 + `"kind":"read","locations":[{"path":"{out}/file"}]}`, "outside: " + out + "{out}/file"},
		{"search outside", nil, v1 + `"kind":"search","locations":[{"path":"{a}/sub"},{"path":"{out}"},{"path":"{b}"}]}`, "outside: " + out + "{out}, {b}"},
		{"no kind, outside", nil, v1 + `"locations":[{"path":"{out}/file"}]}`, "outside: " + out + "{out}/file"},
		{"read inside", nil, v1 + `"kind":"read","locations":[{"path":"{a}/file"}]}`, "inside: inside the workspace"},
		{"run", nil, v1 + `"kind":"execute","rawInput":{"command":"cat /etc/passwd"}}`, "unjudged: a command: where it leads cannot be judged from its text"},
		{"run inside", nil, v1 + `"kind":"execute","locations":[{"path":"{a}"}]}`, "unjudged: a command: where it leads cannot be judged from its text"},
		{"run outside", nil, v1 + `"kind":"execute","locations":[{"path":"{out}"}]}`, "outside: " + out + "{out}"},
		{"a command, v2", nil, `"sessionId":"s","title":"May I","subject":{"type":"command","command":"ls","cwd":"{a}"}`, "unjudged: a command: where it leads cannot be judged from its text"},
		{"a command outside, v2", nil, `"sessionId":"s","title":"May I","subject":{"type":"command","command":"ls","cwd":"{out}"}`, "outside: " + out + "{out}"},
		{"nothing named", nil, bare1, "unjudged: names no path: where it leads cannot be judged"},
		{"what takes effect later", nil, v1 + `"kind":"edit","locations":[{"path":"{a}/.git/hooks/pre-commit"}]}`, "later: inside the workspace, but *"},
		{"what takes effect later, only read", nil, v1 + `"kind":"read","locations":[{"path":"{a}/.git/config"}]}`, "inside: inside the workspace"},

		{"another session's path", nil, `"sessionId":"t","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"{out}/x"}]}`, "refused"},
		{"another session, inside of all", nil, `"sessionId":"t","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"{a}/x"}]}`, "inside: inside the workspace"},
		{"another session, inside of one", []string{sets("2", "new", `"cwd":"{b}"`), says("2", `{"sessionId":"u"}`)},
			`"sessionId":"t","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"{a}/x"}]}`, "refused"},
		{"a child's edit", []string{child("s", "k", `,"cwd":"{out}"`)}, `"sessionId":"k","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"{out}/x"}]}`, "refused"},
		{"a child's relative edit", []string{child("s", "k", `,"cwd":"{out}"`)}, `"sessionId":"k","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"x"}]}`, "inside: inside the workspace"},

		{"a session whose directory is relative", []string{sets("2", "new", `"cwd":"."`), says("2", `{"sessionId":"r"}`)},
			`"sessionId":"r","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"{a}/x"}]}`, "refused"},
		{"a session whose directory is relative, read", []string{sets("2", "new", `"cwd":"."`), says("2", `{"sessionId":"r"}`)},
			`"sessionId":"r","toolCall":{"toolCallId":"c","kind":"read","locations":[{"path":"x"}]}`, "outside: " + out + "x"},
		{"no session at all", []string{sets("2", "delete", `"sessionId":"s"`), says("2", "{}")}, v1 + `"kind":"edit","locations":[{"path":"{a}/x"}]}`, "refused"},
		{"no session at all, run", []string{sets("2", "delete", `"sessionId":"s"`), says("2", "{}")}, v1 + `"kind":"execute"}`,
			"unjudged: a command: where it leads cannot be judged from its text"},

		{"a link outside", nil, v1 + `"kind":"read",` + link("file://{out}/file") + `}`, "outside: shows a link that leads OUTSIDE the workspace: {out}/file"},
		{"a link outside in an edit", nil, v1 + `"kind":"edit","locations":[{"path":"{a}/x"}],` + link("file://{out}/file") + `}`, "outside: shows a link that leads OUTSIDE the workspace: {out}/file"},
		{"a link outside, v2", nil, v2 + link("file:{out}/fi%6Ce#L1") + `}}`, "outside: shows a link that leads OUTSIDE the workspace: {out}/file"},
		{"a link on another machine", nil, v1 + link("file://server{a}/x") + `}`, "outside: shows a link that leads OUTSIDE the workspace: //server{a}/x"},
		{"a path where a link belongs", nil, v1 + link("{out}/file") + `}`, "outside: shows a link that leads OUTSIDE the workspace: {out}/file"},
		{"a resource outside", nil, v1 + `"content":[{"type":"content","content":{"type":"resource","resource":{"uri":"file://{out}/file","text":""}}}]}`,
			"outside: shows a link that leads OUTSIDE the workspace: {out}/file"},
		{"an image outside", nil, v1 + `"content":[{"type":"content","content":{"type":"image","data":"","mimeType":"image/png","uri":"file://{out}/file"}}]}`,
			"outside: shows a link that leads OUTSIDE the workspace: {out}/file"},
		{"a link that was announced", []string{told1("tool_call", `"toolCallId":"c","kind":"read",`+link("file://{out}/file"))}, bare1,
			"outside: shows a link that leads OUTSIDE the workspace: {out}/file"},
		{"a path outside and a link", nil, v1 + `"locations":[{"path":"{b}/x"}],` + link("file://{out}/file") + `}`, "outside: " + out + "{b}/x"},
		{"a link inside", nil, v1 + `"kind":"read","locations":[{"path":"{a}/x"}],` + link("file://{a}/file") + `}`, "inside: inside the workspace"},
		{"only a link inside", nil, v1 + `"kind":"edit",` + link("file://{a}/file") + `}`, "unjudged: names no path: where it leads cannot be judged"},
		{"a link to the web", nil, v1 + `"kind":"read","locations":[{"path":"{a}/x"}],` + link("https://example.com/etc/passwd") + `}`, "inside: inside the workspace"},
		{"a link that is odd", nil, v1 + `"kind":"read","locations":[{"path":"{a}/x"}],"content":[{"type":"content","content":{"type":"resource_link","uri":"file://{a}/x","uri":"file://{out}/file"}}]}`,
			"outside: shows a link that leads OUTSIDE the workspace: {out}/file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dwell(t, Policy{}, func(x *tenant) {
				x.does(newS, madeS)
				x.does(tt.before...)
				v, chosen := x.permit(tt.params)
				got := string(v.Level) + ": " + v.Text
				if chosen == "no" {
					got = "refused"
				} else if chosen != "" {
					t.Fatalf("the agent hears %s", chosen)
				}
				want, open := strings.CutSuffix(x.Replace(tt.want), "*")
				if got != want && (!open || !strings.HasPrefix(got, want)) {
					t.Errorf("got %s\nwant %s", got, want)
				}
				if tt.want == "refused" {
					if d := x.happened(journal.DecisionEvent); len(d) != 1 || d[0].Decision.By != "bounds" || !strings.Contains(d[0].Text, "OUTSIDE") {
						t.Errorf("decisions %+v", d)
					}
				}
			})
		})
	}
}

// What names more than is looked at counts as leading outside: an edit is
// refused, and whoever is asked otherwise is told.
func TestMorePathsThanAreLookedAt(t *testing.T) {
	many := func(n int, entry string) string { return "[" + strings.Repeat(entry+",", n-1) + entry + "]" }
	var different []string
	for i := range maxPaths + 1 {
		different = append(different, fmt.Sprintf(`{"path":"{a}/x%d"}`, i))
	}
	paths := `"locations":[` + strings.Join(different, ",") + `]`
	links := strings.NewReplacer(`"locations"`, `"content"`, `{"path":"{a}`, `{"content":{"uri":"file://{a}`, `"}`, `"}}`).Replace(paths)
	call := func(kind, what string) string {
		return `"sessionId":"s","toolCall":{"toolCallId":"c","kind":"` + kind + `",` + what + `}`
	}
	dwell(t, Policy{}, func(x *tenant) {
		x.does(newS, madeS)
		for _, tt := range []struct{ name, params, level, chosen string }{
			{"an edit", call("edit", paths), "", "no"},
			{"a read", call("read", paths), "outside", ""},
			{"the same path over and over", call("edit", `"locations":`+many(maxPaths+1, `{"path":"{a}/x"}`)), "inside", ""},
			{"an edit that shows links", call("edit", `"locations":[{"path":"{a}/x"}],`+links), "outside", ""},
		} {
			// Each under an id of its own, lest the former's paths count.
			v, chosen := x.permit(strings.Replace(tt.params, `"c"`, text(tt.name), 1))
			if string(v.Level) != tt.level || chosen != tt.chosen {
				t.Errorf("%s: %s: %s, chosen %q", tt.name, v.Level, v.Text, chosen)
			}
			if tt.level == "outside" && v.Text != "names more paths than bobproxy looks at: it may lead OUTSIDE the workspace" {
				t.Errorf("%s: %s", tt.name, v.Text)
			}
		}
		x.does(told1("tool_call", `"toolCallId":"before",`+paths))
		if _, chosen := x.permit(strings.Replace(call("edit", `"title":"x"`), `"c"`, `"before"`, 1)); chosen != "no" {
			t.Errorf("an edit of an announced call: chosen %q", chosen)
		}
		x.does(told1("tool_call", `"toolCallId":"shown",`+links))
		v, chosen := x.permit(strings.Replace(call("edit", `"locations":[{"path":"{a}/x"}]`), `"c"`, `"shown"`, 1))
		if v.Level != broker.LevelOutside || chosen != "" {
			t.Errorf("an edit of an announced call that shows links: %s, chosen %q", v.Level, chosen)
		}
	})
}

// A permission that was open when its session was deleted is nobody's any more
// when the id comes again.
func TestPermissionsOfAnIDThatComesAgain(t *testing.T) {
	dwell(t, Policy{}, func(x *tenant) {
		x.does(newS, madeS, "< "+permits("7"))
		x.does(sets("2", "delete", `"sessionId":"s"`), says("2", "{}"), sets("3", "new", `"cwd":"{b}"`), says("3", `{"sessionId":"s"}`))
		if open := x.host.State().Pending; len(open) != 0 {
			t.Errorf("still open: %+v", open)
		}
	})
}

// A request of a session that nobody has heard of is asked like any other, is
// shown as such, and runs out of time.
func TestPermissionOfAnUnknownSession(t *testing.T) {
	dwell(t, Policy{}, func(x *tenant) {
		x.does(newS, madeS)
		frame := strings.Replace(permits("7"), `"s"`, `"sub"`, 1)
		x.bob(frame)
		x.editorHears(frame)
		open := x.host.State().Pending
		if len(open) != 1 || open[0].Session != "sub" || open[0].Deadline == nil {
			t.Fatalf("open: %+v", open)
		}
		for _, s := range x.host.State().Sessions {
			if s.ID == "sub" {
				t.Errorf("the session is listed: %+v", s)
			}
		}
		x.panel(0)
		x.bobHears(selects("7", "no"))
	})
}

// With bounds that only warn the same is asked, with the same words.
func TestVerdictsWarn(t *testing.T) {
	dwell(t, Policy{Bounds: Warn}, func(x *tenant) {
		x.does(newS, madeS)
		v, chosen := x.permit(`"sessionId":"s","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"{a}/door/x"}]}`)
		if chosen != "" || v.Text != x.Replace("leads OUTSIDE the workspace: {a}/door/x") || len(v.Paths) != 1 ||
			v.Paths[0] != (broker.Path{Path: x.Replace("{a}/door/x"), Reason: "escape", Target: x.Replace("{out}/x")}) {
			t.Errorf("chosen %q, verdict %+v", chosen, v)
		}
	})
}
