package model

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bobproxy/acp"
)

// transcript makes events of frames that were exchanged with a real agent.
func transcript(t *testing.T, file string) *script {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var s script
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var line struct {
			Dir   string          `json:"dir"`
			Frame json.RawMessage `json:"frame"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		from := acp.Agent
		if line.Dir == "client" {
			from = acp.Client
		}
		s.line(from, string(line.Frame), nil)
	}
	return &s
}

func TestLedgersOfRealAgents(t *testing.T) {
	dir := os.Getenv("BOBPROXY_TESTDATA")
	if dir == "" {
		t.Skip("BOBPROXY_TESTDATA is not set: there are no transcripts of real agents")
	}
	const yes, no = "allowed by the editor", "refused by the editor"
	tests := map[string][]string{ // what was done, and who said so, in the order of the ledger
		"claude":          {"edit " + yes, "execute " + yes},
		"claude.par":      {"edit " + yes, "execute " + yes, "edit " + yes},
		"claude.reject":   {"edit " + no, "execute " + no},
		"claude.cancel":   {"edit cancelled by the editor"},
		"claude.v2":       {"edit " + yes, "execute " + yes},
		"codex":           {"execute " + yes, "execute " + yes},
		"codex.par":       {"execute " + yes, "execute " + yes, "execute " + yes},
		"codex.reject":    {"execute " + no},
		"codex.cancel":    {"execute cancelled by the editor"},
		"copilot":         {"edit " + yes, "execute " + yes},
		"copilot.par":     {"edit " + yes, "execute " + yes, "edit " + yes},
		"copilot.reject":  {"edit " + no},
		"copilot.cancel":  {"edit cancelled by the editor"},
		"gemini":          {"edit " + yes, "execute " + yes},
		"gemini.par":      {"edit " + yes, "execute " + yes, "edit " + yes},
		"gemini.reject":   {"edit " + no, "execute " + no},
		"gemini.cancel":   {"edit cancelled by the editor"},
		"opencode":        {"edit " + yes, "execute " + yes},
		"opencode.par":    {"edit " + yes, "execute " + yes, "edit " + yes},
		"opencode.reject": {"edit " + no},
		"opencode.cancel": {"edit cancelled by the editor"},
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			s := transcript(t, filepath.Join(dir, "corpora", "transcripts", name+".jsonl"))
			p := New().add("abcde")
			for i := range s.events {
				p.take(&s.events[i], nil)
			}
			var got []string
			for _, one := range p.Sessions {
				for _, d := range one.Deeds {
					got = append(got, d.What+" "+d.Who())
				}
			}
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("got %q, want %q", got, want)
			}
			if len(p.Open) != 0 || len(p.Pending) != 0 {
				t.Errorf("%d requests and %d permissions are open at the end", len(p.Open), len(p.Pending))
			}
		})
	}
}
