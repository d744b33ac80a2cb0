package replay

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
)

// record is a line of a transcript or of a recording.
type record struct {
	MS     float64
	Time   time.Time
	Seq    uint64
	Event  string
	Dir    string
	Added  bool
	Action string
	Frame  json.RawMessage
}

// readFrames reads what the peers said in a recording or transcript.
func readFrames(t testing.TB, path string) (frames []Frame) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for n := uint64(1); lines.Scan(); n++ {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if r.Event != "" && r.Event != "frame" || r.Action == "withheld" || r.Action == "swallowed" || r.Added && bytes.Contains(r.Frame, []byte(`"method"`)) {
			continue
		}
		f := Frame{Number: max(r.Seq, n), At: r.Time, From: acp.Client, Line: bytes.Clone(r.Frame)}
		if r.Dir == "agent" {
			f.From = acp.Agent
		}
		if r.Time.IsZero() {
			f.At = time.Unix(0, int64(r.MS*1e6))
		}
		frames = append(frames, f)
	}
	return frames
}

// meeting is what both sides of a replay found.
type meeting struct {
	agent, client           Report
	agentFound, clientFound []Finding
}

// meet plays one recording as the agent and another as the client, to each
// other.
func meet(t *testing.T, asAgent, asClient []Frame, strict bool, dir string) (m meeting) {
	t.Helper()
	toAgent, fromClient := io.Pipe()
	toClient, fromAgent := io.Pipe()
	done := make(chan error, 1)
	go func() {
		var err error
		m.agent, err = Agent(t.Context(), asAgent, toAgent, fromAgent, Options{
			Strict: strict, Found: func(f Finding) { m.agentFound = append(m.agentFound, f) },
		})
		done <- err
	}()
	var err error
	m.client, err = Client(t.Context(), asClient, toClient, fromClient, Options{
		Strict: strict, Dir: dir, Found: func(f Finding) { m.clientFound = append(m.clientFound, f) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	return m
}

// transcripts are recordings with real agents.
func transcripts(t testing.TB) []string {
	t.Helper()
	data := os.Getenv("BOBPROXY_TESTDATA")
	if data == "" {
		t.Skip("BOBPROXY_TESTDATA is not set, so there are no transcripts of real agents")
	}
	files, err := filepath.Glob(filepath.Join(data, "corpora", "transcripts", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts in %s (%v)", data, err)
	}
	return files
}

// TestBothSidesOfTranscripts plays recordings of real agents to themselves, in
// another workspace. Neither side may find that anything differs.
func TestBothSidesOfTranscripts(t *testing.T) {
	for _, path := range transcripts(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".jsonl"), func(t *testing.T) {
			sameOnBothSides(t, readFrames(t, path))
		})
	}
}

func TestBothSidesOfRecordings(t *testing.T) {
	for _, name := range []string{"demo", "answers"} {
		t.Run(name, func(t *testing.T) {
			sameOnBothSides(t, readFrames(t, "../../inspector/model/testdata/"+name+".jsonl"))
		})
	}
}

func sameOnBothSides(t *testing.T, frames []Frame) {
	t.Helper()
	m := meet(t, frames, frames, true, "/else/where")
	for _, f := range m.agentFound {
		t.Errorf("as agent: %v", f)
	}
	for _, f := range m.clientFound {
		t.Errorf("as client: %v", f)
	}
	if m.client.Left > 0 {
		t.Errorf("the client left %d frames unsent", m.client.Left)
	}
	if got, want := m.agent.Sent+m.agent.Left, countFrom(frames, acp.Agent); got != want {
		t.Errorf("the agent sent %d frames and left %d, of %d", m.agent.Sent, m.agent.Left, want)
	}
}

func countFrom(frames []Frame, from acp.Direction) (n int) {
	for _, f := range frames {
		if f.From == from {
			n++
		}
	}
	return n
}
