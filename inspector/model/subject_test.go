package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"bobproxy/acp/session"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

func TestWhatAToolCallIsAbout(t *testing.T) {
	tests := []struct {
		name string
		tool session.Tool
		want Subject
	}{
		{"a command goes before a title", session.Tool{Title: "rig", Kind: "execute", Input: []byte(`{"command":"echo b > /ws/b.txt","commands":["echo"]}`)},
			Subject{Command: "echo b > /ws/b.txt", Title: "rig"}},
		{"a title that is the command says nothing else", session.Tool{Title: "`make`", Kind: "execute", Input: []byte(`{"command":"make"}`)},
			Subject{Command: "make"}},
		{"a command goes before files", session.Tool{Title: "look", Kind: "execute", Paths: []string{"/ws"}, Input: []byte(`{"command":"ls"}`)},
			Subject{Command: "ls", Title: "look"}},
		{"a kind does not hide a command", session.Tool{Title: "Find", Kind: "search", Paths: []string{"/ws/a"}, Input: []byte(`{"cmd":"rm -rf /ws"}`)},
			Subject{Command: "rm -rf /ws", Title: "Find"}},
		{"arguments", session.Tool{Kind: "execute", Input: []byte(`{"command":["rm","-rf","a b","it's"]}`)},
			Subject{Command: `rm -rf 'a b' 'it'\''s'`}},
		{"a shell around a command", session.Tool{Title: "x", Kind: "execute", Input: []byte(`{"command":["/bin/bash","-lc","echo b > b"]}`)},
			Subject{Command: "echo b > b", Title: "x"}},
		{"no shell that only looks like one", session.Tool{Kind: "execute", Input: []byte(`{"command":["ssh","-l","root"]}`)},
			Subject{Command: "ssh -l root"}},
		{"a program of the agent's that is called like a shell", session.Tool{Kind: "execute", Input: []byte(`{"command":["/tmp/evil/sh","-c","ls"]}`)},
			Subject{Command: "/tmp/evil/sh -c ls"}},
		{"a shell that is given more than a line", session.Tool{Kind: "execute", Input: []byte(`{"command":["bash","-c","rm -rf x","ls"]}`)},
			Subject{Command: "bash -c 'rm -rf x' ls"}},
		{"a shell that reads something first", session.Tool{Kind: "execute", Input: []byte(`{"command":["bash","--rcfile=evil.c","ls"]}`)},
			Subject{Command: "bash --rcfile=evil.c ls"}},
		{"a shell with several flags", session.Tool{Kind: "execute", Input: []byte(`{"command":["zsh","-l","-ic","ls"]}`)},
			Subject{Command: "ls"}},
		{"arguments beside the command", session.Tool{Kind: "execute", Input: []byte(`{"args":["-rf","a b"],"command":"rm"}`)},
			Subject{Command: "rm -rf 'a b'"}},
		{"arguments that are no text", session.Tool{Kind: "execute", Input: []byte(`{"command":["kill",1,"-9"]}`)},
			Subject{Command: "kill 1 -9"}},
		{"two commands by two names", session.Tool{Kind: "execute", Input: []byte(`{"command":"rm -rf x","cmd":"ls"}`)},
			Subject{Command: "rm -rf x\nls"}},
		{"the same by two names", session.Tool{Kind: "execute", Input: []byte(`{"cmd":"ls","command":"ls"}`)},
			Subject{Command: "ls"}},
		{"blanks are no command", session.Tool{Title: "Nothing", Kind: "edit", Paths: []string{"/ws/a"}, Input: []byte(`{"command":" \n\u3000 "}`)},
			Subject{File: "/ws/a", Title: "Nothing"}},
		{"the last of two counts, as most readers have it", session.Tool{Kind: "execute", Input: []byte(`{"command":"ls","command":"rm -r x"}`)},
			Subject{Command: "rm -r x"}},
		{"the beginning of a long input", session.Tool{Title: "Nothing", Kind: "execute", Input: []byte(`{"command":"rm -rf / ; echo aaaa`)},
			Subject{Command: "rm -rf / ; echo aaaa", Title: "Nothing"}},
		{"what an edit tool calls its command is none", session.Tool{Title: "New file", Kind: "edit", Paths: []string{"/ws/a.go"}, Input: []byte(`{"command":"create","path":"/ws/a.go"}`)},
			Subject{File: "/ws/a.go", Title: "New file"}},
		{"a file goes before a title", session.Tool{Title: "Create file", Kind: "edit", Paths: []string{"/ws/c.txt"}},
			Subject{File: "/ws/c.txt", Title: "Create file"}},
		{"a title that names the file says nothing else", session.Tool{Title: "Writing to src/c.txt", Kind: "edit", Paths: []string{"/ws/src/c.txt"}},
			Subject{File: "/ws/src/c.txt"}},
		{"several files", session.Tool{Title: "Write many", Kind: "edit", Paths: []string{"/ws/a.go", "/ws/b.go", "/ws/a.go", "", "/ws/c.go"}},
			Subject{File: "/ws/a.go", More: 2, Title: "Write many"}},
		{"a search is about what is looked for", session.Tool{Title: `"Expired("`, Kind: "search", Paths: []string{"/ws/a.go"}},
			Subject{Title: `"Expired("`}},
		{"unless it shows a diff", session.Tool{Title: "Look", Kind: "search", Diffs: 1, Paths: []string{"/ws/a.go"}},
			Subject{File: "/ws/a.go", Title: "Look"}},
		{"a title alone", session.Tool{Title: "Think", Kind: "execute", Input: []byte(`{"command":7}`)},
			Subject{Title: "Think"}},
		{"the name of a tool without a title", session.Tool{Name: "web_search", Kind: "other"}, Subject{Title: "web_search"}},
		{"nothing", session.Tool{Input: []byte(`[]`)}, Subject{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := SubjectOf(&tt.tool, nil); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestWhatAPermissionIsAbout(t *testing.T) {
	judged := func(paths ...string) (v broker.Verdict) {
		for _, path := range paths {
			v.Paths = append(v.Paths, broker.Path{Path: path})
		}
		return v
	}
	tests := []struct {
		name string
		o    Permission
		want Subject
	}{
		{"a command that the protocol tells", Permission{Title: "Tidy up", Card: &control.Pending{Command: "rm -r x", Input: json.RawMessage(`{"command":"ls"}`)}},
			Subject{Command: "rm -r x", Title: "Tidy up"}},
		{"what is outside goes before what is inside", Permission{Card: &control.Pending{Verdict: broker.Verdict{Paths: []broker.Path{{Path: "/ws/a", Inside: true}, {Path: "/etc/b"}, {Path: "/ws/c", Inside: true}}}}},
			Subject{File: "/etc/b", More: 2}},
		{"blanks that the protocol tells", Permission{Title: " \t", Card: &control.Pending{Command: " ", Input: json.RawMessage(`{"command":"rm -r x"}`)}},
			Subject{Command: "rm -r x"}},
		{"one in the input", Permission{Title: "rig", Kind: "execute", Card: &control.Pending{Input: json.RawMessage(`{"command":"ls"}`), Verdict: judged("/ws/a")}},
			Subject{Command: "ls", Title: "rig"}},
		{"one in an input of which there is the beginning", Permission{Title: "rig", Kind: "execute", Card: &control.Pending{Clipped: `{"command":"ls ` + strings.Repeat("a", 9000)}},
			Subject{Command: "ls " + strings.Repeat("a", maxCommand-3), Title: "rig"}},
		{"files as the proxy has judged them", Permission{Title: "Write many", Kind: "edit", inquiry: inquiry{paths: []string{"/ws/x"}}, Card: &control.Pending{Verdict: judged("/ws/a", "/ws/b")}},
			Subject{File: "/ws/a", More: 1, Title: "Write many"}},
		{"files that it names", Permission{Title: "Write", Kind: "edit", inquiry: inquiry{paths: []string{"/ws/x"}}}, Subject{File: "/ws/x", Title: "Write"}},
		{"a title alone", Permission{Title: "Write"}, Subject{Title: "Write"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.o.Subject(); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestTheSubjectStaysWhenItsCardIsForgotten(t *testing.T) {
	o := &Permission{Title: "rig", Kind: "execute", Card: &control.Pending{Input: json.RawMessage(`{"command":"echo b > /ws/b.txt"}`)}}
	want := Subject{Command: "echo b > /ws/b.txt", Title: "rig"}
	if o.strip(); o.Subject() != want {
		t.Errorf("got %+v, want %+v", o.Subject(), want)
	}
}

func TestTheSubjectStaysWhenMuchIsSettledSince(t *testing.T) {
	s := &script{}
	s.begin()
	s.prompt(2)
	for i := range MaxClosed + 1 {
		s.ask(i, fmt.Sprintf(`{"toolCallId":"c%d","title":"Write","kind":"edit","locations":[{"path":"/ws/%d.go"}]}`, i, i))
		s.say(i, "yes")
	}
	m := New()
	m.Attach(s.now(), control.Greeting{}, state(s.events), s.events)
	deeds := m.Proxies[0].Find("s1").Deeds
	if got, want := deeds[0].Subject(), (Subject{File: "/ws/0.go", Title: "Write"}); got != want || deeds[0].Asked[0].Card != nil {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestWhatADeedIsAbout(t *testing.T) {
	tool := func(t session.Tool) *session.Entry { return &session.Entry{Tool: &t} }
	asked := []*Permission{{Title: "rig", Kind: "execute", Card: &control.Pending{Command: "make"}}}
	tests := []struct {
		name string
		d    Deed
		want Subject
	}{
		{"its tool call", Deed{What: "execute", Entry: tool(session.Tool{Title: "rig", Kind: "execute", Input: []byte(`{"command":"ls"}`)}), Asked: asked}, Subject{Command: "ls", Title: "rig"}},
		{"what was asked for it", Deed{What: "execute", Entry: tool(session.Tool{Title: "rig", Kind: "execute"}), Asked: asked}, Subject{Command: "make", Title: "rig"}},
		{"a terminal that it made", Deed{What: "execute", Title: "rig", Requests: []*Row{{Method: "terminal/create", First: "make all"}}}, Subject{Command: "make all", Title: "rig"}},
		{"a file that was written", Deed{What: "write", Title: "/ws/a"}, Subject{File: "/ws/a"}},
		{"a command that was run", Deed{What: "terminal", Title: "make all"}, Subject{Command: "make all"}},
		{"a title alone", Deed{What: "edit", Title: "Edit"}, Subject{Title: "Edit"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.d.Subject(); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestSubjectsWhole(t *testing.T) {
	for _, tt := range []struct {
		s    Subject
		want string
	}{
		{Subject{Command: "rm x", Title: "Tidy"}, "rm x — Tidy"},
		{Subject{Command: "rm x"}, "rm x"},
		{Subject{File: "/w/a", Title: "Edit"}, "/w/a — Edit"},
		{Subject{File: "/w/a", More: 1}, "/w/a and 1 more file"},
		{Subject{File: "/w/a", More: 2}, "/w/a and 2 more files"},
		{Subject{Title: "Look"}, "Look"},
	} {
		if got := tt.s.Whole(); got != tt.want {
			t.Errorf("%+v is %q, want %q", tt.s, got, tt.want)
		}
	}
}
