package imported_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/inspector/imported"
	"bobproxy/inspector/model"
	"bobproxy/proxy/journal"
)

var start = time.Date(2026, 3, 2, 12, 4, 0, 0, time.UTC)

// bring imports text, and gives what was recorded.
func bring(t testing.TB, text string) (all []journal.Event, r imported.Report, wrong error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	j, err := journal.New(journal.Options{Instance: "imported", Path: path, Required: true, MaxBytes: math.MaxInt64 / 2})
	if err != nil {
		t.Fatal(err)
	}
	r, wrong = imported.Into(j, strings.NewReader(text), imported.Options{Start: start, Instance: "imported"})
	if err := j.Close(time.Minute); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, r, wrong
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for e, err := range journal.Read(f) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all, r, wrong
}

const (
	ask    = `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`
	answer = `{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}`
	say    = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"}}}}`
)

func quoted(s string) string { return fmt.Sprintf("%q", s) }

func TestFormats(t *testing.T) {
	both := "client " + ask + "\nagent " + answer
	for _, test := range []struct{ name, text, want string }{
		{"transcript", `{"ms":0,"dir":"client","frame":` + ask + `}` + "\n" + `{"ms":1.5,"dir":"agent","frame":` + answer + `}`, both},
		{"acp-devtools", `{
  "version": 1, "exportedAt": 1772453040000, "tool": {"name": "acp-devtools", "version": "0.4.0"},
  "session": {"id": 1, "name": null, "agentCommand": "bob acp", "startedAt": 1772453040000, "endedAt": null},
  "messages": [
    {"seq":1,"timestamp":1772453040001,"direction":"editor-to-agent","kind":"request","raw":` + quoted(ask) + `,"payload":` + ask + `,"method":"session/prompt","rpcId":1},
    {"seq":2,"timestamp":1772453040002,"direction":"agent-to-editor","kind":"response","raw":` + quoted(answer) + `,"payload":` + answer + `,"rpcId":1}
  ]
}`, both},
		{"acp-devtools in one line", `{"version":1,"tool":{"name":"acp-devtools"},"messages":[{"direction":"editor-to-agent","raw":` + quoted(ask) + `},{"direction":"agent-to-editor","raw":` + quoted(answer) + `}]}`, both},
		{"acp-devtools that does not say so", `{"version":1,"session":{"id":1,"agentCommand":"bob acp","startedAt":1772453040000},"messages":[{"direction":"editor-to-agent","raw":` + quoted(ask) + `},{"direction":"agent-to-editor","raw":` + quoted(answer) + `}]}`, both},
		{"a list", "[\n" + ask + ",\n" + answer + "\n]", both},
		{"a list in one line", "[" + ask + "," + answer + "]", both},
		{"a list of lines", "[" + quoted("→ "+ask) + "," + quoted("← "+answer) + "]", both},
		{"frames alone", ask + "\n" + answer + "\n", both},
		{"CRLF, blank lines and a mark at the beginning", "\ufeff" + ask + "\r\n\r\n" + answer + "\r\n", both},
		{"arrows", "→ " + ask + "\n← " + answer, both},
		{"arrows in ASCII", "--> " + ask + "\n<-- " + answer, both},
		{"angles", "> " + ask + "\n< " + answer, both},
		{"words", "2026-03-02T12:04:00Z [client] " + ask + "\n2026-03-02 12:04:01,5 [agent] " + answer, both},
		{"words with an arrow", "client -> agent: " + ask + "\nagent -> client: " + answer, both},
		{"words with an arrow back", "client -> agent: " + ask + "\nclient <- agent: " + answer, both},
		{"sent and received", "Sent: " + ask + "\nReceived: " + answer, both},
		{"direction beside the members", `{"direction":"outgoing","jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}` + "\n" + `{"direction":"incoming",` + answer[1:], both},
		{"from and to", `{"from":"editor","to":"agent","message":` + ask + `}` + "\n" + `{"to":"editor","message":` + answer + `}`, both},
		{"a frame in a string", `{"side":"client","data":` + quoted(ask) + `}` + "\n" + `{"side":"agent","data":` + quoted(answer) + `}`, both},
		{"what is no frame between them", "starting\n" + ask + "\n{\"level\":\"info\"}\n" + answer, both},
	} {
		t.Run(test.name, func(t *testing.T) {
			all, r, err := bring(t, test.text)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range all {
				if e.Type == journal.FrameEvent {
					got = append(got, e.Dir.String()+" "+string(e.Body))
				}
			}
			if strings.Join(got, "\n") != test.want || r.Frames != 2 || r.Guessed != 0 {
				t.Errorf("got\n%s\n%+v\nwant\n%s", strings.Join(got, "\n"), r, test.want)
			}
			if is := r.Format == "a session of acp-devtools"; is != strings.HasPrefix(test.name, "acp-devtools") {
				t.Errorf("taken for %s", r.Format)
			}
		})
	}
}

func TestTimes(t *testing.T) {
	for _, test := range []struct{ name, text, want, told string }{
		{"milliseconds from the start", `{"ms":12.5,"dir":"client","frame":` + ask + `}`, "2026-03-02T12:04:00.0125Z", "told"},
		{"milliseconds since 1970", `{"timestamp":1772453041250,"dir":"client","frame":` + ask + `}`, "2026-03-02T12:04:01.25Z", "told"},
		{"seconds since 1970", `{"ts":1772453041.25,"dir":"client","frame":` + ask + `}`, "2026-03-02T12:04:01.25Z", "told"},
		{"text", `{"time":"2026-03-02T13:04:01.25+01:00","dir":"client","frame":` + ask + `}`, "2026-03-02T12:04:01.25Z", "told"},
		{"in front", "2026-03-02 12:04:01.250 -> " + ask, "2026-03-02T12:04:01.25Z", "told"},
		{"none", ask, "2026-03-02T12:04:00Z", "none"},
	} {
		t.Run(test.name, func(t *testing.T) {
			all, r, err := bring(t, test.text)
			if err != nil || len(all) != 1 {
				t.Fatal(all, err)
			}
			if got := all[0].Time.Round(time.Microsecond).Format(time.RFC3339Nano); got != test.want || r.Times != test.told {
				t.Errorf("got %s, %s; want %s, %s", got, r.Times, test.want, test.told)
			}
		})
	}
}

// Without a direction, the protocol tells it, also where both count their ids alike.
func TestDirections(t *testing.T) {
	all, r, err := bring(t, strings.Join([]string{
		ask, say,
		`{"id":1,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/a"}}`,
		`{"id":1,"result":{"content":"x"}}`,
		`{"id":2,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"}]}}`,
		`{"id":2,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}`,
		`{"method":"_acme/x"}`,
		answer,
	}, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range all {
		word := e.Dir.String()
		if e.Type != journal.FrameEvent {
			word = string(e.Type)
		}
		if e.Decision != nil && e.Decision.By != "" {
			word += " " + e.Decision.By + " " + e.Decision.Outcome + " " + e.Decision.OptionKind
		}
		got = append(got, word+" "+e.Method)
	}
	want := []string{
		"client session/prompt", "agent session/update", "agent fs/read_text_file", "client fs/read_text_file", "agent session/request_permission",
		"opened session/request_permission", "client session/request_permission", "decision editor selected allow_once session/request_permission",
		"agent _acme/x", "agent session/prompt",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if r.Inferred != 7 || r.Guessed != 1 || r.Told != 0 {
		t.Errorf("report: %+v", r)
	}
}

func TestAgainstTroubles(t *testing.T) {
	for _, test := range []struct {
		name, text string
		frames     int
		wrong      bool
	}{
		{"empty", "", 0, false},
		{"prose", "nothing here\nnor here", 0, false},
		{"a number", "12", 0, false},
		{"half a list", "[" + ask + ",", 1, true},
		{"half a document", `{"messages":[{"direction":"editor-to-agent","raw":` + quoted(ask) + `},{"dir`, 1, true},
		{"a document without messages", `{"version":1,` + "\n" + `"messages":{}}`, 0, true},
		{"a recording of ours", `{"time":"2026-03-02T12:04:00Z","seq":1,"instance":"demo1","event":"start","command":["x"],"pid":1}`, 0, true},
		{"a frame that is cut", ask + "\n" + answer[:20], 1, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, r, err := bring(t, test.text)
			if r.Frames != test.frames || (err != nil) != test.wrong {
				t.Errorf("got %+v, %v", r, err)
			}
		})
	}
}

func TestSecretsAreMasked(t *testing.T) {
	all, _, err := bring(t, `{"dir":"client","frame":{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[{"name":"m","type":"http","url":"http://x","headers":[{"name":"Authorization","value":"Bearer abc123def456ghi789"}]}]}}}`)
	if err != nil || len(all) != 1 || strings.Contains(string(all[0].Body), "abc123") || all[0].Masked == 0 {
		t.Errorf("got %+v, %v", all, err)
	}
}

// What is imported is a conversation to all that reads recordings.
func TestModelReadsIt(t *testing.T) {
	all, _, err := bring(t, strings.Join([]string{
		"→ " + ask,
		`← {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"Run","kind":"execute","status":"pending"}}}`,
		`← {"id":2,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"}]}}`,
		`→ {"id":2,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}`,
		`← {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed"}}}`,
		"← " + answer,
	}, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	m := model.New()
	reading := m.Begin("imported")
	for i := range all {
		reading.Take(&all[i], nil)
	}
	p, err := reading.End()
	if err != nil || len(p.Sessions) != 1 || len(p.Sessions[0].Deeds) != 1 || p.Sessions[0].Deeds[0].Verdict != model.Allowed {
		t.Errorf("got %+v, %v", p, err)
	}
}

func TestTranscripts(t *testing.T) {
	dir := os.Getenv("BOBPROXY_TESTDATA")
	if dir == "" {
		t.Skip("BOBPROXY_TESTDATA is not set: no transcripts of real agents")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "corpora", "transcripts", "*.jsonl"))
	if len(files) == 0 {
		t.Fatal("no transcripts in " + dir)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		told, r, err := bring(t, string(text))
		if err != nil || r.Skipped > 0 || r.Told != r.Frames || r.Frames == 0 {
			t.Errorf("%s: %+v, %v", file, r, err)
		}
		compare(t, file, told)
	}
}

// compare imports the frames of a transcript alone, and says how often the
// direction is wrong: it may be only where it is a guess.
func compare(t *testing.T, file string, told []journal.Event) {
	t.Helper()
	var alone strings.Builder
	var dirs []acp.Direction
	for _, e := range told {
		if e.Type == journal.FrameEvent {
			alone.WriteString(string(e.Body) + "\n")
			dirs = append(dirs, e.Dir)
		}
	}
	all, r, err := bring(t, alone.String())
	if err != nil {
		t.Fatal(err)
	}
	wrong, i := 0, 0
	for _, e := range all {
		if e.Type == journal.FrameEvent {
			if e.Dir != dirs[i] {
				wrong++
			}
			i++
		}
	}
	if wrong > r.Guessed {
		t.Errorf("%s: %d directions are wrong, %d were guesses", filepath.Base(file), wrong, r.Guessed)
	}
}

func FuzzInto(f *testing.F) {
	for _, seed := range []string{
		ask, "→ " + ask, "[" + ask + "]", `{"messages":[{"direction":"agent-to-editor","raw":"x"}]}`, `{"ms":1e300,"dir":"client","frame":` + ask + `}`,
		`{"ts":-1,"frame":{"id":null,"result":1}}`, "client 9999-99-99 {", `{"dir":"client","frame":"{"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, r, _ := bring(t, text)
		frames := 0
		for _, e := range all {
			if e.Type == journal.FrameEvent {
				frames++
			}
		}
		if frames != r.Frames || r.Told+r.Inferred+r.Guessed != r.Frames {
			t.Errorf("%d frames are recorded; %+v", frames, r)
		}
	})
}
