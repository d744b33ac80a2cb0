package proxy

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// offers is a permission request with these options; empty: it has none at all.
func offers(id, options string) string {
	if options != "" {
		options = `,"options":` + options
	}
	return asks4(id, `"sessionId":"s","toolCall":{"toolCallId":"c"}`+options)
}

func option(id, kind string) string {
	return `{"optionId":` + id + `,"name":"N","kind":"` + kind + `"}`
}

func list(options ...string) string { return "[" + strings.Join(options, ",") + "]" }

// selectsRaw is the answer that repeats an option's id as it was spelled.
func selectsRaw(id, token string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"outcome":{"outcome":"selected","optionId":` + token + `}}}`
}

// Whatever an agent offers: the editor gets it as it is, nobody's answer and a
// denial are the first option that surely rejects once, or else cancelled, and
// an option is repeated byte by byte.
func TestOptions(t *testing.T) {
	long := `"` + strings.Repeat("y", 4<<10) + `"`
	many := func(n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = option(fmt.Sprintf(`"o-%d"`, i+1), "allow_once")
		}
		return list(all...)
	}
	cancelled := ""
	for _, test := range []struct {
		name, options string
		denied        string // the token of the option that a denial selects; empty: cancelled
		number        int    // choose this one,
		chosen        string // whose token is this; empty: it cannot be chosen
	}{
		{"none", `[]`, cancelled, 1, ""},
		{"null", `null`, cancelled, 1, ""},
		{"absent", ``, cancelled, 1, ""},
		{"an object", `{}`, cancelled, 1, ""},
		{"a number", `7`, cancelled, 1, ""},
		{"500", many(500), cancelled, 500, `"o-500"`},
		{"more than are kept", many(600), cancelled, 512, `"o-512"`},
		{"beyond what is kept", many(600), cancelled, 513, ""},
		{"two with one id", list(option(`"x"`, "allow_once"), option(`"x"`, "reject_once")), cancelled, 1, `"x"`},
		{"two with one id and kind", list(option(`"x"`, "reject_once"), option(`"x"`, "reject_once")), `"x"`, 2, `"x"`},
		{"one id spelled twice", list(option(`"x"`, "reject_once"), option(`"\u0078"`, "allow_once")), cancelled, 1, `"x"`},
		{"only allows", list(option(`"a"`, "allow_once"), option(`"b"`, "allow_always")), cancelled, 2, `"b"`},
		{"only rejects for good", list(option(`"a"`, "allow_once"), option(`"r"`, "reject_always")), cancelled, 2, `"r"`},
		{"two that reject", list(option(`"cancel"`, "reject_once"), option(`"decline"`, "reject_once")), `"cancel"`, 2, `"decline"`},
		{"the other way round", list(option(`"decline"`, "reject_once"), option(`"cancel"`, "reject_once")), `"decline"`, 1, `"decline"`},
		{"the reject is the last", list(option(`"a"`, "allow_always"), option(`"r"`, "reject_always"), option(`"n"`, "reject_once")), `"n"`, 1, `"a"`},
		{"four of a kind", list(option(`"1"`, "allow_once"), option(`"2"`, "allow_once"), option(`"3"`, "allow_once"), option(`"4"`, "allow_once")), cancelled, 3, `"3"`},
		{"kinds nobody knows", list(option(`"p"`, "allow_persistent"), option(`"q"`, "reject"), option(`"r"`, "REJECT_ONCE")), cancelled, 1, `"p"`},
		{"ids that lie", list(option(`"reject_once"`, "allow_once"), option(`"allow_once"`, "reject_once")), `"allow_once"`, 1, `"reject_once"`},
		{"an empty id", list(option(`""`, "reject_once")), `""`, 1, `""`},
		{"blanks", list(option(`" no "`, "reject_once"), option(`"no"`, "allow_once")), `" no "`, 2, `"no"`},
		{"an escaped line end", list(option(`"a\nb"`, "reject_once")), `"a\nb"`, 1, `"a\nb"`},
		{"needless escapes", list(option(`"\u0061\/b"`, "reject_once")), `"\u0061\/b"`, 1, `"\u0061\/b"`},
		{"text turned round", list(option(`"\u202ey"`, "reject_once"), option("\"\u202ez\"", "allow_once")), `"\u202ey"`, 2, "\"\u202ez\""},
		{"an emoji", list(option(`"🙅"`, "reject_once")), `"🙅"`, 1, `"🙅"`},
		{"4 KB", list(option(long, "reject_once")), long, 1, long},
		{"an entry that is null", list("null", option(`"n"`, "reject_once")), `"n"`, 1, ""},
		{"an entry behind null", list("null", option(`"n"`, "reject_once")), `"n"`, 2, `"n"`},
		{"an id that is a number", list(`{"optionId":7,"name":"N","kind":"reject_once"}`, option(`"n"`, "reject_once")), `"n"`, 1, ""},
		{"no id", list(`{"name":"N","kind":"reject_once"}`), cancelled, 1, ""},
		{"no kind", list(`{"optionId":"a","name":"N"}`), cancelled, 1, `"a"`},
		{"no name", list(`{"optionId":"a","kind":"reject_once"}`), `"a"`, 1, `"a"`},
		{"an option with two kinds", list(`{"optionId":"a","kind":"reject_once","kind":"allow_once"}`), cancelled, 1, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			ask := offers("7", test.options)
			denied := cancels("7")
			if test.denied != "" {
				denied = selectsRaw("7", test.denied)
			}
			attend(t, Policy{}, func(x *table) { // denied
				x.bob(ask)
				x.editorHears(ask)
				x.applied("7", broker.Decision{Deny: true})
				x.bobHears(denied)
			})
			attend(t, Policy{}, func(x *table) { // nobody answers
				x.bob(ask)
				x.later(2 * time.Minute)
				x.bobHears(denied)
			})
			attend(t, Policy{}, func(x *table) { // chosen, or left to the editor
				x.bob(ask)
				if test.chosen != "" {
					x.applied("7", broker.Decision{Number: test.number, Standing: true})
					x.bobHears(selectsRaw("7", test.chosen))
					return
				}
				x.refusedRuling("7", broker.Decision{Number: test.number, Standing: true})
				x.bobHears()
				x.pending("7")
				x.editor(selects("7", "whatever"))
				x.bobHears(selects("7", "whatever"))
			})
		})
	}
}

// What the editor says is recorded by what it chose, not by its having chosen;
// what is no choice is never taken for one.
func TestEditorsAnswersAreRecorded(t *testing.T) {
	for says, want := range map[string]string{
		selects("7", "yes"):                                        "7 editor selected yes allow_once 0s",
		selects("7", "ever"):                                       "7 editor selected ever allow_always 0s",
		selects("7", "no"):                                         "7 editor selected no reject_once 0s",
		selects("7", "other"):                                      "7 editor selected other 0s",
		cancels("7"):                                               "7 editor cancelled 0s",
		fails("7", -32601):                                         "7 editor error 0s",
		fails("7", -32800):                                         "7 editor error 0s",
		`{"id":7,"result":{"approved":true}}`:                      "7 editor unknown 0s",
		`{"id":7,"result":null}`:                                   "7 editor unknown 0s",
		`{"id":7,"result":true}`:                                   "7 editor unknown 0s",
		`{"id":7,"result":[]}`:                                     "7 editor unknown 0s",
		`{"id":7,"result":{"outcome":"selected"}}`:                 "7 editor unknown 0s",
		`{"id":7,"result":{"outcome":{"outcome":"approved"}}}`:     "7 editor unknown 0s",
		`{"id":7,"result":{"optionId":"yes"}}`:                     "7 editor unknown 0s",
		`{"id":7,"result":{"outcome":{"outcome":"selected"}}}`:     "7 editor selected 0s",
		`{"id":7,"result":{"outcome":{"optionId":"yes"}}}`:         "7 editor unknown 0s",
		`{"id":7,"result":{},"error":{"code":1,"message":"both"}}`: "7 editor unreadable 0s",
		`{"id":7,"result":{"outcome":{"outcome":"selected","optionId":"no","optionId":"yes"}}}`: "7 editor unreadable 0s",
		`{"id":7,"result":{"outcome":{"outcome":"selected","optionId":"no","OptionId":"yes"}}}`: "7 editor unreadable 0s",
	} {
		t.Run(says, func(t *testing.T) {
			attend(t, Policy{}, func(x *table) {
				x.bob(permits("7"))
				x.editor(says)
				x.bobHears(says)
				x.pending()
				x.recorded(want)
			})
		})
	}
}

// An answer that was not offered passes, flagged.
func TestOptionNeverOffered(t *testing.T) {
	attend(t, Policy{}, func(x *table) {
		x.bob(permits("7"))
		x.editor(selects("7", "cancel"))
		x.bobHears(selects("7", "cancel"))
		if got := x.flags(); len(got) != 1 || got[0] != "option never offered" {
			t.Errorf("flagged %q", got)
		}
	})
}

func announces(call string) string {
	return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call",` + call + `}}}`
}

func tells(call string) string {
	return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_update",` + call + `}}}`
}

func about(id, call string) string {
	return asks4(id, `"sessionId":"s","toolCall":{`+call+`},"options":`+threeOptions)
}

// shown is the open permission with this id.
func (x *table) shown(id string) control.Pending {
	x.t.Helper()
	for _, p := range x.open() {
		if string(p.ID) == id {
			return p
		}
	}
	x.t.Fatalf("%s is not pending", id)
	return control.Pending{}
}

func (x *table) shows(id, title, kind, input string) {
	x.t.Helper()
	if p := x.shown(id); p.Title != title || p.Kind != kind || string(p.Input) != input {
		x.t.Errorf("%s is shown as %q, %q, %s; want %q, %q, %s", id, p.Title, p.Kind, p.Input, title, kind, input)
	}
}

// A request that says only which tool call it is about is shown with what was
// said of that before; one about a call that nobody knows with what there is.
func TestBareRequests(t *testing.T) {
	root, _ := workspace(t)
	file := filepath.Join(root, "a.txt")
	attend(t, Policy{}, func(x *table) {
		x.opens("s", root)
		x.bob(announces(`"toolCallId":"c","title":"Read a.txt","kind":"read","locations":[{"path":"`+file+`"}],"rawInput":{"file": "a.txt"}`), about("1", `"toolCallId":"c"`))
		x.shows("1", "Read a.txt", "read", `{"file": "a.txt"}`)
		if v := x.shown("1").Verdict; v.Level != broker.LevelInside || len(v.Paths) != 1 || v.Paths[0].Path != file {
			t.Errorf("the verdict is %+v", v)
		}
		x.bob(about("2", `"toolCallId":"nobody","title":null`), about("3", `"title":"No id"`), asks4("4", `"sessionId":"s","options":`+threeOptions), asks4("5", `"sessionId":"s","toolCall":null`))
		x.shows("2", "", "", "")
		x.shows("3", "No id", "", "")
		x.shows("4", "", "", "")
		x.shows("5", "", "", "")
		for _, id := range []string{"2", "3", "4", "5"} {
			if v := x.shown(id).Verdict; v.Level != broker.LevelUnjudged || v.Text == "" {
				t.Errorf("%s: %+v", id, v)
			}
		}
		x.bob(about("6", `"toolCallId":"c","title":"Another","rawInput":"ls"`)) // its own words count first
		x.shows("6", "Another", "read", `"ls"`)
		x.bob(asks4("7", `"sessionId":"other","toolCall":{"toolCallId":"c"},"options":[]`)) // of another session
		x.shows("7", "", "", "")
	})
}

// Agents ask under one constant id: nothing of an earlier request shows in the
// next, and nobody's answer is taken for another's.
func TestConstantToolCallID(t *testing.T) {
	root, outside := workspace(t)
	attend(t, Policy{}, func(x *table) {
		x.opens("s", root)
		x.bob(about("1", `"toolCallId":"shell-permission","title":"rm a","kind":"execute","rawInput":{"command":"rm a"},"locations":[{"path":"`+outside+`"}]`))
		x.shows("1", "rm a", "execute", `{"command":"rm a"}`)
		x.bob(about("2", `"toolCallId":"shell-permission"`))
		x.shows("2", "", "", "")
		if v := x.shown("2").Verdict; v.Level != broker.LevelUnjudged || len(v.Paths) > 0 {
			t.Errorf("the verdict is %+v", v)
		}
		x.bob(about("3", `"toolCallId":"shell-permission","title":"edit","kind":"edit","locations":[{"path":"`+root+`/a.txt"}]`))
		x.shows("3", "edit", "edit", "")
		x.pending("1", "2", "3")
		x.editor(selects("2", "no"))
		x.applied("3", broker.Decision{Option: "yes"})
		x.bobHears(selects("2", "no"), selects("3", "yes"))
		x.pending("1")
		if a, b := x.shown("1").Digest, x.shown("1").Digest; a != b || len(a) != 32 {
			t.Errorf("digest %q, %q", a, b)
		}
	})
}

// What comes later changes nothing of what was shown.
func TestShownStands(t *testing.T) {
	root, outside := workspace(t)
	attend(t, Policy{}, func(x *table) {
		x.opens("s", root)
		x.bob(announces(`"toolCallId":"c","title":"Read","kind":"read","locations":[{"path":"`+root+`/a.txt"}],"rawInput":{"n":1}`), about("1", `"toolCallId":"c"`))
		before := x.shown("1")
		x.bob(tells(`"toolCallId":"c","title":"Delete","kind":"delete","rawInput":{"n":2},"locations":[{"path":"`+outside+`"}]`), announces(`"toolCallId":"c","title":"Anew"`))
		x.opens("s2", outside)
		after := x.shown("1")
		a, _ := json.Marshal(before)
		b, _ := json.Marshal(after)
		if string(a) != string(b) {
			t.Errorf("shown\n  %s\nand then\n  %s", a, b)
		}
		x.bob(about("2", `"toolCallId":"c"`))
		if x.shown("2").Digest == before.Digest {
			t.Error("another call has the same digest")
		}
	})
}

// The digest is another one when anything is that was asked or announced.
func TestDigests(t *testing.T) {
	seen := map[string]string{}
	for _, said := range [][]string{
		{about("1", `"toolCallId":"c"`)},
		{about("1", `"toolCallId":"c","rawInput":{"a": 1}`)},
		{about("1", `"toolCallId":"c","rawInput":{"a":1}`)},
		{about("1", `"toolCallId":"c","_meta":{}`)},
		{announces(`"toolCallId":"c","title":"T"`), about("1", `"toolCallId":"c"`)},
		{announces(`"toolCallId":"c","rawInput":{"a":1}`), about("1", `"toolCallId":"c"`)},
		{announces(`"toolCallId":"c","rawInput":{"a": 1}`), about("1", `"toolCallId":"c"`)},
		{announces(`"toolCallId":"c","content":[]`), about("1", `"toolCallId":"c"`)},
		{announces(`"toolCallId":"c","content":[{"type":"diff","path":"/w/x","newText":"a"}]`), about("1", `"toolCallId":"c"`)},
		{announces(`"toolCallId":"c","content":[{"type":"diff","path":"/w/x","newText":"b"}]`), about("1", `"toolCallId":"c"`)},
		{permits("1")},
	} {
		for range 2 { // the same again is the same
			attend(t, Policy{Bounds: Off}, func(x *table) {
				x.bob(said...)
				d := x.shown("1").Digest
				if was, ok := seen[d]; ok && was != strings.Join(said, "\n") || len(d) != 32 {
					t.Errorf("digest %s of both\n  %s\n  %s", d, was, said)
				}
				seen[d] = strings.Join(said, "\n")
			})
		}
	}
	if len(seen) != 11 {
		t.Errorf("%d digests, want 11", len(seen))
	}
}

// Of what the request says and what was announced the strictest counts. What
// edits outside is refused and the editor never asked; what reads outside is
// asked, with a loud word.
func TestVerdicts(t *testing.T) {
	root, outside := workspace(t)
	in, out := `"locations":[{"path":"`+root+`/a.txt"}]`, `"locations":[{"path":"`+outside+`/secret"}]`
	diff := func(path string) string {
		return `"content":[{"type":"diff","path":"` + path + `","oldText":null,"newText":"x"}]`
	}
	const c = `"toolCallId":"c",`
	for _, test := range []struct {
		name, announced, asked string
		level                  broker.Level // empty: refused
	}{
		{"inside both", c + `"kind":"edit",` + in, c + in, broker.LevelInside},
		{"announced: edits outside; bare", c + `"kind":"edit",` + out, `"toolCallId":"c"`, ""},
		{"announced: edits; asked: outside", c + `"kind":"edit"`, c + out, ""},
		{"announced: outside; asked: edits", c + `"kind":"read",` + out, c + `"kind":"edit"`, ""},
		{"announced: edits outside; asked: reads inside", c + `"kind":"edit",` + out, c + `"kind":"read",` + in, ""},
		{"asked alone: deletes outside", "", c + `"kind":"delete",` + out, ""},
		{"asked alone: moves outside", "", c + `"kind":"move",` + out, ""},
		{"a diff outside, said to read", "", c + `"kind":"read",` + diff(outside+"/x"), ""},
		{"announced: a diff outside; bare", c + `"kind":"other",` + diff(outside+"/x"), `"toolCallId":"c"`, ""},
		{"a diff outside, under ..", "", c + diff(root+"/../work-else/x"), ""},
		{"a diff inside", "", c + diff(root+"/new.txt"), broker.LevelInside},
		{"a relative diff inside", "", c + diff("sub/new.txt"), broker.LevelInside},
		{"a relative diff outside", "", c + diff("../x"), ""},
		{"reads outside", "", c + `"kind":"read",` + out, broker.LevelOutside},
		{"searches outside", c + `"kind":"search",` + out, `"toolCallId":"c"`, broker.LevelOutside},
		{"a kind nobody knows, outside", "", c + `"kind":"ponder",` + out, broker.LevelOutside},
		{"no kind, outside", "", c + out, broker.LevelOutside},
		{"a command", "", c + `"kind":"execute","rawInput":{"command":"rm -rf /"}`, broker.LevelUnjudged},
		{"takes effect later", "", c + `"kind":"edit","locations":[{"path":"` + root + `/.git/hooks/post-commit"}]`, broker.LevelLater},
	} {
		t.Run(test.name, func(t *testing.T) {
			attend(t, Policy{}, func(x *table) {
				x.opens("s", root)
				if test.announced != "" {
					x.bob(announces(test.announced))
					x.client.heard()
				}
				ask := about("1", test.asked)
				x.bob(ask)
				if test.level == "" {
					x.editorHears()
					x.bobHears(selects("1", "no"))
					x.pending()
					x.recorded("1 bounds selected no reject_once 0s")
					return
				}
				x.editorHears(ask)
				x.bobHears()
				if v := x.shown("1").Verdict; v.Level != test.level || v.Text == "" {
					t.Errorf("the verdict is %+v, want %s", v, test.level)
				}
			})
		})
	}
}

// What is refused and offers nothing that rejects is cancelled.
func TestRefusedWithoutAReject(t *testing.T) {
	root, outside := workspace(t)
	attend(t, Policy{}, func(x *table) {
		x.opens("s", root)
		x.bob(asks4("1", `"sessionId":"s","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"`+outside+`"}]},"options":`+list(option(`"a"`, "allow_once"))))
		x.editorHears()
		x.bobHears(cancels("1"))
		x.recorded("1 bounds cancelled 0s")
	})
}

// What is refused under an id that no answer can be given to is only kept back,
// and nothing goes on waiting for it.
func TestRefusedUnderAnOddID(t *testing.T) {
	root, outside := workspace(t)
	for _, id := range []string{"null", "{}", "[1]"} {
		attend(t, Policy{}, func(x *table) {
			x.opens("s", root)
			x.bob(asks4(id, `"sessionId":"s","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"`+outside+`"}]},"options":`+threeOptions))
			x.editorHears()
			x.bobHears()
			if n := x.relay.ledger.owed(acp.Agent); n != 0 {
				t.Errorf("%s: %d answers are owed to the agent", id, n)
			}
		})
	}
}

// The shapes of the version 2 draft: a title and a subject.
func TestVersion2Shapes(t *testing.T) {
	root, outside := workspace(t)
	for _, test := range []struct {
		name, params, title string
		level               broker.Level // empty: refused
	}{
		{"a command outside", `"title":"Run it?","subject":{"type":"command","command":"make","cwd":"` + outside + `"}`, "Run it?", broker.LevelOutside},
		{"a command inside", `"title":"Run it?","subject":{"type":"command","command":"make","cwd":"` + root + `"}`, "Run it?", broker.LevelUnjudged},
		{"no title", `"subject":{"type":"command","command":"make","cwd":"` + root + `"}`, "make", broker.LevelUnjudged},
		{"a tool call that edits outside", `"title":"T","subject":{"type":"tool_call","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"` + outside + `"}]}}`, "", ""},
		{"a tool call with a diff outside", `"title":"T","subject":{"type":"tool_call","toolCall":{"toolCallId":"c","content":[{"type":"diff","path":"` + outside + `/x","newText":"x"}]}}`, "", ""},
		{"a tool call with v2's changes outside", `"title":"T","subject":{"type":"tool_call","toolCall":{"toolCallId":"c","content":[{"type":"diff","changes":[{"operation":"add","path":"` + outside + `/x"}]}]}}`, "", ""},
		{"a tool call inside", `"title":"T","subject":{"type":"tool_call","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"` + root + `/a.txt"}]}}`, "T", broker.LevelInside},
		{"a type nobody knows", `"title":"T","subject":{"type":"dance","steps":3}`, "T", broker.LevelUnjudged},
	} {
		t.Run(test.name, func(t *testing.T) {
			attend(t, Policy{}, func(x *table) {
				x.opens("s", root)
				ask := asks4("1", `"sessionId":"s",`+test.params+`,"options":`+threeOptions)
				x.bob(ask)
				if test.level == "" {
					x.editorHears()
					x.bobHears(selects("1", "no"))
					return
				}
				x.editorHears(ask)
				if p := x.shown("1"); p.Title != test.title || p.Verdict.Level != test.level {
					t.Errorf("shown as %q, %+v", p.Title, p.Verdict)
				}
			})
		})
	}
}

// A sub-agent asks under a session that nobody has heard of: it is asked, said
// to be unknown, has the time-out, and its paths must lie in every workspace.
func TestUnknown(t *testing.T) {
	root, outside := workspace(t)
	edit := func(path string) string {
		return `"sessionId":"sub","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"` + path + `"}]},"options":` + threeOptions
	}
	attend(t, Policy{}, func(x *table) {
		x.bob(permitsIn("sub", "1"))
		x.editorHears(permitsIn("sub", "1"))
		if p := x.shown("1"); p.Session != "sub" || len(x.host.State().Sessions) != 0 {
			t.Errorf("shown as %+v", p)
		}
		x.bob(asks4("2", edit(root+"/a.txt"))) // there is no workspace at all
		x.bobHears(selects("2", "no"))
		x.later(2 * time.Minute)
		x.bobHears(selects("1", "no"))
		x.client.heard()

		x.opens("s", root)
		x.bob(permits("3"))
		if known := x.host.State().Sessions; len(known) != 1 || known[0].ID != "s" || known[0].State != "waiting" {
			t.Errorf("the sessions are %+v", known)
		}
		x.bob(asks4("4", edit(root+"/a.txt")), asks4("5", edit(outside+"/x")))
		x.bobHears(selects("5", "no"))
		x.pending("3", "4")
		x.opens("t", outside)
		x.bob(asks4("6", edit(root+"/a.txt")))
		x.bobHears(selects("6", "no"))
	})
}

// Input is shown as it was spelled, whatever it is, and the beginning of one
// that is too long.
func TestInputs(t *testing.T) {
	long := `{"command":"` + strings.Repeat("x", 1<<20) + `"}`
	for _, test := range []struct {
		input   string
		clipped bool
	}{
		{`{"command":"ls","args":[1.0,1e2]}`, false}, {`"ls -la"`, false}, {`["a",{"b":null}]`, false}, {`7`, false}, {`false`, false}, {long, true},
	} {
		for _, announced := range []bool{false, true} {
			attend(t, Policy{}, func(x *table) {
				call := `"toolCallId":"c","title":"bash","rawInput":` + test.input
				if announced {
					x.bob(announces(call), about("1", `"toolCallId":"c"`))
				} else {
					x.bob(about("1", call))
				}
				p := x.shown("1")
				switch {
				case test.clipped && (p.Input != nil || p.Clipped != test.input[:64<<10]):
					t.Errorf("announced %t: %d bytes, clipped %d", announced, len(p.Input), len(p.Clipped))
				case !test.clipped && (string(p.Input) != test.input || p.Clipped != ""):
					t.Errorf("announced %t: shown as %s, clipped %q", announced, p.Input, p.Clipped)
				}
			})
		}
	}
}

// A session's requests may come before it has its name, and after its turn.
func TestAskedOutsideATurn(t *testing.T) {
	root, _ := workspace(t)
	attend(t, Policy{}, func(x *table) {
		x.editor(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"` + root + `","mcpServers":[]}}`)
		edit := about("1", `"toolCallId":"c","kind":"edit","locations":[{"path":"`+root+`/a.txt"}]`)
		x.bob(edit, `{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}`)
		x.editorHears(edit, `{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}`)
		if v := x.shown("1").Verdict; v.Level != broker.LevelInside {
			t.Errorf("the verdict is %+v", v)
		}
		x.editor(request("2", "session/prompt"))
		x.bob(`{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}`, permits("3"))
		x.pending("1", "3")
		x.editor(selects("3", "yes"), selects("1", "yes"))
		x.agent.heard()
		x.pending()
	})
}
