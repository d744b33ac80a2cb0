package acp_test

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"testing"

	"bobproxy/acp"
)

// FuzzReaders gives every reader arbitrary bytes, which Scan has not seen.
func FuzzReaders(f *testing.F) {
	for _, s := range []string{
		`{"sessionId":"s","path":"/a"}`, `{"command":"a","args":["b"],"cwd":null}`, `{"cwd":"/a","additionalDirectories":["/b"]}`,
		`{"toolCall":{"toolCallId":"c","locations":[{"path":"/a"}],"content":[{"type":"diff","path":"/a","newText":""}],"rawInput":{}},` + yesNo + `}`,
		`{"title":"t","subject":{"type":"tool_call","toolCall":{"content":[{"type":"diff","changes":[{"operation":"move","oldPath":"/a","path":"/b"}]}]}}}`,
		`{"update":{"sessionUpdate":"config_option_update","configOptions":[{"id":"mode","currentValue":"a"}]}}`,
		`{"outcome":{"outcome":"selected","optionId":"a"}}`, `{"requestId":7}`, `{"protocolVersion":1,"clientInfo":{"name":"a"}}`,
		`{"sessionId":"s","modes":{"currentModeId":"a"}}`, `{"path":"/a","Path":"/b","p\u0061th":"\u002fc","path":`, `[`, "\xff",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(checkReaders)
}

// FuzzReadersMembers gives them values made of the members that they look for,
// by the choices that the input makes.
func FuzzReadersMembers(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		f.Add(choices(r))
	}
	f.Fuzz(func(t *testing.T, picks []byte) {
		w := writer{picks: picks}
		w.object("params", 0)
		checkReaders(t, w.out)
	})
}

// TestReadersAgree compares the readers with another parser over values that
// are made of the members that they look for.
func TestReadersAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 5_000 {
		w := writer{picks: choices(r)}
		w.object("params", 0)
		if checkReaders(t, w.out); t.Failed() {
			t.FailNow()
		}
	}
}

// choices are up to 200 bytes.
func choices(r *rand.Rand) []byte {
	picks := make([]byte, r.IntN(200))
	for i := range picks {
		picks[i] = byte(r.Uint32())
	}
	return picks
}

// writer writes a value by choices.
type writer struct{ picks, out []byte }

// pick gives the next choice out of n; the first when there are none left.
func (w *writer) pick(n int) int {
	if len(w.picks) == 0 {
		return 0
	}
	c := int(w.picks[0])
	w.picks = w.picks[1:]
	return c % n
}

// vocabulary is the members of each kind of object, and of which kind those are
// that are objects, or arrays of them.
var (
	vocabulary = map[string][]string{
		"params": {"toolCall", "subject", "options", "update", "sessionId", "path", "command", "args", "cwd", "additionalDirectories", "title", "description",
			"outcome", "requestId", "protocolVersion", "clientInfo", "agentInfo", "info", "modes", "modeId", "configOptions", "configId", "value"},
		"toolCall": {"toolCallId", "title", "kind", "status", "locations", "content", "content", "rawInput", "rawOutput"},
		"subject":  {"type", "toolCall", "toolCallId", "command", "cwd"},
		"update": {"sessionUpdate", "sessionUpdate", "toolCallId", "title", "kind", "status", "locations", "content", "rawInput",
			"currentModeId", "modeId", "configOptions", "sessionId", "plan", "cwd"},
		"locations":     {"path", "line"},
		"content":       {"type", "type", "path", "oldText", "newText", "changes", "patch", "content", "uri", "resource"},
		"plan":          {"uri", "type"},
		"resource":      {"uri", "uri", "text"},
		"changes":       {"operation", "path", "oldPath", "fileType"},
		"options":       {"optionId", "optionId", "name", "kind"},
		"outcome":       {"outcome", "optionId"},
		"modes":         {"currentModeId", "availableModes"},
		"configOptions": {"id", "configId", "category", "currentValue"},
		"info":          {"name", "title", "version"},
	}
	scalars = []string{`null`, `"/a"`, `"diff"`, `"\u002fb\n"`, `"tool_call"`, `"tool_call_content_chunk"`, `"current_mode_update"`, `"config_option_update"`,
		`"session_info_update"`, `"subagent_update"`, `"plan_update"`, `"terminal_update"`, `"file:///a"`, `"mode"`, `"selected"`, `""`, `7`, `1.5`, `true`, `{}`, `[]`, `["/a","/b",7]`, `[null,"/c"]`, `{"path":"/d"}`, `"d\u0069ff"`,
		`"\ud83d"`, "\"/a\xff\xfe\"", `["\udc00"]`, `{"path":"\ud800\u0041","\ud800":1}`, "\"..\xc0\xaf\\ud800\""}
)

func (w *writer) object(kind string, depth int) {
	if depth > 8 || len(w.picks) == 0 {
		w.out = append(w.out, scalars[w.pick(len(scalars))]...)
		return
	}
	w.out = append(w.out, '{')
	for n := range w.pick(7) {
		if n > 0 {
			w.out = append(w.out, ',')
		}
		names := vocabulary[kind]
		name := names[w.pick(len(names))]
		w.name(name)
		w.out = append(w.out, ':')
		w.value(name, depth+1)
	}
	w.out = append(w.out, '}')
}

// name writes a member's name, sometimes in another way.
func (w *writer) name(name string) {
	switch b := []byte(name); w.pick(64) {
	case 1:
		w.out = strconv.AppendQuote(w.out, string(bytes.ToUpper(b)))
	case 2:
		w.out = append(w.out, `"\u00`+strconv.FormatInt(int64(b[0]), 16)+name[1:]+`"`...)
	case 3:
		w.out = append(w.out, `"`+string(bytes.ReplaceAll(b, []byte("s"), []byte("\u017f")))+`"`...)
	case 4:
		w.out = append(w.out, `"x"`...)
	default:
		w.out = append(w.out, `"`+name+`"`...)
	}
}

// value writes the value of a member.
func (w *writer) value(name string, depth int) {
	kind := name
	switch name {
	case "clientInfo", "agentInfo":
		kind = "info"
	}
	if vocabulary[kind] == nil || w.pick(16) == 1 {
		w.out = append(w.out, scalars[w.pick(len(scalars))]...)
		return
	}
	switch name {
	case "locations", "changes", "options", "configOptions", "content":
		if w.pick(16) == 1 {
			break
		}
		w.out = append(w.out, '[')
		for n := range w.pick(4) {
			if n > 0 {
				w.out = append(w.out, ',')
			}
			w.object(kind, depth+1)
		}
		w.out = append(w.out, ']')
		return
	}
	w.object(kind, depth)
}

// checkReaders compares what the readers say of a value with what another
// parser finds in it, which is told not to mind what is no character. Of what
// that refuses, strict readers must say so.
func checkReaders(t *testing.T, value []byte) {
	t.Helper()
	said := map[string]string{}
	for name, read := range readers {
		said[name] = read(value)
	}
	acp.NamesEnforced(value)
	acp.FilePath(string(value))
	if bytes.Count(value, []byte("["))+bytes.Count(value, []byte("{")) > 128 {
		return // may be too deep to read
	}
	tree := readTree(value)
	if tree == nil {
		for name, reason := range reasons(value) {
			if reason == 0 && len(value) > 0 {
				t.Errorf("%s has no reason, but a parser refuses %q", name, value)
			}
		}
		return
	}
	for name, reason := range reasons(value) {
		grounds := tree.oddities(shapes[name])
		if name == "permission" && !agrees(tree) {
			grounds[acp.Conflict] = true
		}
		if reason == 0 && len(grounds) > 0 || reason != 0 && !grounds[reason] {
			t.Errorf("%s of %s: got %q, want one of %v", name, value, reason, grounds)
		}
		if reason != 0 {
			delete(said, name)
		}
	}
	if len(tree.oddities(cancelShape)) > 0 || garbled(string(tree.get("requestId").bytes())) != nil {
		if said["cancel"] != "" {
			t.Errorf("cancel of %s: got%s", value, said["cancel"])
		}
		delete(said, "cancel")
	}
	for name, got := range said {
		if want := expected[name](tree); got != want {
			t.Errorf("%s of %s\n got%s\nwant%s", name, value, got, want)
		}
	}
}

var shapes = map[string]*shape{
	"file": fileShape, "terminal": terminalShape, "setup": setupShape, "permission": permissionShape, "outcome": outcomeShape,
}

// reasons are those of the strict readers.
func reasons(value []byte) map[string]acp.Reason {
	return map[string]acp.Reason{
		"file": acp.ReadFile(value).Reason, "terminal": acp.ReadTerminal(value).Reason, "setup": acp.ReadSetup(value).Reason,
		"permission": acp.ReadPermission(value).Reason, "outcome": acp.ReadOutcome(value).Reason,
	}
}
