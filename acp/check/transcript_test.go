package check

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
)

// TestRealAgents shows what real agents and a client have said to each other.
// Each line of the golden file was compared with the specification. The frames
// of the client were recorded without their jsonrpc, which is found once.
func TestRealAgents(t *testing.T) {
	dir := os.Getenv("BOBPROXY_TESTDATA")
	if dir == "" {
		t.Skip("BOBPROXY_TESTDATA names no folder with the transcripts of real agents, which are not ours to publish")
	}
	files, err := filepath.Glob(filepath.Join(dir, "corpora", "transcripts", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("BOBPROXY_TESTDATA is set and has no transcripts: %v", err)
	}
	var b strings.Builder
	for _, file := range files {
		fmt.Fprintf(&b, "%s\n", filepath.Base(file))
		for _, f := range transcript(t, file) {
			fmt.Fprintf(&b, "  %3d %-6s %-7s %-22s %s\n", f.Seq, f.By, f.Severity, f.Rule, f.Text)
		}
	}
	golden(t, "transcripts.txt", b.String())
}

func transcript(t *testing.T, file string) (all []Finding) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := New()
	seq := uint64(0)
	for line := range strings.Lines(string(text)) {
		var r struct {
			Dir   string          `json:"dir"`
			Frame json.RawMessage `json:"frame"`
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		from := acp.Client
		if r.Dir == "agent" {
			from = acp.Agent
		}
		var f acp.Frame
		acp.Scan(r.Frame, &f)
		seq++
		all = append(all, c.Frame(time.Time{}, seq, from, &f, r.Frame)...)
	}
	return append(all, c.End()...)
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
