package replay_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bobproxy/acp"
	"bobproxy/lab/editor"
	"bobproxy/lab/replay"
)

// TestTranscriptsAgainstTheEditor plays real agents to the lab's editor, which
// allows everything and knows nothing of how they were recorded. Its turn ends
// as it did then.
func TestTranscriptsAgainstTheEditor(t *testing.T) {
	data := os.Getenv("BOBPROXY_TESTDATA")
	if data == "" {
		t.Skip("BOBPROXY_TESTDATA is not set, so there are no transcripts of real agents")
	}
	files, _ := filepath.Glob(filepath.Join(data, "corpora", "transcripts", "*.jsonl"))
	if len(files) == 0 {
		t.Fatalf("no transcripts in %s", data)
	}
	for _, path := range files {
		if strings.HasSuffix(path, ".v2.jsonl") {
			continue // the editor speaks version 1
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".jsonl"), func(t *testing.T) {
			frames, stop := transcript(t, path)
			agentIn, clientOut := io.Pipe()
			clientIn, agentOut := io.Pipe()
			done := make(chan replay.Report)
			go func() {
				report, err := replay.Agent(t.Context(), frames, agentIn, agentOut, replay.Options{})
				if err != nil {
					t.Error(err)
				}
				done <- report
			}()
			result, err := editor.Converse(t.Context(), clientIn, clientOut, editor.Options{Dir: t.TempDir(), Prompt: "Go on."})
			report := <-done
			if err != nil || result.StopReason != stop {
				t.Errorf("the turn ended with %q, want %q (%v); %+v", result.StopReason, stop, err, report)
			}
			if report.Notes == 0 {
				t.Error("that the prompt is another one was not noted")
			}
		})
	}
}

// transcript reads a transcript, and why its turn ended.
func transcript(t *testing.T, path string) (frames []replay.Frame, stop string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var r struct {
			Dir   string
			Frame json.RawMessage
		}
		var reply struct{ Result struct{ StopReason string } }
		if json.Unmarshal(line, &r) != nil {
			t.Fatalf("%s: %s", path, line)
		}
		f := replay.Frame{Number: uint64(len(frames) + 1), From: acp.Client, Line: r.Frame}
		if r.Dir == "agent" {
			f.From = acp.Agent
			if json.Unmarshal(r.Frame, &reply) == nil && reply.Result.StopReason != "" {
				stop = reply.Result.StopReason
			}
		}
		frames = append(frames, f)
	}
	return frames, stop
}
