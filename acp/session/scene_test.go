package session

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
)

var rewrite = flag.Bool("update", false, "write golden files")

// teller feeds lines to a fold and its story, one second apart.
type teller struct {
	t     testing.TB
	fold  *Fold
	story *Story
	at    time.Time
	seq   uint64
}

func newTeller(t testing.TB) *teller {
	fold := &Fold{}
	return &teller{t: t, fold: fold, story: NewStory(fold), at: time.Unix(0, 0).UTC()}
}

func (r *teller) frame(from acp.Direction, f *acp.Frame) Told {
	r.at = r.at.Add(time.Second)
	r.seq++
	fact := r.fold.Frame(r.at, from, f)
	return r.story.Frame(r.at, r.seq, from, f, &fact)
}

func (r *teller) line(from acp.Direction, line string) Told {
	var f acp.Frame
	acp.Scan([]byte(line), &f)
	if f.Kind == acp.Text || f.Kind == acp.Ambiguous {
		r.t.Helper()
		r.t.Fatalf("no frame (%v): %s", f.Reason, line)
	}
	return r.frame(from, &f)
}

// TestTranscripts tells what real agents and their client said.
func TestTranscripts(t *testing.T) {
	dir := os.Getenv("BOBPROXY_TESTDATA")
	if dir == "" {
		t.Skip("BOBPROXY_TESTDATA is not set, so there are no transcripts to tell")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "corpora", "transcripts", "*.jsonl"))
	if len(files) == 0 {
		t.Fatal("no transcripts found")
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(name, func(t *testing.T) {
			golden(t, filepath.Join("testdata", "transcripts", name+".txt"), tellTranscript(t, file))
		})
	}
}

func tellTranscript(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := newTeller(t)
	var b strings.Builder
	for line := range bytes.Lines(text) {
		var row struct {
			Dir   string
			Frame json.RawMessage
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		from := acp.Client
		if row.Dir == acp.Agent.String() {
			from = acp.Agent
		}
		told := r.line(from, string(row.Frame))
		fmt.Fprintf(&b, "%3d %-6s %s\n", r.seq, from, toldWords(told))
	}
	for _, talk := range r.story.Talks() {
		b.WriteString(talkWords(talk))
	}
	return b.String()
}

// golden compares got with a file, or writes it.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *rewrite {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(text), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(want) || line != want[i] {
			t.Fatalf("%s, line %d:\ngot  %s\nwant %s", file, i+1, line, strings.Join(want[min(i, len(want)):min(i+1, len(want))], ""))
		}
	}
	if got != string(text) {
		t.Errorf("%s: the end is missing", file)
	}
}

// toldWords is a Told on one line.
func toldWords(told Told) string {
	words := told.Update
	if told.Chunk {
		words += " chunk"
	}
	if told.Call != "" {
		words += fmt.Sprintf(" (%s %s %s)", told.Call, told.Tool, told.Status)
	}
	if told.Entry != nil {
		words += fmt.Sprintf(" @%d", told.Entry.Seq)
	}
	if told.Run != "" {
		words += fmt.Sprintf(" run %q", told.Run)
	}
	return strings.TrimSpace(words + fmt.Sprintf(" %q", told.First))
}

// talkWords is a Talk in lines.
func talkWords(t *Talk) string {
	var b strings.Builder
	fmt.Fprintf(&b, "session %s %q\n", t.Session, t.Title)
	fmt.Fprintf(&b, "  prompt %q, turns %d, stop %q, running %v, loading %v, frames %d, dropped %d\n",
		clip(t.Prompt, 60), t.Turns, t.Stop, t.Running, t.Loading, t.Frames, t.Dropped)
	fmt.Fprintf(&b, "  mode %q of %d, %d commands, usage %+v\n", t.Mode, len(t.Modes), len(t.Commands), t.Usage)
	for _, o := range t.Options {
		fmt.Fprintf(&b, "  option %s %q is %q of %d\n", o.ID, o.Name, o.Current, len(o.Values))
	}
	for _, p := range t.Plans {
		fmt.Fprintf(&b, "  plan %q %s %q %v\n", p.ID, p.Kind, p.Text, p.Steps)
	}
	for _, e := range t.Entries {
		b.WriteString("  " + entryWords(e) + "\n")
	}
	return b.String()
}

// kindWords are the names of entries.
var kindWords = [...]string{"", "user", "agent", "thought", "tool", "notice", "compaction", "unknown", "end", "setting", "subagent"}

// entryWords is an Entry on one line.
func entryWords(e *Entry) string {
	words := fmt.Sprintf("%d–%d %s", e.Seq, e.LastSeq, kindWords[e.Kind])
	for _, s := range []string{e.ID, e.Name} {
		if s != "" {
			words += " " + s
		}
	}
	if e.Tool == nil {
		words += fmt.Sprintf(" %q", e.Text)
		if e.Size != len(e.Text) {
			words += fmt.Sprintf(" of %d", e.Size)
		}
	} else {
		words += toolWords(e.Tool)
	}
	if e.Replay {
		words += " replay"
	}
	if e.Over {
		words += " over"
	}
	return words
}

func toolWords(t *Tool) string {
	words := fmt.Sprintf(" %s %q %s", t.Kind, t.Title, t.Status)
	if t.Name != "" {
		words += " name " + t.Name
	}
	words += " +" + t.Started.Format("05")
	if !t.Ended.IsZero() {
		words += "–" + t.Ended.Format("05")
	}
	if len(t.Paths) > 0 {
		words += fmt.Sprintf(" %v", t.Paths)
	}
	if t.Diffs > 0 {
		words += fmt.Sprintf(" diffs %d +%d -%d", t.Diffs, t.Added, t.Removed)
	}
	if t.Input != nil {
		words += fmt.Sprintf(" in %s", clip(string(t.Input), 60))
	}
	if t.Output != "" {
		words += fmt.Sprintf(" out %q", clip(t.Output, 80))
	}
	if t.OutputSize != len(t.Output) {
		words += fmt.Sprintf(" of %d", t.OutputSize)
	}
	if t.Exit != "" {
		words += " exit " + t.Exit
	}
	if len(t.Terminals) > 0 {
		words += fmt.Sprintf(" terminals %v", t.Terminals)
	}
	if t.NotRun {
		words += " not run"
	}
	if t.Cut {
		words += " cut"
	}
	return words
}
