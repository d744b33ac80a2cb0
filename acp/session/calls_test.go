package session

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"bobproxy/acp"
)

// update is an agent's session/update for session S.
func update(kind, rest string) string {
	return `< {"method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"` + kind + `",` + rest + `}}}` + "\n"
}

// ask is a permission request of version 1 for session S.
func ask(toolCall string) string {
	return `< {"id":1,"method":"session/request_permission","params":{"sessionId":"S","toolCall":{` + toolCall + `},"options":[]}}` + "\n"
}

const (
	version2 = `
		> {"id":0,"method":"initialize","params":{"protocolVersion":2}}
		< {"id":0,"result":{"protocolVersion":2}}
	`
	edit = `"toolCallId":"t","title":"Edit budget.go","kind":"edit","status":"pending",` +
		`"locations":[{"path":"/a/budget.go","line":3},{"path":"/a/go.mod"}],` +
		`"content":[{"type":"diff","path":"/a/budget.go","oldText":null,"newText":"x"},{"type":"content","content":{"type":"text","text":"why"}}],` +
		`"rawInput":{"path": "/a/budget.go"}`
)

func edited(change func(c *Call)) Call {
	c := Call{
		Session: "S", ID: "t", Title: "Edit budget.go", Kind: "edit", Status: "pending",
		Locations: []string{"/a/budget.go", "/a/go.mod"},
		Diffs:     []Change{{Path: "/a/budget.go"}},
		RawInput:  []byte(`{"path": "/a/budget.go"}`),
	}
	if change != nil {
		change(&c)
	}
	c.RawInputSize = len(c.RawInput)
	return c
}

func only(change func(c *Call)) Call {
	c := Call{Session: "S", ID: "t"}
	change(&c)
	c.RawInputSize = len(c.RawInput)
	return c
}

func TestToolCallsAreMerged(t *testing.T) {
	none := Call{}
	for _, tt := range []struct {
		name, script string
		want         Call
	}{
		{"announced", update("tool_call", edit), edited(nil)},
		{"with the kind in escapes", update(`tool\u005fcall`, edit), edited(nil)},
		{"an update keeps what it omits", update("tool_call", edit) + update("tool_call_update", `"toolCallId":"t","status":"in_progress"`),
			edited(func(c *Call) { c.Status = "in_progress" })},
		{"a null keeps in version 1",
			update("tool_call", edit) + update("tool_call_update", `"toolCallId":"t","title":null,"kind":null,"status":null,"locations":null,"content":null,"rawInput":null`),
			edited(nil)},
		{"a null takes back in version 2",
			version2 + update("tool_call_update", edit) + update("tool_call_update", `"toolCallId":"t","title":null,"kind":null,"status":null,"content":null,"rawInput":null`),
			only(func(c *Call) { c.Locations = []string{"/a/budget.go", "/a/go.mod"} })},
		{"version 2 keeps what it omits",
			version2 + update("tool_call_update", edit) + update("tool_call_update", `"toolCallId":"t","status":"paused"`),
			edited(func(c *Call) { c.Status = "paused" })},
		{"arrays replace",
			update("tool_call", edit) + update("tool_call_update", `"toolCallId":"t","locations":[{"path":"/b"}],"content":[]`),
			edited(func(c *Call) { c.Locations, c.Diffs = []string{"/b"}, nil })},
		{"rawInput replaces",
			update("tool_call", edit) + update("tool_call_update", `"toolCallId":"t","rawInput":["x"]`),
			edited(func(c *Call) { c.RawInput = []byte(`["x"]`) })},
		{"what is no string is not said",
			update("tool_call", edit) + update("tool_call_update", `"toolCallId":"t","title":7,"status":{}`),
			edited(nil)},
		{"a location without a path, a diff without one",
			update("tool_call", `"toolCallId":"t","locations":[{"line":1},{"path":"/b"},7],"content":[{"type":"diff"}]`),
			only(func(c *Call) { c.Locations, c.Diffs = []string{"/b"}, []Change{{}} })},
		{"a chunk appends",
			version2 + update("tool_call_update", edit) + update("tool_call_content_chunk", `"toolCallId":"t","content":{"type":"diff","changes":[{"operation":"move","oldPath":"/a/x","path":"/a/y"}]}`),
			edited(func(c *Call) { c.Diffs = append(c.Diffs, Change{"/a/y", "/a/x", "move"}) })},
		{"another call of that id replaces",
			update("tool_call", edit) + update("tool_call", `"toolCallId":"t","title":"Read"`),
			only(func(c *Call) { c.Title = "Read" })},
		{"an update without a call", update("tool_call_update", `"toolCallId":"t","status":"failed"`),
			only(func(c *Call) { c.Status = "failed" })},
		{"no id", update("tool_call", `"title":"Read"`), none},
		{"an id that is no string", update("tool_call", `"toolCallId":7,"title":"Read"`), none},
		{"another kind of update", update("plan", edit), none},
		{"sent by the client", strings.Replace(update("tool_call", edit), "<", ">", 1), none},

		{"a bare permission", update("tool_call", edit) + ask(`"toolCallId":"t"`), edited(nil)},
		{"a permission for nothing announced", ask(`"toolCallId":"t","title":null`), only(func(c *Call) {})},
		{"a permission adds", update("tool_call", edit) + ask(`"toolCallId":"t","title":"Really edit"`),
			edited(func(c *Call) { c.Title = "Really edit" })},
		{"a permission's paths replace", update("tool_call", edit) + ask(`"toolCallId":"t","locations":[{"path":"/etc/x"}]`),
			edited(func(c *Call) { c.Locations = []string{"/etc/x"} })},
		{"a permission in the shape of version 2",
			version2 + update("tool_call_update", edit) + `< {"id":1,"method":"session/request_permission","params":{"sessionId":"S","title":"May I","subject":{"type":"tool_call","toolCall":{"toolCallId":"t","status":"pending"}},"options":[]}}`,
			edited(nil)},
		{"updates go on after it", update("tool_call", edit) + ask(`"toolCallId":"t","title":"Really edit"`) + update("tool_call_update", `"toolCallId":"t","status":"completed"`),
			edited(func(c *Call) { c.Title, c.Status = "Really edit", "completed" })},
		{"a constant id: the next request",
			ask(`"toolCallId":"t","title":"ls","rawInput":{"command":"ls"}`) + ask(`"toolCallId":"t","title":"rm"`),
			only(func(c *Call) { c.Title = "rm" })},
		{"a constant id: the next request says nothing",
			ask(`"toolCallId":"t","title":"ls","rawInput":{"command":"ls"}`) + ask(`"toolCallId":"t"`),
			only(func(c *Call) {})},
		{"a constant id: a call in between",
			ask(`"toolCallId":"t","title":"ls","rawInput":{"command":"ls"}`) + update("tool_call", `"toolCallId":"t","title":"rm"`) + ask(`"toolCallId":"t"`),
			only(func(c *Call) { c.Title = "rm" })},
		{"a constant id: after the first was over",
			update("tool_call", edit) + update("tool_call_update", `"toolCallId":"t","status":"completed"`) + ask(`"toolCallId":"t","title":"rm"`),
			only(func(c *Call) { c.Title = "rm" })},
		{"a constant id: over, and the next says only what it would run",
			update("tool_call", edit) + update("tool_call_update", `"toolCallId":"t","status":"failed"`) + ask(`"toolCallId":"t","rawInput":{}`),
			only(func(c *Call) { c.RawInput = []byte(`{}`) })},
		{"asked twice for one call",
			update("tool_call", edit) + ask(`"toolCallId":"t","title":"once"`) + ask(`"toolCallId":"t","title":"twice"`),
			edited(func(c *Call) { c.Title = "twice" })},

		{"while a session is replayed",
			`> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}` + "\n" + update("tool_call", edit), edited(nil)},
		{"of a session that has ended", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}
			< {"id":1,"result":{}}
			` + update("tool_call", edit) + `
			> {"id":2,"method":"session/delete","params":{"sessionId":"S"}}
			< {"id":2,"result":{}}`, none},
		{"of a session that has not", `
			> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a"}}
			< {"id":1,"result":{}}
			` + update("tool_call", edit) + `
			> {"id":2,"method":"session/delete","params":{"sessionId":"T"}}
			< {"id":2,"result":{}}
			> {"id":3,"method":"session/delete","params":{"sessionId":"S"}}
			< {"id":3,"error":{"code":1}}`, edited(nil)},
		{"a refused write changes nothing", update("tool_call", edit) + `
			< {"id":5,"method":"fs/write_text_file","params":{"sessionId":"S","path":"/etc/x","content":""}}
			> {"id":5,"error":{"code":-32602}}`, edited(nil)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := conversation{t: t}
			c.exchange(tt.script)
			got, ok := c.fold.Call("S", "t")
			if ok != (tt.want.ID != "") {
				t.Fatalf("remembered: %v", ok)
			}
			got.Digest = [16]byte{}
			got.Content, got.ContentSize = nil, 0 // TestContentIsMerged
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestToolCallsBelongToTheirSession(t *testing.T) {
	c := conversation{t: t}
	c.exchange(update("tool_call", edit))
	for _, names := range [][2]string{{"T", "t"}, {"S", "u"}, {"", "St"}, {"St", ""}} {
		if call, ok := c.fold.Call(names[0], names[1]); ok {
			t.Errorf("%q has %q: %+v", names[0], names[1], call)
		}
	}
}

func TestDigestsTellCallsApart(t *testing.T) {
	long := strings.Repeat("x", MaxRawInput)
	scripts := map[string]string{
		"plain":                update("tool_call", edit),
		"another status":       update("tool_call", edit) + update("tool_call_update", `"toolCallId":"t","status":"failed"`),
		"another new text":     update("tool_call", strings.Replace(edit, `"newText":"x"`, `"newText":"y"`, 1)),
		"another order":        update("tool_call", strings.Replace(edit, `{"path":"/a/budget.go","line":3},{"path":"/a/go.mod"}`, `{"path":"/a/go.mod"},{"path":"/a/budget.go"}`, 1)),
		"paths run together":   update("tool_call", strings.Replace(edit, `{"path":"/a/budget.go","line":3},{"path":"/a/go.mod"}`, `{"path":"/a/budget.go/a/go.mod"}`, 1)),
		"another spelling":     update("tool_call", strings.Replace(edit, `"rawInput":{"path": `, `"rawInput":{"path":`, 1)),
		"no title":             update("tool_call", strings.Replace(edit, `"title":"Edit budget.go",`, ``, 1)),
		"an empty title":       update("tool_call", strings.Replace(edit, `"Edit budget.go"`, `""`, 1)),
		"title and kind apart": update("tool_call", strings.Replace(edit, `"Edit budget.go","kind":"edit"`, `"edit","kind":"Edit budget.go"`, 1)),
		"nothing":              update("tool_call", `"toolCallId":"t"`),
		"empty locations":      update("tool_call", `"toolCallId":"t","locations":[]`),
		"a long input":         update("tool_call", `"toolCallId":"t","rawInput":"`+long+`a"`),
		"its last byte":        update("tool_call", `"toolCallId":"t","rawInput":"`+long+`b"`),
		"a long title":         update("tool_call", `"toolCallId":"t","title":"`+long+`a"`),
		"the title's end":      update("tool_call", `"toolCallId":"t","title":"`+long+`b"`),
		"two chunks":           update("tool_call_content_chunk", `"toolCallId":"t","content":{"type":"content"}`) + update("tool_call_content_chunk", `"toolCallId":"t","content":{"type":"terminal"}`),
		"two chunks, turned":   update("tool_call_content_chunk", `"toolCallId":"t","content":{"type":"terminal"}`) + update("tool_call_content_chunk", `"toolCallId":"t","content":{"type":"content"}`),
		"a permission on top":  update("tool_call", edit) + ask(`"toolCallId":"t","rawInput":{}`),
		"another session":      strings.Replace(update("tool_call", edit), `"S"`, `"T"`, 1),
		"another id":           update("tool_call", strings.Replace(edit, `"t"`, `"u"`, 1)),
	}
	seen := map[[16]byte]string{}
	for name, script := range scripts {
		var call Call
		for range 2 { // the same frames give the same digest
			c := conversation{t: t}
			c.exchange(script)
			for _, id := range [][2]string{{"S", "t"}, {"T", "t"}, {"S", "u"}} {
				if found, ok := c.fold.Call(id[0], id[1]); ok {
					if call.Digest != [16]byte{} && call.Digest != found.Digest {
						t.Errorf("%s has two digests", name)
					}
					call = found
				}
			}
		}
		if other, ok := seen[call.Digest]; ok {
			t.Errorf("%q and %q are the same", name, other)
		}
		seen[call.Digest] = name
	}
}

func TestCallsAreBounded(t *testing.T) {
	paths := func(n, size int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`{"path":"/%0*d"}`, size-1, i))
		}
		return strings.Join(all, ",")
	}
	for _, tt := range []struct {
		name, said                         string
		title, locations, diffs, input, of int
		more                               bool
	}{
		{name: "a title", said: `"title":"` + strings.Repeat("é", maxTitle) + `"`, title: maxTitle},
		{name: "a title, not in the middle of a character", said: `"title":"x` + strings.Repeat("é", maxTitle) + `"`, title: maxTitle - 1},
		{name: "an input that fits", said: `"rawInput":"` + strings.Repeat("x", MaxRawInput-2) + `"`, input: MaxRawInput, of: MaxRawInput},
		{name: "an input that does not", said: `"rawInput":"` + strings.Repeat("x", 2<<20) + `"`, input: MaxRawInput, of: 2<<20 + 2},
		{name: "many locations", said: `"locations":[` + paths(maxShown, 9) + `]`, locations: maxShown},
		{name: "too many locations", said: `"locations":[` + paths(maxShown+1, 9) + `]`, locations: maxShown, more: true},
		{name: "long locations", said: `"locations":[` + paths(20, 4096) + `]`, locations: maxShow / 4096, more: true},
		{name: "many diffs", said: `"content":[` + strings.Repeat(`{"type":"diff","path":"/x"},`, maxShown-1) + `{"type":"diff","path":"/y"}]`, diffs: maxShown},
		{name: "too many diffs", said: `"content":[` + strings.Repeat(`{"type":"diff","path":"/x"},`, maxShown) + `{"type":"diff","path":"/y"}]`, diffs: maxShown, more: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := conversation{t: t}
			c.exchange(update("tool_call", `"toolCallId":"t",`+tt.said))
			call, _ := c.fold.Call("S", "t")
			got := []int{len(call.Title), len(call.Locations), len(call.Diffs), len(call.RawInput), call.RawInputSize}
			if want := []int{tt.title, tt.locations, tt.diffs, tt.input, tt.of}; !reflect.DeepEqual(got, want) || call.More != tt.more {
				t.Errorf("kept %v, more %v; want %v, more %v", got, call.More, want, tt.more)
			}
			c.exchange(update("tool_call_update", `"toolCallId":"t","locations":[],"content":[]`))
			if call, _ := c.fold.Call("S", "t"); call.More {
				t.Error("there are more, although there is nothing")
			}
		})
	}
}

func TestTooManyChunks(t *testing.T) {
	c := conversation{t: t}
	chunk := update("tool_call_content_chunk", `"toolCallId":"t","content":{"type":"diff","path":"/x"}`)
	for i := range maxShown + 10 {
		c.exchange(chunk)
		if call, _ := c.fold.Call("S", "t"); len(call.Diffs) != min(i+1, maxShown) || call.More != (i >= maxShown) {
			t.Fatalf("after %d chunks there are %d diffs, more %v", i+1, len(call.Diffs), call.More)
		}
	}
}

// One that has no room is not forgotten when the next has.
func TestAChunkThatIsTooLong(t *testing.T) {
	c := conversation{t: t}
	for _, path := range []string{strings.Repeat("x", maxShow+1), "/x"} {
		c.exchange(update("tool_call_content_chunk", `"toolCallId":"t","content":{"type":"diff","path":"`+path+`"}`))
		if call, _ := c.fold.Call("S", "t"); !call.More {
			t.Errorf("there are no more than %d diffs", len(call.Diffs))
		}
	}
}

// A call that is pushed out was not told of for the longest time.
func TestForgottenCalls(t *testing.T) {
	c := conversation{t: t}
	call := func(i int) string {
		return update("tool_call_update", fmt.Sprintf(`"toolCallId":"t%d","status":"in_progress"`, i))
	}
	for i := range MaxCalls {
		c.exchange(call(i))
	}
	c.exchange(call(0) + call(MaxCalls))
	for i, want := range map[int]bool{0: true, 1: false, 2: true, MaxCalls: true} {
		if _, ok := c.fold.Call("S", fmt.Sprint("t", i)); ok != want {
			t.Errorf("call %d is remembered: %v", i, ok)
		}
	}
}

// Agents repeat all output so far in each update.
func TestCumulativeUpdates(t *testing.T) {
	var c conversation
	c.t = t
	var f acp.Frame
	for i := range 100 {
		output := strings.Repeat("x", i*15_000)
		line := `{"method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"tool_call_update","toolCallId":"t","rawInput":{"n":` +
			fmt.Sprint(i) + `},"content":[{"type":"content","content":{"type":"text","text":"` + output + `"}}]}}}`
		acp.Scan([]byte(line), &f)
		c.fold.Frame(c.at, acp.Agent, &f)
		if held := c.fold.calls.size; held > 4<<10+MaxRawInput {
			t.Fatalf("%d bytes held after %d updates", held, i+1)
		}
	}
	call, _ := c.fold.Call("S", "t")
	if string(call.RawInput) != `{"n":99}` {
		t.Errorf("the last input is %s", call.RawInput)
	}
}

func TestCallsTakeNoMoreThanTheirShare(t *testing.T) {
	c := conversation{t: t}
	input := strings.Repeat("x", MaxRawInput)
	for i := range 300 {
		c.exchange(update("tool_call", fmt.Sprintf(`"toolCallId":"t%d","rawInput":"%s"`, i, input)) +
			ask(fmt.Sprintf(`"toolCallId":"t%d"`, i)))
		if size := c.fold.calls.size; size > MaxCallBytes {
			t.Fatalf("%d bytes held", size)
		}
	}
	if _, ok := c.fold.Call("S", "t299"); !ok {
		t.Error("the last call is forgotten")
	}
	if _, ok := c.fold.Call("S", "t0"); ok {
		t.Error("the first call is remembered")
	}
}

// What is remembered lives on when the line's memory is used for the next one.
func TestNothingPointsIntoTheFrame(t *testing.T) {
	c := conversation{t: t}
	var f acp.Frame
	for _, script := range []string{
		`> {"id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/a","additionalDirectories":["/b"]}}`,
		`< {"id":1,"result":{"modes":{"currentModeId":"code","availableModes":[{"id":"m1","name":"YOLO"}]}}}`,
		update("session_info_update", `"title":"Repair"`),
		`> {"id":2,"method":"session/set_mode","params":{"sessionId":"S","modeId":"plan"}}`,
		`< {"id":2,"result":{}}`,
		update("tool_call", edit),
		ask(`"toolCallId":"t","locations":[{"path":"/a/x"}]`),
		`> {"id":3,"method":"initialize","params":{"clientInfo":{"name":"zed","version":"1"}}}`,
		`< {"id":3,"result":{"protocolVersion":1,"agentInfo":{"name":"bob","version":"2"}}}`,
	} {
		line := []byte(strings.TrimSpace(script)[2:])
		from := acp.Agent
		if script[0] == '>' {
			from = acp.Client
		}
		acp.Scan(line, &f)
		c.fold.Frame(c.at, from, &f)
		for i := range line {
			line[i] = '!'
		}
	}
	call, _ := c.fold.Call("S", "t")
	call.Digest = [16]byte{}
	if want := edited(func(c *Call) {
		c.Locations = []string{"/a/x"}
		c.Content = []byte(edit[strings.Index(edit, `[{"type":"diff"`):strings.Index(edit, `,"rawInput"`)])
		c.ContentSize = len(c.Content)
	}); !reflect.DeepEqual(call, want) {
		t.Errorf("the call is %+v", call)
	}
	s, _ := c.fold.Session("S")
	if want := (Session{ID: "S", Title: "Repair", Mode: "plan", Grant: Grant{Cwd: "/a", Dirs: []string{"/a", "/b"}}}); !reflect.DeepEqual(s, want) {
		t.Errorf("the session is %+v", s)
	}
	if client, agent := c.fold.Peers(); client.Name != "zed" || agent.Name != "bob" {
		t.Errorf("the peers are %v and %v", client, agent)
	}
}
