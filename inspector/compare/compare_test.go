package compare_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bobproxy/acp/clean"
	"bobproxy/inspector/compare"
	"bobproxy/inspector/conform"
	"bobproxy/inspector/paint"
	"bobproxy/proxy/journal"
)

var update = flag.Bool("update", false, "write the golden files anew")

// recorded reads a recording, of ours or of another program.
func recorded(text string, o compare.Options) *compare.Recording {
	events := journal.Read(strings.NewReader(text))
	if first, _, _ := strings.Cut(text, "\n"); conform.Plain([]byte(first)) {
		events = conform.PlainEvents(strings.NewReader(text))
	}
	r := compare.NewReader(o)
	for e, err := range events {
		r.Take(&e, err)
	}
	return r.End()
}

func diff(a, b string, o compare.Options) *compare.Result {
	return compare.Diff(recorded(a, o), recorded(b, o))
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	all, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

func demo(t *testing.T, name string) string {
	return read(t, "..", "model", "testdata", name+".jsonl")
}

// transcripts is where those of real agents are.
func transcripts(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("BOBPROXY_TESTDATA")
	if dir == "" {
		t.Skip("BOBPROXY_TESTDATA is not set: there are no transcripts of real agents")
	}
	return filepath.Join(dir, "corpora", "transcripts")
}

// same holds got against a golden file.
func same(t *testing.T, file, got string) {
	t.Helper()
	file = filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := read(t, file); got != want {
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
	}
}

func TestTwoDemos(t *testing.T) {
	r := diff(demo(t, "demo"), demo(t, "answers"), compare.Options{})
	same(t, "demo-answers.golden", r.Text("demo.jsonl", "answers.jsonl", compare.Look{Width: 80}))
	doc, err := json.MarshalIndent(r.JSON("demo.jsonl", "answers.jsonl"), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "demo-answers.json.golden", string(doc)+"\n")
}

func TestRealAgents(t *testing.T) {
	dir := transcripts(t)
	for _, test := range []struct {
		a, b string
		opts compare.Options
	}{
		{"claude", "claude.reject", compare.Options{}},
		{"claude", "gemini", compare.Options{}},
		{"codex", "codex.par", compare.Options{Texts: true}},
	} {
		t.Run(test.a+" and "+test.b, func(t *testing.T) {
			a, b := read(t, dir, test.a+".jsonl"), read(t, dir, test.b+".jsonl")
			same(t, test.a+"-"+test.b+".golden", diff(a, b, test.opts).Text(test.a, test.b, compare.Look{Width: 80}))
		})
	}
}

func TestNothingDiffersFromItself(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(transcripts(t), "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		text := read(t, file)
		if r := diff(text, text, compare.Options{Texts: true}); len(r.Differences) > 0 || r.A.Frames == 0 {
			t.Errorf("%s: got %+v", file, r.Differences)
		}
	}
}

// TestWhatIsNoDifference plays the demo elsewhere, later, with other ids and
// other chunks.
func TestWhatIsNoDifference(t *testing.T) {
	text := demo(t, "demo")
	for name, change := range map[string]func(string) string{
		"another directory": strings.NewReplacer("/home/me/retrybudget", "/tmp/x/y-1").Replace,
		"another session":   strings.NewReplacer("bob-session-1", "b").Replace,
		"another time":      strings.NewReplacer(`"time":"2026-03-02T12:04:0`, `"time":"2027-03-02T19:14:2`).Replace,
		"other numbers":     strings.NewReplacer(`"seq":`, `"seq":1`).Replace,
		"another instance":  strings.NewReplacer("demo1", "zzzzz").Replace,
		"other calls":       strings.NewReplacer(`"toolCallId":"`, `"toolCallId":"call`).Replace,
		"other chunks":      halved,
		"no usage":          strings.NewReplacer(`"used":`, `"used":9`).Replace,
	} {
		t.Run(name, func(t *testing.T) {
			other := change(text)
			if other == text {
				t.Fatal("nothing was changed")
			}
			if r := diff(text, other, compare.Options{Texts: name != "other calls"}); len(r.Differences) > 0 {
				t.Errorf("got %s", r.Text("a", "b", compare.Look{Width: 120}))
			}
		})
	}
}

// halved cuts each message chunk in two.
func halved(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		from := strings.Index(line, `"text":"`)
		if !strings.Contains(line, "_message_chunk") || from < 0 {
			b.WriteString(line)
			continue
		}
		from += len(`"text":"`)
		end := from + strings.IndexByte(line[from:], '"')
		half := from + strings.IndexByte(line[from:end]+" ", ' ')
		b.WriteString(line[:half] + line[end:] + line[:from] + line[half:])
	}
	return b.String()
}

// call is a turn with one tool call and a permission, of other shapes.
type call struct {
	cwd, title, kind, status, answer, stop string
	by                                     string
	extra                                  string
}

func (c call) text() string {
	quote := func(s string) string {
		q, _ := json.Marshal(s)
		return string(q)
	}
	lines := []string{
		`"event":"frame","dir":"client","kind":"request","frame":{"id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"terminal":true}}}`,
		`"event":"frame","dir":"agent","kind":"response","frame":{"id":0,"result":{"protocolVersion":1,"agentInfo":{"name":"bob","version":"1"}}}`,
		fmt.Sprintf(`"event":"frame","dir":"client","kind":"request","frame":{"id":1,"method":"session/new","params":{"cwd":%q,"mcpServers":[]}}`, c.cwd),
		`"event":"frame","dir":"agent","kind":"response","frame":{"id":1,"result":{"sessionId":"s"}}`,
		`"event":"frame","dir":"client","kind":"request","session":"s","frame":{"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"go"}]}}`,
		fmt.Sprintf(`"event":"frame","dir":"agent","kind":"notification","session":"s","frame":{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":%s,"kind":%q,"locations":[{"path":"%s/a.go"}]}}}`, quote(c.title), c.kind, c.cwd),
		`"event":"frame","dir":"agent","kind":"request","session":"s","frame":{"id":0,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]}}`,
		fmt.Sprintf(`"event":"frame","dir":"client","kind":"response","session":"s","frame":{"id":0,"result":{"outcome":{"outcome":"selected","optionId":%q}}}`, c.answer),
		fmt.Sprintf(`"event":"decision","id":0,"session":"s","request":"aaaaa:1","by":%q,"outcome":"selected"`, c.by),
		fmt.Sprintf(`"event":"frame","dir":"agent","kind":"notification","session":"s","frame":{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"c","status":%q}}}`, c.status),
		c.extra,
		fmt.Sprintf(`"event":"frame","dir":"agent","kind":"response","session":"s","frame":{"id":2,"result":{"stopReason":%s}}`, quote(c.stop)),
	}
	var b strings.Builder
	for i, line := range slices.DeleteFunc(lines, func(s string) bool { return s == "" }) {
		fmt.Fprintf(&b, `{"time":"2026-01-02T03:04:05Z","seq":%d,"instance":"aaaaa",%s}`+"\n", i+1, line)
	}
	return b.String()
}

var usual = call{cwd: "/w", title: "Edit /w/a.go", kind: "edit", status: "completed", answer: "y", stop: "end_turn", by: "editor"}

// An agent without modes says nothing of them, which is no empty value.
func TestSettingsThatOnlyOneHas(t *testing.T) {
	const opens = `{"time":"2026-01-02T03:04:05Z","seq":1,"instance":"a","event":"frame","dir":"client","kind":"request","method":"session/new","id":1,"frame":{"id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}}
{"time":"2026-01-02T03:04:05Z","seq":2,"instance":"a","event":"frame","dir":"agent","kind":"response","method":"session/new","id":1,"frame":{"id":1,"result":{"sessionId":"s"%}}}
`
	with := strings.Replace(opens, "%", `,"modes":{"currentModeId":"ask","availableModes":[]}`, 1)
	without := strings.Replace(opens, "%", "", 1)
	got := diff(with, without, compare.Options{}).Text("a", "b", compare.Look{Width: 80})
	if !strings.Contains(got, "modes: ask → (nothing)") && !strings.Contains(got, "modes: currentModeId → (nothing)") || strings.Contains(got, "{}") {
		t.Errorf("got %s", got)
	}
}

func TestDifferences(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*call)
		want   string
	}{
		{"another directory", func(c *call) { c.cwd, c.title = "/v", "Edit /v/a.go" }, ""},
		{"a title", func(c *call) { c.title = "Edit b.go" }, "session, turn 1: ~ #6 #6 tool call edit \"Edit ./a.go\" (title: Edit ./a.go, Edit b.go)\n" +
			"session, turn 1: ~ #7 #7 permission edit \"Edit ./a.go\" (title: Edit ./a.go, Edit b.go)\n"},
		{"a kind", func(c *call) { c.kind = "delete" }, "session, turn 1: ~ #6 #6 tool call edit \"Edit ./a.go\" (kind: edit, delete)\n" +
			"session, turn 1: ~ #7 #7 permission edit \"Edit ./a.go\" (kind: edit, delete)\n"},
		{"a status", func(c *call) { c.status = "failed" }, "session, turn 1: ~ #6 #6 tool call edit \"Edit ./a.go\" (status: completed, failed)\n"},
		{"an answer", func(c *call) { c.answer = "n" }, "session, turn 1, after tool call edit \"Edit ./a.go\": ~ #7 #7 permission edit \"Edit ./a.go\" (answer: allow_once, reject_once)\n"},
		{"who answered", func(c *call) { c.by = "panel" }, "session, turn 1, after tool call edit \"Edit ./a.go\": ~ #7 #7 permission edit \"Edit ./a.go\" (by: editor, panel)\n"},
		{"a stop reason", func(c *call) { c.stop = "refusal" }, "session, turn 1, after permission edit \"Edit ./a.go\": ~ #11 #11 end of turn (stop reason: end_turn, refusal)\n"},
		{"another request", func(c *call) {
			c.extra = `"event":"frame","dir":"agent","kind":"request","session":"s","frame":{"id":9,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/w/a.go"}}`
		}, "session, turn 1, after permission edit \"Edit ./a.go\": + #0 #11 fs/read_text_file \"./a.go\" ()\n"},
		{"a new kind of update", func(c *call) {
			c.extra = `"event":"frame","dir":"agent","kind":"notification","session":"s","frame":{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"plan","entries":[]}}}`
		}, "session, turn 1, after end of turn: + #0 #0 kinds of updates ()\n"},
		{"what is masked", func(c *call) { c.title = "[masked]" }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			other := usual
			test.change(&other)
			var b strings.Builder
			for _, d := range diff(usual.text(), other.text(), compare.Options{}).Differences {
				var fields []string
				for _, f := range d.Fields {
					fields = append(fields, fmt.Sprintf("%s: %s, %s", f.Name, f.A, f.B))
				}
				fmt.Fprintf(&b, "%s: %c #%d #%d %s (%s)\n", d.Where, d.Change, d.A, d.B, d.What, strings.Join(fields, "; "))
			}
			if got := b.String(); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestAbilitiesThatOneSideHas(t *testing.T) {
	hello := func(result string) string {
		return `{"dir":"client","frame":{"id":0,"method":"initialize","params":{}}}` + "\n" + `{"dir":"agent","frame":{"id":0,"result":` + result + `}}` + "\n"
	}
	a := `{"agentCapabilities":{"x":{"one":{},"two":{"deep":1}},"y":true,"z":false},"authMethods":[]}`
	b := `{"agentCapabilities":{"y":false,"z":false},"authMethods":[{"id":"key","name":"Key"},{"id":"web","name":"Web"}],"_meta":{"n":1}}`
	want := []compare.Field{
		{Name: "agentCapabilities.x", A: "one, two"},
		{Name: "agentCapabilities.y", A: "true", B: "false"},
		{Name: "authMethods", B: "key, web"},
	}
	r := diff(hello(a), hello(b), compare.Options{})
	if len(r.Differences) != 1 || !slices.Equal(r.Differences[0].Fields, want) {
		t.Errorf("got %+v, want %+v", r.Differences, want)
	}
}

// TestTextFits holds lines against their width, and looks for what a terminal
// would obey.
func TestTextFits(t *testing.T) {
	other := usual
	other.title, other.stop = strings.Repeat("long \x1b[2J\u202e", 50), "\x1b[31m"
	r := diff(usual.text(), other.text(), compare.Options{})
	for _, look := range []compare.Look{{Width: 40}, {Width: 80}, {Width: 160}} {
		for line := range strings.Lines(r.Text("a\x1b[2J", strings.Repeat("b", 300), look)) {
			line = strings.TrimSuffix(line, "\n")
			if paint.Width(line) > look.Width || !clean.Is(line) {
				t.Errorf("at %d: %q", look.Width, line)
			}
		}
	}
	for _, c := range diff(usual.text(), demo(t, "demo"), compare.Options{}).Text("a", "b", compare.Look{Width: 80, ASCII: true}) {
		if c >= 0x80 {
			t.Errorf("not ASCII: %q", c)
		}
	}
}

func TestTooLong(t *testing.T) {
	r := compare.NewReader(compare.Options{})
	e := journal.Event{Type: journal.FrameEvent, Instance: "aaaaa", Dir: 1, Form: journal.FrameBody, Kind: 1, ID: []byte("1")}
	for i := range compare.MaxItems + 3 {
		e.Body = fmt.Appendf(nil, `{"id":%d,"method":"_%d"}`, i, i)
		r.Take(&e, nil)
	}
	a := r.End()
	if a.Left != 3 {
		t.Errorf("left out: got %d, want 3", a.Left)
	}
	text := compare.Diff(a, a).Text("a", "b", compare.Look{Width: 200})
	if !strings.Contains(text, "The two are the same.\n- left out at the end: 3\n+ left out at the end: 3\n") {
		t.Errorf("got %s", text)
	}
}
