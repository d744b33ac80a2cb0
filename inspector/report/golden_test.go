package report_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bobproxy/acp/clean"
	"bobproxy/inspector/conform"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/report"
	"bobproxy/proxy/journal"
)

var update = flag.Bool("update", false, "write the golden files anew")

// measured is the report of a recording, in text.
func measured(t *testing.T, text, session string) *report.Report {
	t.Helper()
	tally := report.New(session)
	events := journal.Read(strings.NewReader(text))
	if first, _, _ := strings.Cut(text, "\n"); conform.Plain([]byte(first)) {
		events = conform.PlainEvents(strings.NewReader(text))
	}
	for e, err := range events {
		tally.Take(&e, err)
	}
	r, meant := tally.End()
	if r == nil {
		t.Fatalf("%q may mean %q", session, meant)
	}
	return r
}

func asserted(t *testing.T, r *report.Report, texts ...string) (all []report.Verdict) {
	t.Helper()
	for _, text := range texts {
		a, err := report.ParseAssertion(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r.Judge(a))
	}
	return all
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	all, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
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

func TestReports(t *testing.T) {
	for _, name := range []string{"demo", "answers"} {
		t.Run(name, func(t *testing.T) {
			r := measured(t, read(t, "..", "model", "testdata", name+".jsonl"), "")
			verdicts := asserted(t, r, "p90(session/prompt) < 5s", "count(tool) = 5", "max(bytes:session/update)<=1k", "min(session/load) > 0")
			same(t, name+".golden", r.Text(name+".jsonl", report.Look{Width: 80}, verdicts))
			doc, err := json.MarshalIndent(r.JSON(name+".jsonl", verdicts), "", " ")
			if err != nil {
				t.Fatal(err)
			}
			same(t, name+".json.golden", string(doc)+"\n")
		})
	}
}

func TestReportsOfRealAgents(t *testing.T) {
	dir := os.Getenv("BOBPROXY_TESTDATA")
	if dir == "" {
		t.Skip("BOBPROXY_TESTDATA is not set: there are no transcripts of real agents")
	}
	for _, name := range []string{"claude.par", "gemini"} {
		t.Run(name, func(t *testing.T) {
			r := measured(t, read(t, dir, "corpora", "transcripts", name+".jsonl"), "")
			same(t, name+".golden", r.Text(name+".jsonl", report.Look{Width: 80}, nil))
		})
	}
}

// TestTextFits holds lines against their width, and looks for what a terminal
// would obey.
func TestTextFits(t *testing.T) {
	for _, look := range []report.Look{{Width: 60}, {Width: 80}, {Width: 100, ASCII: true}, {Width: 160}} {
		for _, text := range []string{read(t, "..", "model", "testdata", "answers.jsonl"), hostile} {
			got := measured(t, text, "").Text("a/"+strings.Repeat("long/", 40)+"\x1b[2Jname", look, nil)
			for line := range strings.Lines(got) {
				line = strings.TrimSuffix(line, "\n")
				if paint.Width(line) > look.Width || !clean.Is(line) {
					t.Errorf("at %d: %q", look.Width, line)
				}
				for _, r := range line {
					if look.ASCII && r >= 0x80 {
						t.Errorf("in ASCII: %q", line)
						break
					}
				}
			}
		}
	}
}

// hostile is a recording that lies about everything.
const hostile = `{"time":"0001-01-01T00:00:01Z","seq":18446744073709551615,"instance":"aaaaa","event":"frame","dir":"client","kind":"request","method":"session/prompt","id":1,"session":"s","bytes":9223372036854775807,"frame":{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}}
{"time":"9999-12-31T23:59:59Z","seq":1,"instance":"aaaaa","event":"frame","dir":"agent","kind":"response","method":"session/prompt","id":1,"session":"s","bytes":9223372036854775807,"frame":{"id":1,"result":{"stopReason":"\u001b[31mdone\u202e"}}}
{"time":"2026-01-01T00:00:00Z","seq":2,"instance":"aaaaa","event":"frame","dir":"agent","kind":"request","method":"_\u001b[2J","id":1,"bytes":-5,"masked":-1,"frame":{"id":1,"method":"_\u001b[2J"}}
{"time":"2025-01-01T00:00:00Z","seq":3,"instance":"aaaaa","event":"frame","dir":"client","kind":"error","method":"_\u001b[2J","id":1,"bytes":5,"frame":{"id":1,"error":{}}}
{"time":"2025-01-01T00:00:00Z","seq":4,"instance":"aaaaa","event":"decision","by":"\u001b[5m","outcome":"selected","waitMs":-9223372036854775808}
{"time":"2025-01-01T00:00:00Z","seq":5,"instance":"aaaaa","event":"gap","count":18446744073709551615}
nothing
`
