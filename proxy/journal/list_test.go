package journal

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestList(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"20260302T120400Z-demo1.10.jsonl", "20260302T120400Z-demo1.jsonl", "20260302T120400Z-demo1.2.jsonl",
		"20260301T000000Z-z69pu.3.jsonl", "20260303T000000Z-z69pu.jsonl", "notes.jsonl",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, r := range List(dir) {
		got = append(got, r.Instance)
		for _, file := range r.Files {
			got = append(got, filepath.Base(file))
		}
		if r.Written.IsZero() {
			t.Errorf("nobody knows when %s was written to", r.Instance)
		}
	}
	want := []string{
		"z69pu", "20260301T000000Z-z69pu.3.jsonl",
		"demo1", "20260302T120400Z-demo1.jsonl", "20260302T120400Z-demo1.2.jsonl", "20260302T120400Z-demo1.10.jsonl",
		"z69pu", "20260303T000000Z-z69pu.jsonl",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := List(filepath.Join(dir, "none")); got != nil {
		t.Errorf("a folder that is not there has %v", got)
	}
}

func TestContinued(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.jsonl", "a.10.jsonl", "a.2.jsonl", "a.2.log", "a.1.jsonl", "a.02.jsonl", "a.b.jsonl", "b.2.jsonl", "plain", "plain.2"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		path  string
		want  []string
		first string
	}{
		{"a.jsonl", []string{"a.jsonl", "a.2.jsonl", "a.10.jsonl"}, "a.jsonl"},
		{"a.2.jsonl", []string{"a.2.jsonl", "a.10.jsonl"}, "a.jsonl"},
		{"a.10.jsonl", []string{"a.10.jsonl"}, "a.jsonl"},
		{"b.jsonl", []string{"b.jsonl", "b.2.jsonl"}, "b.jsonl"},
		{"a.b.jsonl", []string{"a.b.jsonl"}, "a.b.jsonl"},
		{"none/a.jsonl", []string{"none/a.jsonl"}, "none/a.jsonl"},
	} {
		var got []string
		for _, file := range Continued(filepath.Join(dir, c.path)) {
			name, err := filepath.Rel(dir, file)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s goes on in %q, want %q", c.path, got, c.want)
		}
		if got := First(c.path); got != c.first {
			t.Errorf("%s begins with %s, want %s", c.path, got, c.first)
		}
	}
}

func TestAppendRecord(t *testing.T) {
	for _, record := range []string{
		`{"time":"2026-03-02T12:04:00.007141501Z","seq":2,"instance":"demo1","event":"frame","dir":"client","kind":"request","method":"initialize","id":0,"bytes":20,"frame":{"id":0, "x":"é\u0041"}}`,
		`{"time":"2026-03-02T12:04:00.007141501Z","seq":3,"instance":"demo1","event":"frame","dir":"agent","kind":"text","bytes":5,"reason":"no JSON object","eol":"crlf","raw":"ready"}`,
		`{"time":"2026-03-02T12:04:01.000000000Z","seq":4,"instance":"demo1","event":"exit","status":3}`,
		`{"time":"2026-03-02T12:04:01.000000000Z","seq":5,"instance":"demo1","event":"stderr","text":"a\tb"}`,
	} {
		for line, err := range Lines(strings.NewReader(record + "\n")) {
			if err != nil || string(line.Record) != record {
				t.Errorf("read %s, %v, want %s", line.Record, err, record)
			}
			if got := string(line.AppendRecord([]byte("x"))); got != "x"+record {
				t.Errorf("got  %s\nwant x%s", got, record)
			}
		}
	}
	cut := Event{Type: FrameEvent, Form: FrameBody, Body: []byte(`{"id":0, "x`)}
	if got, want := string(cut.AppendRecord(nil)), `"raw":"{\"id\":0, \"x"}`; !strings.HasSuffix(got, want) {
		t.Errorf("of a cut frame there is %s, want %s at its end", got, want)
	}
}
