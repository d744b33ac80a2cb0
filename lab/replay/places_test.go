package replay

import (
	"strings"
	"testing"
)

func TestPathsInText(t *testing.T) {
	for name, test := range map[string]struct{ recorded, live, text, want string }{
		"the root itself":           {"/ws", "/home/me/x", "/ws", "/home/me/x"},
		"with a slash":              {"/ws", "/x", "/ws/", "/x/"},
		"below it":                  {"/ws", "/x", "/ws/a/b.go", "/x/a/b.go"},
		"beside it":                 {"/ws", "/x", "/ws2/a /ws-old/b /ws.bak/c /ws_d", "/ws2/a /ws-old/b /ws.bak/c /ws_d"},
		"inside another path":       {"/ws", "/x", "/home/ws/a /home//ws", "/home/ws/a /home//ws"},
		"within a sentence":         {"/ws", "/x", "I wrote /ws/a.txt. It is in /ws.", "I wrote /x/a.txt. It is in /x."},
		"in a command":              {"/ws", "/x", `cat >/ws/a "/ws/b" '/ws'`, `cat >/x/a "/x/b" '/x'`},
		"in a variable":             {"/ws", "/x", "DIR=/ws PATH=/bin:/ws/bin", "DIR=/x PATH=/bin:/x/bin"},
		"as a URI":                  {"/ws", "/x", "file:///ws/a.go#L3", "file:///x/a.go#L3"},
		"with blanks in it":         {"/my ws", "/x y", "/my ws/a and file:///my%20ws/a", "/x y/a and file:///x%20y/a"},
		"JSON in a string":          {"/ws", "/x", `{"path":"/ws/a"}`, `{"path":"/x/a"}`},
		"going up from it":          {"/ws", "/x", "/ws/../etc", "/x/../etc"},
		"a root that ends in slash": {"/ws/", "/x", "/ws/a", "/x/a"},
		"of Windows":                {`C:\ws`, "/x", `C:\ws\a`, `/x\a`},
		"the root of all files":     {"/", "/x", "/a", "/a"},
		"no root":                   {"", "/x", "/a", "/a"},
		"other characters beside":   {"/ws", "/x", "é/ws and /wsé", "é/ws and /wsé"},
	} {
		t.Run(name, func(t *testing.T) {
			var p places
			p.root(test.recorded, test.live)
			if got := p.text(test.text); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestLongerRootsFirst(t *testing.T) {
	var p places
	p.root("/ws", "/a")
	p.root("/ws/inner", "/b")
	if got, want := p.text("/ws/x /ws/inner/y"), "/a/x /b/y"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := p.opposite().text("/a/x /b/y"), "/ws/x /ws/inner/y"; got != want {
		t.Errorf("back: got %q, want %q", got, want)
	}
}

func TestValuesAreMapped(t *testing.T) {
	var p places
	p.root("/ws", "/x")
	p.name("s1", "live-1")
	p.name("term-1", "t9")
	for name, test := range map[string]struct{ value, want string }{
		"a path and nothing else":      {`{ "path" : "/ws/a",  "n": 1.0, "k":"/w" }`, `{ "path" : "/x/a",  "n": 1.0, "k":"/w" }`},
		"in arrays and objects":        {`{"a":[{"b":["/ws"]}]}`, `{"a":[{"b":["/x"]}]}`},
		"written with escapes":         {`{"path":"\/ws\/a"}`, `{"path":"/x/a"}`},
		"names of members stay":        {`{"/ws":"/ws"}`, `{"/ws":"/x"}`},
		"a session":                    {`{"sessionId":"s1","other":"s1"}`, `{"sessionId":"live-1","other":"s1"}`},
		"a parent's session":           {`{"parentSessionId":"s1"}`, `{"parentSessionId":"live-1"}`},
		"a terminal":                   {`{"terminalId":"term-1","toolCallId":"term-1"}`, `{"terminalId":"t9","toolCallId":"term-1"}`},
		"quotes in a text":             {`{"text":"say \"/ws\" <b>"}`, `{"text":"say \"/x\" <b>"}`},
		"no JSON":                      {`{"path":"/ws`, `{"path":"/ws`},
		"a string alone":               {`"/ws"`, `"/x"`},
		"nothing to change":            {`{"a":"\u0041"}`, `{"a":"\u0041"}`},
		"half a pair is left as it is": {`{"a":"\ud800","b":"/ws"}`, `{"a":"\ud800","b":"/x"}`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(p.value([]byte(test.value))); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestRootsAreBounded(t *testing.T) {
	var p places
	for i := range 10 * maxRoots {
		p.root("/ws/"+strings.Repeat("a", i), "/x")
	}
	if len(p.roots) > maxRoots {
		t.Errorf("%d roots are kept", len(p.roots))
	}
}
