package session

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
)

// said are frames of a made-up conversation. $I stands for an id, $J for
// a word, $S and $T for sessions. What the client gives lies below /client, what the agent would like
// below /agent.
var said = []string{
	`> {"id":$I,"method":"session/new","params":{"cwd":"/client/$J","additionalDirectories":["/client/$T",7]}}`,
	`> {"id":$I,"method":"session/new","params":{"cwd":"rel"}}`,
	`> {"id":$I,"method":"session/load","params":{"sessionId":"$S","cwd":"/client/$J"}}`,
	`> {"id":$I,"method":"session/resume","params":{"sessionId":"$S","cwd":"/client/$T","cwd":"/client/$J"}}`,
	`> {"id":$I,"method":"session/fork","params":{"sessionId":"$S","cwd":"/client/$T"}}`,
	`> {"id":$I,"method":"session/close","params":{"sessionId":"$S"}}`,
	`> {"id":$I,"method":"session/delete","params":{"sessionId":"$S"}}`,
	`> {"id":$I,"method":"session/prompt","params":{"sessionId":"$S"}}`,
	`> {"id":null,"method":"session/prompt","params":{"sessionId":"$S"}}`,
	`> {"id":null,"method":"session/load","params":{"sessionId":"$S","cwd":"/client/$J"}}`,
	`> {"id":$I,"method":"session/set_mode","params":{"sessionId":"$S","modeId":"yolo"}}`,
	`> {"id":$I,"method":"session/set_config_option","params":{"sessionId":"$S","configId":"mode","value":"$T"}}`,
	`> {"id":$I,"method":"initialize","params":{"protocolVersion":2,"clientInfo":{"name":"$T"}}}`,
	`> {"method":"session/cancel","params":{"sessionId":"$S"}}`,
	`> {"id":$I,"result":{"sessionId":"$S"}}`,
	`> {"id":$I,"error":{"code":1}}`,
	`< {"id":$I,"result":{"sessionId":"$S","cwd":"/agent","modes":{"currentModeId":"m","availableModes":[{"id":"m","name":"Bypass"}]}}}`,
	`< {"id":$I,"result":{"protocolVersion":1,"configOptions":[{"id":"mode","category":"mode","currentValue":"yolo"}]}}`,
	`< {"id":$I,"result":{"protocolVersion":2}}`,
	`< {"id":$I,"result":null}`,
	`< {"id":$I,"error":{"code":-32602}}`,
	`< {"id":$I,"method":"session/new","params":{"cwd":"/agent"}}`,
	`< {"id":$I,"method":"session/load","params":{"sessionId":"$S","cwd":"/agent"}}`,
	`< {"id":$I,"method":"session/close","params":{"sessionId":"$S"}}`,
	`< {"id":$I,"method":"fs/write_text_file","params":{"sessionId":"$S","path":"/agent/x"}}`,
	`< {"id":$I,"method":"session/request_permission","params":{"sessionId":"$S","toolCall":{"toolCallId":"$T","title":"$J","locations":[{"path":"/agent"}]}}}`,
	`< {"id":$I,"method":"session/request_permission","params":{"sessionId":"$S","toolCall":{"toolCallId":"$T","rawInput":null}}}`,
	`< {"method":"session/update","params":{"sessionId":"$S","update":{"sessionUpdate":"subagent_update","sessionId":"$T","cwd":"/agent","additionalDirectories":["/agent"]}}}`,
	`< {"method":"session/update","params":{"sessionId":"$S","update":{"sessionUpdate":"tool_call","toolCallId":"$T","title":"$J","rawInput":[1]}}}`,
	`< {"method":"session/update","params":{"sessionId":"$S","update":{"sessionUpdate":"tool_call_update","toolCallId":"$T","status":"completed","title":null}}}`,
	`< {"method":"session/update","params":{"sessionId":"$S","update":{"sessionUpdate":"tool_call_content_chunk","toolCallId":"$T","content":{"type":"diff","path":"/agent/$J"}}}}`,
	`< {"method":"session/update","params":{"sessionId":"$S","update":{"sessionUpdate":"state_update","state":"running"}}}`,
	`< {"method":"session/update","params":{"sessionId":"$S","update":{"sessionUpdate":"current_mode_update","currentModeId":"$J"}}}`,
	`< {"method":"session/update","params":{"sessionId":"$S","update":{"sessionUpdate":"session_info_update","title":"$J"}}}`,
	`< {"method":"session/update","params":{"sessionId":"$S","update":{"sessionUpdate":"agent_message_chunk"}}}`,
	`< not a frame`,
}

// long is an id that is kept as a digest.
var long = strings.Repeat("e", longKey+1)

// script turns bytes into lines of both sides, three bytes a line.
func script(data []byte) (lines []string) {
	for ; len(data) >= 3; data = data[3:] {
		sessions := []string{"a", "b", `c\u0063`, "d", long}
		lines = append(lines, strings.NewReplacer(
			"$I", fmt.Sprint(data[1]%6), "$J", fmt.Sprint(data[2]%7),
			"$S", sessions[data[1]/6%5], "$T", sessions[data[2]/7%5],
		).Replace(said[int(data[0])%len(said)]))
	}
	return lines
}

// play feeds lines to two folds, which must agree, and checks what must hold
// whatever was said.
func play(t *testing.T, lines []string) {
	var one, other Fold
	var f acp.Frame
	at := time.Unix(0, 0)
	for i, line := range lines {
		at = at.Add(time.Second)
		from := acp.Agent
		if strings.HasPrefix(line, ">") {
			from = acp.Client
		}
		acp.Scan([]byte(line[min(len(line), 2):]), &f)
		if a, b := one.Frame(at, from, &f), other.Frame(at, from, &f); !reflect.DeepEqual(a, b) {
			t.Fatalf("line %d is %+v and %+v", i, a, b)
		}
		check(t, &one)
		if t.Failed() {
			t.Fatalf("after\n%s", strings.Join(lines[:i+1], "\n"))
		}
	}
	if a, b := views(&one), views(&other); !reflect.DeepEqual(a, b) {
		t.Errorf("two folds of the same frames:\n%v\n%v", a, b)
	}
}

// views is all that a fold shows.
func views(f *Fold) []any {
	client, agent := f.Peers()
	all := []any{f.Sessions(), f.AllGrants(), f.Version(), client, agent, f.Owed(acp.Client), f.Owed(acp.Agent)}
	for _, session := range []string{"a", "b", "cc", "d", long, "nobody"} {
		s, _ := f.Session(session)
		g, known := f.Grants(session)
		call, _ := f.Call(session, "b")
		all = append(all, s, g, known, call, f.Prompt(session))
	}
	return all
}

// check says what is wrong with a fold.
func check(t *testing.T, f *Fold) {
	t.Helper()
	for _, g := range f.AllGrants() {
		for _, dir := range g.Dirs {
			if !strings.HasPrefix(dir, "/client/") {
				t.Errorf("the client did not give %q", dir)
			}
		}
	}
	for _, name := range []string{"a", "b", "cc", "d", long} {
		s, ok := f.Session(name)
		grants, known := f.Grants(name)
		if ok && (!known || len(grants) == 0 || !reflect.DeepEqual(grants[0], s.Grant)) {
			t.Errorf("%s is %+v, but may use %v, %v", name, s, grants, known)
		}
		if _, ok := f.Session(s.Parent); s.Parent != "" && !ok {
			t.Errorf("%s outlives its parent %s", name, s.Parent)
		}
	}
	s := &f.sessions
	if len(s.byKey) != s.own.Len()+s.children.Len() || s.own.Len() > MaxSessions || s.children.Len() > MaxChildren {
		t.Errorf("%d records, %d sessions and %d children", len(s.byKey), s.own.Len(), s.children.Len())
	}
	size, under := 0, 0
	for _, r := range s.byKey {
		size += r.grant.size()
	}
	for _, s := range f.setups.all {
		under += s.grant.size()
	}
	if size != s.size || under != f.setups.size {
		t.Errorf("%d bytes of grants are taken for %d, %d under way for %d", size, s.size, under, f.setups.size)
	}
	if len(f.setups.all) > f.Owed(acp.Client) || len(s.prompts) > f.Owed(acp.Client) {
		t.Errorf("%d setups and %d prompts of %d requests", len(f.setups.all), len(s.prompts), f.Owed(acp.Client))
	}
	if len(f.calls.byKey) != f.calls.byUse.Len() || len(f.calls.byKey) > MaxCalls || f.calls.size > MaxCallBytes || f.calls.size < 0 {
		t.Errorf("%d calls, %d in order, of %d bytes", len(f.calls.byKey), f.calls.byUse.Len(), f.calls.size)
	}
	if f.Owed(acp.Client) == 0 && len(f.setups.all)+len(s.prompts)+f.setups.size > 0 {
		t.Error("something is under way although nothing was asked")
	}
}

func FuzzConversation(f *testing.F) {
	f.Add([]byte{2, 0, 0, 19, 0, 0, 27, 0, 7, 5, 1, 0, 19, 1, 0})
	f.Fuzz(func(t *testing.T, data []byte) { play(t, script(data[:min(len(data), 600)])) })
}

// FuzzLines lets both sides say anything.
func FuzzLines(f *testing.F) {
	f.Add([]byte(strings.Join(said, "\n")))
	for _, line := range said {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var fold Fold
		var frame acp.Frame
		for line := range bytes.Lines(data) {
			from := acp.Agent
			if line[0] == '>' {
				from = acp.Client
			}
			acp.Scan(line[min(len(line), 2):], &frame)
			fold.Frame(time.Time{}, from, &frame)
		}
		views(&fold)
		if len(fold.sessions.byKey) != fold.sessions.own.Len()+fold.sessions.children.Len() {
			t.Error("a record is lost")
		}
	})
}

func TestAnyConversation(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		data := make([]byte, 3*(1+random.IntN(200)))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		if play(t, script(data)); t.Failed() {
			return
		}
	}
}

// Whatever becomes of requests, nothing of them stays.
func TestNothingIsLeftOfRequests(t *testing.T) {
	c := conversation{t: t}
	for _, kind := range []string{
		`"session/new","params":{"cwd":"/client/x"}`,
		`"session/load","params":{"sessionId":"s$","cwd":"/client/x"}`,
		`"session/prompt","params":{"sessionId":"s$"}`,
		`"session/close","params":{"sessionId":"s$"}`,
		`"session/set_mode","params":{"sessionId":"s$","modeId":"yolo"}`,
	} {
		request := `{"id":$,"method":` + kind + "}"
		for i := range 20_000 {
			c.line(acp.Client, strings.ReplaceAll(request, "$", fmt.Sprint(i)))
			if i%3 == 0 {
				c.line(acp.Client, fmt.Sprintf(`{"method":"$/cancel_request","params":{"requestId":%d}}`, i))
			}
		}
		check(t, &c.fold)
		if n := c.fold.Owed(acp.Client); n != MaxOpen {
			t.Fatalf("%d requests are open, want %d", n, MaxOpen)
		}
		for i := range 20_000 {
			c.line(acp.Agent, fmt.Sprintf(`{"id":%d,"error":{"code":-32800}}`, i))
		}
		check(t, &c.fold)
		if n := len(c.fold.sessions.byKey) + len(c.fold.setups.all) + c.fold.Owed(acp.Client); n != 0 {
			t.Fatalf("%s: %d things are left", kind, n)
		}
	}
}

func TestDullFramesCostNoAllocation(t *testing.T) {
	var c conversation
	c.t = t
	c.exchange(open)
	for _, kind := range []string{"agent_message_chunk", "agent_thought_chunk", "plan", "usage_update", "available_commands_update", "_private"} {
		var f acp.Frame
		line := strings.TrimSpace(update(kind, `"content":{"type":"text","text":"x"},"title":"t"`))
		acp.Scan([]byte(line[2:]), &f)
		if f.Kind != acp.Notification {
			t.Fatalf("%s is %v", line, f.Kind)
		}
		if n := testing.AllocsPerRun(100, func() { c.fold.Frame(c.at, acp.Agent, &f) }); n != 0 {
			t.Errorf("%v allocations for %s", n, kind)
		}
	}
}
