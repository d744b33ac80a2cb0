package journal

import (
	"os"
	"path/filepath"
	"slices"
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
