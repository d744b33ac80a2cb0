package acp_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bobproxy/acp"
)

// transcript is what a real agent and its client said to each other.
type transcript struct {
	name   string
	frames []spoken
}

type spoken struct {
	from  acp.Direction
	raw   []byte
	frame acp.Frame
}

func transcripts(t *testing.T) (all []transcript) {
	t.Helper()
	files, err := filepath.Glob(testdata(t, "corpora", "transcripts", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts found: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tr := transcript{name: filepath.Base(file)}
		for line := range bytes.Lines(text) {
			var row struct {
				Dir   string
				Frame json.RawMessage
			}
			if err := json.Unmarshal(line, &row); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			s := spoken{raw: row.Frame, from: acp.Client}
			if row.Dir == acp.Agent.String() {
				s.from = acp.Agent
			}
			acp.Scan(s.raw, &s.frame)
			tr.frames = append(tr.frames, s)
		}
		all = append(all, tr)
	}
	return all
}

// answers pairs what from asked by method with what it was told.
func (tr transcript) answers(from acp.Direction, method string) (pairs [][2]*acp.Frame) {
	for i := range tr.frames {
		asked := &tr.frames[i]
		if asked.from != from || asked.frame.Kind != acp.Request || string(asked.frame.Method) != method {
			continue
		}
		pair := [2]*acp.Frame{&asked.frame, nil}
		for j := range tr.frames[i:] {
			told := &tr.frames[i+j]
			if told.from != from && told.frame.Kind == acp.Response && bytes.Equal(told.frame.ID, asked.frame.ID) {
				pair[1] = &told.frame
				break
			}
		}
		pairs = append(pairs, pair)
	}
	return pairs
}

func TestTranscriptsPermissions(t *testing.T) {
	kinds := []string{"allow_once", "allow_always", "reject_once", "reject_always"}
	asked, paths, withDiffs, selected := 0, 0, 0, 0
	for _, tr := range transcripts(t) {
		for _, pair := range tr.answers(acp.Agent, acp.MethodRequestPermission) {
			asked++
			p := acp.ReadPermission(pair[0].Params)
			if p.Reason != 0 || p.NoOptions || len(p.Options) < 2 || !p.Session.OK || !p.Call.ID.OK || p.Title == "" {
				t.Errorf("%s: %s\ngot %s", tr.name, pair[0].Params, showPermission(p))
			}
			for _, o := range p.Options {
				if o.Odd || o.Name == "" || !slices.Contains(kinds, o.Kind) {
					t.Errorf("%s: got the option %+v", tr.name, o)
				}
			}
			paths += checkPaths(t, tr.name, pair[0].Params, &p.Call)
			if len(p.Call.Diffs) > 0 {
				withDiffs++
			}
			if pair[1] == nil {
				continue
			}
			o := acp.ReadOutcome(pair[1].Result)
			offered := slices.ContainsFunc(p.Options, func(option acp.Option) bool { return option.ID.Value == o.Option })
			switch {
			case o.Reason == 0 && o.Kind == "selected" && o.HasOption && offered:
				selected++
			case o.Reason == 0 && o.Kind == "cancelled" && !o.HasOption:
			default:
				t.Errorf("%s: %s: got%s", tr.name, pair[1].Result, showOutcome(o))
			}
		}
	}
	if asked == 0 || paths < asked || withDiffs == 0 || selected == 0 {
		t.Errorf("got %d requests with %d paths, %d with diffs, %d answers that select", asked, paths, withDiffs, selected)
	}
}

// checkPaths looks for paths by the text of a frame, without the input of the
// tool: each that a location or a diff in it has must be read, and no other. It
// gives how many there are.
func checkPaths(t *testing.T, name string, raw []byte, c *acp.ToolCall) int {
	t.Helper()
	var want, got []string
	for rest, found := string(bytes.ReplaceAll(raw, c.RawInput, nil)), true; ; {
		if _, rest, found = strings.Cut(rest, `"path":"`); !found {
			break
		}
		path, _, _ := strings.Cut(rest, `"`)
		want = append(want, path)
	}
	for _, l := range c.Locations {
		got = append(got, l.Value)
	}
	for _, d := range c.Diffs {
		got = append(got, d.Path.Value)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%s: %s: got the paths %q, want %q", name, raw, got, want)
	}
	return len(got)
}

func TestTranscriptsUpdates(t *testing.T) {
	kinds := map[string]int{}
	for _, tr := range transcripts(t) {
		for _, s := range tr.frames {
			if string(s.frame.Method) != acp.MethodSessionUpdate {
				continue
			}
			u := acp.ReadUpdate(s.frame.Params)
			if u.Kind == "" || u.Kind != string(s.frame.Update) || u.Session.Value != string(s.frame.Session) {
				t.Errorf("%s: %s: got %q of %q, Scan %q of %q", tr.name, s.raw, u.Kind, u.Session.Value, s.frame.Update, s.frame.Session)
			}
			if call := strings.HasPrefix(u.Kind, "tool_call"); call != u.Call.ID.OK {
				t.Errorf("%s: %s: got%s", tr.name, s.raw, showUpdate(u))
			}
			if u.Kind == "current_mode_update" && !u.Mode.OK {
				t.Errorf("%s: %s: no mode", tr.name, s.raw)
			}
			kinds[u.Kind]++
		}
	}
	for _, kind := range []string{"tool_call", "tool_call_update", "agent_message_chunk"} {
		if kinds[kind] == 0 {
			t.Errorf("no %s in %v", kind, kinds)
		}
	}
}

func TestTranscriptsBeginnings(t *testing.T) {
	modes := 0
	for _, tr := range transcripts(t) {
		for _, pair := range tr.answers(acp.Client, acp.MethodInitialize) {
			for _, h := range []acp.Hello{acp.ReadHello(pair[0].Params), acp.ReadHello(pair[1].Result)} {
				if h.Version == 0 || h.Version > 2 || h.Name == "" {
					t.Errorf("%s: got%s", tr.name, showHello(h))
				}
			}
		}
		for _, pair := range tr.answers(acp.Client, acp.MethodSessionNew) {
			if s := acp.ReadSetup(pair[0].Params); s.Cwd.Value != "/ws" || s.Reason != 0 || s.Session.Raw != nil {
				t.Errorf("%s: got%s", tr.name, showSetup(s))
			}
			session, mode := acp.ReadSession(pair[1].Result)
			if session.Value == "" {
				t.Errorf("%s: %s: no session", tr.name, pair[1].Result)
			}
			if mode.OK {
				modes++
			}
		}
	}
	if modes == 0 {
		t.Error("no session has a mode")
	}
}
